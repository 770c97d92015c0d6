import type { CaseResult } from "./results.ts";

/** One case, before it is run. */
export interface BenchCase {
  /** As in {@link CaseResult}. */
  readonly name: string;
  /** How long it takes at full effort, in milliseconds, roughly: for the time left. */
  readonly estimateMs: number;
}

/** What a suite tells while it runs. */
export interface SuiteContext {
  /** "quick": every chosen case once, briefly, with all its checks. */
  readonly effort: "full" | "quick";
  /** Takes a measured case; the results file is written anew each time, so nothing is lost when the run ends early. */
  record(result: CaseResult): void;
  /** Takes a case that this machine cannot run, which is no fault of the run. */
  skip(name: string, reason: string): void;
  /** Takes a case that threw, whose check failed, or whose peer cannot be loaded (then the reason alone); the others go on. */
  fail(name: string, error: unknown): void;
  /** Adds the version of a server or package that was measured. */
  noteVersion(name: string, version: string): void;
  /** Adds a line that readers of the results must know, once for the whole run. */
  note(line: string): void;
  /** Tells how much of the whole run is done (0 to 1) where cases are recorded together at the end of many rounds. */
  progress?(share: number, text: string): void;
  /** Ends when the user interrupts; a suite then stops its servers and returns. */
  readonly signal: AbortSignal;
}

/** A benchmark of one layer. */
export interface Suite {
  /** First part of its cases' names. */
  readonly name: string;
  /** One line for --list. */
  readonly description: string;
  /** Every case, without running or loading anything that is slow. */
  listCases(): readonly BenchCase[];
  /**
   * Fresh processes at full effort, whose samples are merged.
   *
   * @default 1
   */
  readonly launches?: number;
  /**
   * Whether it starts a Redis server.
   *
   * @default false
   */
  readonly needsServer?: boolean;
  /**
   * Runs the chosen cases, in an order of its own; cases that are compared run interleaved. Each chosen case ends in exactly one of
   * record, skip and fail.
   */
  run(chosen: ReadonlySet<string>, context: SuiteContext): Promise<void>;
}
