import { setTimeout as delay } from "node:timers/promises";
import type { CaseResult } from "../../src/results.ts";
import { createMetric } from "../../src/statistics.ts";
import type { Suite } from "../../src/suite.ts";

/** A case as a suite records it. */
export function makeCase(name: string, samples: readonly number[] = [1, 2, 3], facts: CaseResult["facts"] = {}): CaseResult {
  return { name, parameters: { suite: name.split("/")[0] ?? "" }, metrics: { ns: createMetric("ns", samples) }, facts };
}

const NAMES = ["stub/encode/text-1k", "stub/encode/text-16k", "stub/decode/text-1k", "stub/decode/text-16k"];
const WAIT_MS = 30_000;

/** What the stub does with a case, by a word in an environment variable: `stub/decode/text-1k=fail`. */
function readBehaviour(name: string): string | undefined {
  const [behaving, behaviour] = (process.env["STUB_BENCH"] ?? "").split("=");
  return behaving === name ? behaviour : undefined;
}

/** A suite whose cases take no time; STUB_BENCH makes one of them fail, be skipped, throw, be forgotten, or wait. */
export const stubSuite: Suite = {
  name: "stub",
  description: "what tests run",
  listCases: () => NAMES.map((name) => ({ name, estimateMs: 10 })),
  async run(chosen, context) {
    context.noteVersion("stub-server", "1.2.3");
    for (const name of NAMES.filter((one) => chosen.has(one))) {
      const behaviour = readBehaviour(name);
      if (behaviour === "forget") continue;
      if (behaviour === "throw") throw new Error(`${name} threw\nand explained itself`);
      if (behaviour === "wait") await delay(WAIT_MS, undefined, { signal: context.signal });
      else if (behaviour === "fail") context.fail(name, new Error("a digest differs"));
      else if (behaviour === "skip") context.skip(name, "no compiler");
      else context.record(makeCase(name, [process.pid, process.pid], { contentBytes: 1_024, pid: process.pid }));
    }
  },
};

/** The same, in two fresh processes at full effort. */
export const twiceSuite: Suite = {
  ...stubSuite,
  name: "twice",
  launches: 2,
  listCases: () => NAMES.map((name) => ({ name: name.replace("stub", "twice"), estimateMs: 10 })),
  async run(chosen, context) {
    for (const name of chosen) {
      // Only the first process reaches the second case.
      if (process.env["STUB_BENCH"] === "second-process-waits" && name.endsWith("16k")) {
        if (process.argv.some((argument) => argument.includes("launch-2"))) {
          await delay(WAIT_MS, undefined, { signal: context.signal });
        }
      }
      context.record(makeCase(name, [process.pid, process.pid + 1], { pid: process.pid }));
    }
  },
};
