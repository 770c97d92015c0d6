import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createValueCodec, isFrame } from "@tightwire/codec-core";
import {
  brotli,
  deflate,
  json,
  lz4,
  msgpack,
  stored,
  type ValueCodecClientOptions,
  valueCodecOf,
  withValueCodec,
  zstd,
} from "@tightwire/ioredis";
import { type Cluster as ServerCluster, startCluster } from "../support/cluster.ts";
import { Cluster, Redis } from "../support/ioredis-versions.ts";
import { describeError, invoke } from "./support/calls.ts";
import { useRedis } from "./support/clients.ts";
import { LONG } from "./support/scripts.ts";
import { loosen } from "./support/typed-clients.ts";

const redis = useRedis();
const RULES: ValueCodecClientOptions = {
  prefixes: { "k:": {}, "{k}": {}, "j:": { serializer: json() }, "m:": { serializer: msgpack() } },
};

suite("failures of other systems: clusters", () => {
  let servers: ServerCluster;
  const clusters: Cluster[] = [];
  before(async () => {
    servers = await startCluster({ nodes: 3 });
  });
  after(async () => {
    for (const cluster of clusters) cluster.disconnect();
    await servers?.stop();
  });

  function open(options: object, rules?: ValueCodecClientOptions): Cluster {
    const cluster = new Cluster([...servers.startupNodes], options);
    clusters.push(cluster);
    if (rules !== undefined) withValueCodec(cluster, rules);
    return cluster;
  }

  test("case 41 (redis/ioredis#2109): auto-pipelining finds the node of each command as without the wrapper", async () => {
    const script = "return redis.call('SET', KEYS[1], ARGV[1])";
    const [sha = ""] = (await Promise.all(servers.nodes.map((node) => node.command("SCRIPT", "LOAD", script)))).map(String);
    const outcomesOf = async (cluster: Cluster, prefix: string): Promise<unknown[]> => {
      const outcomes: unknown[] = [];
      for (const send of [
        (key: string) => cluster.set(key, LONG),
        (key: string) => cluster.get(key),
        (key: string) => cluster.xadd(`${key}:s`, "1-1", "f", LONG),
        (key: string) => cluster.xread("STREAMS", `${key}:s`, "0"),
        (key: string) => cluster.evalsha(sha, 1, `${key}:e`, "raw"),
        (key: string) => cluster.rpush(`${key}:l`, LONG),
        (key: string) => cluster.blpop(`${key}:l`, 1),
      ]) {
        const settled = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => send(`${prefix}{${i}}`)));
        outcomes.push(...settled.map((one) => (one.status === "fulfilled" ? one.value : describeError(one.reason))));
      }
      return JSON.parse(JSON.stringify(outcomes).replaceAll(prefix, "PREFIX"));
    };
    const options = { enableAutoPipelining: true };
    // The prefixes differ outside the part of a key that decides its slot.
    const [plain, wrapped] = [open(options), open(options, { prefixes: { "wrapped:": {} } })];
    await Promise.all([plain, wrapped].map((cluster) => cluster.ping()));
    const normalize = (outcomes: unknown[]): unknown[] =>
      outcomes.map((one) => (String(one).startsWith("ReplyError: MOVED") ? "MOVED" : one));
    assert.deepStrictEqual(normalize(await outcomesOf(wrapped, "wrapped:")), normalize(await outcomesOf(plain, "plainly:")));
  });

  test("case 42 (redis/ioredis#2075, redis/ioredis#1693): a value is framed once, however often its slot has moved", async () => {
    const value = "a".repeat(5_000);
    const slot = await servers.slotOf("{k}1");
    const codec = createValueCodec();
    const WAYS: Readonly<Record<string, (cluster: Cluster) => Promise<unknown>>> = {
      alone: (cluster) => cluster.set("{k}1", value),
      "in a pipeline": (cluster) => cluster.pipeline().set("{k}1", value).get("{k}1").exec(),
      "in a transaction": (cluster) => cluster.multi().set("{k}1", value).get("{k}1").exec(),
    };
    for (const [name, send] of Object.entries(WAYS)) {
      for (const enableAutoPipelining of [false, true]) {
        const cluster = open({ enableAutoPipelining }, RULES);
        await cluster.get("{k}1");
        await servers.moveSlot(slot, await servers.strangerTo(slot));
        await send(cluster);
        const bare = new Redis((await servers.ownerOf(slot)).port);
        const held = (await bare.getBuffer("{k}1")) ?? Buffer.alloc(0);
        bare.disconnect();
        assert.ok(isFrame(held), name);
        assert.equal(codec.decode(held).toString(), value, name);
        assert.equal(await cluster.get("{k}1"), value, name);
        await cluster.del("{k}1");
      }
    }
  });
});

suite("failures of other systems: streams and serializers", () => {
  test("case 46 (redis/ioredis#1915, redis/ioredis#1980, redis/ioredis#1540): stream values decode where they stand, ids and names stay", async () => {
    const client = redis.openWrapped(RULES);
    const id = await client.xadd("k:s", "*", "f", LONG);
    await client.xgroup("CREATE", "k:s", "g", "0");
    const entry = [id, ["f", LONG]];
    const bytes = [Buffer.from(id ?? ""), [Buffer.from("f"), Buffer.from(LONG)]];
    const key = Buffer.from("k:s");
    assert.deepStrictEqual(await client.xrange("k:s", "-", "+"), [entry]);
    assert.deepStrictEqual(await client.xrangeBuffer("k:s", "-", "+"), [bytes]);
    assert.deepStrictEqual(await client.xread("STREAMS", "k:s", "0"), [["k:s", [entry]]]);
    assert.deepStrictEqual(await client.xreadBuffer("STREAMS", "k:s", "0"), [[key, [bytes]]]);
    assert.deepStrictEqual(await client.xreadgroup("GROUP", "g", "c", "STREAMS", "k:s", ">"), [["k:s", [entry]]]);
    assert.deepStrictEqual(await invoke(client, "xreadgroupBuffer", ["GROUP", "g", "c", "STREAMS", "k:s", "0"]), [
      [key, [bytes]],
    ]);
    assert.deepStrictEqual(await client.pipeline().xrange("k:s", "-", "+").xread("STREAMS", "k:s", "0").exec(), [
      [null, [entry]],
      [null, [["k:s", [entry]]]],
    ]);
  });

  test("case 60 (kriszyp/lmdb-js#55): a serializer switched on where another wrote is refused by its codes, as documented", async () => {
    // The frame does not name the serializer: changing one takes a new prefix. Only json() takes text that was there before.
    const plain = loosen(redis.openWrapped({ prefixes: { "x:": {} } }));
    const packed = loosen(redis.openWrapped({ prefixes: { "x:": { serializer: msgpack() } } }));
    const text = loosen(redis.openWrapped({ prefixes: { "x:": { serializer: json() } } }));
    await plain.set("x:plain", JSON.stringify({ text: LONG }));
    await packed.set("x:packed", { text: LONG });
    await text.set("x:text", { text: LONG });
    assert.deepStrictEqual(await text.get("x:plain"), { text: LONG });
    assert.deepStrictEqual(await plain.get("x:text"), JSON.stringify({ text: LONG }));
    for (const [client, key] of [
      [packed, "x:plain"],
      [packed, "x:text"],
      [text, "x:packed"],
    ] as const) {
      await assert.rejects(client.get(key), { code: "CODEC_DESERIALIZE", key });
    }
  });

  test("case 62 (kriszyp/msgpackr#192, #159): a field or key named __proto__ is kept, and pollutes nothing", async () => {
    const value = JSON.parse('{"__proto__":{"x":1},"a":2}');
    for (const prefix of ["j:", "m:"]) {
      const client = loosen(redis.openWrapped(RULES));
      await redis.bare.del(`${prefix}h`);
      await client.hset(`${prefix}h`, "__proto__", value, "constructor", 1);
      const hash = (await client.hgetall(`${prefix}h`)) as object;
      assert.deepStrictEqual(
        Object.entries(hash),
        Object.entries(JSON.parse(`{"__proto__":${JSON.stringify(value)},"constructor":1}`)),
      );
      assert.equal(Reflect.get({}, "x"), undefined);
    }
  });

  test("case 70 (upstash/redis-js#699, #497, #37): strings stay the strings they are", async () => {
    const strings = ["106242075399214372653", "true", "null", "1e3", " 1", "9007199254740993", "007"];
    for (const prefix of ["k:", "j:", "m:"]) {
      const client = loosen(redis.openWrapped(RULES));
      await redis.bare.del(`${prefix}h`);
      for (const [i, text] of strings.entries()) {
        await client.set(`${prefix}${i}`, text);
        await client.hset(`${prefix}h`, { [text]: text });
        assert.equal(await client.get(`${prefix}${i}`), text);
      }
      assert.deepStrictEqual(await client.hgetall(`${prefix}h`), Object.fromEntries(strings.map((text) => [text, text])));
    }
    const client = loosen(redis.openWrapped(RULES));
    for (const text of strings) {
      await redis.bare.set("k:bare", text);
      assert.equal(await client.get("k:bare"), text);
      await redis.bare.set("m:bare", text);
      const read = await client.get("m:bare");
      assert.equal(String(read), text, "no digit is lost, even where a counter comes back as a number");
    }
  });

  test("case 70: of digits that a bare client has stored, json() rounds what JSON.parse rounds, unless it accepts text", async () => {
    const digits = "106242075399214372653";
    await redis.bare.set("c:digits", digits);
    const deserializing = loosen(redis.openWrapped({ prefixes: { "c:": { serializer: json() } } }));
    assert.equal(await deserializing.get("c:digits"), JSON.parse(digits));
    const accepting = loosen(redis.openWrapped({ prefixes: { "c:": { serializer: json(), unframed: "accept" } } }));
    assert.equal(await accepting.get("c:digits"), digits);
  });

  test("case 75 (phpredis/phpredis#2352): json() with every compressor gives objects of any size back", async () => {
    for (const compressor of [zstd(), lz4(), deflate(), brotli(), stored()]) {
      const client = loosen(
        redis.openWrapped({ prefixes: { "c:": { compressor, serializer: json(), minCompressBytes: 1_024 } } }),
      );
      for (const count of [10, 100, 1_000, 10_000]) {
        const value = Object.fromEntries(Array.from({ length: count }, (_, i) => [i, `entry ${i}`]));
        await client.set("c:1", value);
        assert.deepStrictEqual(await client.get("c:1"), value);
      }
    }
  });

  test("case 76 (laravel/framework#54221, rails/rails#40412): nothing is encoded twice", async () => {
    const client = redis.openWrapped(RULES);
    const text = JSON.stringify({ text: LONG });
    await loosen(client).set("j:1", text);
    assert.equal(await loosen(client).get("j:1"), text, "text in, the same text out");
    assert.equal(withValueCodec(client, RULES), client, "the same rules again are no second layer");
    assert.throws(() => withValueCodec(client, { prefixes: { "k:": { frame: "never" } } }), TypeError);
    const copy = redis.keep(client.duplicate());
    await loosen(copy).set("k:1", LONG);
    const held = (await redis.bare.getBuffer("k:1")) ?? Buffer.alloc(0);
    assert.equal(createValueCodec().decode(held).toString(), LONG);
  });

  test("case 77 (microlinkhq/keyvhq#137): a missing key is null, and no decoding is tried", async () => {
    const client = redis.openWrapped(RULES);
    const loose = loosen(client);
    for (const prefix of ["k:", "j:", "m:"]) {
      const none = `${prefix}none`;
      assert.deepStrictEqual(await Promise.all([loose.get(none), loose.hget(none, "f"), loose.lpop(none), loose.getdel(none)]), [
        null,
        null,
        null,
        null,
      ]);
      await loose.set(`${prefix}1`, "here");
      assert.deepStrictEqual(await loose.mget(none, `${prefix}1`, none), [null, "here", null]);
      assert.deepStrictEqual(await loose.hmget(none, "f", "g"), [null, null]);
      assert.deepStrictEqual([await loose.hgetall(none), await loose.lrange(none, 0, -1)], [{}, []]);
      assert.deepStrictEqual(valueCodecOf(client).stats()[prefix]?.errors, {});
    }
  });
});
