import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createValueCodec, isFrame, readFrameHeader } from "@tightwire/codec-core";
import {
  brotli,
  deflate,
  json,
  lz4,
  msgpack,
  type PrefixRule,
  stored,
  type ValueCodecClientOptions,
  valueCodecOf,
  zstd,
} from "@tightwire/ioredis";
import { useRedis } from "./support/clients.ts";
import { failureOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";
import { type LooseClient, loosen } from "./support/typed-clients.ts";

const redis = useRedis();
const ON: ValueCodecClientOptions = { prefixes: { "k:": { compressor: lz4() } } };
const OFF: ValueCodecClientOptions = { prefixes: { "k:": { compressor: lz4(), frame: "never" } } };

function open(rule: PrefixRule): LooseClient {
  return loosen(redis.openWrapped({ prefixes: { "k:": rule } }));
}

async function isFramed(key: string): Promise<boolean> {
  return isFrame((await redis.bare.getBuffer(key)) ?? Buffer.alloc(0));
}

const DOCUMENTS: readonly unknown[] = [
  { id: 1, text: LONG },
  { id: 2, tags: ["a", "b"], nested: { none: null } },
  [1, [2, "three"]],
  "text",
  "42",
  42,
  1.5,
  true,
  null,
  "",
  [],
  {},
];
const TEXTS: readonly string[] = DOCUMENTS.map((value) => JSON.stringify(value));

suite("adopting json() where values are JSON.stringify text", () => {
  const OLD: PrefixRule = { compressor: lz4() };
  const NEW: PrefixRule = { compressor: lz4(), serializer: json() };
  const PAIRS = DOCUMENTS.map((value, i) => [`f${i}`, value] as const);

  /** What a program wrote that kept its JSON itself: through a client without a codec, and through one with a rule. */
  for (const [how, writer] of [
    ["held raw, from before the codec", () => loosen(redis.open())],
    ["framed, under a rule without a serializer", () => open(OLD)],
  ] as const) {
    test(`gives the documents of text ${how}, by a change of the rule alone`, async () => {
      const before = writer();
      await redis.bare.flushall();
      for (const [i, text] of TEXTS.entries()) await before.set(`k:${i}`, text);
      await before.hset("k:h", Object.fromEntries(PAIRS.map(([field], i) => [field, TEXTS[i]])));
      await before.rpush("k:l", ...TEXTS);
      await before.xadd("k:s", "1-1", ...PAIRS.flatMap(([field], i) => [field, TEXTS[i]]));
      const client = open(NEW);
      const keys = DOCUMENTS.map((_, i) => `k:${i}`);
      assert.deepStrictEqual(await client.mget(...keys), DOCUMENTS);
      assert.deepStrictEqual(await Promise.all(keys.map((key) => client.get(key))), DOCUMENTS);
      assert.deepStrictEqual(await client.hgetall("k:h"), Object.fromEntries(PAIRS));
      assert.deepStrictEqual(await client.lrange("k:l", 0, -1), DOCUMENTS);
      assert.deepStrictEqual(await client.xrange("k:s", "-", "+"), [["1-1", PAIRS.flat()]]);
      assert.deepStrictEqual((await client.pipeline().mget(keys).exec())?.[0], [null, DOCUMENTS]);
    });
  }

  test("leaves what it writes readable to programs that still parse the text themselves", async () => {
    const client = open(NEW);
    for (const [i, value] of DOCUMENTS.entries()) await client.set(`k:${i}`, value);
    const old = open(OLD);
    for (const [i, value] of DOCUMENTS.entries()) assert.deepStrictEqual(JSON.parse(String(await old.get(`k:${i}`))), value);
  });

  test('leaves it readable to every client with frame: "never"', async () => {
    const client = open({ serializer: json(), frame: "never" });
    for (const [i, value] of DOCUMENTS.entries()) {
      await client.set(`k:${i}`, value);
      assert.equal(await redis.bare.get(`k:${i}`), TEXTS[i]);
      assert.deepStrictEqual(await client.get(`k:${i}`), value);
    }
  });

  test("names text that is not JSON by its key, and counts it", async () => {
    const client = redis.openWrapped({ prefixes: { "k:": { serializer: json() } } });
    await redis.bare.mset("k:text", "hello", "k:empty", "", "k:cut", '{"a":');
    for (const key of ["k:text", "k:empty", "k:cut"]) {
      const error = await failureOf(client.get(key));
      assert.deepStrictEqual([error.code, error.key], ["CODEC_DESERIALIZE", key]);
    }
    assert.deepStrictEqual(valueCodecOf(client).stats()["k:"]?.errors, { CODEC_DESERIALIZE: 3 });
  });

  test("does not hold for msgpack(), which gives old text back as text", async () => {
    const client = open({ serializer: msgpack() });
    await redis.bare.mset("k:1", '{"a":1}', "k:2", "42");
    assert.deepStrictEqual(await client.mget("k:1", "k:2"), ['{"a":1}', 42]);
  });
});

suite("switching the codec on and off on a live cache", () => {
  test("values of both kinds are read in every state", async () => {
    const client = redis.openWrapped(OFF);
    await redis.bare.flushall();
    const states = [OFF, ON, OFF, ON];
    for (const [i, rules] of states.entries()) {
      valueCodecOf(client).setRules(rules);
      await client.mset(`k:${i}`, LONG, `k:short${i}`, "short");
      assert.equal(await isFramed(`k:${i}`), rules === ON);
      const all = states.slice(0, i + 1).map((_, j) => `k:${j}`);
      assert.deepStrictEqual(
        await client.mget(all),
        all.map(() => LONG),
      );
    }
  });

  test('frame: "never" writes no frame at all, but for content that begins like one', async () => {
    const client = redis.openWrapped(OFF);
    const frame = createValueCodec().encode(Buffer.from("content"));
    await client.set("k:frame", frame);
    assert.ok(await isFramed("k:frame"));
    assert.deepStrictEqual(await client.getBuffer("k:frame"), frame);
    await client.hset("k:h", "f", LONG);
    assert.equal(await redis.bare.hget("k:h", "f"), LONG);
  });

  test("every setting of a rule can be switched, and what the others wrote is read", async () => {
    const settings: readonly PrefixRule[] = [
      { compressor: lz4(), frameVersion: 1 },
      { compressor: lz4(), frameVersion: 2 },
      { compressor: zstd({ level: 1 }) },
      { compressor: zstd({ level: 19 }) },
      { compressor: brotli() },
      { compressor: deflate() },
      { compressor: stored() },
      { frame: "when-smaller" },
      { frame: "never" },
      { minFrameBytes: 0, numbers: "framed" },
      { minCompressBytes: 1, minFrameBytes: 10_000 },
    ];
    const client = redis.openWrapped({ prefixes: { "k:": {} } });
    for (const [i, rule] of settings.entries()) {
      valueCodecOf(client).setRules({ prefixes: { "k:": rule } });
      await client.mset(`k:v${i}`, LONG, `k:n${i}`, "42");
    }
    const headers = await Promise.all(
      settings.map(async (_, i) => readFrameHeader((await redis.bare.getBuffer(`k:v${i}`)) ?? Buffer.alloc(0))),
    );
    assert.deepStrictEqual(
      headers.map((header) => header && [header.version, header.codecId]),
      [[1, 3], [2, 3], [2, 4], [2, 4], [2, 1], [2, 2], [2, 0], [2, 4], undefined, [2, 4], undefined],
    );
    for (const rule of settings) {
      valueCodecOf(client).setRules({ prefixes: { "k:": rule } });
      for (const i of settings.keys()) assert.deepStrictEqual(await client.mget(`k:v${i}`, `k:n${i}`), [LONG, "42"]);
    }
  });

  test("a reader that does not accept the new compressor says its id, and reads on", async () => {
    const old = redis.openWrapped({ prefixes: { "k:": { compressor: lz4(), accept: [lz4(), deflate()] } } });
    const writer = redis.openWrapped({ prefixes: { "k:": { compressor: zstd() } } });
    await writer.set("k:1", LONG);
    const error = await failureOf(old.get("k:1"));
    assert.deepStrictEqual([error.code, error.key, error.codecId], ["CODEC_UNKNOWN_ID", "k:1", 4]);
    valueCodecOf(old).setRules({ prefixes: { "k:": { compressor: lz4(), accept: [lz4(), deflate(), zstd()] } } });
    assert.equal(await old.get("k:1"), LONG);
  });
});

suite("setRules()", () => {
  test("holds for the next command, and for none that was called before", async () => {
    const client = redis.openWrapped(OFF);
    const pipeline = client.pipeline().set("k:piped", LONG);
    const sent = client.set("k:before", LONG);
    valueCodecOf(client).setRules(ON);
    const later = client.set("k:after", LONG);
    await Promise.all([sent, later, pipeline.set("k:piped2", LONG).exec()]);
    assert.deepStrictEqual(await Promise.all(["k:before", "k:piped", "k:after", "k:piped2"].map(isFramed)), [
      false,
      false,
      true,
      true,
    ]);
  });

  test("decodes a reply by the rule under which its command was called", async () => {
    const client = redis.openWrapped(ON);
    await client.set("k:1", LONG);
    const reply = client.get("k:1");
    valueCodecOf(client).setRules({ prefixes: {} });
    assert.equal(await reply, LONG);
    assert.notEqual(await client.get("k:1"), LONG);
  });

  test("holds for duplicates and for what is made of them", async () => {
    const client = redis.openWrapped(OFF);
    const copy = redis.keep(client.duplicate());
    const second = redis.keep(copy.duplicate());
    valueCodecOf(second).setRules(ON);
    await Promise.all([client.set("k:1", LONG), copy.set("k:2", LONG), second.set("k:3", LONG)]);
    assert.deepStrictEqual(await Promise.all(["k:1", "k:2", "k:3"].map(isFramed)), [true, true, true]);
  });

  test("adds and removes prefixes, channels and scripts", async () => {
    const client = redis.openWrapped({ prefixes: {} });
    assert.deepStrictEqual([...valueCodecOf(client).rules.keys()], []);
    valueCodecOf(client).setRules({ prefixes: { "k:": {}, "k:raw:": "raw", "new:": {} } });
    assert.deepStrictEqual([...valueCodecOf(client).rules.keys()].sort(), ["k:", "new:"]);
    await client.mset("new:1", LONG, "k:raw:1", LONG);
    assert.deepStrictEqual(await Promise.all(["new:1", "k:raw:1"].map(isFramed)), [true, false]);
  });

  test("changes nothing if an option is wrong", async () => {
    const client = redis.openWrapped(ON);
    const wrong: readonly (readonly [unknown, ErrorConstructor | RangeErrorConstructor])[] = [
      [{ prefixes: { "k:": { frame: "sometimes" } } }, RangeError],
      [{ prefixes: { "k:": { frames: "never" } } }, TypeError],
      [{ prefixes: { "k:": { serializer: msgpack(), frame: "never" } } }, TypeError],
      [
        {
          prefixes: [
            ["k:", {}],
            ["k:", {}],
          ],
        },
        RangeError,
      ],
      [{}, TypeError],
    ];
    for (const [options, kind] of wrong) {
      assert.throws(() => valueCodecOf(client).setRules(options as ValueCodecClientOptions), kind);
    }
    await client.set("k:1", LONG);
    assert.ok(await isFramed("k:1"));
  });

  test("keeps the counters", async () => {
    const client = redis.openWrapped(ON);
    await client.set("k:1", LONG);
    valueCodecOf(client).setRules(OFF);
    await client.set("k:1", LONG);
    const { "k:": counters } = valueCodecOf(client).stats();
    assert.deepStrictEqual([counters?.encoded, counters?.raw], [1, 1]);
  });
});
