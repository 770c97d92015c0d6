import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { suite, test } from "node:test";
import fc from "fast-check";
import { createEngine } from "../src/engine.ts";
import { widen } from "../src/text.ts";
import { flipsOf, noise } from "./support/contents.ts";
import { compress, encode, kernel } from "./support/kernel.ts";

const MAX_BYTES = 1024 * 1024;

const engine = createEngine();
assert.ok(engine);
const memory = Buffer.from(engine.memory.buffer);

/** The same in every release of Node, also where readText() leaves it to the engine. */
function assertWidened(bytes: Uint8Array, expected: string): void {
  assert.ok(engine);
  memory.set(bytes, engine.CONTENT_START.value);
  const largest = bytes.reduce((found, byte) => Math.max(found, byte), 0);
  assert.equal(engine.findLargestByte(engine.CONTENT_START.value, bytes.length), largest);
  const text = widen(engine, memory, engine.CONTENT_START.value, bytes.length, largest, engine.PAYLOAD_START.value);
  assert.equal(text, isUtf8(bytes) ? expected : undefined);
}

/** As it comes from a stored frame, and from one that was decompressed. */
function assertRead(bytes: Uint8Array): void {
  const expected = Buffer.from(bytes).toString("utf8");
  if (2 * bytes.length <= MAX_BYTES) assertWidened(bytes, expected);
  kernel.putFrame(encode("encodeStored", bytes));
  assert.equal(kernel.decodeFrame(MAX_BYTES), bytes.length);
  assert.equal(kernel.readText(), expected);
  assert.equal(kernel.readText(), expected);
  const block = compress(bytes, MAX_BYTES);
  assert.ok(kernel.decompress(block, bytes.length));
  assert.equal(kernel.readText(), expected);
  const content = Buffer.alloc(bytes.length);
  kernel.copyContent(content, 0);
  assert.ok(content.equals(bytes));
}

suite("readText()", () => {
  test("reads text of every length, with a character beyond ASCII at every place", () => {
    for (let size = 0; size <= 70; size++) {
      assertRead(Buffer.alloc(size, "tightwire"));
      for (let at = 0; at < size; at += 1 + (size >> 3)) {
        for (const character of ["é", "ÿ", "Ā", "値", "\uffff", "🂡", "\u{10ffff}"]) {
          assertRead(Buffer.from(`${"a".repeat(at)}${character}${"b".repeat(size - at)}`));
        }
      }
    }
  });

  test("reads every character", () => {
    for (let start = 0; start < 0x110000; start += 0x4000) {
      const points = Array.from({ length: 0x4000 }, (_, index) => start + index).filter((point) => point >> 11 !== 0x1b);
      if (points.length > 0) assertRead(Buffer.from(points.map((point) => String.fromCodePoint(point)).join("")));
    }
  });

  test("reads any text", () => {
    for (const unit of ["grapheme", "binary", "binary-ascii"] as const) {
      fc.assert(fc.property(fc.string({ unit, maxLength: 200 }), (text) => assertRead(Buffer.from(text))));
    }
  });

  test("reads what is no UTF-8 as the engine does", () => {
    const cases = [
      "80",
      "bf",
      "c0",
      "c080",
      "c1bf",
      "c2",
      "c27f",
      "c2c2",
      "c3",
      "c328",
      "df",
      "e0",
      "e08080",
      "e09fbf",
      "eda080",
    ];
    const more = [
      "edbfbf",
      "efbfbf",
      "e28a",
      "f0",
      "f08080",
      "f0808080",
      "f08fbfbf",
      "f4908080",
      "f5808080",
      "f88888",
      "fe",
      "ff",
    ];
    for (const hex of [...cases, ...more]) {
      const bytes = Buffer.from(hex, "hex");
      assertRead(bytes);
      for (const before of [1, 13, 15, 16, 17, 40]) {
        assertRead(Buffer.concat([Buffer.alloc(before, "a"), bytes]));
        assertRead(Buffer.concat([Buffer.alloc(before, "é"), bytes, Buffer.alloc(before, "b")]));
      }
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => assertRead(bytes)));
    for (const damaged of flipsOf(Buffer.from("aé値🂡b"))) assertRead(damaged);
    assertRead(noise(5000));
  });

  test("does not finish a cut character with bytes that an earlier value left", () => {
    for (const text of ["naïve é", "値", "🂡"]) {
      const bytes = Buffer.from(text);
      for (let size = 0; size < bytes.length; size++) {
        assertRead(bytes);
        assertRead(bytes.subarray(0, size));
      }
    }
  });

  test("reads text up to the limit, also where there is no room to widen it", () => {
    for (const size of [MAX_BYTES / 2 - 2, MAX_BYTES / 2, MAX_BYTES / 2 + 2, MAX_BYTES - 5000]) {
      for (const unit of ["ab", "é"]) assertRead(Buffer.alloc(size, unit));
      assertRead(Buffer.from("値".repeat(Math.floor(size / 3))));
    }
  });
});
