import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { runInNewContext } from "node:vm";
import { CodecError, CodecErrorCode, describeKind, isCodecError } from "../src/errors.ts";

suite("CodecError", () => {
  test("is an Error with a name, a code and its facts", () => {
    const error = new CodecError("CODEC_SIZE_LIMIT", "too large", { contentSize: 9, limit: 8 });
    assert.ok(error instanceof Error);
    assert.equal(error.name, "CodecError");
    assert.equal(error.code, "CODEC_SIZE_LIMIT");
    assert.equal(error.contentSize, 9);
    assert.equal(error.limit, 8);
    assert.equal("cause" in error, false);
  });

  test("keeps the error underneath as its cause", () => {
    const cause = new Error("native");
    const error = new CodecError("CODEC_PAYLOAD_CORRUPT", "damaged", { cause });
    assert.equal(error.cause, cause);
    assert.equal(Object.keys(error).includes("cause"), false);
  });

  test("has facts of its own alone, and a stack that begins where it was made", () => {
    const error = new CodecError("CODEC_SIZE_LIMIT", "too large", { contentSize: 9, limit: 8, cause: 1 });
    assert.deepEqual({ ...error }, { name: "CodecError", code: "CODEC_SIZE_LIMIT", contentSize: 9, limit: 8 });
    assert.deepEqual(Object.getOwnPropertySymbols(error), []);
    assert.match(error.stack?.split("\n")[1] ?? "", /errors\.test\.ts/);
  });

  test("has one code for every name, all beginning with CODEC_", () => {
    for (const [name, code] of Object.entries(CodecErrorCode)) assert.equal(code, `CODEC_${name}`);
    assert.ok(Object.isFrozen(CodecErrorCode));
  });
});

suite("isCodecError()", () => {
  test("recognises errors, also of another copy of the package", () => {
    assert.ok(isCodecError(new CodecError("CODEC_UNFRAMED", "")));
    const foreign = Object.defineProperty(new Error("other"), Symbol.for("tightwire.CodecError"), { value: true });
    assert.ok(isCodecError(foreign));
  });

  test("refuses everything else", () => {
    for (const value of [null, undefined, "CODEC_UNFRAMED", new Error("x"), { code: "CODEC_UNFRAMED" }]) {
      assert.equal(isCodecError(value), false);
    }
  });
});

suite("describeKind()", () => {
  test("names kinds and never values", () => {
    const named = [null, undefined, "secret", 42, [], {}, new Map(), () => {}, Object.create(null)].map(describeKind);
    assert.deepEqual(named, ["null", "undefined", "string", "number", "Array", "Object", "Map", "function", "Object"]);
    assert.equal(describeKind({ constructor: { name: "secret" } }), "Object");
    assert.equal(describeKind(runInNewContext("new Date()")), "Date");
  });
});
