import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { UnframedMode } from "../src/options.ts";
import { type Reading, readValue } from "../src/reading.ts";

interface Case {
  readonly framed: boolean;
  readonly damaged: boolean;
  readonly unframed: UnframedMode;
}

// The order of the design, one line per rule; the first that holds decides.
const RULES: readonly (readonly [name: string, holds: (one: Case) => boolean, outcome: Reading])[] = [
  ["begins with the magic", (one) => one.framed, "decode"],
  ["a frame but for its magic", (one) => one.damaged, "damaged"],
  ["no frame, where only frames may be", (one) => one.unframed === "reject", "reject"],
  ["anything else", () => true, "raw"],
];

const BOOLEANS = [true, false];
const CASES: readonly Case[] = BOOLEANS.flatMap((framed) =>
  BOOLEANS.flatMap((damaged) => (["accept", "reject"] as const).map((unframed) => ({ framed, damaged, unframed }))),
);

suite("readValue()", () => {
  for (const [i, [name, holds, outcome]] of RULES.entries()) {
    const decided = CASES.filter((one) => RULES.findIndex((rule) => rule[1](one)) === i);
    test(`${name}: ${outcome}, in ${decided.length} combinations`, () => {
      assert.ok(decided.length > 0);
      for (const one of decided) {
        assert.ok(holds(one));
        assert.equal(readValue(one, one), outcome, JSON.stringify(one));
      }
    });
  }
});
