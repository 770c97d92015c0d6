import type { Metric } from "./results.ts";

/** Samples in ascending order; the input stays as it is. */
export function sortNumbers(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

/** A number with so many digits after the point, at most. */
export function roundTo(value: number, digits: number): number {
  return Number(value.toFixed(digits));
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
  if (samples.length === 0 || !samples.every(Number.isFinite)) {
    throw new RangeError(`${unit}: samples must be finite numbers`);
  }
  return {
    unit,
    samples,
    median: median(samples),
    interval: medianInterval(samples),
    mean: mean(samples),
    deviation: deviation(samples),
  };
}

/** So many of the samples, evenly over their ascending order: they keep the distribution, and are the same each time. */
export function thinSamples(samples: readonly number[], limit: number): readonly number[] {
  if (samples.length <= limit) return samples;
  const sorted = sortNumbers(samples);
  return Array.from({ length: limit }, (_, i) => sorted[Math.floor(((i + 0.5) * samples.length) / limit)] ?? Number.NaN);
}

/** Random numbers from 0 to 1, the same for one seed: comparisons print the same interval each time. (mulberry32) */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const RESAMPLES = 1_000;
const LARGEST_RESAMPLE = 512;
const rankTables = new Map<string, readonly number[]>();

/**
 * Where the median of a resample lies in the order of what it is drawn from, 0 to 1, for many resamples. It depends on how many
 * are drawn alone, so that one table serves every metric of that many samples.
 */
function resampleRanks(count: number, seed: number): readonly number[] {
  const size = Math.min(count, LARGEST_RESAMPLE);
  const key = `${size}/${seed}`;
  const known = rankTables.get(key);
  if (known !== undefined) return known;
  const random = createRandom(seed * 7_919 + size);
  const ranks = Array.from({ length: RESAMPLES }, () => median(Array.from({ length: size }, random)));
  rankTables.set(key, ranks);
  return ranks;
}

/** How many samples the statistics are of. */
export function countSamples(metric: Metric): number {
  return metric.sampleCount ?? metric.samples.length;
}

function pickRanks(metric: Metric, seed: number): readonly number[] {
  const sorted = sortNumbers(metric.samples);
  return resampleRanks(countSamples(metric), seed).map(
    (rank) => sorted[Math.min(sorted.length - 1, Math.floor(rank * sorted.length))] ?? Number.NaN,
  );
}

/** A quotient of two medians with bounds that hold it in 95 of 100 pairs of runs, by resampling both. */
export interface Ratio {
  readonly ratio: number;
  readonly interval: readonly [low: number, high: number];
}

/** How many times `base` is `head`; undefined where the base is 0, or where one has a single sample, which tells no spread. */
export function compareMedians(base: Metric, head: Metric): Ratio | undefined {
  if (base.median === 0 || Math.min(countSamples(base), countSamples(head)) < 2) return undefined;
  const bases = pickRanks(base, 1);
  const ratios = sortNumbers(
    pickRanks(head, 2)
      .map((value, i) => value / (bases[i] ?? Number.NaN))
      .filter(Number.isFinite),
  );
  if (ratios.length === 0) return undefined;
  return { ratio: head.median / base.median, interval: [quantile(ratios, 0.025), quantile(ratios, 0.975)] };
}
