import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { checksumSuite } from "../src/cases/checksum.ts";
import { CHECKSUM_CASES, findChecksumFaults } from "../src/checksum-check.ts";
import type { CaseResult, ResultsFile } from "../src/results.ts";
import { createMetric } from "../src/statistics.ts";
import { resultsOf } from "./support/results-of.ts";
import { runQuickly } from "./support/run-suite.ts";

suite("faults of checksum's results", () => {
  let good: ResultsFile;
  before(async () => {
    good = resultsOf("checksum", await runQuickly(checksumSuite, /./));
  });

  /** The same results with one case changed. */
  function change(changes: (one: CaseResult) => Partial<CaseResult>): ResultsFile {
    return { ...good, cases: good.cases.map((one, i) => (i === 0 ? { ...one, ...changes(one) } : one)) };
  }

  const faults: readonly (readonly [fault: string, create: () => ResultsFile, launches?: number])[] = [
    ["a missing case", () => ({ ...good, cases: good.cases.slice(1) })],
    ["an extra case", () => ({ ...good, cases: [...good.cases, { ...(good.cases[0] as CaseResult), name: "checksum/x/y/z" }] })],
    ["a case that is there twice", () => ({ ...good, cases: [...good.cases, good.cases[0] as CaseResult] })],
    [
      "a failed case",
      () => ({ ...good, failed: [{ name: CHECKSUM_CASES[0] as string, error: "broken" }], cases: good.cases.slice(1) }),
    ],
    [
      "a skipped case",
      () => ({ ...good, skipped: [{ name: CHECKSUM_CASES[0] as string, reason: "" }], cases: good.cases.slice(1) }),
    ],
    ["the wrong direction", () => change(({ parameters }) => ({ parameters: { ...parameters, operation: "decode" } }))],
    ["the wrong version", () => change(({ parameters }) => ({ parameters: { ...parameters, frameVersion: 2 } }))],
    ["no statistics", () => change(() => ({ metrics: {} }))],
    ["a time of nothing", () => change(({ metrics }) => ({ metrics: { ...metrics, ns: createMetric("ns", [0, 0]) } }))],
    ["another length", () => change(({ facts }) => ({ facts: { ...facts, heldBytes: 64 } }))],
    ["a digest that changed", () => change(({ facts }) => ({ launchFacts: [facts, { ...facts, sha256: "0" }] }))],
    ["a partial run", () => ({ ...good, status: "partial" })],
    ["another suite", () => ({ ...good, suite: "value-codec" })],
    ["fewer processes", () => good, 2],
  ];
  for (const [fault, create, launches = 1] of faults) {
    test(`are found: ${fault}`, () => {
      assert.notDeepEqual(findChecksumFaults(create(), launches), []);
    });
  }

  test("are none in a good run", () => {
    assert.deepEqual(findChecksumFaults(good, 1), []);
  });

  test("know every case of the suite", () => {
    assert.deepEqual(
      [...CHECKSUM_CASES].sort(),
      checksumSuite
        .listCases()
        .map(({ name }) => name)
        .sort(),
    );
  });
});
