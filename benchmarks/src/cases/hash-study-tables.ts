import type { CaseResult, Metric } from "../results.ts";
import { createMetric, median } from "../statistics.ts";

/** What one case measured. */
type Metrics = CaseResult["metrics"];

function samplesOf(metrics: Metrics): readonly number[] {
  return metrics["ns"]?.samples ?? [];
}

/**
 * How many times slower than the fastest each case is. Samples of one place are of one round: measured next to each other, so their ratio holds
 * for a slow moment too. The fastest is 1 in every round.
 */
export function compareWithFastest(results: ReadonlyMap<string, Metrics>): ReadonlyMap<string, { readonly timesSlower: Metric }> {
  const times = [...results].map(([name, metrics]) => [name, samplesOf(metrics)] as const);
  const [, fastest = []] = [...times].sort(([, a], [, b]) => median(a) - median(b))[0] ?? [];
  const compare = (own: readonly number[]): Metric =>
    createMetric(
      "ratio",
      own.map((ns, round) => ns / (fastest[round] ?? Number.NaN)),
    );
  return new Map(times.map(([name, own]) => [name, { timesSlower: compare(own) }]));
}

/** One row of "times slower than the fastest". */
export interface SlowdownRow {
  readonly caseName: string;
  readonly operation: string;
  readonly serializer: string;
  /** Undefined where nothing is compressed or framed: serialize and deserialize. */
  readonly codec: string | undefined;
  readonly frame: string | undefined;
  readonly ns: Metric;
  /** Calls a second at the median time. */
  readonly opsPerSecond: number;
  /** 1 for the fastest. */
  readonly timesSlower: number;
  /** Bounds of `timesSlower`. */
  readonly interval: readonly [low: number, high: number];
  /** What Redis holds; undefined where nothing is held. */
  readonly heldBytes: number | undefined;
}

const NS_PER_SECOND = 1_000_000_000;

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

function isMeasured(result: CaseResult): boolean {
  return result.parameters["suite"] === "hash-study" && result.metrics["ns"] !== undefined;
}

function nsOf({ name, metrics }: CaseResult): Metric {
  const ns = metrics["ns"];
  if (ns === undefined) throw new RangeError(`${name} has no times`);
  return ns;
}

/**
 * By how much a case is slower than the fastest. Where the run compared them round by round, that; else the ratio of the medians within the
 * ratios of their bounds, which is wider.
 */
function slowdownOf(result: CaseResult, fastest: CaseResult): Pick<SlowdownRow, "timesSlower" | "interval"> {
  const paired = result.metrics["timesSlower"];
  if (paired !== undefined) return { timesSlower: paired.median, interval: paired.interval };
  const [own, best] = [nsOf(result), nsOf(fastest)];
  if (result === fastest) return { timesSlower: 1, interval: [1, 1] };
  return {
    timesSlower: own.median / best.median,
    interval: [own.interval[0] / best.interval[1], own.interval[1] / best.interval[0]],
  };
}

function slowdownRow(result: CaseResult, fastest: CaseResult): SlowdownRow {
  const { name, parameters, facts } = result;
  const ns = nsOf(result);
  const codec = textOf(parameters["codec"]);
  return {
    caseName: name,
    operation: String(parameters["operation"]),
    serializer: String(parameters["serializer"]),
    codec,
    frame: textOf(parameters["frame"]),
    ns,
    opsPerSecond: NS_PER_SECOND / ns.median,
    ...slowdownOf(result, fastest),
    heldBytes: codec === undefined ? undefined : Number(facts["heldBytes"]),
  };
}

/** The cases of the hash study of one operation, the fastest first. Cases of other suites are left out. */
export function slowdowns(cases: readonly CaseResult[], operation: string): readonly SlowdownRow[] {
  const own = cases.filter((result) => isMeasured(result) && result.parameters["operation"] === operation);
  const [fastest, ...others] = own.sort((a, b) => nsOf(a).median - nsOf(b).median);
  if (fastest === undefined) return [];
  return [fastest, ...others].map((result) => slowdownRow(result, fastest));
}

/** One row of the table of sizes. */
export interface SizeRow {
  readonly serializer: string;
  readonly codec: string;
  readonly frame: string;
  readonly contentBytes: number;
  readonly heldBytes: number;
  /** Held ÷ content. */
  readonly share: number;
  /** Codec id in the frame, 0 where compression gained nothing; null without a frame. */
  readonly codecId: number | null;
}

/** What each serializer, compressor and frame of the hash study holds, each once, in the order of the cases. */
export function sizeRows(cases: readonly CaseResult[]): readonly SizeRow[] {
  const rows = new Map<string, SizeRow>();
  for (const { parameters, facts } of cases.filter(isMeasured)) {
    const [serializer, codec, frame] = [parameters["serializer"], parameters["codec"], parameters["frame"]].map(textOf);
    if (serializer === undefined || codec === undefined || frame === undefined) continue;
    const [contentBytes, heldBytes] = [Number(facts["contentBytes"]), Number(facts["heldBytes"])];
    const codecId = facts["codecId"] === null ? null : Number(facts["codecId"]);
    const row = { serializer, codec, frame, contentBytes, heldBytes, share: heldBytes / contentBytes, codecId };
    rows.set(`${serializer}/${codec}/${frame}`, row);
  }
  return [...rows.values()];
}
