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

/** What becomes of the cases of a run, while it runs. */
interface RunState {
  readonly startedAt: string;
  readonly loadBefore: number;
  readonly versions: Record<string, string>;
  readonly notes: Set<string>;
  readonly cases: CaseResult[];
  readonly skipped: SkippedCase[];
  readonly failed: FailedCase[];
}

/** Of a previous file, what it recorded is kept; what it skipped or what failed is forgotten. */
function createState(header: RunHeader, previous: ResultsFile | undefined): RunState {
  return {
    startedAt: previous?.startedAt ?? new Date().toISOString(),
    loadBefore: previous?.machine.load[0] ?? header.machine.load[0],
    versions: { ...previous?.versions, ...header.versions },
    notes: new Set(previous?.notes),
    cases: [...(previous?.cases ?? [])],
    skipped: [],
    failed: [],
  };
}

function createFile(header: RunHeader, state: RunState, status: ResultsFile["status"]): ResultsFile {
  const { startedAt, loadBefore, versions, notes, cases, skipped, failed } = state;
  return {
    resultsVersion: RESULTS_VERSION,
    ...header,
    status,
    startedAt,
    finishedAt: new Date().toISOString(),
    machine: readMachine(loadBefore),
    versions,
    ...(notes.size > 0 ? { notes: [...notes] } : {}),
    cases,
    skipped,
    failed,
  };
}

/** Begins a file, or goes on with `previous`. */
export function openResultsStore(path: string, header: RunHeader, previous?: ResultsFile): ResultsStore {
  const state = createState(header, previous);
  const settled = new Set(state.cases.map(({ name }) => name));
  const write = (status: ResultsFile["status"]): ResultsFile => {
    const file = createFile(header, state, status);
    writeResults(path, file);
    return file;
  };
  const settle = (name: string, add: () => void): void => {
    if (settled.has(name)) throw new Error(`${name}: a second result of one case`);
    settled.add(name);
    add();
    write("partial");
  };
  write("partial");
  return {
    path,
    settled,
    record: (result) => settle(result.name, () => state.cases.push(reduceCase(result))),
    skip: (name, reason) => settle(name, () => state.skipped.push({ name, reason })),
    fail: (name, error) => settle(name, () => state.failed.push({ name, error: describeError(error) })),
    note: (line) => void state.notes.add(line),
    noteVersion(name, version) {
      state.versions[name] = version;
    },
    finish(chosen) {
      const isComplete = state.failed.length === 0 && chosen.every((name) => settled.has(name));
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
