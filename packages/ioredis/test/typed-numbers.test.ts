import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  bytes,
  type CodecError,
  defineSerializer,
  isFrame,
  json,
  msgpack,
  type Serializer,
  stored,
  utf8,
} from "@tightwire/codec-core";
import { decodeValue, unwrapTyped } from "../src/decode-value.ts";
import { encodeValue, type Held } from "../src/encode-value.ts";
import { createRule, type Rule } from "../src/rules.ts";
import { Stats } from "../src/stats.ts";

const joined = defineSerializer<string[]>({
  name: "joined",
  serialize: (words) => Buffer.from(words.join(",")),
  deserialize: (content) => content.toString().split(","),
});

const encode = (rule: Rule, value: unknown): Held => encodeValue(rule, new Stats().of(rule.statsName), value);

/** What a client gets for what Redis holds: ioredis makes text of what it is given as bytes. */
function decode(rule: Rule, held: Held): unknown {
  const value = decodeValue(rule, new Stats().of(rule.statsName), Buffer.from(held as Buffer), "buffer");
  return value instanceof Buffer ? value.toString() : unwrapTyped(value);
}

suite("numbers under a serializer", () => {
  const rules = {
    json: createRule("a:", { compressor: stored(), serializer: json() }),
    msgpack: createRule("a:", { compressor: stored(), serializer: msgpack() }),
    framed: createRule("a:", { compressor: stored(), serializer: msgpack(), numbers: "framed" }),
    never: createRule("a:", { compressor: stored(), serializer: json(), frame: "never" }),
  };

  test("are held as Redis writes them, so that it can count", () => {
    for (const rule of [rules.json, rules.msgpack, rules.never]) {
      for (const number of [0, 7, -7, 1.5, Number.MAX_SAFE_INTEGER]) {
        assert.equal(encode(rule, number), String(number));
        assert.equal(decode(rule, String(number)), number);
      }
    }
  });

  test("are held as frames where the rule says so", () => {
    const held = encode(rules.framed, 7);
    assert.ok(Buffer.isBuffer(held) && isFrame(held));
    assert.equal(decode(rules.framed, held), 7);
  });

  test("are apart from text that looks like them", () => {
    for (const rule of [rules.json, rules.msgpack, rules.framed, rules.never]) {
      for (const text of ["42", "-1", "1.5", "9223372036854775807"]) assert.equal(decode(rule, encode(rule, text)), text);
    }
  });

  test("are read as bigint where Redis has counted beyond what JavaScript does", () => {
    for (const rule of [rules.json, rules.msgpack, rules.never]) {
      assert.equal(decode(rule, "9007199254740991"), 9007199254740991);
      assert.equal(decode(rule, "9007199254740993"), 9007199254740993n);
      assert.equal(decode(rule, "-9223372036854775808"), -(2n ** 63n));
    }
  });

  test("can be written back where they were read as bigint, and are counted on", () => {
    for (const counter of [9007199254740993n, -(2n ** 63n), 2n ** 63n - 1n]) {
      for (const rule of [rules.json, rules.msgpack]) {
        assert.equal(encode(rule, counter), String(counter));
        assert.equal(decode(rule, encode(rule, counter)), counter);
      }
    }
    // What Redis does not count to, and what would come back as a number, is the serializer's.
    for (const beyond of [2n ** 63n, 7n]) assert.throws(() => encode(rules.json, beyond), { code: "CODEC_SERIALIZE" });
    assert.equal(decode(rules.msgpack, encode(rules.msgpack, 2n ** 63n)), 2n ** 63n);
  });

  test("come back although Redis would write them in another way", () => {
    for (const number of [1e-7, 1.5e300, 1e21, -1e21, 0.1 + 0.2, Number.MIN_VALUE, Number.EPSILON]) {
      for (const rule of [rules.json, rules.msgpack, rules.framed, rules.never]) {
        assert.equal(decode(rule, encode(rule, number)), number);
      }
    }
  });

  test("keep -0, NaN and infinities if the serializer does", () => {
    for (const number of [-0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      assert.ok(Object.is(decode(rules.msgpack, encode(rules.msgpack, number)), number));
    }
    assert.ok(Buffer.isBuffer(encode(rules.json, -0)));
    assert.equal(decode(rules.json, encode(rules.json, -0)), 0);
    assert.equal(decode(rules.json, encode(rules.json, Number.NaN)), null);
    const strict = createRule("a:", { serializer: json({ strict: true }) });
    for (const number of [-0, Number.NaN]) assert.throws(() => encode(strict, number), { code: "CODEC_SERIALIZE" });
  });

  test("are validated as the serializer's own values are, although they are held raw", () => {
    const validate = (value: unknown) => {
      if (value === 13) throw new RangeError("unlucky");
      return { value };
    };
    const rule = createRule("a:", { compressor: stored(), serializer: json({ validate }) });
    assert.deepEqual(decode(rule, "12"), { value: 12 });
    assert.deepEqual(decode(rule, "9007199254740993"), { value: 9007199254740993n });
    assert.throws(
      () => decode(rule, "13"),
      (error: CodecError) => error.code === "CODEC_DESERIALIZE" && error.cause instanceof RangeError,
    );
    assert.deepEqual(decodeValue(rule, new Stats().of("a:"), Buffer.from("13"), "bytes"), Buffer.from("13"));
  });

  const unsafe = [2 ** 53, 2 ** 53 + 2, -(2 ** 53), 2 ** 60, -(2 ** 62), 2 ** 63 - 1024];
  for (const number of unsafe) {
    test(`come back beyond ±(2^53 − 1): ${number}`, () => {
      for (const rule of [rules.json, rules.msgpack, rules.never]) assert.equal(decode(rule, encode(rule, number)), number);
    });
  }

  const holes: readonly (readonly [name: string, serializer: Serializer<never>, value: unknown])[] = [
    ["text", utf8() as Serializer<never>, "42"],
    ["bytes", bytes() as Serializer<never>, Buffer.from("42")],
    ["what a serializer of one's own makes", joined as Serializer<never>, ["42"]],
  ];
  for (const [name, serializer, value] of holes) {
    test(`are apart from ${name} without frames`, () => {
      const rule = createRule("a:", { serializer, frame: "never", unframed: "deserialize" });
      assert.deepEqual(decode(rule, encode(rule, value)), value);
    });
  }
});
