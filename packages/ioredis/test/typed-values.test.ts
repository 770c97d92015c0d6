import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { deserialize as fromV8, serialize as toV8 } from "node:v8";
import {
  bytes,
  type CodecError,
  createValueCodec,
  defineSerializer,
  deflate,
  isFrame,
  json,
  msgpack,
  type Serializer,
  stored,
  utf8,
} from "@tightwire/codec-core";
import fc from "fast-check";
import { decodeValue, TypedValue, unwrapTyped } from "../src/decode-value.ts";
import { encodeValue, type Held, isHeldRaw } from "../src/encode-value.ts";
import { isCanonicalNumber, parseCanonicalNumber } from "../src/numbers.ts";
import type { RuleOptions } from "../src/options.ts";
import { createRule, type Rule } from "../src/rules.ts";
import { Stats } from "../src/stats.ts";

const storing = createValueCodec({ compressor: stored() });
const anyFrame = storing.encode(Buffer.from("content"));
const structured = defineSerializer<unknown>({ name: "v8", serialize: toV8, deserialize: fromV8 });
const encode = (rule: Rule, value: unknown): Held => encodeValue(rule, new Stats().of(rule.statsName), value);

/** What a client gets for what Redis holds: ioredis makes text of what it is given as bytes. */
function decode(rule: Rule, held: Held): unknown {
  const value = decodeValue(rule, new Stats().of(rule.statsName), Buffer.from(held as Buffer), "buffer");
  return value instanceof Buffer ? value.toString() : unwrapTyped(value);
}

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 100 }),
  fc.string({ unit: fc.constantFrom(..."0123456789.-"), maxLength: 20 }),
  fc.string({ unit: fc.constantFrom("\x01", "\x02", "\0", "R", "V", "C", "é"), maxLength: 40 }),
  fc.constantFrom(
    "",
    "0",
    "42",
    "-7",
    "1.5",
    "null",
    "true",
    '"x"',
    "{}",
    "RVC\0",
    `RVC\0${"x".repeat(100)}`,
    "long ".repeat(50),
  ),
);
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((content) => Buffer.from(content)),
  fc.constantFrom(Buffer.alloc(0), Buffer.from("42"), Buffer.from([0xc1, 1]), Buffer.from("RVC\0"), anyFrame, damage(anyFrame)),
);
const anyNumber = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -100, max: 100 }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(Number),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const nonNegativeZero = (number: number) => !Object.is(number, -0);
const { value: jsonValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false),
    anyNumber.filter(nonNegativeZero),
    anyText,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(anyText, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const { value: messagePackValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    jsonValue,
    fc.constantFrom(Number.NaN, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    anyBytes,
    fc.date({ noInvalidDate: true, min: new Date(-1e14), max: new Date(1e14) }),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
    fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(anyText, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const structuredValue = fc.oneof(
  messagePackValue,
  fc.array(fc.tuple(anyText, messagePackValue), { maxLength: 3 }).map((pairs) => new Map(pairs)),
  fc.array(anyText, { maxLength: 3 }).map((texts) => new Set(texts)),
);

interface Kind {
  readonly serializer: Serializer<never>;
  readonly value: fc.Arbitrary<unknown>;
}
const KINDS: Readonly<Record<string, Kind>> = {
  "json()": { serializer: json() as Serializer<never>, value: jsonValue },
  "json({ strict: true })": { serializer: json({ strict: true }) as Serializer<never>, value: jsonValue },
  "msgpack()": { serializer: msgpack() as Serializer<never>, value: messagePackValue },
  "utf8()": { serializer: utf8() as Serializer<never>, value: anyText },
  "bytes()": { serializer: bytes() as Serializer<never>, value: anyBytes },
  "a serializer of one's own": { serializer: structured as Serializer<never>, value: structuredValue },
};

const anySettings: fc.Arbitrary<Partial<RuleOptions>> = fc
  .record({
    compressor: fc.constantFrom(stored(), deflate()),
    minCompressBytes: fc.constantFrom(0, 256),
    frame: fc.constantFrom("always" as const, "when-smaller" as const, "never" as const),
    numbers: fc.constantFrom("raw" as const, "framed" as const),
    minFrameBytes: fc.constantFrom(0, 1, 65),
    unframed: fc.constantFrom("accept" as const, "deserialize" as const, "reject" as const),
  })
  .filter(({ frame, unframed }) => frame !== "never" || unframed === "deserialize")
  .filter(({ frame, numbers, minFrameBytes, unframed }) => {
    return unframed !== "reject" || (frame === "always" && numbers === "framed" && minFrameBytes === 0);
  });

suite("encodeValue() and decodeValue() with a serializer", () => {
  for (const [name, { serializer, value: anyValue }] of Object.entries(KINDS)) {
    test(`give back every value of ${name} under every setting`, () => {
      fc.assert(
        fc.property(anySettings, anyValue, (settings, value) => {
          const rule = createRule("a:", { ...settings, serializer });
          assert.deepEqual(decode(rule, encode(rule, value)), value);
        }),
        { numRuns: 600 },
      );
    });

    test(`hold the content of ${name} for whoever wants bytes`, () => {
      fc.assert(
        fc.property(anySettings, anyValue, (settings, value) => {
          const rule = createRule("a:", { ...settings, serializer });
          const counters = new Stats().of("a:");
          const serialized = Buffer.from((serializer as Serializer<unknown>).serialize(value));
          const content = decodeValue(rule, counters, Buffer.from(encode(rule, value) as Buffer), "bytes");
          assert.ok(content instanceof Buffer);
          const text = ["string", "number", "bigint"].includes(typeof value) ? [Buffer.from(String(value))] : [];
          const possible = [serialized, ...text];
          assert.ok(possible.some((one) => one.equals(content)));
        }),
        { numRuns: 200 },
      );
    });
  }

  test("frame whatever is no number and no short text", () => {
    fc.assert(
      fc.property(anySettings, messagePackValue, (settings, value) => {
        const rule = createRule("a:", { ...settings, serializer: msgpack() });
        fc.pre(rule.frame !== "never");
        const isNumber = typeof value === "number" || typeof value === "bigint";
        const number = isNumber && isCanonicalNumber(String(value)) && Object.is(parseCanonicalNumber(String(value)), value);
        const text = typeof value === "string" && rule.unframed === "accept" && Buffer.byteLength(value) < rule.minFrameBytes;
        const held = encode(rule, value);
        if (Buffer.isBuffer(held)) assert.ok(isFrame(held));
        else assert.ok((number && rule.numbers === "raw") || text);
        assert.equal(isHeldRaw(rule, value as Held), !Buffer.isBuffer(held));
      }),
      { numRuns: 500 },
    );
  });
});

suite("text under a serializer", () => {
  const text = "short";

  test("is held raw below minFrameBytes where what is no frame is returned as it is", () => {
    const rule = createRule("a:", { compressor: stored(), serializer: msgpack(), minFrameBytes: 6 });
    assert.equal(encode(rule, text), text);
    assert.ok(Buffer.isBuffer(encode(rule, "longer")));
    assert.ok(Buffer.isBuffer(encode(rule, "ééé")));
    assert.ok(Buffer.isBuffer(encode(rule, "RVC\0")));
    assert.ok(Buffer.isBuffer(encode(rule, "42")));
  });

  test("is serialized at any length where what is no frame is deserialized", () => {
    const rule = createRule("a:", { compressor: stored(), serializer: json() });
    const held = encode(rule, text);
    assert.ok(Buffer.isBuffer(held));
    assert.equal(storing.decode(held).toString(), '"short"');
  });
});

suite("values that are no frames, under a serializer", () => {
  test("are validated as the serializer's own values are, although they are held raw", () => {
    const validate = (value: unknown): unknown => {
      if (value === "bad") throw new RangeError("bad");
      return typeof value === "string" && value !== "plain" ? [value, Buffer.from(value)] : value;
    };
    const rule = createRule("a:", { compressor: stored(), serializer: msgpack({ validate }) });
    assert.equal(encode(rule, "text"), "text");
    for (const text of ["text", "é", "text that no rule has written, ".repeat(9)]) {
      assert.deepEqual(decode(rule, text), [text, Buffer.from(text)]);
      assert.deepEqual(decodeValue(rule, new Stats().of("a:"), Buffer.from(text), "bytes"), Buffer.from(text));
    }
    assert.equal(decode(rule, "plain"), "plain");
    assert.throws(
      () => decode(rule, "bad"),
      (error: CodecError) => error.code === "CODEC_DESERIALIZE" && error.cause instanceof RangeError,
    );
  });

  const accepting = createRule("a:", { compressor: stored(), serializer: msgpack() });
  const deserializing = createRule("a:", { compressor: stored(), serializer: json() });

  test("are returned as text, given to the serializer, or refused", () => {
    assert.equal(decode(accepting, "plain"), "plain");
    assert.deepEqual(decode(deserializing, '{"user":"ada"}'), { user: "ada" });
    assert.equal(decode(deserializing, " 42"), 42);
    assert.throws(() => decode(deserializing, "plain"), { code: "CODEC_DESERIALIZE" });
    const settings = { serializer: json(), unframed: "reject", minFrameBytes: 0, numbers: "framed" } as const;
    assert.throws(() => decode(createRule("a:", settings), '{"user":"ada"}'), { code: "CODEC_UNFRAMED" });
  });

  test("are returned as they are to whoever wants bytes", () => {
    for (const rule of [accepting, deserializing]) {
      for (const text of ["plain", "42"]) {
        const held = Buffer.from(text);
        const bytes = decodeValue(rule, new Stats().of("a:"), held, "bytes");
        assert.ok(bytes instanceof Buffer && bytes.equals(held));
        assert.ok(bytes.buffer.byteLength <= 2 * bytes.length);
      }
    }
  });
});

suite("encodeValue() with a serializer", () => {
  test("says what it cannot write", () => {
    const rule = createRule("a:", { serializer: json() });
    for (const value of [undefined, 1n, () => {}, Buffer.from("x"), new Uint8Array(1)]) {
      assert.throws(() => encode(rule, value), { code: "CODEC_SERIALIZE" });
    }
  });

  test("holds content to the limit of its rule", () => {
    const rule = createRule("a:", { serializer: json(), maxContentBytes: 10 });
    assert.throws(() => encode(rule, { user: "ada" }), { code: "CODEC_SIZE_LIMIT" });
  });

  test("gives out memory of its own also where the serializer copies nothing", () => {
    for (const settings of [{ frame: "always" }, { frame: "never", unframed: "deserialize" }] as const) {
      const rule = createRule("a:", { ...settings, compressor: stored(), serializer: bytes() });
      const value = Buffer.alloc(100, "v");
      const held = encode(rule, value);
      value.fill("w");
      assert.deepEqual(decode(rule, held), Buffer.alloc(100, "v"));
    }
  });

  test("takes a view over a part of its memory", () => {
    const rule = createRule("a:", { compressor: stored(), serializer: bytes() });
    const memory = new Uint8Array(300).fill(1).fill(2, 100, 200);
    assert.deepEqual(decode(rule, encode(rule, memory.subarray(100, 200))), Buffer.alloc(100, 2));
  });

  test("counts contents, frames and raw values", () => {
    const rule = createRule("a:", { compressor: stored(), serializer: json() });
    const counters = new Stats().of("a:");
    for (const value of [{ a: 1 }, 12345])
      decodeValue(rule, counters, Buffer.from(encodeValue(rule, counters, value) as Buffer), "buffer");
    assert.deepEqual(counters, {
      encoded: 1,
      decoded: 1,
      raw: 1,
      unframed: 1,
      contentBytes: 7 + 5,
      heldBytes: 25 + 5,
      errors: {},
    });
  });
});

suite("unwrapTyped()", () => {
  const value = { user: "ada", data: Buffer.from([0xff]) };

  test("gives the value, itself", () => {
    assert.equal(unwrapTyped(new TypedValue(value)), value);
  });

  test("gives values in their places in a reply, however deep", () => {
    const reply = [new TypedValue(value), "text", [1, [new TypedValue(value)]], { f: new TypedValue(value), g: "text" }, null];
    assert.equal(unwrapTyped(reply), reply);
    assert.deepEqual(reply, [value, "text", [1, [value]], { f: value, g: "text" }, null]);
  });

  test("leaves what is inside a value alone", () => {
    const inner = new TypedValue(1);
    const outer = { inner };
    assert.equal(unwrapTyped(new TypedValue(outer)), outer);
    assert.equal(outer.inner, inner);
  });

  test("leaves text, numbers, bytes and errors as they are", () => {
    const error = Object.assign(new Error("bad"), { detail: new TypedValue(1) });
    for (const one of ["text", 1, 1n, null, undefined, true, Buffer.from("x"), error]) assert.equal(unwrapTyped(one), one);
    assert.ok(error.detail instanceof TypedValue);
  });

  test("gives the value of a field called __proto__ and changes no prototype", () => {
    const reply = JSON.parse('{"__proto__":0}');
    Object.defineProperty(reply, "__proto__", {
      value: new TypedValue(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    unwrapTyped(reply);
    assert.deepEqual(Object.entries(reply), [["__proto__", value]]);
    assert.equal(Object.getPrototypeOf(reply), Object.prototype);
  });
});

function damage(frame: Buffer): Buffer {
  const copy = Buffer.from(frame);
  copy[0] = 0x58;
  return copy;
}
