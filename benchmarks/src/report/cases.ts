import type { CaseResult, Metric } from "../results.ts";

type Value = string | number;

const BITS_OF_MEGABIT = 1_000_000;

function scaleMetric(metric: Metric, factor: number, unit: string): Metric {
  const { median, interval, mean, deviation, samples } = metric;
  return {
    ...metric,
    unit,
    median: median * factor,
    interval: [interval[0] * factor, interval[1] * factor],
    mean: mean * factor,
    deviation: deviation * factor,
    samples: samples.map((sample) => sample * factor),
  };
}

/** A case in the words of reports: a client and its codec are one name, and links are told in Mbit/s. */
export function nameForReport(one: CaseResult): CaseResult {
  const { peer, codec, ...others } = one.parameters;
  const { breakEvenBitsPerSecond: breakEven, ...metrics } = one.metrics;
  const isPair = peer !== undefined && codec !== undefined && peer !== codec;
  // The end of the name, where it begins with the client, also tells apart two clients of one kind.
  const last = one.name.slice(one.name.lastIndexOf("/") + 1);
  return {
    ...one,
    parameters: isPair ? { ...others, peer: last.startsWith(`${peer}-`) ? last : `${peer}-${codec}` } : one.parameters,
    metrics:
      breakEven === undefined ? metrics : { ...metrics, breakEvenMbps: scaleMetric(breakEven, 1 / BITS_OF_MEGABIT, "Mbit/s") },
  };
}

/** Whether a client is what the others are compared with. */
export function isBareClient({ parameters }: CaseResult): boolean {
  return parameters["peer"] === "raw" || parameters["peer"] === "ioredis-raw";
}

/** The different values of a parameter, in the order of the cases; numbers in ascending order. */
export function listValues(cases: readonly CaseResult[], parameter: string): readonly Value[] {
  const values = [...new Set(cases.flatMap(({ parameters }) => parameters[parameter] ?? []))];
  return values.every((value) => typeof value === "number") ? [...values].sort((a, b) => Number(a) - Number(b)) : values;
}

/** Cases with these parameters. */
export function where(cases: readonly CaseResult[], wanted: Readonly<Record<string, Value | undefined>>): readonly CaseResult[] {
  const entries = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return cases.filter(({ parameters }) => entries.every(([key, value]) => parameters[key] === value));
}

/** Of cases that differ in a parameter, those of the first preferred value that occurs, or of the first one there is. */
export function prefer(cases: readonly CaseResult[], parameter: string, preferred: readonly Value[]): readonly CaseResult[] {
  const values = listValues(cases, parameter);
  const chosen = preferred.find((value) => values.includes(value)) ?? values[0];
  return chosen === undefined ? cases : where(cases, { [parameter]: chosen });
}

/** Parameters that tell these cases apart, in the order in which the cases name them; one that says what another says is left out. */
export function listVarying(cases: readonly CaseResult[]): readonly string[] {
  const names = [...new Set(cases.flatMap(({ parameters }) => Object.keys(parameters)))];
  const varying = names.filter((name) => name !== "suite" && listValues(cases, name).length > 1);
  // Sizes may follow from another parameter, and are wanted beside it.
  const hides = (other: string, name: string): boolean =>
    other !== "sizeBytes" && name !== "sizeBytes" && isSame(cases, other, name);
  return varying.filter((name, i) => !varying.slice(0, i).some((other) => hides(other, name)));
}

/** Whether two parameters always change together. */
function isSame(cases: readonly CaseResult[], a: string, b: string): boolean {
  const pairs = new Set(cases.map(({ parameters }) => JSON.stringify([parameters[a], parameters[b]])));
  const counts = [a, b].map((name) => new Set(cases.map(({ parameters }) => parameters[name])).size);
  return counts.every((count) => count === pairs.size);
}

/** A fact that is a number. */
export function readFact({ facts }: CaseResult, name: string): number | undefined {
  const value = facts[name];
  return typeof value === "number" ? value : undefined;
}
