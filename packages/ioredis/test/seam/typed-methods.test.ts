import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { json, msgpack, stored } from "@tightwire/codec-core";
import { withValueCodec } from "../../src/with-value-codec.ts";
import { createClient, type LooseMethods, loosen, StubClient, type StubOptions } from "../support/client.ts";
import { createCluster } from "../support/cluster.ts";

const LONG = "v".repeat(100);
const BYTES = new Uint8Array(100).fill(0xff);

const call = (client: object, method: string, ...args: unknown[]) => loosen(client)[method]?.(...args);

suite("own methods with a serializer", () => {
  const USER = { user: "ada", data: [1, [2]] };
  const TYPED = {
    "j:": { compressor: stored(), serializer: json() },
    "m:": { compressor: stored(), serializer: msgpack() },
    "a:": { compressor: stored() },
  } as const;

  const styles: readonly (readonly [name: string, options: StubOptions])[] = [
    ["directly", {}],
    ["with auto-pipelining", { enableAutoPipelining: true }],
    ["with a keyPrefix", { keyPrefix: "app:" }],
    ["with auto-pipelining and a keyPrefix", { enableAutoPipelining: true, keyPrefix: "app:" }],
  ];
  for (const [name, options] of styles) {
    test(`write values and give them back ${name}`, async () => {
      const client = createClient(TYPED, options);
      for (const value of [USER, [1, 2], "42", 42, true, null]) {
        await call(client, "set", "j:1", value);
        assert.deepEqual(await call(client, "get", "j:1"), value);
        assert.deepEqual(await call(client, "set", "j:1", value, "GET"), value);
        assert.deepEqual(await call(client, "mget", "j:1", "x:0"), [value, null]);
        await call(client, "mset", { "j:1": value, "m:1": value, "x:1": "plain" });
        assert.deepEqual(await call(client, "mget", "j:1", "m:1", "x:1"), [value, value, "plain"]);
        await call(client, "hset", "m:h", { f: value, g: [value] });
        assert.deepEqual(await call(client, "hget", "m:h", "f"), value);
        assert.deepEqual(await call(client, "hgetall", "m:h"), { f: value, g: [value] });
      }
      await call(client, "rpush", "j:l", [USER, [1]]);
      assert.deepEqual(await call(client, "lrange", "j:l", 0, -1), [USER, [1]]);
    });
  }

  test("keep bytes and dates inside a value, which ioredis would make text of", async () => {
    const client = createClient(TYPED);
    const value = { data: Buffer.from([0xff, 0]), seen: new Date(0), list: [Buffer.from([0xfe])] };
    await call(client, "mset", { "m:1": value, "m:2": value });
    await call(client, "hset", "m:h", "f", value);
    assert.deepEqual(await call(client, "mget", "m:1", "m:2"), [value, value]);
    assert.deepEqual(await call(client, "hgetall", "m:h"), { f: value });
    assert.deepEqual(await client.multi().get("m:1").hgetall("m:h").exec(), [
      [null, value],
      [null, { f: value }],
    ]);
    await client.multi({ pipeline: false });
    await client.get("m:1");
    await client.hgetall("m:h");
    assert.deepEqual(await client.exec(), [
      [null, value],
      [null, ["f", value]],
    ]);
  });

  test("write values in pipelines, transactions and by name, as they were at the call", async () => {
    const client = createClient(TYPED);
    const value = { user: "ada" };
    const [pipeline, transaction] = [client.pipeline(), client.multi()];
    assert.equal(call(pipeline, "set", "j:1", value), pipeline as never);
    call(transaction, "hset", "j:2", { f: value });
    const direct = call(client, "call", "SET", "j:3", value);
    value.user = "bob";
    await Promise.all([pipeline.exec(), transaction.exec(), direct]);
    assert.deepEqual(await call(client, "get", "j:1"), { user: "ada" });
    assert.deepEqual(await call(client, "hgetall", "j:2"), { f: { user: "ada" } });
    assert.deepEqual(await call(client, "get", "j:3"), { user: "ada" });
  });

  test("write values on a cluster, its nodes, and later when it knows its slots", async () => {
    for (const options of [{}, { enableAutoPipelining: true }, { keyPrefix: "app:" }]) {
      const cluster = createCluster(TYPED, options);
      const set = call(cluster, "set", "j:1", USER);
      cluster.makeReady();
      await set;
      assert.deepEqual(await call(cluster, "get", "j:1"), USER);
      const key = `${Reflect.get(options, "keyPrefix") ?? ""}j:2`;
      await call(cluster.node, "set", key, USER);
      assert.deepEqual(await call(cluster, "get", "j:2"), USER);
      assert.deepEqual(await call(cluster.node, "get", key), USER);
    }
  });

  test("give content to whoever wants bytes", async () => {
    const client = createClient(TYPED);
    await call(client, "set", "j:1", USER);
    await call(client, "set", "j:2", 42);
    assert.deepEqual(await client.mgetBuffer("j:1", "j:2"), [Buffer.from(JSON.stringify(USER)), Buffer.from("42")]);
  });

  test("take Buffers for values", async () => {
    const client = createClient(TYPED);
    await call(client, "set", "m:1", Buffer.from(BYTES));
    assert.deepEqual(await call(client, "get", "m:1"), Buffer.from(BYTES));
    await assert.rejects(async () => call(client, "set", "j:1", Buffer.from(BYTES)), { code: "CODEC_SERIALIZE", key: "j:1" });
    assert.deepEqual(client.server.received.at(-1), ["type", "j:1"]);
  });

  test("encode values once where a subclass waits, sends something else, or calls another method first", async () => {
    class Careful extends StubClient {
      override set(...args: unknown[]): never {
        const sending = Promise.resolve().then(async () => {
          await this.ping();
          return Reflect.apply(super.set, this, args);
        });
        return sending as never;
      }
      override setnx(...args: unknown[]): never {
        return Reflect.apply(this.set, this, args) as never;
      }
    }
    const client = withValueCodec(new Careful(), { prefixes: TYPED }) as unknown as Careful;
    for (const [key, value] of [
      ["j:1", USER],
      ["a:1", BYTES],
      ["a:2", LONG],
      ["j:2", 42],
    ]) {
      for (const method of ["set", "setnx"]) await call(client, method, key, value);
    }
    assert.deepEqual(await call(client, "get", "j:1"), USER);
    assert.deepEqual(await client.getBuffer("a:1"), Buffer.from(BYTES));
    assert.equal(await client.get("a:2"), LONG);
    assert.equal(await call(client, "get", "j:2"), 42);
  });

  test("hand results to a callback", async () => {
    const client = createClient(TYPED);
    await new Promise((resolve) => call(client, "set", "j:1", USER, resolve));
    const value = await new Promise((resolve) => call(client, "get", "j:1", (_: unknown, one: unknown) => resolve(one)));
    assert.deepEqual(value, USER);
  });

  test("refuse a value that has no form, in its place", async () => {
    const client = createClient(TYPED);
    const pipeline = client.pipeline();
    for (const [key, value] of [
      ["j:1", USER],
      ["j:2", 1n],
      ["a:1", USER],
    ]) {
      call(pipeline, "set", key, value);
    }
    const results = await pipeline.exec();
    assert.deepEqual(results?.[0], [null, "OK"]);
    assert.equal(Reflect.get(results?.[1]?.[0] as object, "code"), "CODEC_SERIALIZE");
    assert.ok(results?.[2]?.[0] instanceof TypeError);
    assert.deepEqual(client.server.names(), ["set", "type", "type"]);
  });

  test("keep a refused call on the first key of its values, of whatever form", async () => {
    for (const [method, ...args] of [
      ["mset", { "j:1": 1n }],
      ["mset", [["j:1", 1n]].flat()],
      ["hset", "j:1", new Map([["f", 1n]])],
      ["msetex", 1, "j:1", 1n],
      ["call", "MSET", "j:1", 1n],
    ] as const) {
      const client = createClient(TYPED);
      await assert.rejects(async () => call(client, method, ...args), { code: "CODEC_SERIALIZE" });
      assert.deepEqual(client.server.received, [["type", "j:1"]], method);
    }
  });

  test("send what is under no rule as ioredis does, beside rules with a serializer", async () => {
    for (const run of [
      (methods: LooseMethods) => methods["set"]?.("x:1", { user: "ada" }),
      (methods: LooseMethods) => methods["set"]?.("x:1", ["v", "EX", 10]),
      (methods: LooseMethods) => methods["mset"]?.({ "x:1": [1, 2], "x:2": null }),
      (methods: LooseMethods) => methods["hset"]?.("x:1", { f: { g: 1 } }),
      (methods: LooseMethods) => methods["rpush"]?.("x:1", ["a", "b"], "c"),
    ]) {
      const [wrapped, plain] = [createClient(TYPED), new StubClient()];
      for (const client of [wrapped, plain]) await run(loosen(client));
      assert.deepEqual(wrapped.server.received, plain.server.received);
    }
  });
});
