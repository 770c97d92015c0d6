import { findDifferences, readMachine } from "./machine.ts";
import { type CaseResult, type FailedCase, RESULTS_VERSION, type ResultsFile, type SkippedCase } from "./results.ts";
import { reduceCase, writeResults } from "./results-format.ts";
import { describeError, UsageError } from "./usage-error.ts";

/** What is known of a run before its first case. */
export type RunHeader = Pick<
  ResultsFile,
  "suite" | "command" | "effort" | "filters" | "launches" | "revision" | "machine" | "versions"
>;

/** The results of one run, on disk after every case. */
export interface ResultsStore {
  readonly path: string;
  /** Cases that were recorded, skipped or failed. */
  readonly settled: ReadonlySet<string>;
  record(result: CaseResult): void;
  skip(name: string, reason: string): void;
  fail(name: string, error: unknown): void;
  noteVersion(name: string, version: string): void;
  note(line: string): void;
  /** Writes the last state: complete if every one of these cases was recorded or skipped. */
  finish(chosen: readonly string[]): ResultsFile;
}

/** Begins a file, or goes on with `previous`: what it recorded is kept, what it skipped or what failed is forgotten. */
export function openResultsStore(path: string, header: RunHeader, previous?: ResultsFile): ResultsStore {
  const cases: CaseResult[] = [...(previous?.cases ?? [])];
  const skipped: SkippedCase[] = [];
  const failed: FailedCase[] = [];
  const settled = new Set(cases.map(({ name }) => name));
  const versions: Record<string, string> = { ...previous?.versions, ...header.versions };
  const notes = new Set(previous?.notes);
  const startedAt = previous?.startedAt ?? new Date().toISOString();
  const loadBefore = previous?.machine.load[0] ?? header.machine.load[0];

  const write = (status: ResultsFile["status"]): ResultsFile => {
    const machine = readMachine(loadBefore);
    const times = { startedAt, finishedAt: new Date().toISOString() };
    const file = {
      resultsVersion: RESULTS_VERSION,
      ...header,
      status,
      ...times,
      machine,
      versions,
      ...(notes.size > 0 ? { notes: [...notes] } : {}),
      cases,
      skipped,
      failed,
    } as const;
    writeResults(path, file);
    return file;
  };
  const settle = (name: string): void => {
    if (settled.has(name)) throw new Error(`${name}: a second result of one case`);
    settled.add(name);
  };
  write("partial");

  return {
    path,
    settled,
    record(result) {
      settle(result.name);
      cases.push(reduceCase(result));
      write("partial");
    },
    skip(name, reason) {
      settle(name);
      skipped.push({ name, reason });
      write("partial");
    },
    fail(name, error) {
      settle(name);
      failed.push({ name, error: describeError(error) });
      write("partial");
    },
    note: (line) => void notes.add(line),
    noteVersion(name, version) {
      versions[name] = version;
    },
    finish(chosen) {
      const isComplete = failed.length === 0 && chosen.every((name) => settled.has(name));
      return write(isComplete ? "complete" : "partial");
    },
  };
}

/**
 * Says whether a run can go on with a file.
 *
 * @throws UsageError when it is complete, or was made by other sources, versions, effort or another machine
 */
export function assertResumable(path: string, previous: ResultsFile, header: RunHeader): void {
  if (previous.suite !== header.suite) {
    throw new UsageError(`${path}: cannot be resumed: it holds the suite ${previous.suite}, not ${header.suite}`);
  }
  if (previous.status === "complete") throw new UsageError(`${path}: cannot be resumed: it is complete`);
  if (previous.effort !== header.effort) {
    throw new UsageError(`${path}: cannot be resumed: it is a ${previous.effort} run, not a ${header.effort} one`);
  }
  if (header.revision.commit === "unknown") {
    throw new UsageError(`${path}: cannot be resumed: without git nobody knows whether the sources are the same`);
  }
  const differences = findDifferences(previous, header);
  if (differences.length > 0) throw new UsageError(`${path}: cannot be resumed: ${differences.join("; ")}`);
}
