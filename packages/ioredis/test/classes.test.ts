import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { suite, test } from "node:test";
import { isFrame, json, stored } from "@tightwire/codec-core";
import { Cluster, Redis } from "ioredis";
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
    const made = createClasses({ Redis: StubClient, Cluster: StubCluster });
    for (const [Class, Base] of [
      [made.Redis, StubClient],
      [made.Cluster, StubCluster],
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
    for (const given of [null, "Redis", {}, 1, undefined]) {
      assert.throws(() => createClasses({ Redis: given } as never), TypeError);
      assert.throws(() => createClasses({ Cluster: given } as never), TypeError);
    }
    assert.throws(() => createClasses({ Client: StubClient } as never), TypeError);
  });

  test("refuses wrong options when the classes are made, before a client has begun to connect", () => {
    const wrong = { prefixes: { "a:": { frame: "sometimes" } } } as never;
    assert.throws(() => createClasses({ Redis: StubClient }, wrong), RangeError);
  });

  test("makes classes that name each other as those of ioredis do", () => {
    for (const classes of [{ Redis }, { Redis, Cluster }]) {
      const { Redis: CodecRedis, ...others } = createClasses(classes);
      const named = CodecRedis as typeof Redis & Record<"Redis" | "default" | "Cluster", unknown>;
      assert.equal(named.Redis, CodecRedis);
      assert.equal(named.default, CodecRedis);
      assert.ok((named.Cluster as typeof Cluster).prototype instanceof Cluster);
      if ("Cluster" in others) assert.equal(named.Cluster, others.Cluster);
      const client = Reflect.apply(Reflect.get(CodecRedis, "createClient"), undefined, [{ lazyConnect: true }]);
      assert.ok(client instanceof CodecRedis);
      assert.equal(valueCodecOf(client).rules.size, 2);
    }
    assert.notEqual(Reflect.get(Redis, "default"), undefined);
  });

  test("leaves the classes that it extends as they were", () => {
    const names = () => ["Redis", "default", "Cluster", "createClient"].map((name) => Reflect.get(Redis, name));
    const before = names();
    createClasses({ Redis, Cluster });
    assert.deepEqual(names(), before);
    assert.throws(() => valueCodecOf(new Redis({ lazyConnect: true })), TypeError);
  });

  test("names nothing on a class that names nothing", () => {
    class Bare extends EventEmitter {
      readonly options = {};
      duplicate() {}
      pipeline() {}
      multi() {}
      sendCommand() {}
    }
    const { Redis: CodecBare } = createClasses({ Redis: Bare });
    assert.deepEqual(
      ["Redis", "default", "Cluster", "createClient"].filter((name) => name in CodecBare),
      [],
    );
    assert.ok(valueCodecOf(new CodecBare()).rules.has("a:"));
  });

  test("makes duplicates of their own class", async () => {
    const { Redis: CodecRedis } = createClasses({ Redis });
    const client = new CodecRedis({ lazyConnect: true });
    const copy = client.duplicate();
    assert.ok(copy instanceof CodecRedis);
    assert.deepEqual(copy.pipeline().constructor, client.pipeline().constructor);
    valueCodecOf(client).setRules({ prefixes: {} });
    assert.equal(valueCodecOf(copy).rules.size, 0);
  });

  test("gives a frozen object", () => {
    assert.ok(Object.isFrozen(createClasses({ Redis: StubClient })));
  });
});
