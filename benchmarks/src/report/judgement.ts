import type { CaseResult, Metric, ResultsFile } from "../results.ts";
import { compareMedians } from "../statistics.ts";
import type { Target } from "./targets.ts";

export type Verdict = "met" | "missed" | "not measured";

/** What one case says of a target. */
export interface Reading {
  readonly name: string;
  readonly value: number;
  readonly interval: readonly [low: number, high: number];
  /** The same metric of the case that is told beside. */
  readonly beside?: number;
}

/** What the results say of a target. */
export interface Judgement {
  readonly target: Target;
  readonly verdict: Verdict;
  /** The reading that is furthest on the wrong side, or the least far on the right one. */
  readonly worst?: Reading;
  readonly missed: number;
  readonly absent: readonly string[];
}

/** Finds a case by its name in the results of its suite. */
export type FindCase = (name: string) => CaseResult | undefined;

export function indexCases(results: ReadonlyMap<string, ResultsFile>): FindCase {
  const cases = new Map([...results.values()].flatMap((file) => file.cases.map((one) => [one.name, one] as const)));
  return (name) => cases.get(name);
}

/** Medians decide. A target is met only if every one of its cases was measured. */
export function judgeTarget(target: Target, find: FindCase): Judgement {
  const readings = target.cases.map((name) => ({ name, reading: readCase(target, name, find) }));
  const measured = readings.flatMap(({ reading }) => reading ?? []);
  const absent = readings.filter(({ reading }) => reading === undefined).map(({ name }) => name);
  const missed = measured.filter(({ value }) => !meets(target, value)).length;
  const isAtMost = target.sign === "≤";
  const [worst] = [...measured].sort((a, b) => (isAtMost ? b.value - a.value : a.value - b.value));
  const verdict = missed > 0 ? "missed" : absent.length > 0 || measured.length === 0 ? "not measured" : "met";
  return { target, verdict, missed, absent, ...(worst === undefined ? {} : { worst }) };
}

function meets({ sign, limit }: Target, value: number): boolean {
  if (sign === "≤") return value <= limit;
  return sign === "≥" ? value >= limit : value > limit;
}

function readCase({ metric, dividedBy, beside }: Target, name: string, find: FindCase): Reading | undefined {
  const own = find(name)?.metrics[metric];
  if (own === undefined) return undefined;
  if (dividedBy !== undefined) return divide(name, own, find(dividedBy(name))?.metrics[metric]);
  const other = beside === undefined ? undefined : find(beside.of(name))?.metrics[metric]?.median;
  return { name, value: own.median, interval: own.interval, ...(other === undefined ? {} : { beside: other }) };
}

function divide(name: string, own: Metric, base: Metric | undefined): Reading | undefined {
  if (base === undefined || base.median === 0) return undefined;
  const value = own.median / base.median;
  // One sample tells no spread.
  return { name, value, interval: compareMedians(base, own)?.interval ?? [value, value] };
}
