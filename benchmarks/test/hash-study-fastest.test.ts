import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { compareWithFastest } from "../src/cases/hash-study-fastest.ts";
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
