import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Stats } from "../src/stats.ts";

const NOTHING = { encoded: 0, decoded: 0, raw: 0, unframed: 0, contentBytes: 0, heldBytes: 0, errors: {} };

suite("Stats", () => {
  test("begins without prefixes, and each prefix at zero", () => {
    const stats = new Stats();
    assert.deepEqual(stats.snapshot(), {});
    assert.deepEqual(stats.of("a:"), NOTHING);
    assert.deepEqual(stats.snapshot(), { "a:": NOTHING });
  });

  test("keeps the counters of a prefix, apart from the others'", () => {
    const stats = new Stats();
    stats.of("a:").encoded++;
    stats.of("a:").heldBytes += 20;
    stats.of("b:").raw++;
    assert.deepEqual(stats.of("a:"), { ...NOTHING, encoded: 1, heldBytes: 20 });
    assert.deepEqual(stats.of("b:"), { ...NOTHING, raw: 1 });
  });

  test("counts errors by code", () => {
    const stats = new Stats();
    stats.countError("a:", "CODEC_CHECKSUM_MISMATCH");
    stats.countError("a:", "CODEC_CHECKSUM_MISMATCH");
    stats.countError("a:", "CODEC_SIZE_LIMIT");
    assert.deepEqual(stats.of("a:").errors, { CODEC_CHECKSUM_MISMATCH: 2, CODEC_SIZE_LIMIT: 1 });
  });

  test("gives out snapshots that neither change nor can change the counters", () => {
    const stats = new Stats();
    stats.countError("a:", "CODEC_UNFRAMED");
    const before = stats.snapshot();
    stats.of("a:").decoded++;
    stats.countError("a:", "CODEC_UNFRAMED");
    assert.deepEqual(before, { "a:": { ...NOTHING, errors: { CODEC_UNFRAMED: 1 } } });
    const one = before["a:"];
    assert.ok(one !== undefined);
    one.decoded = 99;
    one.errors["CODEC_UNFRAMED"] = 99;
    assert.deepEqual(stats.of("a:"), { ...NOTHING, decoded: 1, errors: { CODEC_UNFRAMED: 2 } });
  });

  test("takes prefixes that are names of an object's own", () => {
    const stats = new Stats();
    for (const prefix of ["__proto__", "constructor", "toString", ""]) stats.of(prefix).raw++;
    assert.deepEqual(Object.keys(stats.snapshot()), ["__proto__", "constructor", "toString", ""]);
    assert.deepEqual(Object.getOwnPropertyDescriptor(stats.snapshot(), "__proto__")?.value, { ...NOTHING, raw: 1 });
  });
});
