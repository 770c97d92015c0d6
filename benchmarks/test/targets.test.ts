import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { METRICS } from "../src/metrics.ts";
import { TARGETS } from "../src/report/targets.ts";
import { loadSuites, SUITES } from "../src/suites.ts";

const ALL = TARGETS.flatMap(({ title, targets }) => targets.map((target) => ({ ...target, title })));
const suites = await loadSuites(SUITES, [...new Set(ALL.flatMap(({ cases }) => cases.map((name) => name.split("/")[0] ?? "")))]);
const known = new Set(suites.flatMap((one) => one.listCases().map(({ name }) => name)));

suite("targets", () => {
  for (const { title, what, cases, dividedBy, beside, control, also = [] } of ALL) {
    test(`read cases that suites have, each once: ${title}: ${what}`, () => {
      assert.ok(cases.length > 0);
      assert.equal(new Set(cases).size, cases.length);
      const all = [...cases, ...also.map(({ name }) => name)];
      const ofControl = all.flatMap((name) => [control?.of(name) ?? name, control?.dividedBy?.(name) ?? name]);
      const read = [...all.flatMap((name) => [name, dividedBy?.(name) ?? name, beside?.of(name) ?? name]), ...ofControl];
      assert.deepEqual(
        read.filter((name) => !known.has(name)),
        [],
      );
      if (dividedBy !== undefined) assert.ok(cases.every((name) => dividedBy(name) !== name));
    });
  }

  test("read metrics that tables know, in the direction in which those are better", () => {
    for (const { metric, sign, what } of ALL) {
      const wanted = sign === "≤" ? "lower" : "higher";
      assert.equal(METRICS[metric]?.better, wanted, what);
    }
  });

  test("have the same client again wherever a case's cell has one", () => {
    for (const { cases, control, what } of ALL) {
      const again = cases.flatMap((name) => ["ioredis-again", "raw-again"].map((client) => name.replace(/[^/]+$/, client)));
      assert.deepEqual(
        again.filter((name) => known.has(name)),
        cases.flatMap((name) => control?.of(name) ?? []),
        what,
      );
    }
  });

  test("show JSON documents below record text of 1 and 16 KiB against bare ioredis", () => {
    const shown = ALL.flatMap(({ also = [] }) => also.map(({ name }) => name));
    const wanted = [...known].filter((name) =>
      /^redis\/[sg]et\/json-documents-(1|16)k\/64-direct\/tightwire-(lz4|zstd-3)$/.test(name),
    );
    assert.deepEqual(shown.sort(), wanted.sort());
  });

  test("hold Tightwire against GLIDE in every cell up to 16 KiB that both are measured in", () => {
    const ofGlide = new Set(ALL.filter(({ unit }) => unit === "× GLIDE").flatMap(({ cases }) => cases));
    const small = [...known].filter((name) => /\/[a-z-]+-(100|1k|16k)\/.*\/tightwire-(lz4|zstd-3)$/.test(name));
    const both = small.filter((name) => known.has(name.replace("/tightwire-", "/glide-")));
    assert.deepEqual([...ofGlide].sort(), both.sort());
  });
});
