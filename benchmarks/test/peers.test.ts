import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { Redis } from "ioredis";
import { type RedisServer, startRedis } from "../../scripts/redis-server.mjs";
import { type Content, type ContentKind, loadPackage, type Peer, PeerUnavailableError } from "../src/peers/peer.ts";
import { openPeers, PEERS } from "../src/peers/peers.ts";

const TEXT = "tenant=demo;type=event;status=active;value=12345;\n".repeat(40);
const BYTES = Buffer.from(Uint8Array.from({ length: 2_000 }, (_, i) => (i * i * 31 + (i >> 3)) & 255));
const CONTENTS: readonly (readonly [ContentKind, Content])[] = [
  ["text", TEXT],
  ["bytes", BYTES],
];

let server: RedisServer;
let control: Redis;

before(async () => {
  server = await startRedis();
  control = new Redis(server.url);
});

after(async () => {
  control.disconnect();
  await server.stop();
});

for (const peer of PEERS) {
  suite(peer.name, () => {
    for (const [kind, content] of CONTENTS) {
      test(`gives back equal ${kind} by every call that it supports`, async (context) => {
        const { open, unavailable, failed, close } = await openPeers([peer], server.port);
        const reason = unavailable.get(peer);
        if (reason !== undefined) return context.skip(reason);
        assert.deepEqual([...failed.values()], []);
        const [opened] = open;
        assert.ok(opened !== undefined);
        try {
          await assertRoundTrips(peer, kind, content, opened.connection.calls(kind), opened.prefix);
        } finally {
          await close();
        }
      });
    }
  });
}

type Calls = ReturnType<Awaited<ReturnType<Peer["connect"]>>["calls"]>;

async function assertRoundTrips(peer: Peer, kind: ContentKind, content: Content, calls: Calls, prefix: string): Promise<void> {
  const supports = (operation: "set" | "mget" | "hset", style: "direct" | "pipelined"): boolean =>
    peer.supports({ operation, style, kind, sizeBytes: content.length });
  if (supports("set", "direct")) {
    await calls.set(`${prefix}1`, content);
    assert.deepEqual(await calls.get(`${prefix}1`), content);
    await assertHeld(peer, kind, `${prefix}1`);
  }
  if (supports("mget", "direct")) assert.deepEqual(await calls.mget([`${prefix}1`, `${prefix}1`]), [content, content]);
  if (supports("set", "pipelined")) {
    const pipeline = calls.createPipeline();
    pipeline.set(`${prefix}2`, content);
    pipeline.get(`${prefix}2`);
    pipeline.mget([`${prefix}2`, `${prefix}1`]);
    assert.deepEqual((await pipeline.exec()).slice(1), [content, [content, content]]);
  }
  if (!supports("hset", "direct")) return;
  await calls.hset(`${prefix}3`, { a: content, b: content });
  assert.deepEqual(toFields(await calls.hgetall(`${prefix}3`)), { a: content, b: content });
}

function toFields(reply: unknown): unknown {
  if (!Array.isArray(reply)) return { ...(reply as object) };
  return Object.fromEntries(reply.map(({ field, value }) => [field, value]));
}

async function assertHeld(peer: Peer, kind: ContentKind, key: string): Promise<void> {
  const held = await control.getBuffer(key);
  assert.ok(held !== null);
  const { compressed } = peer.readHeld(held);
  if (peer.codec === "raw") assert.deepEqual(held, Buffer.from(kind === "text" ? TEXT : BYTES));
  else if (kind === "text") assert.equal(compressed, peer.codec !== "stored");
}

suite("peers", () => {
  test("Keyv gives back text only: other bytes come back as others", async (context) => {
    const keyv = PEERS.filter(({ product }) => product === "keyv");
    const { open, unavailable, close } = await openPeers(keyv, server.port);
    try {
      if (open.length === 0) return context.skip([...unavailable.values()].join());
      for (const { peer, connection, prefix } of open) {
        assert.equal(peer.supports({ operation: "get", style: "direct", kind: "bytes", sizeBytes: 1 }), false);
        const calls = connection.calls("bytes");
        await calls.set(prefix, BYTES);
        // Its gzip cannot read some of them at all.
        const back = await calls.get(prefix).catch((error: Error) => error.message);
        assert.equal(typeof back, "string");
      }
    } finally {
      await close();
    }
  });

  test("a pipeline rejects if one of its commands does", async () => {
    const peers = PEERS.filter((peer) =>
      peer.supports({ operation: "set", style: "pipelined", kind: "text", sizeBytes: TEXT.length }),
    );
    const { open, close } = await openPeers(peers, server.port);
    try {
      for (const { connection, prefix } of open) {
        await control.lpush(`${prefix}list`, "x");
        const pipeline = connection.calls("text").createPipeline();
        pipeline.set(`${prefix}4`, TEXT);
        pipeline.get(`${prefix}list`);
        await assert.rejects(pipeline.exec(), /WRONGTYPE/);
      }
    } finally {
      await close();
    }
  });

  test("a package that is not there is a reason, not a failure", async () => {
    const missing = "@tightwire/not-there";
    const load = (): Promise<unknown> => loadPackage(missing, () => import(missing));
    await assert.rejects(load, PeerUnavailableError);
    const [good] = PEERS;
    assert.ok(good !== undefined);
    const absent: Peer = { ...good, connect: async () => load() as never };
    const broken: Peer = { ...good, connect: async () => assert.fail("no connection") };
    const peers = await openPeers([absent, broken, good], server.port);
    await peers.close();
    assert.deepEqual([...peers.unavailable.keys()], [absent]);
    assert.deepEqual([...peers.failed.keys()], [broken]);
    assert.deepEqual(
      peers.open.map(({ peer }) => peer),
      [good],
    );
  });
});
