import { suite } from "node:test";
import {
  type ContentTraits,
  type PlacementSettings,
  placeContent,
  placeSerialized,
  placeTyped,
  type TypedTraits,
} from "../src/placement.ts";
import { combine, type DecisionLine, testDecisions } from "./support/decisions.ts";

const SETTINGS: Record<keyof PlacementSettings, readonly unknown[]> = {
  frame: ["always", "when-smaller", "never"],
  numbers: ["raw", "framed"],
  minFrameBytes: [0, 1, 65],
  unframed: ["accept", "deserialize", "reject"],
};
const SIZES = [0, 1, 64, 65, 66];
const BOOLEANS = [true, false];

type Content = ContentTraits & PlacementSettings;
type Typed = TypedTraits & PlacementSettings;

// In the order of the design, one line per rule; the first that holds decides.
suite("placeContent()", () => {
  const lines: readonly DecisionLine<Content, string>[] = [
    ["begins like a frame", (one) => one.reserved, "framed"],
    ["frames are switched off", (one) => one.frame === "never", "raw"],
    ["a number, and numbers are raw", (one) => one.number && one.numbers === "raw", "raw"],
    ["shorter than minFrameBytes", (one) => one.size < one.minFrameBytes, "raw"],
    ["only a smaller frame will do", (one) => one.frame === "when-smaller", "smaller"],
    ["anything else", () => true, "framed"],
  ];
  const cases = combine<Content>({ ...SETTINGS, reserved: BOOLEANS, number: BOOLEANS, size: SIZES });
  testDecisions(cases, lines, (one) => placeContent(one, one));
});

suite("placeTyped()", () => {
  const lines: readonly DecisionLine<Typed, string>[] = [
    ["begins like a frame", (one) => one.reserved, "serialized"],
    ["a number, and numbers are raw", (one) => one.number && one.numbers === "raw", "raw"],
    [
      "short text, where what is no frame is returned as it is",
      (one) => one.text && one.unframed === "accept" && one.size < one.minFrameBytes,
      "raw",
    ],
    ["anything else", () => true, "serialized"],
  ];
  const cases = combine<Typed>({ ...SETTINGS, reserved: BOOLEANS, number: BOOLEANS, text: BOOLEANS, size: SIZES });
  testDecisions(cases, lines, (one) => placeTyped(one, one));
});

suite("placeSerialized()", () => {
  const lines: readonly DecisionLine<Content, string>[] = [
    ["begins like a frame", (one) => one.reserved, "framed"],
    ["would be read as a number", (one) => one.number && one.numbers === "raw", "framed"],
    ["frames are switched off", (one) => one.frame === "never", "raw"],
    ["anything else", () => true, "framed"],
  ];
  const cases = combine<Content>({ ...SETTINGS, reserved: BOOLEANS, number: BOOLEANS, size: SIZES });
  testDecisions(cases, lines, (one) => placeSerialized(one, one));
});
