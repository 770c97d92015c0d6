import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertHashEntries, createHashEntries, createSeededBytes } from "../src/corpus/hash-entries.ts";

suite("createSeededBytes()", () => {
  test("gives the bytes of SHAKE256, of which more begin with fewer", () => {
    assert.equal(createSeededBytes("", 8).toString("hex"), "46b9dd2b0ba88d13");
    assert.deepEqual(createSeededBytes("seed", 100).subarray(0, 10), createSeededBytes("seed", 10));
    assert.notDeepEqual(createSeededBytes("seed", 10), createSeededBytes("another", 10));
  });
});

suite("createHashEntries()", () => {
  test("gives the entries that were measured before", () => {
    assert.doesNotThrow(() => assertHashEntries(createHashEntries()));
  });

  test("gives keys of 20 digits and values of 40", () => {
    const entries = Object.entries(createHashEntries(100));
    assert.equal(entries.length, 100);
    for (const [key, value] of entries) assert.match(`${key} ${value}`, /^[0-9a-f]{20} [0-9a-f]{40}$/);
  });
});

suite("assertHashEntries()", () => {
  test("refuses entries of which one digit differs", () => {
    const [key = ""] = Object.keys(createHashEntries());
    assert.throws(() => assertHashEntries({ ...createHashEntries(), [key]: "0" }), Error);
  });
});
