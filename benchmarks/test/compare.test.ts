import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { compareResults, formatComparison } from "../src/compare.ts";
import type { CaseResult, ResultsFile } from "../src/results.ts";
import { formatResults } from "../src/results-format.ts";
import { createMetric, createRandom } from "../src/statistics.ts";
import { UsageError } from "../src/usage-error.ts";
import { makeFile } from "./support/stub-files.ts";
import { makeCase } from "./support/stub-suite.ts";

function measured(name: string, factor: number, seed: number, heldBytes = 100): CaseResult {
  const random = createRandom(seed);
  const ns = Array.from({ length: 101 }, () => factor * (1_000 + 50 * random()));
  const mibPerSecond = ns.map((time) => 1e6 / time);
  return {
    name,
    parameters: {},
    metrics: { ns: createMetric("ns", ns), mibPerSecond: createMetric("MiB/s", mibPerSecond) },
    facts: { heldBytes },
  };
}

const BASE = makeFile("stub", [measured("stub/a", 1, 1), measured("stub/b", 1, 2), measured("stub/gone", 1, 3)]);
const HEAD = makeFile("stub", [measured("stub/a", 0.8, 4), measured("stub/b", 1, 5, 90), measured("stub/new", 1, 6)]);

suite("compareResults()", () => {
  test("gives no verdict on what has a single sample", () => {
    const [base, head] = [1, 2].map((value) => makeFile("stub", [makeCase("stub/a", [value])]));
    assert.ok(base !== undefined && head !== undefined);
    const [metric] = compareResults(base, head).metrics;
    assert.deepEqual([metric?.verdict, metric?.interval], ["unknown", undefined]);
    assert.match(formatComparison(compareResults(base, head), base, head).at(-1) ?? "", /1 with one sample unknown/);
  });

  test("judges by the direction of each metric, and finds no difference where there is none", () => {
    const verdicts = compareResults(BASE, HEAD).metrics.map(({ caseName, metric, verdict }) => [caseName, metric, verdict]);
    assert.deepEqual(verdicts, [
      ["stub/a", "ns", "better"],
      ["stub/a", "mibPerSecond", "better"],
      ["stub/b", "ns", "same"],
      ["stub/b", "mibPerSecond", "same"],
    ]);
    assert.ok(
      compareResults(HEAD, BASE).metrics.every(({ caseName, verdict }) => (caseName === "stub/a") === (verdict === "worse")),
    );
  });

  test("gives the ratio of the medians with its interval", () => {
    const [first] = compareResults(BASE, HEAD).metrics;
    assert.ok(first?.ratio !== undefined && first.interval !== undefined);
    assert.equal(first.ratio, first.head / first.base);
    assert.ok(first.interval[0] < 0.8 && first.interval[1] > 0.8 && first.interval[1] < 0.82);
  });

  test("names changed sizes, and cases that one of them lacks", () => {
    const { facts, onlyInBase, onlyInHead } = compareResults(BASE, HEAD);
    assert.deepEqual(facts, ["stub/b: held B 100 → 90"]);
    assert.deepEqual([onlyInBase, onlyInHead], [["stub/gone"], ["stub/new"]]);
  });

  test("names another machine, other versions, effort, and a partial run", () => {
    const other: ResultsFile = {
      ...HEAD,
      effort: "quick",
      status: "partial",
      machine: { ...HEAD.machine, cpu: "Other CPU" },
      versions: { ...HEAD.versions, redis: "8.0.0" },
    };
    const text = formatComparison(compareResults(BASE, other), BASE, other).join("\n");
    for (const part of ["Example CPU → Other CPU", "redis 7.0.15 → 8.0.0", "full → quick", "partial"])
      assert.ok(text.includes(part));
  });

  test("refuses another suite, and runs without a common case", () => {
    assert.throws(() => compareResults(BASE, { ...HEAD, suite: "other" }), UsageError);
    assert.throws(() => compareResults(BASE, { ...HEAD, cases: [] }), UsageError);
  });
});

suite("npm run bench:compare", () => {
  const folder = mkdtempSync(join(tmpdir(), "tightwire-compare-"));
  after(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string): string => {
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };
  const compare = (...args: readonly string[]) => {
    const program = fileURLToPath(new URL("../src/compare-cli.ts", import.meta.url));
    return spawnSync(process.execPath, ["--import", "tsx", program, ...args], { encoding: "utf8" });
  };
  const [a, b] = [write("a.json", formatResults(BASE)), write("b.json", formatResults(HEAD))];

  test("prints a line for each metric of each case", () => {
    const { status, stdout } = compare(a, b, "--filter", "stub/a");
    assert.equal(status, 0);
    assert.match(stdout, /^stub\/a +ns +1,\d+ → 8\d\d(\.\d)? ns +× 0\.8\d\d \(0\.\d+ to 0\.\d+\) +better$/m);
    assert.doesNotMatch(stdout, /stub\/b/);
  });

  test("pairs the suites of two folders", () => {
    for (const name of ["one", "two"]) {
      mkdirSync(join(folder, name));
      write(`${name}/stub.json`, formatResults(name === "one" ? BASE : HEAD));
      write(`${name}/other.json`, formatResults({ ...BASE, suite: "other" }));
    }
    const { status, stdout } = compare(join(folder, "one"), join(folder, "two"));
    assert.equal(status, 0);
    assert.deepEqual(stdout.match(/^\w+(?=: A )/gm), ["other", "stub"]);
  });

  const mistakes: Readonly<Record<string, readonly string[]>> = {
    "one file": [a],
    "a missing file": [a, join(folder, "missing.json")],
    "a file that is no JSON": [a, write("broken.json", "{")],
    "a file of another version": [
      a,
      write("old.json", formatResults(HEAD).replace('"resultsVersion": 1', '"resultsVersion": 0')),
    ],
    "a file of another suite": [a, write("suite.json", formatResults({ ...HEAD, suite: "other" }))],
    "an unknown option": [a, b, "--fast"],
    "a pattern that matches nothing": [a, b, "--filter", "nothing"],
  };
  for (const [title, args] of Object.entries(mistakes)) {
    test(`refuses ${title} in one line, exit code 2`, () => {
      const { status, stdout, stderr } = compare(...args);
      assert.equal(status, 2);
      assert.equal(stdout, "");
      assert.equal(stderr.trim().split("\n").length, 1, stderr);
    });
  }
});
