import { describeRevision } from "../machine.ts";
import type { Metric, ResultsFile } from "../results.ts";
import { countSamples } from "../statistics.ts";

const DIGITS = 3;

/** A number as people read it: thousands in groups, at most three digits of what is smaller. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(DIGITS)));
}

/** What stands in brackets behind a median. */
export const INTERVAL = "95 % confidence interval within one run; runs differ by more";

/** `1,234 (1,200–1,300)`: the median and its interval. */
export function formatMedian({ median, interval: [low, high] }: Metric): string {
  if (low === high) return formatNumber(median);
  const [a, b] = [formatNumber(low), formatNumber(high)];
  return a === b ? formatNumber(median) : `${formatNumber(median)} (${a}–${b})`;
}

/** `1,234 ± 56`: the mean and the standard deviation. */
export function formatMean({ mean, deviation }: Metric): string {
  return `${formatNumber(mean)} ± ${formatNumber(deviation)}`;
}

const BYTE_UNITS: readonly (readonly [unit: string, bytes: number])[] = [
  ["MiB", 1_048_576],
  ["KiB", 1_024],
];

/** `16 KiB`, `1 MiB`, `100 B`. */
export function formatBytes(bytes: number): string {
  for (const [unit, size] of BYTE_UNITS) {
    if (bytes >= size && bytes % size === 0) return `${bytes / size} ${unit}`;
  }
  return `${bytes.toLocaleString("en-US")} B`;
}

const MEMORY_UNIT = 2 ** 30;
// Node and the servers first; of the packages those that are measured.
const SHOWN_LAST = ["v8", "zlib", "brotli", "zstd", "openssl"];

/** Where and how a run was made, in one paragraph: no number is shown without it. */
export function describeRun(file: ResultsFile): string {
  const { cpu, cores, memoryBytes, kernel, arch, load } = file.machine;
  const place = (name: string): number => (name === "node" ? 0 : SHOWN_LAST.includes(name) ? 2 : 1);
  const versions = Object.entries(file.versions).sort(([a], [b]) => place(a) - place(b));
  const launches = file.launches > 1 ? `, ${file.launches} fresh processes` : "";
  return [
    `${cpu}, ${cores} cores, ${Math.round(memoryBytes / MEMORY_UNIT)} GiB, ${kernel} ${arch}; load ${load[0]} before, ${load[1]} after`,
    versions.map(([name, version]) => `${name} ${version}`).join(", "),
    `Revision ${describeRevision(file.revision)}, ${file.startedAt.slice(0, 10)}${launches}, by \`${file.command}\``,
  ].join(". ");
}

/** How far the samples of a run lie apart, so that a reader knows which differences are none. */
export function describeNoise(file: ResultsFile, metric: string): string | undefined {
  const widths = file.cases.flatMap(({ name, metrics }) => {
    const found = metrics[metric];
    // A single sample has an interval without width.
    if (found === undefined || found.median === 0 || countSamples(found) < 2) return [];
    return [{ name, width: (100 * (found.interval[1] - found.interval[0])) / 2 / Math.abs(found.median) }];
  });
  const sorted = widths.sort((a, b) => a.width - b.width);
  const [middle, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (middle === undefined || worst === undefined) return undefined;
  return `Noise: half the interval of the median is ${formatNumber(middle.width)} % of it in the middle case, ${formatNumber(worst.width)} % in the worst (${worst.name}).`;
}
