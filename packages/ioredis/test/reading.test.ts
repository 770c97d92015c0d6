import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createValueCodec } from "@tightwire/codec-core";
import { claimedSize, contentSizeOf, type HeldTraits, type ReadingSettings, readUnframed } from "../src/reading.ts";
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

suite("contentSizeOf() and claimedSize()", () => {
  const frame = createValueCodec().encode(Buffer.alloc(70_000, "a"));

  test("read the content size of a frame, wherever it begins", () => {
    assert.equal(contentSizeOf(frame), 70_000);
    assert.equal(contentSizeOf(Buffer.concat([Buffer.alloc(5), frame]), 5), 70_000);
    assert.equal(claimedSize(frame), 70_000);
  });

  test("take what is no frame, or a cut header, for nothing that decompresses", () => {
    assert.equal(claimedSize(Buffer.from("plain")), 0);
    assert.equal(claimedSize(Buffer.alloc(0)), 0);
    assert.equal(claimedSize(frame.subarray(0, 17)), 0);
    assert.equal(claimedSize(Buffer.alloc(100)), 0);
  });
});
