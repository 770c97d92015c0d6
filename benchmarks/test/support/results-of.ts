import { RESULTS_VERSION, type ResultsFile } from "../../src/results.ts";
import type { QuickRun } from "./run-suite.ts";

/** The results file that a run would have left. */
export function resultsOf(suite: string, run: QuickRun): ResultsFile {
  return {
    resultsVersion: RESULTS_VERSION,
    suite,
    status: "complete",
    command: "npm run bench",
    startedAt: "2026-01-01T00:00:00.000Z",
    finishedAt: "2026-01-01T00:00:01.000Z",
    effort: "quick",
    filters: [],
    launches: 1,
    revision: { commit: "0".repeat(40), dirty: false },
    machine: { cpu: "", cores: 1, memoryBytes: 1, kernel: "", arch: "", load: [0, 0] },
    versions: {},
    cases: [...run.results.values()],
    skipped: [...run.skipped].map(([name, reason]) => ({ name, reason })),
    failed: [...run.failed].map(([name, error]) => ({ name, error: String(error) })),
  };
}
