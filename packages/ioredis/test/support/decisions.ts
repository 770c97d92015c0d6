import assert from "node:assert/strict";
import { test } from "node:test";

/** One line of a decision table: what it is about, when it holds, and what then is decided. */
export type DecisionLine<T, O> = readonly [name: string, holds: (one: T) => boolean, outcome: O];

/** Every combination of the choices. */
export function combine<T>(choices: Record<keyof T, readonly unknown[]>): T[] {
  let combined: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries<readonly unknown[]>(choices)) {
    combined = combined.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  }
  return combined as T[];
}

/** A test for each line: every combination that it is the first to hold for is decided as it says. */
export function testDecisions<T, O>(cases: readonly T[], lines: readonly DecisionLine<T, O>[], decide: (one: T) => O): void {
  for (const [i, [name, , outcome]] of lines.entries()) {
    const decided = cases.filter((one) => lines.findIndex(([, holds]) => holds(one)) === i);
    test(`${name}: ${String(outcome)}, in ${decided.length} combinations`, () => {
      assert.ok(decided.length > 0);
      for (const one of decided) assert.equal(decide(one), outcome, JSON.stringify(one));
    });
  }
}
