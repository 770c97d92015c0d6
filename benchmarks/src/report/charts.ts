import type { CaseResult, Metric, ResultsFile } from "../results.ts";
import { isBareClient, listValues, listVarying, nameForReport, prefer, readFact, where } from "./cases.ts";
import type { ChartSpec } from "./drawing.ts";
import { formatBytes } from "./format.ts";
import { type ChartLine, type ChartPoint, makeIntervals, makeLines, makeScatter } from "./series.ts";
import { chooseRedisCases } from "./tables.ts";

/** The charts of a suite; none where it has no cases that they show. */
export function makeCharts({ suite, cases }: ResultsFile): readonly ChartSpec[] {
  const charts = CHARTS[suite]?.(cases.map(nameForReport)) ?? [];
  return charts.filter(({ series }) => series.some(({ titles }) => titles.length > 0));
}

const CHARTS: Readonly<Record<string, (cases: readonly CaseResult[]) => readonly ChartSpec[]>> = {
  redis: makeRedisCharts,
  link: makeLinkCharts,
  "value-codec": makeCodecCharts,
  corpora: (cases) => forOperations(cases, (own, operation) => makeSizeAgainstSpeed("corpora", own, operation)),
  limit: makeLimitCharts,
};

function forOperations(
  cases: readonly CaseResult[],
  make: (own: readonly CaseResult[], operation: string) => ChartSpec,
): readonly ChartSpec[] {
  return listValues(cases, "operation").map((operation) => make(where(cases, { operation }), String(operation)));
}

/** One line for each value of a parameter, its points from cases that have the metric. */
function makeLinesBy(
  cases: readonly CaseResult[],
  by: string,
  metricName: string,
  point: (one: CaseResult, metric: Metric) => ChartPoint | undefined,
): readonly ChartLine[] {
  const lines = listValues(cases, by).map((value) => ({
    name: String(value),
    points: where(cases, { [by]: value }).flatMap((one) => {
      const metric = one.metrics[metricName];
      return (metric === undefined ? undefined : point(one, metric)) ?? [];
    }),
  }));
  return lines.filter(({ points }) => points.length > 0);
}

// More doublings than this have ticks too close to read.
const MOST_DOUBLINGS = 8;

/** Medians with bounds, in relation to what is the line at 1. */
function compareTo(reference: string, lines: readonly ChartLine[]): Pick<ChartSpec, "y" | "series"> {
  const bounds = lines.flatMap(({ points }) => points.flatMap(({ metric }) => [metric.median, ...metric.interval]));
  const positive = bounds.filter((value) => value > 0);
  const doublings = Math.log2(Math.max(...positive) / Math.min(...positive));
  const base = doublings > MOST_DOUBLINGS ? 10 : 2;
  return { y: { name: `× ${reference}`, type: "log", base, lines: [[1, reference]] }, series: makeIntervals(lines) };
}

const TO_LINKS = {
  name: "Mbit/s",
  type: "log",
  lines: [
    [100, "100 Mbit/s"],
    [440, "440 Mbit/s"],
    [1_000, "1 Gbit/s"],
    [10_000, "10 Gbit/s"],
  ],
} as const;

function withoutRaw(cases: readonly CaseResult[]): readonly CaseResult[] {
  return cases.filter((one) => !isBareClient(one));
}

function sizeOf({ parameters }: CaseResult): string {
  return formatBytes(Number(parameters["sizeBytes"]));
}

function listSizes(cases: readonly CaseResult[]): readonly string[] {
  return listValues(cases, "sizeBytes").map((bytes) => formatBytes(Number(bytes)));
}

const atSize = (one: CaseResult, metric: Metric): ChartPoint => ({ x: sizeOf(one), metric, title: sizeOf(one) });

function describeContext(cases: readonly CaseResult[], names: readonly string[]): string {
  const parameters = cases[0]?.parameters ?? {};
  const known = names.filter((name) => parameters[name] !== undefined);
  return known.map((name) => (name === "inFlight" ? `${parameters[name]} in flight` : parameters[name])).join(", ");
}

function makeRedisCharts(cases: readonly CaseResult[]): readonly ChartSpec[] {
  const chosen = chooseRedisCases(cases);
  const contextOf = (own: readonly CaseResult[]): string => describeContext(own, ["corpus", "inFlight", "style"]);
  const xOf = (own: readonly CaseResult[]): ChartSpec["x"] => ({
    name: "size of a value",
    type: "category",
    categories: listSizes(own),
  });
  const throughput = forOperations(chosen, (own, operation) => ({
    id: `redis-throughput-${operation}`,
    title: `${operation}: throughput by size and client`,
    text: `Operations a second, logarithmic; ${contextOf(own)}.`,
    x: xOf(own),
    y: { name: "ops/s", type: "log" },
    series: makeLines(makeLinesBy(own, "peer", "opsPerSecond", atSize)),
  }));
  const ratio = forOperations(chosen, (own, operation) => ({
    id: `redis-ratio-${operation}`,
    title: `${operation}: in relation to bare ioredis`,
    text: `Throughput divided by that of bare ioredis in the same round; above 1 is faster; strokes are the 95 % confidence interval of the median within one run; ${contextOf(own)}.`,
    x: xOf(own),
    ...compareTo("raw", makeLinesBy(withoutRaw(own), "peer", "ratioToRaw", atSize)),
  }));
  return throughput.flatMap((chart, i) => [chart, ratio[i]].filter((one) => one !== undefined));
}

function makeLinkCharts(cases: readonly CaseResult[]): readonly ChartSpec[] {
  const breakEven = cases.filter(({ metrics }) => metrics["breakEvenMbps"] !== undefined);
  const measured = cases.filter(({ metrics }) => metrics["ratioToRaw"] !== undefined);
  const largest = listValues(measured, "sizeBytes").at(-1);
  const chosen = prefer(
    where(measured, { sizeBytes: prefer(measured, "sizeBytes", [16_384, 8_192])[0]?.parameters["sizeBytes"] ?? largest }),
    "corpus",
    ["json-documents"],
  );
  const byLink = forOperations(prefer(chosen, "inFlight", [64]), (own, operation) => ({
    id: `link-ratio-${operation}`,
    title: `${operation}: in relation to bare ioredis, by link`,
    text: `Throughput divided by that of bare ioredis through the same link; ${describeContext(own, ["corpus", "inFlight"])}, ${sizesOf(own)}.`,
    x: { name: "link", type: "category", categories: listValues(own, "link").map(String) },
    ...compareTo(
      "raw",
      makeLinesBy(withoutRaw(own), "peer", "ratioToRaw", (one, metric) => atText(one, metric, "link")),
    ),
  }));
  const byCorpus = listValues(breakEven, "corpus").map((corpus) => makeBreakEven(String(corpus), where(breakEven, { corpus })));
  return [...byCorpus, ...byLink];
}

function sizesOf(cases: readonly CaseResult[]): string {
  return listSizes(cases).join(", ");
}

function atText(one: CaseResult, metric: Metric, parameter: string): ChartPoint {
  const x = String(one.parameters[parameter]);
  return { x, metric, title: x };
}

function makeBreakEven(corpus: string, cases: readonly CaseResult[]): ChartSpec {
  return {
    id: `link-break-even-${corpus}`,
    title: `Break-even by link: ${corpus}`,
    text: "On links slower than this, encoding and decoding take less time than sending the bytes that they save. Codecs that save nothing have no mark.",
    x: { name: "size of a value", type: "category", categories: listSizes(cases) },
    y: TO_LINKS,
    series: makeIntervals(
      makeLinesBy(cases, "codec", "breakEvenMbps", (one, metric) => (metric.median > 0 ? atSize(one, metric) : undefined)),
    ),
  };
}

function makeCodecCharts(cases: readonly CaseResult[]): readonly ChartSpec[] {
  const tried = prefer(cases, "threshold", [0]);
  const text = prefer(tried, "corpus", ["record-text"]);
  const speed = forOperations(text, (own, operation) => ({
    id: `value-codec-throughput-${operation}`,
    title: `${operation}: throughput by size and codec`,
    text: `MiB of content a second, logarithmic; ${describeContext(own, ["corpus"])}.`,
    x: { name: "size of a value", type: "category", categories: listSizes(own) },
    y: { name: "MiB/s", type: "log" },
    series: makeLines(makeLinesBy(own, "codec", "mibPerSecond", atSize)),
  }));
  return [...speed, ...forOperations(tried, (own, operation) => makeSizeAgainstSpeed("value-codec", own, operation))];
}

/** Held bytes in percent of content against throughput: the upper left is small and fast, the lower right large and slow. */
function makeSizeAgainstSpeed(suite: string, cases: readonly CaseResult[], operation: string): ChartSpec {
  const names = listVarying(cases).filter((name) => name !== "codec");
  return {
    id: `${suite}-size-speed-${operation}`,
    title: `${operation}: size against speed by codec`,
    text: "Further left is smaller, further up is faster; one mark for each content and size, frames included.",
    x: { name: "held bytes, % of content", type: "percent" },
    y: { name: "MiB/s", type: "log" },
    series: makeScatter(
      makeLinesBy(cases, "codec", "mibPerSecond", (one, metric) => {
        const [held, content] = [readFact(one, "heldBytes"), readFact(one, "contentBytes")];
        if (held === undefined || content === undefined || content === 0) return undefined;
        const share = (100 * held) / content;
        const title = names.map((name) => (name === "sizeBytes" ? sizeOf(one) : one.parameters[name])).join(", ");
        return { x: share, metric, title: `${title}, ${share.toFixed(1)} %` };
      }),
    ),
  };
}

function makeLimitCharts(cases: readonly CaseResult[]): readonly ChartSpec[] {
  const compared = cases.filter(({ metrics }) => metrics["ratioToC"] !== undefined);
  return forOperations(prefer(compared, "corpus", ["record-text"]), (own, operation) => ({
    id: `limit-${operation}`,
    title: `${operation}: time in relation to C`,
    text: `How many times as long as the same work called from C; 1 is the machine's limit; ${describeContext(own, ["corpus"])}.`,
    x: { name: "size of a value", type: "category", categories: listSizes(own) },
    ...compareTo("C", makeLinesBy(own, "codec", "ratioToC", atSize)),
  }));
}
