import type { CaseResult, Metric, ResultsFile } from "../results.ts";
import { compareMedians } from "../statistics.ts";
import type { Target } from "./targets.ts";

export type Verdict = "met" | "missed" | "undecided" | "not measured";

/** A median with its interval. */
export interface Quantity {
  readonly value: number;
  readonly interval: readonly [low: number, high: number];
}

/** What one case says of a target. */
export interface Reading extends Quantity {
  readonly name: string;
  /** The bare client against itself in the same cell: 1, but for noise. */
  readonly control?: Quantity;
  /** The same metric of the case that is told beside. */
  readonly beside?: number;
}

/** What a case says that no target is about. */
export interface AsideReading {
  readonly what: string;
  readonly name: string;
  readonly reading?: Reading;
}

/** What the results say of a target. */
export interface Judgement {
  readonly target: Target;
  readonly verdict: Verdict;
  /**
   * The reading that is furthest on the wrong side, or the least far on the right one. Of a target that is missed or undecided, it is
   * one of those that make it so.
   */
  readonly worst?: Reading;
  readonly missed: number;
  readonly undecided: number;
  readonly absent: readonly string[];
  readonly also: readonly AsideReading[];
}

/** Finds a case by its name in the results of its suite. */
export type FindCase = (name: string) => CaseResult | undefined;

export function indexCases(results: ReadonlyMap<string, ResultsFile>): FindCase {
  const cases = new Map([...results.values()].flatMap((file) => file.cases.map((one) => [one.name, one] as const)));
  return (name) => cases.get(name);
}

/**
 * Decided cases decide. A target is met only if every one of its cases was measured and meets it beyond noise, and missed only if
 * one misses it beyond noise.
 */
export function judgeTarget(target: Target, find: FindCase): Judgement {
  const readings = target.cases.map((name) => ({ name, reading: readCase(target, name, find) }));
  const absent = readings.filter(({ reading }) => reading === undefined).map(({ name }) => name);
  const judged = readings.flatMap(({ reading }) => (reading === undefined ? [] : [{ reading, verdict: judge(target, reading) }]));
  const listOf = (verdict: Verdict) => judged.filter((one) => one.verdict === verdict);
  const [missed, undecided] = [listOf("missed").length, listOf("undecided").length];
  const isWhole = absent.length === 0 && judged.length > 0;
  const verdict = missed > 0 ? "missed" : isWhole ? (undecided > 0 ? "undecided" : "met") : "not measured";
  const deciding = verdict === "not measured" ? judged : listOf(verdict);
  const worst = findWorst(
    target,
    deciding.map(({ reading }) => reading),
  );
  const also = (target.also ?? []).map((aside) => readAside(target, aside, find));
  return { target, verdict, missed, undecided, absent, also, ...(worst === undefined ? {} : { worst }) };
}

function findWorst({ sign }: Target, readings: readonly Reading[]): Reading | undefined {
  const isAtMost = sign === "≤";
  return [...readings].sort((a, b) => (isAtMost ? b.value - a.value : a.value - b.value))[0];
}

function judge(target: Target, { value, interval, control }: Reading): Exclude<Verdict, "not measured"> {
  const isMet = meets(target, value);
  const isNoise = control !== undefined && isDisturbed(control);
  if (isNoise || interval.some((bound) => meets(target, bound) !== isMet)) return "undecided";
  return isMet ? "met" : "missed";
}

function meets({ sign, limit }: Target, value: number): boolean {
  if (sign === "≤") return value <= limit;
  return sign === "≥" ? value >= limit : value > limit;
}

/** How far a client may be from itself: intervals of long runs exclude 1 by differences that no limit is as fine as. */
export const CONTROL_TOLERANCE = 0.05;

/** Whether a client differs from itself, so that the cell shows noise rather than clients. */
function isDisturbed({ value, interval: [low, high] }: Quantity): boolean {
  return (low > 1 || high < 1) && Math.abs(value - 1) > CONTROL_TOLERANCE;
}

function readAside(target: Target, { what, name }: { what: string; name: string }, find: FindCase): AsideReading {
  const reading = readCase(target, name, find);
  return { what, name, ...(reading === undefined ? {} : { reading }) };
}

function readCase(target: Target, name: string, find: FindCase): Reading | undefined {
  const { metric, dividedBy, beside, control } = target;
  const own = readQuantity(metric, name, dividedBy?.(name), find);
  if (own === undefined) return undefined;
  const again =
    control === undefined ? undefined : readQuantity(control.metric, control.of(name), control.dividedBy?.(name), find);
  const other = beside === undefined ? undefined : find(beside.of(name))?.metrics[metric]?.median;
  return {
    name,
    ...own,
    ...(again === undefined ? {} : { control: again }),
    ...(other === undefined ? {} : { beside: other }),
  };
}

function readQuantity(metric: string, name: string, base: string | undefined, find: FindCase): Quantity | undefined {
  const own = find(name)?.metrics[metric];
  if (own === undefined) return undefined;
  return base === undefined ? { value: own.median, interval: own.interval } : divide(own, find(base)?.metrics[metric]);
}

function divide(own: Metric, base: Metric | undefined): Quantity | undefined {
  if (base === undefined || base.median === 0) return undefined;
  const value = own.median / base.median;
  // One sample tells no spread.
  return { value, interval: compareMedians(base, own)?.interval ?? [value, value] };
}
