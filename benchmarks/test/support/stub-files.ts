import { type CaseResult, RESULTS_VERSION, type ResultsFile } from "../../src/results.ts";

/** A complete run of these cases on a machine that never was. */
export function makeFile(suite: string, cases: readonly CaseResult[]): ResultsFile {
  return {
    resultsVersion: RESULTS_VERSION,
    suite,
    status: "complete",
    command: `npm run bench -- --suite ${suite}`,
    startedAt: "2020-02-20T20:20:20.000Z",
    finishedAt: "2020-02-20T20:30:20.000Z",
    effort: "full",
    filters: [],
    launches: 1,
    revision: { commit: "c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff", dirty: false },
    machine: { cpu: "Example CPU", cores: 2, memoryBytes: 8 * 2 ** 30, kernel: "Linux 6.1.0", arch: "x64", load: [0.1, 1.2] },
    versions: { node: "20.0.0", redis: "7.0.15", "@tightwire/codec-core": "0.1.0" },
    cases,
    skipped: [],
    failed: [],
  };
}
