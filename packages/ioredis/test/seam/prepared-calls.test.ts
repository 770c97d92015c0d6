import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { takeCall, withCall } from "../../src/seam/calls.ts";
import type { CommanderLike } from "../../src/seam/ioredis.ts";
import { isSentLater, type PreparedCall, passPrepared } from "../../src/seam/prepared-calls.ts";
import { createClient, type StubClient, type StubOptions } from "../support/client.ts";
import { createCluster } from "../support/cluster.ts";

const asTarget = (client: object) => client as never as CommanderLike;
const keyOf = (args: readonly unknown[]) => args.flat()[0];

interface Sent {
  readonly args: readonly unknown[];
  readonly call: ReturnType<typeof takeCall>;
}

/** Passes a call, and says what ioredis' method was called with and what its command would have been told. */
function pass(target: object, given: unknown[], prepare: (args: readonly unknown[]) => PreparedCall) {
  const sent: Sent[] = [];
  const send = (args: readonly unknown[]) => {
    sent.push({ args, call: takeCall() });
    return "sent";
  };
  const result = passPrepared(asTarget(target), given, prepare, send, keyOf);
  return { sent, result };
}

const double = (args: readonly unknown[]): PreparedCall => ({ args: [...args, ...args], encoded: true });
const keep = (args: readonly unknown[]): PreparedCall => ({ args: [...args], encoded: false });
const refuse = (): PreparedCall => {
  throw new TypeError("no value");
};

suite("passPrepared()", () => {
  test("calls ioredis' method with the prepared arguments as one list, and tells the seam of them", () => {
    const { sent, result } = pass(createClient({}), ["a", ["b"]], double);
    assert.equal(result, "sent");
    assert.deepEqual(sent, [{ args: [["a", ["b"], "a", ["b"]]], call: { encoded: true } }]);
  });

  test("tells the seam where values are still to be encoded", () => {
    const { sent } = pass(createClient({}), ["a"], keep);
    assert.deepEqual(sent, [{ args: [["a"]], call: {} }]);
  });

  test("leaves a callback behind the arguments, and keeps it from being prepared", () => {
    const callback = () => {};
    const { sent } = pass(createClient({}), ["a", callback], double);
    assert.deepEqual(sent[0]?.args, [["a", "a"], callback]);
  });

  test("passes what an own method further out has prepared", () => {
    const client = createClient({});
    const call = { encoded: true } as const;
    const { sent } = withCall(call, () => pass(client, ["a"], refuse)) as { sent: Sent[] };
    assert.deepEqual(sent, [{ args: ["a"], call }]);
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

  test("holds prepared arguments, in memory of its own, until the pipeline's method is called with them", () => {
    const cluster = createCluster({}, options);
    const value = Buffer.from("v");
    const { sent } = pass(cluster, ["a:1", value], double);
    const held = sent[0]?.args[0];
    value.fill("w");
    assert.deepEqual(held, ["a:1", Buffer.from("v"), "a:1", Buffer.from("v")]);
    assert.equal(sent[0]?.call, undefined);
    const later = pass(cluster.pipeline(), [held], refuse);
    assert.deepEqual(later.sent, [{ args: [held], call: { encoded: true } }]);
  });

  test("remembers where values are still to be encoded", () => {
    const cluster = createCluster({}, options);
    const { sent } = pass(cluster, ["a:1"], keep);
    const later = pass(cluster.pipeline(), [sent[0]?.args[0]], refuse);
    assert.deepEqual(later.sent[0]?.call, {});
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
