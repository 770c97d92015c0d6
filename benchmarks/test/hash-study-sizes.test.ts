import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertContentBytes, assertHeldBytes, expectedContentBytes } from "../src/cases/hash-study-sizes.ts";

suite("assertContentBytes()", () => {
  test("takes the one size that 10,000 entries have", () => {
    for (const [serializer, size] of [
      ["inspect-text", 680_000],
      ["json", 660_001],
      ["messagepack", 630_003],
    ] as const) {
      assert.doesNotThrow(() => assertContentBytes(serializer, size));
      assert.throws(() => assertContentBytes(serializer, size + 1), RangeError);
      assert.throws(() => assertContentBytes(serializer, size - 1), RangeError);
    }
  });

  test("knows the size of V8's format for some releases of Node alone", () => {
    assert.equal(expectedContentBytes("v8", 20), 640_006);
    assert.equal(expectedContentBytes("v8", 99), undefined);
    assert.equal(expectedContentBytes("json", 99), 660_001);
  });
});

suite("assertHeldBytes()", () => {
  test("takes what is within 1 % of what other digits were compressed to", () => {
    for (const size of [352_566, 349_041, 356_091]) assert.doesNotThrow(() => assertHeldBytes("json", "zlib-6", size));
    for (const size of [349_040, 356_092]) assert.throws(() => assertHeldBytes("json", "zlib-6", size), RangeError);
  });

  test("takes any size that is not known, but none below the entropy", () => {
    assert.doesNotThrow(() => assertHeldBytes("messagepack", "snappy", 630_043));
    assert.doesNotThrow(() => assertHeldBytes("messagepack", "snappy", 300_000));
    assert.throws(() => assertHeldBytes("messagepack", "snappy", 299_999), RangeError);
  });
});
