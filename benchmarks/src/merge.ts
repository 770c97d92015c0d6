import { findDifferences } from "./machine.ts";
import type { CaseResult, FailedCase, Metric, ResultsFile } from "./results.ts";
import { reduceCase } from "./results-format.ts";
import { createMetric } from "./statistics.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Makes one file of the same suite's runs in several fresh processes. A case that one of them lacks has failed.
 *
 * @throws UsageError when they are not runs of the same suite, effort, sources, machine and versions
 */
export function mergeLaunches(files: readonly ResultsFile[]): ResultsFile {
  const [first, ...others] = files;
  if (first === undefined) throw new UsageError("no files to merge");
  for (const other of others) assertSameRun(first, other);
  const names = [...new Set(files.flatMap(({ cases }) => cases.map(({ name }) => name)))];
  const byName = files.map(({ cases }) => new Map(cases.map((one) => [one.name, one])));
  const cases: CaseResult[] = [];
  const failed = new Map<string, FailedCase>(files.flatMap((file) => file.failed).map((one) => [one.name, one]));
  const isInterrupted = files.some(({ status, failed: own }) => status === "partial" && own.length === 0);
  for (const name of names) {
    const found = byName.map((map) => map.get(name));
    const present = found.filter((one) => one !== undefined);
    if (present.length === files.length) cases.push(mergeCase(present));
    // What an interrupted launch did not reach is missing, which resuming repairs; it has not failed.
    else if (!isInterrupted && !failed.has(name)) {
      failed.set(name, { name, error: `missing in launch ${found.indexOf(undefined) + 1} of ${files.length}` });
    }
  }
  const notes = [...new Set(files.flatMap((file) => file.notes ?? []))];
  const loads = files.map(({ machine }) => machine.load);
  return {
    ...first,
    launches: files.length,
    status: failed.size === 0 && files.every(({ status }) => status === "complete") ? "complete" : "partial",
    finishedAt: files.at(-1)?.finishedAt ?? first.finishedAt,
    machine: { ...first.machine, load: [loads[0]?.[0] ?? 0, loads.at(-1)?.[1] ?? 0] },
    versions: Object.assign({}, ...files.map(({ versions }) => versions)),
    ...(notes.length > 0 ? { notes } : {}),
    cases,
    skipped: first.skipped.filter(({ name }) => !failed.has(name) && !cases.some((one) => one.name === name)),
    failed: [...failed.values()],
  };
}

function assertSameRun(a: ResultsFile, b: ResultsFile): void {
  if (a.suite !== b.suite || a.effort !== b.effort) {
    throw new UsageError(`runs of ${a.suite} (${a.effort}) and ${b.suite} (${b.effort}) cannot be merged`);
  }
  const differences = findDifferences(a, b);
  if (differences.length > 0) throw new UsageError(`runs cannot be merged: ${differences.join("; ")}`);
}

function mergeCase(launches: readonly CaseResult[]): CaseResult {
  const [first] = launches;
  if (first === undefined) throw new RangeError("no launches");
  const metrics: [string, Metric][] = [];
  for (const [name, { unit }] of Object.entries(first.metrics)) {
    // A metric that one launch lacks is left out: whoever needs it finds it missing.
    const own = launches.map((one) => one.metrics[name]).filter((metric) => metric !== undefined);
    if (own.length === launches.length) metrics.push([name, mergeMetric(unit, own)]);
  }
  return reduceCase({
    ...first,
    metrics: Object.fromEntries(metrics),
    launchFacts: launches.map(({ facts }) => facts),
  });
}

function mergeMetric(unit: string, metrics: readonly Metric[]): Metric {
  const merged = createMetric(
    unit,
    metrics.flatMap(({ samples }) => samples),
  );
  const count = metrics.reduce((sum, { samples, sampleCount }) => sum + (sampleCount ?? samples.length), 0);
  return count === merged.samples.length ? merged : { ...merged, sampleCount: count };
}
