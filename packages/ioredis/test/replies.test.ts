import assert from "node:assert/strict";
import { once } from "node:events";
import { suite, test } from "node:test";
import { CodecError, createValueCodec, defineCompressor, json, stored } from "@tightwire/codec-core";
import { TypedValue } from "../src/decode-value.ts";
import { ReplyDecoder, replyError } from "../src/replies.ts";
import { collectErrors, createShared, ruleOf } from "./support/keys.ts";
import { createContext, createDecoder, damage, entry, frame, PREFIXES, raw, read } from "./support/replies.ts";

suite("ReplyDecoder", () => {
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

  test("decodes values beside a bad one, under each key by its own rule", () => {
    const shared = createShared(PREFIXES);
    const reply = [
      [raw("a:1"), [entry("1-1", frame("x")), entry("2-1", damage("y"))]],
      [raw("miss:1"), [entry("1-1", damage("x")), entry("2-1", frame("y"))]],
    ];
    const { failures } = read("streams", reply, { shared });
    assert.deepEqual(reply, [
      [raw("a:1"), [entry("1-1", raw("x")), [raw("2-1"), [frame("f"), failures[0]]]]],
      [raw("miss:1"), [[raw("1-1"), [frame("f"), null]], entry("2-1", raw("y"))]],
    ]);
    assert.deepEqual(Object.keys(shared.stats.snapshot()), ["a:", "miss:"]);
  });

  test("gives values of the serializer, wrapped if they are objects, and knows of these", () => {
    const rule = { compressor: stored(), serializer: json() };
    const shared = createShared({ "a:": rule });
    const typed = createDecoder("values", { shared, bytes: false });
    const reply = typed.decode([frame('{"user":"ada"}'), frame("[1]"), frame('"text"'), frame("true"), raw("7"), null]);
    assert.deepEqual(reply, [new TypedValue({ user: "ada" }), new TypedValue([1]), "text", true, 7, null]);
    assert.equal(typed.hasTyped, true);
    const plain = createDecoder("values", { shared, bytes: false });
    assert.deepEqual(plain.decode([frame('"text"'), raw("7")]), ["text", 7]);
    assert.equal(plain.hasTyped, false);
    const bytes = createDecoder("values", { shared });
    assert.deepEqual(bytes.decode([frame("[1]"), raw("7")]), [raw("[1]"), raw("7")]);
    assert.equal(bytes.hasTyped, false);
  });

  test("takes content that is no value of the serializer for a bad value", () => {
    const shared = createShared({ "a:": { compressor: stored(), serializer: json() } });
    const { failures } = read("values", [frame("{"), frame("1")], { shared, bytes: false });
    assert.deepEqual(
      failures.map(({ code, index }) => ({ code, index })),
      [{ code: "CODEC_DESERIALIZE", index: 0 }],
    );
    assert.deepEqual(shared.stats.of("a:").errors, { CODEC_DESERIALIZE: 1 });
    assert.equal(shared.stats.of("a:").decoded, 1);
  });

  test("throws on what is no error of a value", () => {
    const shared = createShared(PREFIXES);
    const rule = ruleOf(shared, "a:");
    const decode = () => {
      throw new RangeError("a fault of ours");
    };
    const faulty = { ...rule, codec: { ...rule.codec, decode } };
    const decoder = new ReplyDecoder({ ...createContext("value", { shared }), ruleOf: () => faulty });
    assert.throws(() => decoder.decode(frame("x")), RangeError);
    assert.deepEqual(shared.stats.of("a:").errors, {});
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

  test("makes a warning of what onError throws", async () => {
    const onError = () => {
      throw new Error("from onError");
    };
    const shared = createShared(PREFIXES, { onError });
    const warning = once(process, "warning");
    assert.equal(read("value", damage("x"), { prefix: "miss:", shared }).reply, null);
    assert.equal((await warning)[0].message, "from onError");
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

  test("takes nothing of maxReplyBytes for a bad value, whatever it claims", () => {
    const shared = createShared(PREFIXES, { maxReplyBytes: 10 });
    const { reply, failures } = read("values", [damage("0123456"), frame("01234"), frame("56789")], { shared });
    assert.deepEqual(
      failures.map(({ code }) => code),
      ["CODEC_CHECKSUM_MISMATCH"],
    );
    assert.deepEqual(reply, [failures[0], raw("01234"), raw("56789")]);
  });

  test("leaves it to the codec what is wrong with a frame that claims more than its rule lets pass", () => {
    const shared = createShared({ "a:": { compressor: stored(), maxContentBytes: 4 } }, { maxReplyBytes: 2 });
    const unknown = frame("01234");
    unknown[5] = 9;
    const { failures } = read("values", [unknown, frame("01234"), frame("0123")], { shared });
    assert.deepEqual(
      failures.map(({ code, limit }) => [code, limit]),
      [
        ["CODEC_UNKNOWN_ID", undefined],
        ["CODEC_SIZE_LIMIT", 4],
        ["CODEC_SIZE_LIMIT", 2],
      ],
    );
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
    assert.equal(replyError([], {}), undefined);
    assert.equal(replyError([], "x"), undefined);
  });

  test("is the value's own error for a reply of one value", () => {
    assert.equal(replyError([first], first), first);
  });

  test("carries the reply of many values, and the first error's code", () => {
    const reply = { f: first, g: second, h: "good" };
    const error = replyError([first, second], reply);
    assert.notEqual(error, first);
    assert.equal(error?.code, "CODEC_CHECKSUM_MISMATCH");
    assert.equal(error?.key, "a:1");
    assert.equal(error?.command, "hgetall");
    assert.equal(error?.field, "f");
    assert.equal(error?.cause, first);
    assert.equal(error?.reply, reply);
    assert.match(error?.message ?? "", /^\d/);
  });

  test("says where the first bad value stood", () => {
    for (const place of [{ index: 3 }, { field: "f", id: "1-0" }, {}]) {
      const bad = new CodecError("CODEC_CHECKSUM_MISMATCH", "differs", { key: "a:1", command: "xrange", ...place });
      const { index, field, id } = replyError([bad, second], []) ?? {};
      assert.deepEqual({ index, field, id }, { index: undefined, field: undefined, id: undefined, ...place });
    }
  });

  test("keeps the reply where logs do not look", () => {
    const error = replyError([first], ["secret"]);
    assert.equal(Object.keys(error as object).includes("reply"), false);
  });

  test("names no key where the first error names none", () => {
    const error = replyError([new CodecError("CODEC_UNFRAMED", "none")], []);
    assert.equal(Object.hasOwn(error as object, "key"), false);
    assert.equal(Object.hasOwn(error as object, "command"), false);
  });
});
