import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createValueCodec, isFrame } from "@tightwire/codec-core";
import { bytes, json, lz4, msgpack, utf8, type ValueCodecClientOptions, valueCodecOf, withValueCodec } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import { startCluster } from "../support/cluster.ts";
import { Cluster } from "../support/ioredis-versions.ts";
import { useRedis } from "./support/clients.ts";
import { BAD } from "./support/damage.ts";
import { failureOf, listOf, rejectionOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";
import { type LooseClient, loosen } from "./support/typed-clients.ts";

const redis = useRedis();
const codec = createValueCodec();

const RULES: ValueCodecClientOptions = {
  prefixes: {
    "j:": { serializer: json() },
    "m:": { serializer: msgpack() },
    "p:": { compressor: lz4() },
  },
};

function open(rules: ValueCodecClientOptions = RULES, options: RedisOptions = {}): LooseClient {
  return loosen(redis.openWrapped(rules, options));
}

async function heldAt(key: string): Promise<Buffer> {
  const held = await redis.bare.getBuffer(key);
  assert.ok(held !== null, `${key} is held`);
  return held;
}

const JSON_VALUES: readonly unknown[] = [
  { user: "ada", roles: ["admin"], nested: { deep: [1, [2, [3]]], none: null } },
  [],
  [1, "two", { three: 3 }],
  [[1, 2], [3]],
  [null],
  {},
  "text",
  LONG,
  "",
  "42",
  "null",
  '{"looks":"like JSON"}',
  "RVC\0 like a frame",
  true,
  false,
  null,
  0,
  -7,
  1.5,
  0.1 + 0.2,
  1e21,
  1e-7,
  Number.MAX_SAFE_INTEGER,
];
const MSGPACK_VALUES: readonly unknown[] = [
  ...JSON_VALUES,
  Buffer.from([0, 255, 128]),
  Buffer.alloc(0),
  { bytes: Buffer.from("inside"), date: new Date(1_700_000_000_000), list: [Buffer.from("deep")] },
  new Date(0),
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -0,
  2n ** 60n,
];

suite("a rule with a serializer", () => {
  for (const [prefix, values] of [
    ["j:", JSON_VALUES],
    ["m:", MSGPACK_VALUES],
  ] as const) {
    test(`${prefix} gives every value back equal, in every place a value can stand`, async () => {
      const client = open();
      await redis.bare.flushall();
      for (const [i, value] of values.entries()) {
        const key = `${prefix}${i}`;
        await client.set(key, value);
        assert.deepStrictEqual(await client.get(key), value);
        await client.mset({ [`${key}:a`]: value }, () => undefined);
        await client.mset(new Map([[`${key}:b`, value]]));
        await client.mset([`${key}:c`, value, `${key}:d`, value]);
        assert.deepStrictEqual(await client.mget(`${key}:a`, `${key}:b`, `${key}:c`, `${key}:d`), [value, value, value, value]);
        await client.hset(`${key}:h`, { a: value, b: value });
        await client.hset(`${key}:h`, new Map([["c", value]]));
        await client.hset(`${key}:h`, "d", value, "e", value);
        assert.deepStrictEqual(await client.hgetall(`${key}:h`), { a: value, b: value, c: value, d: value, e: value });
        await client.rpush(`${key}:l`, [value, value]);
        assert.deepStrictEqual(await client.lrange(`${key}:l`, 0, -1), [value, value]);
        await client.xadd(`${key}:s`, "1-1", "f", value, "g", value);
        assert.deepStrictEqual(await client.xrange(`${key}:s`, "-", "+"), [["1-1", ["f", value, "g", value]]]);
      }
    });
  }

  test("takes an array in the place of one value as that value", async () => {
    const client = open();
    await client.set("j:1", [1, "EX", 100]);
    assert.deepStrictEqual(await client.get("j:1"), [1, "EX", 100]);
    assert.equal(await redis.bare.ttl("j:1"), -1);
    await client.setex("j:1", 100, [[1]]);
    assert.deepStrictEqual(await client.getset("j:1", [2, 3]), [[1]]);
    assert.deepStrictEqual(await client.getdel("j:1"), [2, 3]);
    assert.equal(await client.setnx("j:1", ["new"]), 1);
    await client.mset("j:2", [1, 2], "j:3", []);
    assert.deepStrictEqual(await client.mget("j:1", "j:2", "j:3"), [["new"], [1, 2], []]);
    await client.hset("j:h", "f", [1, 2], "g", [[]]);
    await client.hsetnx("j:h", "h", [3]);
    assert.deepStrictEqual(await client.hgetall("j:h"), { f: [1, 2], g: [[]], h: [3] });
    await client.xadd("j:s", "1-1", "f", [1, 2], "g", []);
    assert.deepStrictEqual(await client.xrange("j:s", "-", "+"), [["1-1", ["f", [1, 2], "g", []]]]);
    await client.rpush("j:l", "first");
    await client.lset("j:l", 0, [1, 2]);
    assert.deepStrictEqual(await client.lindex("j:l", 0), [1, 2]);
  });

  test("keeps ioredis' flattening where arguments come as an array", async () => {
    const client = open();
    await redis.bare.del("j:l", "j:h", "j:s");
    await client.set(["j:1", { a: 1 }, "EX", 100]);
    assert.ok((await redis.bare.ttl("j:1")) > 0);
    assert.equal(await client.rpush("j:l", [{ a: 1 }, { b: 2 }], [[3, 4]]), 3);
    assert.deepStrictEqual(await client.lrange("j:l", 0, -1), [{ a: 1 }, { b: 2 }, [3, 4]]);
    assert.equal(await client.hset("j:h", ["f", { a: 1 }, "g", [2]]), 2);
    assert.deepStrictEqual(await client.hgetall("j:h"), { f: { a: 1 }, g: [2] });
    await client.xadd("j:s", "1-1", ["f", { a: 1 }]);
    assert.deepStrictEqual(await client.xrange("j:s", "-", "+"), [["1-1", ["f", { a: 1 }]]]);
  });

  test("mixes with other rules and with none in one command", async () => {
    const client = open();
    await client.mset({ "j:1": { a: 1 }, "m:1": [Buffer.from("b")], "p:1": LONG, "other:1": 5 });
    assert.deepStrictEqual(await client.mget("j:1", "m:1", "p:1", "other:1", "j:none"), [
      { a: 1 },
      [Buffer.from("b")],
      LONG,
      "5",
      null,
    ]);
    assert.deepStrictEqual(codec.decode(await heldAt("j:1")).toString(), '{"a":1}');
    assert.equal((await heldAt("other:1")).toString(), "5");
  });

  test("writes null and refuses undefined, in every place", async () => {
    const client = open();
    for (const prefix of ["j:", "m:"]) {
      const key = `${prefix}nothing`;
      await client.set(key, null);
      assert.equal(await client.get(key), null);
      assert.equal(await redis.bare.exists(key), 1);
      for (const call of [
        client.set(`${key}2`, undefined),
        client.mset({ [`${key}3`]: 1, [`${key}2`]: undefined }),
        client.hset(`${key}2`, { a: 1, b: undefined }),
        client.rpush(`${key}2`, 1, undefined),
        client.xadd(`${key}2`, "*", "f", undefined),
        client.call("SET", `${key}2`, undefined),
      ]) {
        const error = await failureOf(call);
        assert.deepStrictEqual([error.code, error.key], ["CODEC_SERIALIZE", `${key}2`]);
      }
      assert.equal(await redis.bare.exists(`${key}2`, `${key}3`), 0);
      assert.match(String(await rejectionOf(client.set(key, 1, undefined))), /syntax error/);
    }
  });

  test("gives *Buffer methods the content, decompressed but not deserialized", async () => {
    const client = open();
    const value = { text: LONG };
    await client.set("j:1", value);
    assert.ok((await heldAt("j:1")).length < LONG.length / 2);
    assert.deepStrictEqual(await client.getBuffer("j:1"), Buffer.from(JSON.stringify(value)));
    await client.set("m:1", Buffer.from("bytes"));
    assert.deepStrictEqual(await client.getBuffer("m:1"), Buffer.concat([Buffer.from([0xc4, 5]), Buffer.from("bytes")]));
    assert.deepStrictEqual(await client.get("m:1"), Buffer.from("bytes"));
    assert.deepStrictEqual(await client.callBuffer("GET", "j:1"), Buffer.from(JSON.stringify(value)));
  });

  test("refuses what its serializer does not take: a Buffer under json()", async () => {
    const client = open();
    for (const value of [Buffer.from("b"), new Uint8Array(2), Symbol("s"), 1n]) {
      assert.equal((await failureOf(client.set("j:refused", value))).code, "CODEC_SERIALIZE");
    }
    assert.equal(await redis.bare.exists("j:refused"), 0);
  });

  test("reads values when the command is called, not when it is sent", async () => {
    for (const options of [{}, { enableAutoPipelining: true }, { lazyConnect: true }]) {
      const client = open(RULES, options);
      const value = { n: 1, list: [1] };
      const bytes = Buffer.from("AAAA");
      const sent = [client.set("m:1", value), client.hset("m:h", { f: value }), client.set("m:2", bytes)];
      const pipeline = client.pipeline().set("m:3", value).mset({ "m:4": value });
      value.n = 2;
      value.list.push(2);
      bytes.fill("Z");
      await Promise.all(sent);
      await pipeline.exec();
      const first = { n: 1, list: [1] };
      assert.deepStrictEqual(await client.mget("m:1", "m:2", "m:3", "m:4"), [first, Buffer.from("AAAA"), first, first]);
      assert.deepStrictEqual(await client.hget("m:h", "f"), first);
      assert.deepStrictEqual([value, bytes.toString()], [{ n: 2, list: [1, 2] }, "ZZZZ"]);
    }
  });

  test("a value that is refused keeps its place in a pipeline and aborts a transaction", async () => {
    const client = open();
    await client.set("j:1", "before");
    const results = await client.pipeline().set("j:1", ["after"]).set("j:2", undefined).get("j:1").exec();
    assert.deepStrictEqual(
      [results?.[0], results?.[2]],
      [
        [null, "OK"],
        [null, ["after"]],
      ],
    );
    assert.equal((await failureOf(Promise.reject(results?.[1]?.[0]))).code, "CODEC_SERIALIZE");
    const error = await rejectionOf(client.multi().set("j:1", "lost").hset("j:h2", { f: undefined }).exec());
    assert.match(String(error), /EXECABORT/);
    assert.deepStrictEqual(await client.get("j:1"), ["after"]);
  });
});

suite("what is held under a serializer", () => {
  test("numbers are raw, so counters work, and come back as numbers; digits in a string stay a string", async () => {
    const client = open();
    for (const prefix of ["j:", "m:"]) {
      await client.mset({ [`${prefix}n`]: 41, [`${prefix}f`]: 1.5, [`${prefix}s`]: "41" });
      assert.deepStrictEqual(await heldAt(`${prefix}n`), Buffer.from("41"));
      assert.ok(isFrame(await heldAt(`${prefix}s`)));
      assert.equal(await client.incr(`${prefix}n`), 42);
      assert.deepStrictEqual(await client.mget(`${prefix}n`, `${prefix}f`, `${prefix}s`), [42, 1.5, "41"]);
      await client.hset(`${prefix}hn`, { n: 1 });
      await client.hincrby(`${prefix}hn`, "n", 2);
      assert.deepStrictEqual(await client.hgetall(`${prefix}hn`), { n: 3 });
      await redis.bare.set(`${prefix}big`, "9007199254740993");
      assert.equal(await client.get(`${prefix}big`), 9007199254740993n);
    }
  });

  test("a number beyond the safe integers comes back as the same number", async () => {
    const client = open();
    for (const number of [2 ** 53, -(2 ** 60), 2 ** 62]) {
      await client.mset({ "j:1": number, "m:1": number });
      assert.deepStrictEqual(await client.mget("j:1", "m:1"), [number, number]);
    }
  });

  test('numbers: "framed" frames them, and they come back as numbers', async () => {
    const client = open({ prefixes: { "n:": { serializer: json(), numbers: "framed" } } });
    await client.set("n:1", 42);
    assert.ok(isFrame(await heldAt("n:1")));
    assert.equal(await client.get("n:1"), 42);
  });

  test("a value is framed however short it is, but msgpack() holds short text raw", async () => {
    const client = open();
    await client.mset({ "j:t": "ok", "j:o": {}, "m:t": "ok", "m:o": {}, "m:long": "x".repeat(65) });
    const held = await Promise.all(["j:t", "j:o", "m:t", "m:o", "m:long"].map(heldAt));
    assert.deepStrictEqual(held.map(isFrame), [true, true, false, true, true]);
    assert.deepStrictEqual(await client.mget("j:t", "m:t", "m:long"), ["ok", "ok", "x".repeat(65)]);
  });

  test('frame: "never" writes the serializer\'s own text and reads frames', async () => {
    const writer = open();
    const off = open({ prefixes: { "j:": { serializer: json(), frame: "never" } } });
    await writer.set("j:1", { framed: true });
    assert.deepStrictEqual(await off.get("j:1"), { framed: true });
    await off.set("j:2", { framed: [false] });
    assert.equal((await heldAt("j:2")).toString(), '{"framed":[false]}');
    assert.deepStrictEqual(await writer.get("j:2"), { framed: [false] });
  });

  test("utf8() and bytes() take text and bytes", async () => {
    const client = open({ prefixes: { "u:": { serializer: utf8() }, "b:": { serializer: bytes() } } });
    await client.mset({ "u:1": "Åsa 🙏", "b:1": Buffer.from([0, 255]) });
    assert.deepStrictEqual(await client.mget("u:1", "b:1"), ["Åsa 🙏", Buffer.from([0, 255])]);
    assert.equal((await failureOf(client.set("u:2", { an: "object" }))).code, "CODEC_SERIALIZE");
    assert.equal((await failureOf(client.set("b:2", { an: "object" }))).code, "CODEC_SERIALIZE");
  });
});

suite("what is read under a serializer", () => {
  test("a frame of something else rejects with CODEC_DESERIALIZE and the key, and hurts only itself", async () => {
    const client = open();
    await redis.bare.set("j:odd", codec.encode(Buffer.from("not JSON".repeat(20))));
    await redis.bare.set("j:bad", BAD);
    await client.set("j:good", { a: 1 });
    const odd = await failureOf(client.get("j:odd"));
    assert.deepStrictEqual([odd.code, odd.key, odd.command], ["CODEC_DESERIALIZE", "j:odd", "get"]);
    const reply = listOf(await rejectionOf(client.mget("j:good", "j:odd", "j:bad", "j:none")));
    assert.deepStrictEqual([reply[0], reply[3]], [{ a: 1 }, null]);
    assert.deepStrictEqual(
      [(await failureOf(Promise.reject(reply[1]))).code, (await failureOf(Promise.reject(reply[2]))).code],
      ["CODEC_DESERIALIZE", "CODEC_CHECKSUM_MISMATCH"],
    );
    assert.ok(Buffer.isBuffer(await client.getBuffer("j:odd")));
  });

  test('onDecodeError: "miss" gives null in the place of such a value', async () => {
    const client = open({ prefixes: { "j:": { serializer: json(), onDecodeError: "miss" } } });
    await redis.bare.set("j:odd", "not JSON");
    await redis.bare.hset("j:oddh", "odd", "not JSON", "good", "[1]");
    assert.equal(await client.get("j:odd"), null);
    assert.deepStrictEqual(await client.hgetall("j:oddh"), { odd: null, good: [1] });
  });

  test("validate() sees every value, and what it throws is the cause", async () => {
    const isUser = (value: unknown): { user: string } => {
      if (typeof value === "object" && value !== null && "user" in value) return { user: String(value.user) };
      throw new RangeError("no user");
    };
    const client = open({ prefixes: { "v:": { serializer: json({ validate: isUser }) } } });
    await client.set("v:1", { user: "ada", more: 1 });
    assert.deepStrictEqual(await client.get("v:1"), { user: "ada" });
    await client.set("v:2", ["nobody"]);
    const error = await failureOf(client.get("v:2"));
    assert.equal(error.code, "CODEC_DESERIALIZE");
    assert.ok(error.cause instanceof RangeError);
    const accepting = open({ prefixes: { "v:": { serializer: msgpack({ validate: isUser }) } } });
    for (const raw of ["7", "nobody"]) {
      await redis.bare.rpush("v:list", raw);
      const refused = await failureOf(accepting.lindex("v:list", -1));
      assert.equal(refused.code, "CODEC_DESERIALIZE");
      assert.ok(refused.cause instanceof RangeError);
    }
  });

  test('unframed: "reject" refuses what is no frame', async () => {
    const strict = { serializer: json(), unframed: "reject", minFrameBytes: 0, numbers: "framed" } as const;
    const client = open({ prefixes: { "s:": strict } });
    await redis.bare.set("s:1", '{"a":1}');
    assert.equal((await failureOf(client.get("s:1"))).code, "CODEC_UNFRAMED");
    await client.set("s:1", 5);
    assert.equal(await client.get("s:1"), 5);
  });

  test("valueCodecOf() encodes and decodes values as the commands do", async () => {
    const client = redis.openWrapped(RULES);
    const { encode, decode } = valueCodecOf(client);
    for (const [prefix, values] of [
      ["j:", JSON_VALUES],
      ["m:", MSGPACK_VALUES],
    ] as const) {
      for (const value of values) {
        await loosen(client).set(`${prefix}x`, value);
        assert.deepStrictEqual(encode(`${prefix}x`, value), await heldAt(`${prefix}x`));
        assert.deepStrictEqual(decode(`${prefix}x`, await heldAt(`${prefix}x`)), value);
      }
    }
  });
});

suite("valueCodecOf().decode()", () => {
  test("gives text that msgpack() holds raw back as text", () => {
    const { encode, decode } = valueCodecOf(redis.openWrapped(RULES));
    assert.deepStrictEqual(decode("m:x", encode("m:x", "text")), "text");
  });
});

suite("a rule without a serializer", () => {
  test("stores Uint8Array, ArrayBuffer and DataView as their bytes, not as text", async () => {
    const client = open();
    const backing = new Uint8Array([9, 255, 1, 9]);
    const forms: readonly unknown[] = [
      backing.subarray(1, 3),
      new Uint8Array([255, 1]).buffer,
      new DataView(backing.buffer, 1, 2),
      Buffer.from([255, 1]),
    ];
    for (const form of forms) {
      await client.set("p:1", form);
      assert.deepStrictEqual(await heldAt("p:1"), Buffer.from([255, 1]));
      await client.hset("p:h", { f: form });
      assert.deepStrictEqual(await redis.bare.hgetBuffer("p:h", "f"), Buffer.from([255, 1]));
      await client.pipeline().set("p:2", form).exec();
      assert.deepStrictEqual(await heldAt("p:2"), Buffer.from([255, 1]));
    }
  });

  test("rejects an object with a TypeError, in every place, and sends nothing", async () => {
    const client = open();
    const calls = [
      () => client.set("p:no", { a: 1 }),
      () => client.mset({ "p:no": {} }),
      () => client.hset("p:no", { f: new Date() }),
      () => client.rpush("p:no", [{ a: 1 }]),
      () => client.xadd("p:no", "*", "f", {}),
      () => client.call("set", "p:no", new Map()),
    ];
    for (const call of calls) assert.ok((await rejectionOf(call())) instanceof TypeError);
    assert.equal(await redis.bare.exists("p:no"), 0);
  });

  test("makes null and undefined empty strings, as ioredis does", async () => {
    const client = open();
    await client.set("p:1", null);
    await client.hset("p:h", { a: null, b: undefined });
    assert.equal(await client.get("p:1"), "");
    assert.deepStrictEqual(await client.hmget("p:h", "a", "b"), ["", ""]);
  });
});

suite("values in a cluster", () => {
  test("come back equal through the cluster and, by the keys as sent, through its nodes", async () => {
    const servers = await startCluster({ nodes: 3 });
    const cluster = withValueCodec(new Cluster([...servers.startupNodes], { keyPrefix: "app:" }), RULES);
    try {
      const value = { list: [1, [2]] };
      await loosen(cluster).set("j:1", value);
      assert.deepStrictEqual(await loosen(cluster).get("j:1"), value);
      const owner = await servers.ownerOf(await servers.slotOf("app:j:1"));
      const node = cluster.nodes("master").find((one) => one.options.port === owner.port);
      assert.ok(node !== undefined);
      assert.deepStrictEqual(await loosen(node).get("app:j:1"), value);
      await loosen(node).set("app:j:1", { by: ["node"] });
      assert.deepStrictEqual(await loosen(cluster).get("j:1"), { by: ["node"] });
    } finally {
      cluster.disconnect();
      await servers.stop();
    }
  });

  test("that are refused keep their place in a pipeline, wherever the key stands in the call", async () => {
    const servers = await startCluster({ nodes: 3 });
    const cluster = withValueCodec(new Cluster([...servers.startupNodes]), { prefixes: { "{j}": { serializer: json() } } });
    try {
      for (const refused of [
        ["set", "{j}2", undefined],
        ["mset", "{j}2", undefined],
        ["mset", { "{j}2": undefined }],
        ["call", "MSETEX", 1, "{j}2", undefined],
      ] as const) {
        const [name, ...args] = refused;
        const pipeline = loosen(cluster).pipeline().set("{j}1", [1]);
        const results = await pipeline[name](...args)
          .get("{j}1")
          .exec();
        assert.deepStrictEqual(
          [results?.[0], results?.[2]],
          [
            [null, "OK"],
            [null, [1]],
          ],
          String(refused),
        );
        assert.equal((await failureOf(Promise.reject(results?.[1]?.[0]))).code, "CODEC_SERIALIZE");
      }
    } finally {
      cluster.disconnect();
      await servers.stop();
    }
  });
});
