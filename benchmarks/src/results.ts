/** Counts up when a results file of before can no longer be read; such a file is refused. */
export const RESULTS_VERSION = 1;

/** One quantity of one case. Every published number comes from one of these, so none is without its spread. */
export interface Metric {
  /** Such as "ns", "B", "ops/s", "ratio", "µs". */
  readonly unit: string;
  /** One element for each repetition (a batch of calls, a round, a process): never one mean without its samples. */
  readonly samples: readonly number[];
  /** The middle of the samples. */
  readonly median: number;
  /** Bounds of the median that hold in 95 of 100 runs, by ranks. */
  readonly interval: readonly [low: number, high: number];
  readonly mean: number;
  /** Standard deviation of the samples. */
  readonly deviation: number;
  /** How many samples there were, where fewer are kept: the statistics are of all, and the kept ones stand evenly for their order. */
  readonly sampleCount?: number;
}

/** What one case measured. */
export interface CaseResult {
  /** `layer/operation/corpus-size`, then what else tells cases apart, such as `value-codec/encode/record-text-16k/zstd-3/threshold-0`. */
  readonly name: string;
  /** What the name says, in parts, for tables and charts. */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly metrics: Readonly<Record<string, Metric>>;
  /** What does not vary: sizes in bytes, digests, codec ids. */
  readonly facts: Facts;
  /** The facts of each fresh process, where the samples of several are merged: a digest that changed between them shows. */
  readonly launchFacts?: readonly Facts[];
}

/** What does not vary within one process. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** A case that was not run, with the reason: a peer that is not installed, no compiler. */
export interface SkippedCase {
  readonly name: string;
  readonly reason: string;
}

/** A case that threw. A run with one is not complete. */
export interface FailedCase {
  readonly name: string;
  readonly error: string;
}

/** The machine of a run. */
export interface MachineRecord {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly arch: string;
  /** Load average of one minute at the beginning and at the end: what else the machine was doing. */
  readonly load: readonly [before: number, after: number];
}

/** The state of the sources. */
export interface Revision {
  /** "unknown" outside a git checkout. */
  readonly commit: string;
  /** Whether files differ from the commit. */
  readonly dirty: boolean;
  /** Digest of what differs, so that two runs of changed sources can be told apart. */
  readonly changes?: string;
}

/** One run of one suite, as it is written under `results/`. */
export interface ResultsFile {
  readonly resultsVersion: typeof RESULTS_VERSION;
  readonly suite: string;
  /** "partial" until the last case is in. */
  readonly status: "partial" | "complete";
  /** The command line that makes the same run. */
  readonly command: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** "full" is published; "quick" only shows that everything works. */
  readonly effort: "full" | "quick";
  /** What --filter chose; empty for the whole suite. */
  readonly filters: readonly string[];
  /** Fresh processes whose samples are merged. */
  readonly launches: number;
  readonly revision: Revision;
  readonly machine: MachineRecord;
  /** Node, V8, zlib, brotli, the Redis server and every measured package, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** What readers must know of what was measured, a line each. */
  readonly notes?: readonly string[];
  readonly cases: readonly CaseResult[];
  readonly skipped: readonly SkippedCase[];
  readonly failed: readonly FailedCase[];
}
