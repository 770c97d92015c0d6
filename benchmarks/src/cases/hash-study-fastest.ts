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
