import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { FrameMode, NumberMode } from "../src/options.ts";
import { type Placement, placeValue } from "../src/placement.ts";

interface Case {
  readonly reserved: boolean;
  readonly number: boolean;
  readonly size: number;
  readonly frame: FrameMode;
  readonly numbers: NumberMode;
  readonly minFrameBytes: number;
}

// The order of the design, one line per rule; the first that holds decides.
const RULES: readonly (readonly [name: string, holds: (one: Case) => boolean, outcome: Placement])[] = [
  ["begins like a frame", (one) => one.reserved, "framed"],
  ["frames are switched off", (one) => one.frame === "never", "raw"],
  ["a number, and numbers are raw", (one) => one.number && one.numbers === "raw", "raw"],
  ["shorter than minFrameBytes", (one) => one.size < one.minFrameBytes, "raw"],
  ["only a smaller frame will do", (one) => one.frame === "when-smaller", "smaller"],
  ["anything else", () => true, "framed"],
];

const BOOLEANS = [true, false];
const CASES: readonly Case[] = BOOLEANS.flatMap((reserved) =>
  BOOLEANS.flatMap((number) =>
    (["always", "when-smaller", "never"] as const).flatMap((frame) =>
      (["raw", "framed"] as const).flatMap((numbers) =>
        [0, 1, 64, 65, 66].flatMap((size) =>
          [0, 1, 65].map((minFrameBytes) => ({ reserved, number, size, frame, numbers, minFrameBytes })),
        ),
      ),
    ),
  ),
);

suite("placeValue()", () => {
  for (const [i, [name, holds, outcome]] of RULES.entries()) {
    const decided = CASES.filter((one) => RULES.findIndex((rule) => rule[1](one)) === i);
    test(`${name}: ${outcome}, in ${decided.length} combinations`, () => {
      assert.ok(decided.length > 0);
      for (const one of decided) {
        assert.ok(holds(one));
        assert.equal(placeValue(one, one), outcome, JSON.stringify(one));
      }
    });
  }
});
