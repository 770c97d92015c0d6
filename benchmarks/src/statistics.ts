import type { Metric } from "./results.ts";

/** Samples in ascending order; the input stays as it is. */
export function sortNumbers(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** The sample below which a share (0 to 1) of all samples lie; between two samples it is interpolated. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** The middle of the samples. */
export function median(values: readonly number[]): number {
  return quantile(sortNumbers(values), 0.5);
}

// The 97.5 % point of the normal distribution, halved: ranks of a median lie that many √n from the middle.
const RANK_SPREAD = 0.98;

/** Bounds that hold the median of what was sampled in 95 of 100 runs, whatever its distribution: by ranks. */
export function medianInterval(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = sortNumbers(values);
  const rank = Math.max(0, Math.floor(sorted.length / 2 - RANK_SPREAD * Math.sqrt(sorted.length)));
  return [sorted[rank] ?? Number.NaN, sorted[sorted.length - 1 - rank] ?? Number.NaN];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

/**
 * Sums samples up.
 *
 * @throws RangeError without samples, or with one that is not finite
 */
export function createMetric(unit: string, samples: readonly number[]): Metric {
  if (samples.length === 0 || !samples.every(Number.isFinite)) throw new RangeError(`${unit}: samples must be finite numbers`);
  return {
    unit,
    samples,
    median: median(samples),
    interval: medianInterval(samples),
    mean: mean(samples),
    deviation: deviation(samples),
  };
}
