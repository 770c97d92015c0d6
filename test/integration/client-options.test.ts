import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  brotli,
  defineCompressor,
  deflate,
  type RuleOptions,
  type ValueCodecClientOptions,
  valueCodecOf,
  withValueCodec,
  zstd,
} from "@tightwire/ioredis";
import { useRedis } from "./support/clients.ts";

const redis = useRedis();

const custom = (id: number) =>
  defineCompressor({ id, name: "copy", compress: (content) => content, decompress: (payload) => payload });

/** Options of the client that are refused, and how. */
const WRONG_CLIENT_OPTIONS: Readonly<Record<string, readonly [options: unknown, error: typeof TypeError | typeof RangeError]>> = {
  "no options": [undefined, TypeError],
  null: [null, TypeError],
  "an array": [[], TypeError],
  "no prefixes": [{}, TypeError],
  "prefixes of another kind": [{ prefixes: "page:" }, TypeError],
  "prefixes that are null": [{ prefixes: null }, TypeError],
  "a list that holds no pairs": [{ prefixes: ["page:"] }, TypeError],
  "a prefix that is no string": [{ prefixes: [[Buffer.from("page:"), {}]] }, TypeError],
  "two rules for one prefix": [
    {
      prefixes: [
        ["page:", {}],
        ["page:", "raw"],
      ],
    },
    RangeError,
  ],
  "an unknown option": [{ prefixes: {}, prefix: "page:" }, TypeError],
  "maxReplyBytes of another kind": [{ prefixes: {}, maxReplyBytes: "1" }, TypeError],
  "maxReplyBytes of 0": [{ prefixes: {}, maxReplyBytes: 0 }, RangeError],
  "maxReplyBytes that is no whole number": [{ prefixes: {}, maxReplyBytes: 1.5 }, RangeError],
  "maxReplyBytes that is NaN": [{ prefixes: {}, maxReplyBytes: Number.NaN }, RangeError],
  "onError that is no function": [{ prefixes: {}, onError: "log" }, TypeError],
};

/** Settings of a rule that are refused, and how. */
const WRONG_RULES: Readonly<Record<string, readonly [rule: unknown, error: typeof TypeError | typeof RangeError]>> = {
  undefined: [undefined, TypeError],
  null: [null, TypeError],
  true: [true, TypeError],
  "a word other than raw": ["zstd", TypeError],
  "an array": [[], TypeError],
  "an unknown option": [{ level: 3 }, TypeError],
  "an option in another spelling": [{ mincompressbytes: 1 }, TypeError],
  "a compressor by name": [{ compressor: "zstd" }, TypeError],
  "a compressor factory": [{ compressor: zstd }, TypeError],
  "a frame version of another kind": [{ frameVersion: "2" }, TypeError],
  "an unknown frame version": [{ frameVersion: 3 }, RangeError],
  "maxContentBytes of another kind": [{ maxContentBytes: "8" }, TypeError],
  "maxContentBytes below 0": [{ maxContentBytes: -1 }, RangeError],
  "maxContentBytes over 4 GiB": [{ maxContentBytes: 2 ** 33 }, RangeError],
  "minCompressBytes of another kind": [{ minCompressBytes: true }, TypeError],
  "minCompressBytes below 0": [{ minCompressBytes: -1 }, RangeError],
  "minFrameBytes of another kind": [{ minFrameBytes: "65" }, TypeError],
  "minFrameBytes below 0": [{ minFrameBytes: -1 }, RangeError],
  "minFrameBytes that is no whole number": [{ minFrameBytes: 0.5 }, RangeError],
  "accept of another kind": [{ accept: zstd() }, TypeError],
  "accept that holds no compressors": [{ accept: [4] }, TypeError],
  "one id twice in accept": [{ accept: [custom(16), custom(16)] }, RangeError],
  "frame of another kind": [{ frame: true }, TypeError],
  "an unknown frame": [{ frame: "sometimes" }, RangeError],
  "an unknown numbers": [{ numbers: "text" }, RangeError],
  "an unknown unframed": [{ unframed: "ignore" }, RangeError],
  "an unknown onDecodeError": [{ onDecodeError: "log" }, RangeError],
  "an unknown unsafe": [{ unsafe: "encode" }, RangeError],
  "types of another kind": [{ types: "hash" }, TypeError],
  "an unknown type": [{ types: ["zset"] }, RangeError],
  "unframed: reject where short values are raw": [{ unframed: "reject", numbers: "framed" }, TypeError],
  "unframed: reject where numbers are raw": [{ unframed: "reject", minFrameBytes: 0 }, TypeError],
  "unframed: reject where nothing is framed": [
    { unframed: "reject", minFrameBytes: 0, numbers: "framed", frame: "never" },
    TypeError,
  ],
  "unframed: reject where large frames are raw": [
    { unframed: "reject", minFrameBytes: 0, numbers: "framed", frame: "when-smaller" },
    TypeError,
  ],
};

const WRONG_FACTORIES: Readonly<Record<string, readonly [make: () => unknown, error: typeof TypeError | typeof RangeError]>> = {
  "a zstd level above 22": [() => zstd({ level: 23 }), RangeError],
  "a zstd level below the least": [() => zstd({ level: -131_073 }), RangeError],
  "a brotli quality of 12": [() => brotli({ quality: 12 }), RangeError],
  "a deflate level of 10": [() => deflate({ level: 10 }), RangeError],
  "a level that is text": [() => deflate({ level: "9" as never }), TypeError],
  "an unknown option": [() => brotli({ level: 4 } as never), TypeError],
  "a custom id below 16": [() => custom(15), RangeError],
  "a custom id above 255": [() => custom(256), RangeError],
};

function assertUnwrapped(client: object): void {
  assert.throws(() => valueCodecOf(client), TypeError);
  assert.ok(!Object.hasOwn(client, "sendCommand"));
}

suite("options of withValueCodec()", () => {
  for (const [what, [options, error]] of Object.entries(WRONG_CLIENT_OPTIONS)) {
    test(`${what}: a ${error.name}, and the client stays as it was`, () => {
      const client = redis.open({ lazyConnect: true });
      assert.throws(() => withValueCodec(client, options as ValueCodecClientOptions), error);
      assertUnwrapped(client);
    });
  }

  for (const [what, [rule, error]] of Object.entries(WRONG_RULES)) {
    test(`a rule with ${what}: a ${error.name}, also beside right ones, and the client stays as it was`, () => {
      const client = redis.open({ lazyConnect: true });
      const prefixes = { "a:": {}, "page:": rule as Partial<RuleOptions>, "z:": "raw" } as const;
      assert.throws(() => withValueCodec(client, { prefixes }), error);
      assertUnwrapped(client);
      withValueCodec(client, { prefixes: { "page:": {} } });
      assert.throws(() => valueCodecOf(client).setRules({ prefixes }), error);
      assert.deepStrictEqual([...valueCodecOf(client).rules.keys()], ["page:"]);
    });
  }

  for (const [what, [make, error]] of Object.entries(WRONG_FACTORIES)) {
    test(`${what}: a ${error.name} where it is made`, () => {
      assert.throws(make, error);
    });
  }

  test("prefixes may be an object, a Map or pairs, and none at all", () => {
    const rule = { minFrameBytes: 10 };
    for (const prefixes of [
      { "page:": rule },
      new Map([["page:", rule]]),
      [["page:", rule] as const],
      new Set([["page:", rule] as const]),
    ]) {
      const client = redis.openWrapped({ prefixes }, { lazyConnect: true });
      assert.equal(valueCodecOf(client).rules.get("page:")?.minFrameBytes, 10);
    }
    assert.equal(valueCodecOf(redis.openWrapped({ prefixes: {} }, { lazyConnect: true })).rules.size, 0);
  });

  test("options that are undefined count as absent", () => {
    const prefixes = { "page:": { compressor: undefined, frame: undefined, types: undefined, accept: undefined } as never };
    const client = redis.openWrapped({ prefixes, maxReplyBytes: undefined, onError: undefined } as never, { lazyConnect: true });
    withValueCodec(client, { prefixes: { "page:": {} } });
  });

  test("changing the options afterwards changes nothing", async () => {
    const types: ("string" | "hash")[] = ["string"];
    const rule: Partial<RuleOptions> = { types, minFrameBytes: 0 };
    const prefixes: Record<string, Partial<RuleOptions>> = { "page:": rule };
    const client = redis.openWrapped({ prefixes });
    types.push("hash");
    rule.frame = "never";
    prefixes["other:"] = {};
    await client.hset("page:h", "f", "value");
    await client.set("page:s", "value");
    assert.equal(await redis.bare.hget("page:h", "f"), "value");
    assert.notEqual(await redis.bare.get("page:s"), "value");
    assert.equal(valueCodecOf(client).rules.size, 1);
  });

  test("the rules that valueCodecOf() shows are frozen", () => {
    const client = redis.openWrapped({ prefixes: { "page:": {} } }, { lazyConnect: true });
    const rule = valueCodecOf(client).rules.get("page:");
    assert.ok(rule !== undefined && Object.isFrozen(rule) && Object.isFrozen(rule.types) && Object.isFrozen(rule.covers));
  });

  for (const client of [undefined, null, "redis", {}, { sendCommand() {} }]) {
    test(`a client that is ${JSON.stringify(client) ?? "undefined"} is a TypeError`, () => {
      assert.throws(() => withValueCodec(client as never, { prefixes: {} }), TypeError);
    });
  }
});
