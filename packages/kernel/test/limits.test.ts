import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertFits, MAX_KERNEL_BYTES, MAX_TEXT_UNITS } from "../src/limits.ts";

suite("assertFits()", () => {
  test("accepts sizes from 0 to the limit alone", () => {
    for (const size of [0, 1, MAX_KERNEL_BYTES]) assertFits("content", size);
    for (const size of [-1, MAX_KERNEL_BYTES + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => assertFits("content", size), RangeError);
    }
  });
});

suite("MAX_TEXT_UNITS", () => {
  test("is as much text as always fits", () => {
    assert.equal(Buffer.byteLength("\uffff".repeat(MAX_TEXT_UNITS)) <= MAX_KERNEL_BYTES, true);
    assert.equal(Buffer.byteLength("\uffff".repeat(MAX_TEXT_UNITS + 1)) > MAX_KERNEL_BYTES, true);
  });
});
