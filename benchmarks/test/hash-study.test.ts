import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { hashStudySuite } from "../src/cases/hash-study.ts";
import { createCell } from "../src/cases/hash-study-cells.ts";
import { loadCompressor } from "../src/cases/hash-study-compressors.ts";
import { createHashEntries } from "../src/corpus/hash-entries.ts";
import { runQuickly } from "./support/run-suite.ts";

suite("suite hash-study", () => {
  test("lists the whole grid, each case once", () => {
    const names = hashStudySuite.listCases().map(({ name }) => name);
    const count = (operation: string): number => names.filter((name) => name.startsWith(`hash-study/${operation}/`)).length;
    assert.deepEqual(["serialize", "deserialize", "compress", "decompress", "set", "get"].map(count), [4, 4, 52, 52, 56, 56]);
    assert.equal(new Set(names).size, 224);
  });

  test("measures the serializers, of which one is the fastest", async () => {
    const run = await runQuickly(hashStudySuite, /\/serialize\//);
    assert.deepEqual([...run.failed], []);
    const results = [...run.results.values()];
    assert.deepEqual(results.map(({ parameters, facts }) => [parameters["serializer"], facts["contentBytes"]]).slice(0, 2), [
      ["inspect-text", 680_000],
      ["json", 660_001],
    ]);
    assert.equal(results.filter(({ metrics }) => metrics["timesSlower"]?.median === 1).length, 1);
  });

  test("sets and gets on a server, bare and framed", async () => {
    const run = await runQuickly(hashStudySuite, /\/[sg]et\/hash-10k\/messagepack\/(lz4|snappy|zstd-3)\//);
    assert.deepEqual([...run.failed], []);
    assert.deepEqual([...run.skipped], []);
    assert.equal(run.ended.length, 12);
    assert.match(run.versions.get("redis-server") ?? "", /^\d+\.\d+/);
    const results = [...run.results.values()];
    for (const { metrics } of results) {
      assert.ok((metrics["ns"]?.median ?? 0) > 0);
      assert.equal(metrics["timesSlower"], undefined, "of a part of the cases the fastest says nothing");
    }
    const sets = results.filter(({ parameters }) => parameters["operation"] === "set");
    const held = sets.map(({ parameters, facts }) => [parameters["codec"], parameters["frame"], facts["codecId"]]);
    assert.deepEqual(held, [
      ["lz4", "bare", null],
      // 63 bytes of 63 an entry are digits that LZ4 and Snappy find no match in.
      ["lz4", "framed", 0],
      ["snappy", "bare", null],
      ["snappy", "framed", 0],
      ["zstd-3", "bare", null],
      ["zstd-3", "framed", 4],
    ]);
  });

  test("records nothing once the user interrupted", async () => {
    const run = await runQuickly(hashStudySuite, /./, AbortSignal.abort());
    assert.deepEqual(run.ended, []);
  });
});

suite("createCell()", () => {
  test("holds frames that begin with the magic, and bare bytes that do not", async () => {
    const zstd = await loadCompressor("zstd-3");
    const framed = createCell({ serializer: "json", compressor: "zstd-3", frame: "framed" }, createHashEntries(), zstd);
    const bare = createCell({ serializer: "json", compressor: "zstd-3", frame: "bare" }, createHashEntries(), zstd);
    assert.equal(framed.held.toString("hex", 0, 6), "525643000204");
    assert.equal(bare.held.toString("hex", 0, 4), "28b52ffd");
    assert.equal(framed.held.length, bare.held.length + 18);
  });

  test("refuses entries whose size is not that of 10,000, and a compressor that changes them", async () => {
    const none = await loadCompressor("none");
    const name = { serializer: "json", compressor: "none", frame: "bare" } as const;
    assert.throws(() => createCell(name, createHashEntries(100), none), RangeError);
    const wrong = { ...none, decompress: (held: Uint8Array) => Buffer.from(held).fill("0", 2, 10) };
    assert.throws(() => createCell(name, createHashEntries(), wrong), { code: "ERR_ASSERTION" });
  });
});
