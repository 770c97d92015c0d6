import type { CaseResult } from "../../src/results.ts";
import type { Suite, SuiteContext } from "../../src/suite.ts";

/** What failed for another reason than that a peer cannot be loaded here. */
export function listFaults({ failed }: QuickRun): readonly (readonly [name: string, error: unknown])[] {
  return [...failed].filter(([, error]) => !String(error).includes("cannot be loaded"));
}

/** What a quick run of some cases told. */
export interface QuickRun {
  readonly results: ReadonlyMap<string, CaseResult>;
  readonly skipped: ReadonlyMap<string, string>;
  readonly failed: ReadonlyMap<string, unknown>;
  readonly versions: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  /** Every name that ended in some way, once for each time. */
  readonly ended: readonly string[];
  /** Every share of the whole that it told. */
  readonly progress: readonly number[];
}

/** Runs the cases of a suite whose names a pattern matches. */
export async function runQuickly(suite: Suite, pattern: RegExp, signal = new AbortController().signal): Promise<QuickRun> {
  const results = new Map<string, CaseResult>();
  const skipped = new Map<string, string>();
  const failed = new Map<string, unknown>();
  const versions = new Map<string, string>();
  const notes: string[] = [];
  const ended: string[] = [];
  const progress: number[] = [];
  const context: SuiteContext = {
    effort: "quick",
    signal,
    record: (result) => {
      ended.push(result.name);
      results.set(result.name, result);
    },
    skip: (name, reason) => {
      ended.push(name);
      skipped.set(name, reason);
    },
    fail: (name, error) => {
      ended.push(name);
      failed.set(name, error);
    },
    note: (line) => void notes.push(line),
    progress: (share) => void progress.push(share),
    noteVersion: (name, version) => void versions.set(name, version),
  };
  const names = suite.listCases().map(({ name }) => name);
  await suite.run(new Set(names.filter((name) => pattern.test(name))), context);
  return { results, skipped, failed, versions, notes, ended, progress };
}
