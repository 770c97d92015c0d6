import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { createEngine, type Engine } from "../src/engine.ts";
import { createRandom, flipsOf, noise, patchwork, records } from "./support/contents.ts";
import { compress, decompress, kernel } from "./support/kernel.ts";
import { compressWithPackage, decompressPlainly, decompressWithPackage, findLastMatch } from "./support/oracles.ts";

const MAX_BYTES = 1024 * 1024;
// As assembly/layout.ts has them.
const HEADER_BYTES = 18;
const SLACK_BYTES = 32;
const TABLE_START = 16 * 1024;

// 32 × "A", made by another implementation: one literal, a match of 26 at distance 1, five literals.
const BLOCK = Buffer.from("1f41010007504141414141", "hex");

/** Both ways and against lz4-napi. */
function assertExchanged(content: Buffer): void {
  const block = compress(content);
  assert.ok(block.length > 0);
  assert.ok(decompress(block, content.length)?.equals(content), `own block of ${content.length} bytes`);
  assert.ok(decompressWithPackage(block, content.length)?.equals(content), `own block of ${content.length} bytes, lz4-napi`);
  const theirs = compressWithPackage(content);
  if (theirs.length <= MAX_BYTES) assert.ok(decompress(theirs, content.length)?.equals(content), "block of lz4-napi");
}

/** The same verdict, and the same bytes, as the plain reader and lz4-napi. */
function assertJudged(block: Buffer, contentSize: number): boolean {
  const expected = decompressPlainly(block, contentSize);
  const theirs = decompressWithPackage(block, contentSize);
  const content = decompress(block, contentSize);
  const what = (): string => `${block.toString("hex")} for ${contentSize} bytes`;
  assert.deepEqual(content, expected, what());
  if (contentSize > 0) assert.deepEqual(theirs, expected, what());
  return expected !== undefined;
}

const sequence = (literals: Buffer, distance: number, match: number): Buffer => {
  const extra = (length: number): number[] =>
    length < 15 ? [] : [...Array(Math.floor((length - 15) / 255)).fill(255), (length - 15) % 255];
  const token = (Math.min(literals.length, 15) << 4) | Math.min(match - 4, 15);
  return Buffer.from([token, ...extra(literals.length), ...literals, distance & 255, distance >> 8, ...extra(match - 4)]);
};

/** Runs `step` in an engine of its own, and tells whether it changed any byte outside `size` bytes at `start` and their slack. */
function staysWithin(engine: Engine, start: number, size: number, step: () => void): boolean {
  const memory = Buffer.from(engine.memory.buffer);
  const before = Buffer.from(memory);
  step();
  const end = start + size + SLACK_BYTES;
  const tableEnd = engine.CONTENT_START.value - HEADER_BYTES;
  before.copy(memory, start, start, end);
  before.copy(memory, TABLE_START, TABLE_START, tableEnd);
  return memory.equals(before);
}

suite("compress()", () => {
  test("exchanges every length up to 300 of all kinds of content with lz4-napi", () => {
    for (let size = 1; size <= 300; size++) {
      for (const make of [records, noise, patchwork, Buffer.alloc]) assertExchanged(make(size));
    }
  });

  test("exchanges large content of all kinds with lz4-napi", () => {
    for (const size of [1024, 4096, 16_384, 65_535, 65_536, 65_537, 66_000, 200_000, MAX_BYTES]) {
      for (const make of [records, patchwork, Buffer.alloc]) assertExchanged(make(size));
      if (size < MAX_BYTES) assertExchanged(noise(size));
    }
  });

  test("exchanges any bytes of a small alphabet with lz4-napi", () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 500 });
    fc.assert(fc.property(bytes, (values) => assertExchanged(Buffer.from(values))));
  });

  test("writes the empty block for empty content", () => {
    assert.deepEqual(compress(Buffer.alloc(0)), Buffer.from([0]));
  });

  test("refers to 65,535 bytes before, and no further", () => {
    for (const gap of [65_500, 65_534, 65_535, 65_536, 66_000]) {
      const twice = noise(200, 7);
      const content = Buffer.concat([twice, Buffer.alloc(gap - 200), twice]);
      const block = compress(content);
      assert.ok(decompressPlainly(block, content.length)?.equals(content));
      // 200 literals, 257 bytes of length; and 200 more if the second time is not found.
      assert.equal(block.length < 550, gap <= 65_535, `${gap}: ${block.length}`);
    }
  });

  test("keeps the rules for the end of a block", () => {
    let matches = 0;
    for (let size = 0; size < 400; size++) {
      for (const content of [Buffer.alloc(size, "ab"), records(size), patchwork(size, size + 1)]) {
        const last = findLastMatch(compress(content));
        if (last === undefined) continue;
        assert.ok(last.literalsBehind >= 5 && size - last.start >= 12, `${size} bytes`);
        matches++;
      }
    }
    assert.ok(matches > 700, `${matches}`);
    assert.equal(compress(Buffer.alloc(12, "a")).length, 13);
    assert.ok(compress(Buffer.alloc(13, "a")).length < 13);
  });

  test("writes exactly within the capacity or nothing", () => {
    for (const content of [records(40), records(3000), noise(20), noise(600), patchwork(2000)]) {
      const whole = compress(content);
      assert.deepEqual(compress(content, whole.length), whole);
      for (let capacity = 0; capacity < whole.length; capacity += 1 + (capacity >> 4)) {
        assert.equal(compress(content, capacity).length, 0);
      }
      assert.equal(compress(content, whole.length - 1).length, 0);
    }
  });

  test("writes nowhere but within the capacity and its slack", () => {
    const engine = createEngine();
    assert.ok(engine);
    const content = engine.CONTENT_START.value;
    const payload = engine.PAYLOAD_START.value;
    for (const bytes of [records(3000), noise(3000), patchwork(3000)]) {
      Buffer.from(engine.memory.buffer).set(bytes, content);
      for (const capacity of [0, 1, 20, 60, 1500, 2999, 3100]) {
        const step = (): void => void engine.compressBlock(content, bytes.length, payload, capacity);
        assert.ok(staysWithin(engine, payload, capacity, step), `${capacity}`);
      }
    }
  });

  test("gives the same block whatever was compressed before", () => {
    const first = compress(patchwork(5000));
    for (const other of [noise(5000), records(100_000), patchwork(4999, 2), Buffer.alloc(0)]) {
      compress(other);
      assert.deepEqual(compress(patchwork(5000)), first);
    }
  });

  test("gives the same block after more content than positions can count", () => {
    const content = patchwork(3000);
    const first = compress(content);
    // 2 ** 30 positions, at which the table is cleared.
    kernel.putContent(Buffer.alloc(MAX_BYTES));
    for (let round = 0; round < 1030; round++) kernel.compress(MAX_BYTES);
    assert.deepEqual(compress(content), first);
  });

  test("refuses content and capacity over the limit", () => {
    assert.throws(() => kernel.putContent(Buffer.alloc(MAX_BYTES + 1)), RangeError);
    for (const capacity of [-1, MAX_BYTES + 1, Number.NaN]) assert.throws(() => kernel.compress(capacity), RangeError);
  });
});

suite("decompress()", () => {
  test("reads the published vector, for its content size alone", () => {
    assert.equal(decompress(BLOCK, 32)?.toString(), "A".repeat(32));
    for (let size = 0; size < 300; size++) if (size !== 32) assert.equal(decompress(BLOCK, size), undefined);
  });

  test("repeats at every distance, for matches of every length", () => {
    for (let distance = 1; distance <= 70; distance++) {
      for (const match of [4, 5, 15, 16, 17, 18, 19, 20, 31, 33, 64, 273, 511, 512, 513, 1200]) {
        const block = Buffer.concat([sequence(noise(distance, distance), distance, match), Buffer.from("5048656c6c6f", "hex")]);
        assert.ok(assertJudged(block, distance + match + 5), `${distance} ${match}`);
      }
    }
  });

  test("repeats from 65,535 bytes before", () => {
    const block = Buffer.concat([sequence(noise(65_535), 65_535, 700), Buffer.from([0])]);
    assert.ok(decompress(block, 66_235)?.equals(decompressPlainly(block, 66_235) ?? Buffer.alloc(0)));
  });

  test("refuses distances of zero and beyond the beginning", () => {
    for (const [distance, isRight] of [
      [0, false],
      [1, true],
      [3, true],
      [4, false],
      [255, false],
      [65_535, false],
    ] as const) {
      const block = Buffer.concat([sequence(Buffer.from("abc"), distance, 4), Buffer.from("5048656c6c6f", "hex")]);
      assert.equal(assertJudged(block, 12), isRight, `${distance}`);
    }
  });

  test("refuses what ends within a length, literals, a distance, or behind a match", () => {
    const blocks = [
      "",
      "f0",
      "f0ff",
      "f0ffff",
      "10",
      "2041",
      "1041",
      "104101",
      "10410100",
      "1f410100",
      "1f4101000f",
      "1f410100ff",
    ];
    for (const block of blocks) {
      for (let size = 0; size < 40; size++) assertJudged(Buffer.from(block, "hex"), size);
    }
  });

  test("refuses lengths that are longer than anything", () => {
    for (const token of [0xf0, 0x1f]) {
      const block = Buffer.concat([Buffer.from([token, 0x41, 1, 0]), Buffer.alloc(1_000_000, 255), Buffer.from([1])]);
      assert.equal(decompress(block, 1000), undefined);
      assert.equal(decompress(block, MAX_BYTES), undefined);
    }
  });

  test("refuses or restores every truncation and every flipped bit, as lz4-napi does", () => {
    for (const content of [records(150), patchwork(400), patchwork(700, 9), Buffer.alloc(90, 1)]) {
      const block = compress(content);
      for (let size = 0; size < block.length; size++) assert.equal(assertJudged(block.subarray(0, size), content.length), false);
      for (const damaged of flipsOf(block)) assertJudged(damaged, content.length);
      assert.equal(assertJudged(Buffer.concat([block, Buffer.from([0])]), content.length), false);
    }
  });

  test("judges mutated blocks as lz4-napi does", () => {
    const next = createRandom(11);
    const verdicts = { sound: 0, refused: 0 };
    for (let round = 0; round < 3000; round++) {
      const content = patchwork(1 + (next() % 300), next());
      const block = compress(content);
      for (let change = next() % 4; change >= 0; change--) block[next() % block.length] = next() % 3 === 0 ? 255 : next();
      const size = next() % 2 === 0 ? content.length : Math.max(1, content.length + (next() % 21) - 10);
      verdicts[assertJudged(block, size) ? "sound" : "refused"]++;
    }
    assert.ok(verdicts.sound > 50 && verdicts.refused > 50, JSON.stringify(verdicts));
  });

  test("judges noise as lz4-napi does", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 200 }), (bytes, size) => {
        assertJudged(Buffer.from(bytes), size);
      }),
    );
  });

  test("writes nowhere but within the content and its slack, whatever the block", () => {
    const engine = createEngine();
    assert.ok(engine);
    const content = engine.CONTENT_START.value;
    const payload = engine.PAYLOAD_START.value;
    const next = createRandom(5);
    for (let round = 0; round < 300; round++) {
      const block = compress(patchwork(300 + (next() % 2000), next()));
      for (let change = next() % 6; change > 0; change--) block[next() % block.length] = next() % 2 === 0 ? 255 : next();
      Buffer.from(engine.memory.buffer).set(block, payload);
      const size = next() % 2500;
      const step = (): void => void engine.decompressBlock(payload, block.length, content, size);
      assert.ok(staysWithin(engine, content, size, step), `${block.toString("hex")} for ${size} bytes`);
    }
  });

  test("leaves no content to be copied after a refusal", () => {
    assert.ok(decompress(BLOCK, 32));
    assert.equal(decompress(BLOCK, 31), undefined);
    assert.equal(kernel.copyContent(Buffer.alloc(0), 0), 0);
    assert.equal(kernel.readText(), "");
  });

  test("refuses payload and content over the limit", () => {
    assert.throws(() => kernel.decompress(Buffer.alloc(MAX_BYTES + 1), 5), RangeError);
    for (const size of [-1, MAX_BYTES + 1, Number.NaN]) assert.throws(() => kernel.decompress(BLOCK, size), RangeError);
  });
});
