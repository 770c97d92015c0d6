import type { CaseResult } from "../results.ts";

type Value = string | number;

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

/** Parameters that tell these cases apart, in the order in which the cases name them; the suite's own name is none. */
export function listVarying(cases: readonly CaseResult[]): readonly string[] {
  const names = [...new Set(cases.flatMap(({ parameters }) => Object.keys(parameters)))];
  return names.filter((name) => name !== "suite" && listValues(cases, name).length > 1);
}

/** A fact that is a number. */
export function readFact({ facts }: CaseResult, name: string): number | undefined {
  const value = facts[name];
  return typeof value === "number" ? value : undefined;
}
