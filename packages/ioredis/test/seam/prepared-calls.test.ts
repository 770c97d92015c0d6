import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { markHeld } from "../../src/encode-value.ts";
import type { CommanderLike } from "../../src/seam/ioredis.ts";
import { isSentLater, passPrepared } from "../../src/seam/prepared-calls.ts";
import { createClient, type StubClient, type StubOptions } from "../support/client.ts";
import { createCluster } from "../support/cluster.ts";

const asTarget = (client: object) => client as never as CommanderLike;
const keyOf = (args: readonly unknown[]) => args.flat()[0];

type Prepare = (args: readonly unknown[]) => readonly unknown[];

/** Passes a call, and says what ioredis' method was called with. */
function pass(target: object, given: unknown[], prepare: Prepare) {
  const sent: (readonly unknown[])[] = [];
  const send = (args: readonly unknown[]) => {
    sent.push(args);
    return "sent";
  };
  const result = passPrepared(asTarget(target), given, prepare, send, keyOf);
  return { sent, result };
}

const double: Prepare = (args) => [...args, ...args];
const refuse: Prepare = () => {
  throw new TypeError("no value");
};

suite("passPrepared()", () => {
  test("calls ioredis' method with the prepared arguments, as whoever overrides it expects them", () => {
    const { sent, result } = pass(createClient({}), ["a", "b"], double);
    assert.equal(result, "sent");
    assert.deepEqual(sent, [["a", "b", "a", "b"]]);
  });

  test("keeps an argument that is an array from being flattened", () => {
    const { sent } = pass(createClient({}), ["a", ["b"]], double);
    assert.deepEqual(sent, [[["a", ["b"], "a", ["b"]]]]);
  });

  test("leaves a callback behind the arguments, and keeps it from being prepared", () => {
    const callback = () => {};
    const { sent } = pass(createClient({}), ["a", callback], double);
    assert.deepEqual(sent[0], ["a", "a", callback]);
  });

  test("keeps the place of a refused call whose key cannot be found", async () => {
    const client = createClient({});
    const given = {
      toString() {
        throw new Error("no key");
      },
    };
    const fail = () => {
      throw new TypeError("no key");
    };
    const result = passPrepared(asTarget(client), [given], refuse, () => "sent", fail);
    await assert.rejects(result as Promise<unknown>, TypeError);
  });

  test("makes an error of preparing the rejection of a command on the call's key", async () => {
    const client = createClient({});
    const { sent, result } = pass(client, [["a:1", "v"]], refuse);
    await assert.rejects(result as Promise<unknown>, TypeError);
    assert.deepEqual(sent, []);
    assert.deepEqual(client.server.received, [["type", "a:1"]]);
  });

  test("hands an error of preparing to the callback", async () => {
    const client = createClient({});
    const error = await new Promise((resolve) => {
      (pass(client, ["a:1", resolve], refuse).result as Promise<unknown>).catch(() => {});
    });
    assert.ok(error instanceof TypeError);
  });

  test("makes an error of preparing the result of its place in a pipeline", async () => {
    const client = createClient({});
    const pipeline = client.pipeline();
    assert.equal(pass(pipeline, ["a:1"], refuse).result, pipeline);
    pipeline.ping();
    const results = await pipeline.exec();
    assert.ok(results?.[0]?.[0] instanceof TypeError);
    assert.deepEqual(results?.[1], [null, "PONG"]);
  });
});

suite("passPrepared() on a cluster that makes its commands later", () => {
  const options = { enableAutoPipelining: true };

  test("holds bytes in memory of its own, but what own methods made as it is", () => {
    const value = Buffer.from("v");
    const held = markHeld("held");
    const { sent } = pass(createCluster({}, options), ["a:1", value, held], (args) => args);
    value.fill("w");
    assert.deepEqual(sent[0], ["a:1", Buffer.from("v"), held]);
    assert.equal(sent[0]?.[2], held);
  });

  test("rejects what could not be prepared, without a command", async () => {
    const cluster = createCluster({}, options);
    const { sent, result } = pass(cluster, ["a:1"], refuse);
    await assert.rejects(result as Promise<unknown>, TypeError);
    assert.deepEqual([sent, cluster.server.received], [[], []]);
  });

  test("hands what could not be prepared to the callback, after the call", async () => {
    const cluster = createCluster({}, options);
    let returned = false;
    const [error, after] = await new Promise<[unknown, boolean]>((resolve) => {
      (pass(cluster, ["a:1", (reason: unknown) => resolve([reason, returned])], refuse).result as Promise<unknown>).catch(
        () => {},
      );
      returned = true;
    });
    assert.ok(error instanceof TypeError);
    assert.equal(after, true);
  });
});

suite("isSentLater()", () => {
  const auto: StubOptions = { enableAutoPipelining: true };

  test("holds for a cluster with auto-pipelining until it knows its slots", () => {
    const cluster = createCluster({}, auto);
    assert.equal(isSentLater(asTarget(cluster)), true);
    cluster.makeReady();
    assert.equal(isSentLater(asTarget(cluster)), false);
  });

  test("does not hold for its pipelines, without auto-pipelining, nor for a client", () => {
    const others: (StubClient | ReturnType<StubClient["pipeline"]>)[] = [
      createCluster({}, auto).pipeline(),
      createCluster({}),
      createClient({}, auto),
    ];
    for (const target of others) assert.equal(isSentLater(asTarget(target)), false);
  });
});
