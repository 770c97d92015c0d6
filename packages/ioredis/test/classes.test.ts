import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame, json, stored } from "@tightwire/codec-core";
import { type ClientClasses, createCodecClasses } from "../src/classes.ts";
import type { ValueCodecClientOptions } from "../src/options.ts";
import { valueCodecOf } from "../src/with-value-codec.ts";
import { loosen, StubClient } from "./support/client.ts";
import { StubCluster } from "./support/cluster.ts";

const LONG = "v".repeat(100);
const options = { prefixes: { "a:": { compressor: stored() }, "j:": { compressor: stored(), serializer: json() } } };
/** The classes, without what their options say of values' types. */
function createClasses<T extends ClientClasses>(classes: T, given: ValueCodecClientOptions = options): T {
  return createCodecClasses(classes, given as typeof options) as unknown as T;
}

const isFramed = (client: StubClient, key: string) => isFrame(client.server.held(key) ?? Buffer.alloc(0));

suite("createCodecClasses()", () => {
  test("makes subclasses whose instances are wrapped", async () => {
    const { Redis, Cluster } = createClasses({ Redis: StubClient, Cluster: StubCluster });
    for (const [Class, Base] of [
      [Redis, StubClient],
      [Cluster, StubCluster],
    ] as const) {
      const client = new Class();
      assert.ok(client instanceof Class && client instanceof Base);
      await client.set("a:1", LONG);
      assert.ok(isFramed(client, "a:1"));
      assert.equal(await client.get("a:1"), LONG);
      await loosen(client)["set"]?.("j:1", { user: "ada" });
      assert.deepEqual(await loosen(client)["get"]?.("j:1"), { user: "ada" });
    }
  });

  test("hands the constructor's arguments on", () => {
    const { Redis } = createClasses({ Redis: StubClient });
    assert.equal(new Redis({ keyPrefix: "app:" }).options.keyPrefix, "app:");
  });

  test("keeps the names of the classes, by which ioredis tells them apart", () => {
    class Redis extends StubClient {}
    class Cluster extends StubCluster {}
    const made = createClasses({ Redis, Cluster });
    assert.equal(made.Redis.name, "Redis");
    assert.equal(new made.Cluster().constructor.name, "Cluster");
  });

  test("takes either class alone", () => {
    assert.deepEqual(Object.keys(createClasses({ Redis: StubClient })), ["Redis"]);
    assert.deepEqual(Object.keys(createClasses({ Cluster: StubCluster })), ["Cluster"]);
  });

  test("makes clients with counters and rules of their own, shared with their duplicates", async () => {
    const { Redis } = createClasses({ Redis: StubClient });
    const [first, second] = [new Redis(), new Redis()];
    const copy: StubClient = first.duplicate();
    await copy.set("a:1", LONG);
    assert.equal(valueCodecOf(first).stats()["a:"]?.encoded, 1);
    assert.equal(valueCodecOf(second).stats()["a:"]?.encoded ?? 0, 0);
    valueCodecOf(first).setRules({ prefixes: {} });
    assert.equal(valueCodecOf(copy).rules.size, 0);
    assert.equal(valueCodecOf(second).rules.size, 2);
  });

  test("can be extended, and calls methods of the subclass", async () => {
    const seen: unknown[] = [];
    class Counting extends createClasses({ Redis: StubClient }).Redis {
      override sendCommand(command: unknown): Promise<unknown> {
        seen.push((command as { args: unknown[] }).args[1]);
        return super.sendCommand(command);
      }
    }
    await new Counting().set("a:1", LONG);
    assert.ok(Buffer.isBuffer(seen[0]) && isFrame(seen[0]));
  });

  test("refuses what is no class of ioredis", () => {
    for (const Redis of [null, "Redis", {}, 1]) {
      assert.throws(() => createClasses({ Redis } as never), TypeError);
    }
    const { Redis } = createClasses({ Redis: class {} as never as typeof StubClient });
    assert.throws(() => new Redis(), TypeError);
  });

  test("refuses wrong options when the first client is made", () => {
    const { Redis } = createClasses({ Redis: StubClient }, { prefixes: { "a:": { frame: "sometimes" } } } as never);
    assert.throws(() => new Redis(), RangeError);
  });

  test("gives a frozen object", () => {
    assert.ok(Object.isFrozen(createClasses({ Redis: StubClient })));
  });
});
