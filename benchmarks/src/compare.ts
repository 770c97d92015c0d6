import { describeRevision, findDifferences } from "./machine.ts";
import { FACTS, METRICS, sortMetricNames } from "./metrics.ts";
import type { CaseResult, Metric, ResultsFile } from "./results.ts";
import { compareMedians, countSamples, type Ratio } from "./statistics.ts";
import { UsageError } from "./usage-error.ts";

/** One metric of one case, in both runs. */
export interface MetricComparison extends Partial<Ratio> {
  readonly caseName: string;
  readonly metric: string;
  readonly unit: string;
  readonly base: number;
  readonly head: number;
  /** "same": the interval holds 1, so these runs show no difference. */
  readonly verdict: "better" | "worse" | "other" | "same" | "unknown";
}

/** Two runs of one suite, side by side. */
export interface Comparison {
  readonly suite: string;
  /** Machine, versions and sources that differ, one phrase each. */
  readonly differences: readonly string[];
  readonly metrics: readonly MetricComparison[];
  /** Sizes and digests that changed, one line each. */
  readonly facts: readonly string[];
  readonly onlyInBase: readonly string[];
  readonly onlyInHead: readonly string[];
}

/**
 * Compares two runs: for each case and metric the ratio of the medians, with an interval by resampling.
 *
 * @throws UsageError when they are of different suites or efforts
 */
export function compareResults(base: ResultsFile, head: ResultsFile): Comparison {
  if (base.suite !== head.suite) throw new UsageError(`${base.suite} cannot be compared with ${head.suite}`);
  const others = new Map(head.cases.map((one) => [one.name, one]));
  const names = new Set(base.cases.map(({ name }) => name));
  const pairs = base.cases.flatMap((one) => {
    const other = others.get(one.name);
    return other === undefined ? [] : [[one, other] as const];
  });
  if (pairs.length === 0) throw new UsageError(`these runs of ${base.suite} have no case in common`);
  return {
    suite: base.suite,
    differences: listDifferences(base, head),
    metrics: pairs.flatMap(([one, other]) => compareCase(one, other)),
    facts: pairs.flatMap(([one, other]) => compareFacts(one, other)),
    onlyInBase: base.cases.map(({ name }) => name).filter((name) => !others.has(name)),
    onlyInHead: head.cases.map(({ name }) => name).filter((name) => !names.has(name)),
  };
}

function listDifferences(base: ResultsFile, head: ResultsFile): readonly string[] {
  const efforts = base.effort === head.effort ? [] : [`effort ${base.effort} → ${head.effort}`];
  const partial = [base, head].filter(({ status }) => status === "partial").length;
  return [...efforts, ...(partial > 0 ? [`${partial} of the two runs is partial`] : []), ...findDifferences(base, head)];
}

function compareCase(base: CaseResult, head: CaseResult): readonly MetricComparison[] {
  return sortMetricNames(Object.keys(base.metrics)).flatMap((name) => {
    const [before, after] = [base.metrics[name], head.metrics[name]];
    if (before === undefined || after === undefined || before.unit !== after.unit) return [];
    return [compareMetric(base.name, name, before, after)];
  });
}

function compareMetric(caseName: string, metric: string, base: Metric, head: Metric): MetricComparison {
  const ratio = compareMedians(base, head);
  const isUnknown = base.median !== head.median && Math.min(countSamples(base), countSamples(head)) < 2;
  const medians = { base: base.median, head: head.median };
  return {
    caseName,
    metric,
    unit: base.unit,
    ...medians,
    ...ratio,
    verdict: isUnknown ? "unknown" : judge(metric, medians, ratio),
  };
}

function judge(
  metric: string,
  { base, head }: { base: number; head: number },
  ratio: Ratio | undefined,
): MetricComparison["verdict"] {
  const [low, high] = ratio?.interval ?? [1, 1];
  const isSame = ratio === undefined ? base === head : low <= 1 && high >= 1;
  if (isSame) return "same";
  const wanted = METRICS[metric]?.better;
  if (wanted === undefined) return "other";
  return head < base === (wanted === "lower") ? "better" : "worse";
}

function compareFacts(base: CaseResult, head: CaseResult): readonly string[] {
  return Object.keys(base.facts)
    .filter((key) => head.facts[key] !== undefined && base.facts[key] !== head.facts[key])
    .map((key) => `${base.name}: ${FACTS[key] ?? key} ${base.facts[key]} → ${head.facts[key]}`);
}

function formatNumber(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(4)));
}

function formatRatio({ ratio, interval }: Partial<Ratio>): string {
  if (ratio === undefined || interval === undefined) return "";
  return `× ${ratio.toFixed(3)} (${interval[0].toFixed(3)} to ${interval[1].toFixed(3)})`;
}

function formatMetric({ caseName, metric, unit, base, head, verdict, ...ratio }: MetricComparison): string {
  const values = `${formatNumber(base)} → ${formatNumber(head)} ${unit}`;
  return `${caseName.padEnd(64)} ${metric.padEnd(14)} ${values.padEnd(30)} ${formatRatio(ratio).padEnd(26)} ${verdict}`.trimEnd();
}

/** The comparison as lines of text. */
export function formatComparison(comparison: Comparison, base: ResultsFile, head: ResultsFile): readonly string[] {
  const { suite, differences, metrics, facts, onlyInBase, onlyInHead } = comparison;
  const count = (verdict: MetricComparison["verdict"]): number => metrics.filter((one) => one.verdict === verdict).length;
  const unknown = count("unknown") > 0 ? `, ${count("unknown")} with one sample unknown` : "";
  const other = count("other") > 0 ? `, ${count("other")} different` : "";
  return [
    `${suite}: A ${describeRevision(base.revision)} of ${base.startedAt}, B ${describeRevision(head.revision)} of ${head.startedAt}`,
    "B ÷ A of the medians, with bounds that hold it in 95 of 100 pairs of runs",
    ...differences.map((difference) => `not the same: ${difference}`),
    ...metrics.map(formatMetric),
    ...facts.map((fact) => `changed: ${fact}`),
    ...onlyInBase.map((name) => `only in A: ${name}`),
    ...onlyInHead.map((name) => `only in B: ${name}`),
    `${count("better")} better, ${count("worse")} worse, ${count("same")} the same${other}${unknown}`,
  ];
}
