import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { CodecError, createValueCodec, defineCompressor, stored } from "@tightwire/codec-core";
import type { ReplyShape } from "../src/commands.ts";
import { type ReplyContext, ReplyDecoder, replyError } from "../src/replies.ts";
import type { Shared } from "../src/shared.ts";
import { collectErrors, createShared, ruleOf } from "./support/keys.ts";

const codec = createValueCodec({ compressor: stored() });
const PREFIXES = {
  "a:": { compressor: stored() },
  "miss:": { compressor: stored(), onDecodeError: "miss" },
  "pass:": { compressor: stored(), onDecodeError: "pass" },
} as const;
type Prefix = keyof typeof PREFIXES;

const frame = (text: string) => codec.encode(Buffer.from(text));
const raw = (text: string) => Buffer.from(text);

function damage(text: string): Buffer {
  const frame = codec.encode(Buffer.from(text));
  frame[18] = (frame[18] ?? 0) ^ 1;
  return frame;
}

interface Reading {
  readonly prefix?: Prefix;
  readonly bytes?: boolean;
  readonly shared?: Shared;
}

function createContext(
  shape: ReplyShape,
  { prefix = "a:", bytes = true, shared = createShared(PREFIXES) }: Reading,
): ReplyContext {
  const rule = ruleOf(shared, prefix);
  return {
    shared,
    shape,
    bytes,
    // Of keys by index the third is under no rule.
    ruleOf: (index) => (shape === "byKey" && index === 2 ? undefined : rule),
    placeOf: (index, field) => ({
      key: shape === "byKey" ? `${prefix}${index}` : `${prefix}1`,
      command: "test",
      ...(field !== undefined && { field }),
      ...(field === undefined && shape !== "value" && { index }),
    }),
  };
}

function read(shape: ReplyShape, reply: unknown, reading: Reading = {}) {
  const decoder = new ReplyDecoder(createContext(shape, reading));
  return { reply: decoder.decode(reply), failures: decoder.failures };
}

suite("ReplyDecoder", () => {
  const shapes: readonly (readonly [name: string, shape: ReplyShape, reply: unknown, decoded: unknown])[] = [
    ["one value", "value", frame("x"), raw("x")],
    ["one raw value", "value", raw("x"), raw("x")],
    ["no value", "value", null, null],
    ["a status", "value", "OK", "OK"],
    ["a list", "values", [frame("x"), null, raw("y")], [raw("x"), null, raw("y")]],
    ["an empty list", "values", [], []],
    ["no list", "values", null, null],
    ["values by key", "byKey", [frame("x"), frame("y"), frame("z")], [raw("x"), raw("y"), frame("z")]],
    ["fields and values, flat", "fields", [raw("f"), frame("x"), raw("g"), null], [raw("f"), raw("x"), raw("g"), null]],
    ["fields that are frames", "fields", [frame("f"), frame("x")], [frame("f"), raw("x")]],
    ["fields and values, in pairs", "fields", [[frame("f"), frame("x")]], [[frame("f"), raw("x")]]],
    ["no fields", "fields", [], []],
    ["a hash that is not there", "fields", null, null],
    ["fields of an object", "fields", { f: frame("x"), g: raw("y") }, { f: raw("x"), g: raw("y") }],
    ["a status instead of fields", "fields", "QUEUED", "QUEUED"],
    ["bytes instead of fields", "fields", frame("x"), frame("x")],
    ["a page of a scan", "scan", [raw("0"), [raw("f"), frame("x")]], [raw("0"), [raw("f"), raw("x")]]],
    ["an empty page", "scan", [raw("0"), []], [raw("0"), []]],
    ["half a page", "scan", [frame("0")], [frame("0")]],
    ["no page", "scan", null, null],
  ];
  for (const [name, shape, reply, decoded] of shapes) {
    test(`decodes ${name}`, () => {
      assert.deepEqual(read(shape, reply), { reply: decoded, failures: [] });
    });
  }

  test("returns an error among the replies as it is", () => {
    const error = Object.assign(new Error("WRONGTYPE"), { command: { name: "hgetall" } });
    for (const shape of ["value", "values", "byKey", "fields", "scan"] as const) {
      assert.equal(read(shape, error).reply, error);
      assert.deepEqual(error.command, { name: "hgetall" });
    }
    assert.deepEqual(read("values", [error, frame("x")]).reply, [error, raw("x")]);
  });

  test("decodes a field called __proto__ as any other", () => {
    const record = JSON.parse('{"__proto__":0,"constructor":0}');
    for (const field of ["__proto__", "constructor"]) {
      Object.defineProperty(record, field, { value: frame(field), enumerable: true, configurable: true, writable: true });
    }
    const { reply } = read("fields", record);
    assert.deepEqual(Object.entries(reply as object), [
      ["__proto__", raw("__proto__")],
      ["constructor", raw("constructor")],
    ]);
    assert.equal(Object.getPrototypeOf(reply), Object.prototype);
  });

  test("counts what it decoded under the prefix", () => {
    const shared = createShared(PREFIXES);
    read("values", [frame("x"), raw("y"), frame("z"), damage("w")], { shared });
    assert.equal(shared.stats.of("a:").decoded, 2);
    assert.deepEqual(shared.stats.of("a:").errors, { CODEC_CHECKSUM_MISMATCH: 1 });
  });

  test("puts a bad value's error in its place and leaves the others", () => {
    const bad = damage("y");
    const { reply, failures } = read("values", [frame("x"), bad, frame("z")]);
    assert.ok(Array.isArray(reply));
    assert.deepEqual([reply[0], reply[2]], [raw("x"), raw("z")]);
    assert.equal(failures.length, 1);
    assert.equal(reply[1], failures[0]);
    assert.equal(failures[0]?.code, "CODEC_CHECKSUM_MISMATCH");
    assert.equal(failures[0]?.key, "a:1");
    assert.equal(failures[0]?.index, 1);
    assert.equal(failures[0]?.frame, bad);
  });

  test("says in which field a value is bad", () => {
    for (const reply of [
      [raw("f"), frame("x"), raw("g"), damage("y")],
      [
        [raw("f"), frame("x")],
        [raw("g"), damage("y")],
      ],
      { f: frame("x"), g: damage("y") },
    ]) {
      const { failures } = read("fields", reply);
      assert.deepEqual(
        failures.map(({ field, index }) => ({ field: field?.toString(), index })),
        [{ field: "g", index: undefined }],
      );
    }
  });

  test("says under which key a value is bad", () => {
    const { failures } = read("byKey", [frame("x"), damage("y"), damage("z")]);
    assert.deepEqual(
      failures.map(({ key }) => key),
      ["a:1"],
    );
  });

  test("misses a bad value where the rule says so, and reports it", () => {
    for (const bytes of [true, false]) {
      const { errors, onError } = collectErrors();
      const shared = createShared(PREFIXES, { onError });
      const miss = read("values", [damage("x"), frame("y")], { prefix: "miss:", bytes, shared });
      assert.deepEqual(miss, { reply: [null, raw("y")], failures: [] });
      assert.deepEqual(
        errors.map(({ code, key }) => [code, key]),
        [["CODEC_CHECKSUM_MISMATCH", "miss:1"]],
      );
      assert.deepEqual(shared.stats.of("miss:").errors, { CODEC_CHECKSUM_MISMATCH: 1 });
    }
  });

  test("passes a bad value on only as bytes, and reports it", () => {
    const { errors, onError } = collectErrors();
    const bad = damage("x");
    const passed = read("value", bad, { prefix: "pass:", shared: createShared(PREFIXES, { onError }) });
    assert.deepEqual(passed, { reply: bad, failures: [] });
    assert.equal(errors.length, 1);
    const asText = read("value", bad, { prefix: "pass:", bytes: false, shared: createShared(PREFIXES, { onError }) });
    assert.equal(asText.failures.length, 1);
    assert.equal(errors.length, 1);
  });

  test("misses and passes without anybody to report to", () => {
    assert.equal(read("value", damage("x"), { prefix: "miss:" }).reply, null);
    assert.deepEqual(read("value", damage("x"), { prefix: "pass:" }).reply, damage("x"));
  });

  test("throws on what onError throws", () => {
    const onError = () => {
      throw new Error("from onError");
    };
    const shared = createShared(PREFIXES, { onError });
    assert.throws(() => read("value", damage("x"), { prefix: "miss:", shared }), { message: "from onError" });
  });

  test("decompresses up to maxReplyBytes in total", () => {
    const shared = createShared(PREFIXES, { maxReplyBytes: 10 });
    assert.deepEqual(read("values", [frame("01234"), frame("56789")], { shared }).failures, []);
    const { reply, failures } = read("values", [frame("01234"), frame("56789"), frame("x"), raw("raw values are no matter")], {
      shared,
    });
    assert.deepEqual(
      failures.map(({ code, index, limit, contentSize }) => ({ code, index, limit, contentSize })),
      [{ code: "CODEC_SIZE_LIMIT", index: 2, limit: 10, contentSize: 1 }],
    );
    assert.deepEqual((reply as unknown[])[3], raw("raw values are no matter"));
  });

  test("counts maxReplyBytes anew for every reply", () => {
    const shared = createShared(PREFIXES, { maxReplyBytes: 5 });
    for (let i = 0; i < 3; i++) assert.deepEqual(read("value", frame("01234"), { shared }).failures, []);
  });

  test("looks at what a frame claims before it decompresses", () => {
    let calls = 0;
    const counting = defineCompressor({
      id: 202,
      name: "counting",
      compress: (content) => content.subarray(0, 1),
      decompress: (_, contentSize) => {
        calls++;
        return Buffer.alloc(contentSize);
      },
    });
    const shared = createShared({ "a:": { compressor: counting } }, { maxReplyBytes: 100 });
    const bomb = createValueCodec({ compressor: counting, minCompressBytes: 0 }).encode(Buffer.alloc(101));
    const { failures } = read("value", bomb, { shared });
    assert.equal(failures[0]?.code, "CODEC_SIZE_LIMIT");
    assert.equal(calls, 0);
  });

  test("takes a cut frame for one that claims nothing", () => {
    const shared = createShared(PREFIXES, { maxReplyBytes: 1 });
    assert.equal(read("value", frame("x").subarray(0, 17), { shared }).failures[0]?.code, "CODEC_FRAME_TRUNCATED");
  });
});

suite("replyError()", () => {
  const facts = { key: "a:1", command: "hgetall", field: "f" };
  const first = new CodecError("CODEC_CHECKSUM_MISMATCH", "differs", facts);
  const second = new CodecError("CODEC_SIZE_LIMIT", "too large", facts);

  test("is none without failures", () => {
    assert.equal(replyError("fields", [], {}), undefined);
    assert.equal(replyError("value", [], "x"), undefined);
  });

  test("is the value's own error for a reply of one value", () => {
    assert.equal(replyError("value", [first], first), first);
  });

  for (const shape of ["values", "byKey", "fields", "scan"] as const) {
    test(`carries the reply of shape ${shape}, and the first error's code`, () => {
      const reply = { f: first, g: second, h: "good" };
      const error = replyError(shape, [first, second], reply);
      assert.notEqual(error, first);
      assert.equal(error?.code, "CODEC_CHECKSUM_MISMATCH");
      assert.equal(error?.key, "a:1");
      assert.equal(error?.command, "hgetall");
      assert.equal(error?.cause, first);
      assert.equal(error?.reply, reply);
      assert.match(error?.message ?? "", /^\d/);
    });
  }

  test("keeps the reply where logs do not look", () => {
    const error = replyError("values", [first], ["secret"]);
    assert.equal(Object.keys(error as object).includes("reply"), false);
  });

  test("names no key where the first error names none", () => {
    const error = replyError("values", [new CodecError("CODEC_UNFRAMED", "none")], []);
    assert.equal(Object.hasOwn(error as object, "key"), false);
    assert.equal(Object.hasOwn(error as object, "command"), false);
  });
});
