import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { utf8 } from "../src/serializers/utf8.ts";

const SERIALIZE = { code: "CODEC_SERIALIZE" };
const DESERIALIZE = { code: "CODEC_DESERIALIZE" };

suite("utf8()", () => {
  test("gives every well-formed string back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const bytes = utf8().serialize(text);
        assert.deepEqual(bytes, Buffer.from(text));
        assert.equal(utf8().deserialize(bytes), text);
      }),
    );
  });

  test("refuses exactly the strings that UTF-8 cannot carry", () => {
    const units = fc.array(fc.constantFrom("\ud83d", "\ude4f", "a", "é"), { maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(units, (text) => {
        if (Buffer.from(text).toString() === text) assert.equal(utf8().deserialize(utf8().serialize(text)), text);
        else assert.throws(() => utf8().serialize(text), SERIALIZE);
      }),
    );
  });

  test("reads bytes only if they are the UTF-8 of a string", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), (bytes) => {
        const text = Buffer.from(bytes).toString();
        if (Buffer.from(text).equals(bytes)) assert.equal(utf8().deserialize(bytes), text);
        else assert.throws(() => utf8().deserialize(bytes), DESERIALIZE);
      }),
      { numRuns: 2000 },
    );
  });

  test("keeps byte order marks, NULs, U+FFFD and unnormalised text", () => {
    for (const text of ["\ufeffx", "\ufeff", "a\u0000b", "\ufffd", "e\u0301", "\r\n", ""]) {
      assert.equal(utf8().deserialize(utf8().serialize(text)), text);
    }
  });

  test("refuses what is not a string", () => {
    for (const value of [undefined, null, 1, 1n, true, {}, [], Buffer.from("x"), Object("x")]) {
      assert.throws(() => utf8().serialize(value as never), SERIALIZE);
    }
  });

  test("is frozen and named", () => {
    assert.ok(Object.isFrozen(utf8()));
    assert.equal(utf8().name, "utf8");
    assert.deepStrictEqual(utf8().options, {});
  });
});
