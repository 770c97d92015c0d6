import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Redis } from "ioredis";
import { type RedisServer, startRedis } from "../../scripts/redis-server.mjs";
import { respBytesOf } from "../src/cases/codec-cases.ts";
import { connectControl, countWireBytes, readHeldFacts, whileServerRuns } from "../src/cases/redis-facts.ts";
import { createPeerWork, type Workload } from "../src/cases/redis-workload.ts";
import { recordText } from "../src/corpus/corpora.ts";
import { rawPeer, tightwirePeers } from "../src/peers/ioredis.ts";
import type { Peer, PeerCalls } from "../src/peers/peer.ts";
import type { OpenPeer } from "../src/peers/peers.ts";

const WORKLOAD: Workload = { operation: "get", corpus: recordText, kind: "text", sizeBytes: 1_024, inFlight: 1, style: "direct" };

let server: RedisServer;
let control: Redis;

before(async () => {
  server = await startRedis();
  control = await connectControl(server.port);
});

after(async () => {
  control.disconnect();
  await server.stop();
});

suite("countWireBytes()", () => {
  test("counts every byte of both directions, and none of its own", async () => {
    assert.deepEqual(await countWireBytes(server, async () => {}), { toServer: 0, toClient: 0 });
    const set = await countWireBytes(server, () => control.set("key", "value"));
    assert.deepEqual(set, { toServer: "*3\r\n$3\r\nset\r\n$3\r\nkey\r\n$5\r\nvalue\r\n".length, toClient: "+OK\r\n".length });
    const get = await countWireBytes(server, () => Promise.all([control.get("key"), control.get("key")]));
    assert.deepEqual(get, { toServer: 2 * "*2\r\n$3\r\nget\r\n$3\r\nkey\r\n".length, toClient: 2 * respBytesOf(5) });
  });
});

suite("readHeldFacts()", () => {
  test("refuses a value that its peer should have compressed", async () => {
    await control.set("plain", recordText.create(1_024));
    const lz4 = tightwirePeers.find(({ codec }) => codec === "lz4");
    assert.ok(lz4 !== undefined);
    await assert.rejects(readHeldFacts(control, lz4, "plain", WORKLOAD), /not compressed/);
    await assert.rejects(readHeldFacts(control, lz4, "absent", WORKLOAD), /does not hold/);
    const facts = await readHeldFacts(control, rawPeer, "plain", WORKLOAD);
    assert.deepEqual({ ...facts, usedMemoryBytes: 0 }, { heldBytes: 1_024, codecId: null, usedMemoryBytes: 0 });
    assert.ok(facts.usedMemoryBytes > 1_024 && facts.usedMemoryBytes < 2_048);
  });
});

suite("whileServerRuns()", () => {
  test("gives what the work gives, or fails when the server ends under work that would wait forever", async () => {
    const own = await startRedis();
    const client = await connectControl(own.port);
    try {
      assert.equal(await whileServerRuns(client, async () => 1), 1);
      await assert.rejects(
        whileServerRuns(client, async () => {
          await own.kill();
          await new Promise(() => {});
        }),
        /the Redis server ended/,
      );
    } finally {
      client.disconnect();
      await own.stop();
    }
  });
});

suite("createPeerWork()", () => {
  const content = recordText.create(1_024).toString();

  /** A peer that answers as told. */
  function createStub(get: () => unknown): OpenPeer {
    const calls = {
      set: async () => "OK",
      get: async () => get(),
      mget: async (keys: string[]) => keys.map(get),
    } as unknown as PeerCalls;
    const connection = { calls: () => calls, close: async () => {} };
    return { peer: rawPeer as Peer, prefix: "p:", connection };
  }

  test("accepts values that come back equal, and refuses others before anything is timed", async () => {
    await createPeerWork(
      createStub(() => content),
      WORKLOAD,
      content,
    ).verify();
    const wrong = [null, "", content.replace("demo", "demi"), Buffer.from(content)];
    for (const value of wrong) {
      for (const operation of ["get", "set", "mget"] as const) {
        const work = createPeerWork(
          createStub(() => value),
          { ...WORKLOAD, operation },
          content,
        );
        await assert.rejects(work.verify(), /did not come back equal/);
      }
    }
  });

  test("tells a miss from a value while it is timed", () => {
    const check = (operation: Workload["operation"], reply: unknown): void =>
      createPeerWork(
        createStub(() => content),
        { ...WORKLOAD, operation },
        content,
      ).checkReply(reply);
    check("get", content);
    check("set", "OK");
    check("set", true);
    check("mget", Array(20).fill(content));
    check("hset", 0);
    check("hgetall", { f19: content });
    for (const reply of [null, undefined, "", content.slice(1)]) assert.throws(() => check("get", reply));
    for (const reply of [null, false, undefined]) assert.throws(() => check("set", reply));
    for (const reply of [null, [content], Array(20).fill(null)]) assert.throws(() => check("mget", reply));
    for (const reply of [null, {}, [], { f19: "" }]) assert.throws(() => check("hgetall", reply));
    assert.throws(() => check("hset", null));
  });
});
