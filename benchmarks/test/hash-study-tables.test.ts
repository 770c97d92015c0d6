import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { compareWithFastest, sizeRows, slowdowns } from "../src/cases/hash-study-tables.ts";
import type { CaseResult } from "../src/results.ts";
import { createMetric } from "../src/statistics.ts";

function createCase(operation: string, codec: string, ns: readonly number[], heldBytes = 100): CaseResult {
  return {
    name: `hash-study/${operation}/hash-10k/json/${codec}/bare`,
    parameters: { suite: "hash-study", operation, corpus: "hash-10k", sizeBytes: 200, serializer: "json", codec, frame: "bare" },
    metrics: { ns: createMetric("ns", ns) },
    facts: { contentBytes: 200, heldBytes, codecId: null },
  };
}

suite("compareWithFastest()", () => {
  test("compares round by round with the case of the lowest median", () => {
    const results = [createCase("set", "a", [20, 40, 60]), createCase("set", "b", [10, 10, 30])];
    const compared = compareWithFastest(new Map(results.map(({ name, metrics }) => [name, metrics])));
    assert.deepEqual(
      [...compared.values()].map(({ timesSlower }) => timesSlower.samples),
      [
        [2, 4, 2],
        [1, 1, 1],
      ],
    );
  });

  test("gives nothing of nothing", () => {
    assert.equal(compareWithFastest(new Map()).size, 0);
  });
});

suite("slowdowns()", () => {
  test("puts the fastest of an operation first", () => {
    const cases = [createCase("set", "a", [200]), createCase("set", "b", [100]), createCase("get", "c", [1])];
    const rows = slowdowns(cases, "set");
    assert.deepEqual(
      rows.map(({ codec, timesSlower, opsPerSecond }) => [codec, timesSlower, opsPerSecond]),
      [
        ["b", 1, 1e7],
        ["a", 2, 5e6],
      ],
    );
  });

  test("gives bounds within which the ratio lies", () => {
    const [, row] = slowdowns([createCase("set", "a", [100, 100, 110]), createCase("set", "b", [300, 330, 360])], "set");
    assert.ok(row !== undefined);
    assert.equal(row.timesSlower, 3.3);
    assert.deepEqual(row.interval, [300 / 110, 3.6]);
  });

  test("takes the comparison of the run where there is one", () => {
    const timesSlower = createMetric("ratio", [5, 6, 7]);
    const measured = createCase("set", "a", [300]);
    const paired = { ...measured, metrics: { ...measured.metrics, timesSlower } };
    const [, row] = slowdowns([createCase("set", "b", [100]), paired], "set");
    assert.equal(row?.timesSlower, 6);
    assert.deepEqual(row?.interval, timesSlower.interval);
  });

  test("leaves out other suites, and is empty without cases", () => {
    const other = createCase("set", "a", [1]);
    assert.deepEqual(slowdowns([{ ...other, parameters: { ...other.parameters, suite: "redis" } }], "set"), []);
  });
});

suite("sizeRows()", () => {
  test("has each serializer, codec and frame once", () => {
    const rows = sizeRows([createCase("set", "a", [1], 50), createCase("get", "a", [1], 50), createCase("get", "b", [1], 150)]);
    assert.deepEqual(
      rows.map(({ codec, heldBytes, share, codecId }) => [codec, heldBytes, share, codecId]),
      [
        ["a", 50, 0.25, null],
        ["b", 150, 0.75, null],
      ],
    );
  });
});
