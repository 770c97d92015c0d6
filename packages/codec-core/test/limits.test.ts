import assert from "node:assert/strict";
import { constants } from "node:buffer";
import { suite, test } from "node:test";
import * as limits from "../src/limits.ts";

suite("defaults", () => {
  test("are those of the frame's specification", () => {
    assert.equal(limits.DEFAULT_FRAME_VERSION, 2);
    assert.equal(limits.DEFAULT_MIN_COMPRESS_BYTES, 1024);
    assert.equal(limits.DEFAULT_MAX_CONTENT_BYTES, 8_388_608);
    assert.equal(limits.DEFAULT_BROTLI_QUALITY, 4);
    assert.equal(limits.DEFAULT_DEFLATE_LEVEL, 1);
    assert.equal(limits.DEFAULT_ZSTD_LEVEL, 3);
  });

  test("leave room for a header in one Buffer and for a size in 32 bits", () => {
    assert.ok(limits.MAX_CONTENT_BYTES + 18 <= constants.MAX_LENGTH);
    assert.ok(limits.MAX_CONTENT_BYTES + 18 <= 0xffff_ffff);
  });
});

suite("assertIntegerBetween()", () => {
  test("accepts both ends", () => {
    limits.assertIntegerBetween("level", 0, 0, 9);
    limits.assertIntegerBetween("level", 9, 0, 9);
  });

  test("throws TypeError for what is no number", () => {
    for (const value of ["1", null, undefined, 1n, {}, true]) {
      assert.throws(() => limits.assertIntegerBetween("level", value, 0, 9), TypeError);
    }
  });

  test("throws RangeError for a number that is no integer in the range", () => {
    for (const value of [-1, 10, 1.5, Number.NaN, Infinity]) {
      assert.throws(() => limits.assertIntegerBetween("level", value, 0, 9), RangeError);
    }
  });
});

suite("assertOptions()", () => {
  test("accepts any part of the known keys", () => {
    limits.assertOptions("f()", {}, []);
    limits.assertOptions("f()", { level: undefined }, ["level"]);
  });

  test("throws TypeError for an unknown key and for what is no object", () => {
    for (const options of [{ lvel: 1 }, null, 3, "level", [], undefined]) {
      assert.throws(() => limits.assertOptions("f()", options, ["level"]), TypeError);
    }
    assert.throws(() => limits.assertOptions("f()", { level: 1 }, []), TypeError);
  });
});
