import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, suite, test } from "node:test";
import { valueCodecSuite } from "../src/cases/value-codec.ts";
import { type LaunchOptions, runLaunches } from "../src/launches.ts";
import { PHASES, type Phase, type PhaseEnvironment, REPRESENTATIVE_CASES, runPhases } from "../src/phase-steps.ts";
import type { ResultsFile } from "../src/results.ts";
import { readResults } from "../src/results-format.ts";
import { findValueCodecFaults } from "../src/value-codec-check.ts";
import { resultsOf } from "./support/results-of.ts";
import { runQuickly } from "./support/run-suite.ts";

const out = mkdtempSync(join(tmpdir(), "tightwire-phases-"));
after(() => rmSync(out, { recursive: true }));

let lines: string[] = [];
let launched: LaunchOptions[] = [];
let summaries: string[] = [];
const nothing = resultsOf("value-codec", await runQuickly(valueCodecSuite, /none/));
beforeEach(() => {
  lines = [];
  launched = [];
  summaries = [];
});

/** Phases that launch nothing and get these results. */
function createEnvironment(results: ResultsFile, signal = new AbortController().signal): PhaseEnvironment {
  return {
    out,
    signal,
    runLaunches: async (options) => {
      launched.push(options);
      return results;
    },
    writeSummary: (_, path) => {
      summaries.push(path);
      writeFileSync(path, "summary");
    },
    print: (line) => void lines.push(line),
  };
}

const isGood = (): readonly string[] => [];

/** The phases without their checks. */
const UNCHECKED: readonly Phase[] = PHASES.map((phase) => ({
  ...phase,
  parts: phase.parts.map((part) => ({ ...part, findFaults: isGood })),
}));

suite("phases", () => {
  test("are a quick run, one case, and a full run in two processes", async () => {
    assert.ok(await runPhases(UNCHECKED, createEnvironment(nothing)));
    assert.deepEqual(
      launched.map(({ suite: name, effort, launches, filters }) => [name, effort, launches, filters?.length]),
      [
        ["value-codec", "quick", 1, undefined],
        ["checksum", "quick", 1, undefined],
        ["value-codec", "full", 1, 4],
        ["value-codec", "full", 2, undefined],
        ["checksum", "full", 2, undefined],
      ],
    );
    assert.equal(new Set(launched.map(({ file }) => file)).size, 5);
    assert.equal(summaries.length, 5);
  });

  test("end at the first with a fault, which is told, and nothing is summed up", async () => {
    writeFileSync(join(out, "validation-summary.md"), "of an earlier run");
    assert.equal(await runPhases(PHASES, createEnvironment(nothing)), false);
    assert.equal(launched.length, 2);
    assert.deepEqual(summaries, []);
    assert.equal(existsSync(join(out, "validation-summary.md")), false);
    assert.ok(lines.some((line) => line.includes("value-codec/encode/random-16k/zstd-3/threshold-0: missing")));
    assert.ok(lines.some((line) => line.includes("checksum/")));
  });

  test("end when they are interrupted", async () => {
    assert.equal(await runPhases(UNCHECKED, createEnvironment(nothing, AbortSignal.abort())), false);
    assert.equal(launched.length, 1);
    assert.deepEqual(summaries, []);
  });

  test("name representative cases that are in the matrix, and write them down", async () => {
    const names = valueCodecSuite.listCases().map(({ name }) => name);
    for (const name of REPRESENTATIVE_CASES) assert.ok(names.includes(name), name);
    assert.ok(await runPhases(UNCHECKED.slice(0, 1), createEnvironment(nothing)));
    assert.equal(readFileSync(join(out, "representative-cases.txt"), "utf8").trim(), REPRESENTATIVE_CASES.join("\n"));
  });

  test("accept what the suite measures", async () => {
    const run = await runQuickly(valueCodecSuite, /16k\/(brotli-4|raw)\/threshold-1024/);
    const cases = [...run.results.keys()];
    assert.equal(cases.length, 8);
    assert.deepEqual(findValueCodecFaults(resultsOf("value-codec", run), { cases, launches: 1 }), []);
  });

  test("run in fresh processes", async () => {
    const representative = PHASES[1] as Phase;
    const quick: Phase = { ...representative, parts: representative.parts.map((part) => ({ ...part, effort: "quick" })) };
    const environment: PhaseEnvironment = { ...createEnvironment(nothing), runLaunches };
    assert.ok(await runPhases([quick], environment), lines.join("\n"));
    const results = readResults(join(out, "representative.json"));
    assert.deepEqual(results.cases.map(({ name }) => name).sort(), [...REPRESENTATIVE_CASES].sort());
    assert.deepEqual(summaries, [join(out, "representative-summary.md")]);
  });
});
