import { suite } from "node:test";
import { type HeldTraits, type ReadingSettings, readUnframed } from "../src/reading.ts";
import { combine, type DecisionLine, testDecisions } from "./support/decisions.ts";

type Case = HeldTraits & ReadingSettings;
const BOOLEANS = [true, false];

// In the order of the design, one line per rule; the first that holds decides.
suite("readUnframed()", () => {
  const lines: readonly DecisionLine<Case, string>[] = [
    ["a frame but for its magic", (one) => one.damaged, "damaged"],
    ["no frame, where only frames may be", (one) => one.unframed === "reject", "reject"],
    ["no frame, for a reader of bytes or text", (one) => !one.typed, "raw"],
    ["a number, and numbers are raw", (one) => one.number && one.numbers === "raw", "number"],
    ["no frame, where such values are deserialized", (one) => one.unframed === "deserialize", "deserialize"],
    ["anything else", () => true, "raw"],
  ];
  const cases = combine<Case>({
    damaged: BOOLEANS,
    number: BOOLEANS,
    typed: BOOLEANS,
    numbers: ["raw", "framed"],
    unframed: ["accept", "deserialize", "reject"],
  });
  testDecisions(cases, lines, (one) => readUnframed(one, one));
});
