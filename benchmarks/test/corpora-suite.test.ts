import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { corporaSuite } from "../src/cases/corpora.ts";
import { createKnownValues, VALUE_SETS } from "../src/corpus/corpora.ts";
import { type QuickRun, runQuickly } from "./support/run-suite.ts";

suite("cases of corpora", () => {
  const cases = corporaSuite.listCases();

  test("are every set with every compressor each way, each once", () => {
    assert.equal(new Set(cases.map(({ name }) => name)).size, 2 * VALUE_SETS.length * 5);
    assert.equal(cases.length, 2 * VALUE_SETS.length * 5);
  });

  test("take less than five minutes", () => {
    assert.ok(cases.reduce((sum, { estimateMs }) => sum + estimateMs, 0) < 5 * 60_000);
  });
});

suite("a quick run of corpora", () => {
  let run: QuickRun;
  before(async () => {
    run = await runQuickly(corporaSuite, /world-countries-(sessions|documents)/);
  });

  const factOf = (name: string, fact: string): number => Number(run.results.get(`corpora/${name}`)?.facts[fact]);

  test("ends every chosen case once", () => {
    assert.deepEqual([...run.failed], []);
    assert.equal(new Set(run.ended).size, 20);
    assert.equal(run.ended.length, 20);
  });

  test("holds 18 bytes more for each stored value", () => {
    for (const operation of ["encode", "decode"]) {
      const name = `${operation}/world-countries-sessions/stored`;
      assert.equal(factOf(name, "heldBytes"), factOf(name, "contentBytes") + 18 * factOf(name, "values"));
      assert.ok(factOf(name, "heldShare") > 1);
    }
  });

  test("says what the set holds", () => {
    const set = VALUE_SETS.find(({ name }) => name === "world-countries-documents");
    assert.ok(set !== undefined);
    const values = createKnownValues(set);
    assert.equal(factOf("encode/world-countries-documents/zstd-3", "values"), values.length);
    assert.equal(factOf("encode/world-countries-documents/zstd-3", "contentBytes"), Buffer.byteLength(values.join("")));
  });

  test("holds less of real documents than they are, with every compressor", () => {
    for (const codec of ["brotli-4", "deflate-1", "lz4", "zstd-3"]) {
      const name = `encode/world-countries-documents/${codec}`;
      assert.ok(factOf(name, "heldBytes") < factOf(name, "contentBytes"), codec);
      assert.equal(factOf(name, "heldBytes"), factOf(`decode/world-countries-documents/${codec}`, "heldBytes"));
    }
  });

  test("gives the time of one value", () => {
    for (const { name, metrics, facts } of run.results.values()) {
      const ns = metrics["ns"]?.median ?? Number.NaN;
      const mibPerSecond = metrics["mibPerSecond"]?.median ?? Number.NaN;
      const perValue = Number(facts["contentBytes"]) / Number(facts["values"]);
      assert.ok(Math.abs((perValue / 1_048_576 / mibPerSecond) * 1e9 - ns) < ns * 0.01, name);
    }
  });
});
