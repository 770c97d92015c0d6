// Published types speak of Buffer: TypeScript 7 includes no types by itself.
/// <reference types="node" preserve="true" />

import assert from "node:assert/strict";
import { overlaps } from "./bytes.ts";
import { type Compressor, DOES_NOT_FIT, isCompressor } from "./compressor.ts";
import { type CodecErrorCode, isCodecError } from "./errors.ts";
import { createValueCodec } from "./value-codec.ts";

/** Options of {@link testCompressor}. */
export interface ConformanceOptions {
  /** What to test. */
  readonly compressor: Compressor;
  /** Declares one test: `test` of node:test, or that of another runner. */
  readonly test: (title: string, run: () => void) => unknown;
}

/**
 * Declares the tests that every compressor must pass: about a second of work each.
 *
 * @example
 * import { suite, test } from "node:test";
 * import { zstd } from "@tightwire/codec-core";
 * import { testCompressor } from "@tightwire/codec-core/testing";
 *
 * suite("zstd of level 19", () => testCompressor({ compressor: zstd({ level: 19 }), test }));
 */
export function testCompressor({ compressor, test }: ConformanceOptions): void {
  for (const [title, check] of CHECKS) test(title, () => check(compressor));
}

const CHECKS: readonly (readonly [title: string, check: (compressor: Compressor) => void])[] = [
  ["has a codec id, a name and frozen options", checkIdentity],
  ["makes repeating content smaller", checkGain],
  ["restores content of every size and kind", checkRoundTrip],
  ["stays inside the bytes that it is given", checkBounds],
  ["says so if a payload does not fit", checkFit],
  ["leaves its input as it is", checkInput],
  ["returns memory that is the caller's", checkOwnership],
  ["refuses a content size that is not the payload's", checkContentSize],
  ["refuses a payload that was cut", checkCuts],
  ["refuses bytes behind a payload", checkTrailing],
  ["answers damage with a CodecError or with content of the right size", checkDamage],
  ["works after a failure", checkRecovery],
  ["never gives a wrong value inside a frame", checkFrames],
];

// Around the sizes at which algorithms change their ways: LZ4's last literals, windows, blocks, chunks.
const SIZES = [1, 2, 3, 4, 5, 11, 12, 13, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097].concat([
  32_767, 32_768, 49_999, 50_001, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 1_048_577,
]);

const RECORD = Buffer.from("tenant=demo;type=event;status=active;value=12345;\n");

const KINDS: Readonly<Record<string, (size: number) => Buffer>> = {
  zeros: (size) => Buffer.alloc(size),
  records: (size) => Buffer.alloc(size, RECORD),
  noise: (size) => Buffer.from(Uint8Array.from({ length: size }, createNoise(size))),
  mixed: (size) => Buffer.concat([KINDS["noise"]?.(size >>> 1) ?? Buffer.alloc(0), Buffer.alloc(size - (size >>> 1), RECORD)]),
};

/** Bytes that no compressor makes smaller, the same in every run. */
function createNoise(seed: number): () => number {
  let state = (seed + 1) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  };
}

function checkIdentity(compressor: Compressor): void {
  assert.ok(isCompressor(compressor), "made by defineCompressor() or a factory of this package");
  assert.ok(Number.isInteger(compressor.id) && compressor.id >= 0 && compressor.id <= 255, "codec id");
  assert.equal(typeof compressor.name, "string");
  assert.ok(Object.isFrozen(compressor) && Object.isFrozen(compressor.options), "frozen");
  for (const value of Object.values(compressor.options)) assert.equal(typeof value, "number");
  compressor.load();
  compressor.load();
}

function checkGain(compressor: Compressor): void {
  const content = Buffer.alloc(4096, RECORD);
  assert.ok(compress(compressor, content).length < content.length, "payload of 4096 bytes of records");
}

function checkRoundTrip(compressor: Compressor): void {
  for (const [kind, make] of Object.entries(KINDS)) {
    for (const size of SIZES) {
      const content = make(size);
      const payload = compress(compressor, content);
      assert.ok(compressor.decompress(payload, size).equals(content), `${size} bytes of ${kind}`);
      assert.ok(decompressInto(compressor, payload, size).equals(content), `${size} bytes of ${kind}, into a target`);
    }
  }
}

function checkBounds(compressor: Compressor): void {
  const content = Buffer.alloc(2000, RECORD);
  const around = Buffer.concat([Buffer.alloc(7, "x"), content, Buffer.alloc(9, "y")]);
  const memory = Buffer.alloc(4000, 0xee);
  const payloadSize = compressor.compressInto(around.subarray(7, 2007), memory.subarray(11, 3011));
  const payload = Buffer.from(memory.subarray(11, 11 + payloadSize));
  assert.ok(compressor.decompress(payload, 2000).equals(content), "content");
  assertFilled(memory, 0, 11);
  assertFilled(memory, 3011, 4000);
  memory.fill(0xee);
  compressor.decompressInto(payload, memory.subarray(13, 2013));
  assert.ok(memory.subarray(13, 2013).equals(content), "content");
  assertFilled(memory, 0, 13);
  assertFilled(memory, 2013, 4000);
}

function checkFit(compressor: Compressor): void {
  const content = Buffer.alloc(2000, RECORD);
  const payload = compress(compressor, content);
  const noise = KINDS["noise"]?.(2000) ?? content;
  for (const [source, room] of [
    [content, payload.length - 1],
    [content, 1],
    [noise, 100],
    [noise, 1000],
  ] as const) {
    const memory = Buffer.alloc(room + 64, 0xee);
    assert.equal(compressor.compressInto(source, memory.subarray(32, 32 + room)), DOES_NOT_FIT, `${room} bytes of room`);
    assertFilled(memory, 0, 32);
    assertFilled(memory, 32 + room, room + 64);
  }
}

function checkInput(compressor: Compressor): void {
  const content = Buffer.alloc(2000, RECORD);
  const before = Buffer.from(content);
  const payload = compress(compressor, content);
  assert.ok(content.equals(before), "content");
  const payloadBefore = Buffer.from(payload);
  compressor.decompress(payload, 2000);
  decompressInto(compressor, payload, 2000);
  assert.ok(payload.equals(payloadBefore), "payload");
}

function checkOwnership(compressor: Compressor): void {
  const content = Buffer.alloc(2000, RECORD);
  const payload = compress(compressor, content);
  const first = compressor.decompress(payload, 2000);
  assert.ok(!overlaps(first, payload), "shares no memory with the payload");
  first.fill(0xee);
  assert.ok(compressor.decompress(payload, 2000).equals(content), "unharmed by changes to an earlier result");
  assertFilled(first, 0, 2000);
}

function checkContentSize(compressor: Compressor): void {
  const payload = compress(compressor, Buffer.alloc(2000, RECORD));
  for (const size of [1, 1000, 1999, 2001, 4000, 1_000_000]) assertRefused(compressor, payload, size, `claim of ${size} bytes`);
}

function checkCuts(compressor: Compressor): void {
  const payload = compress(compressor, Buffer.alloc(200, RECORD));
  for (let size = 0; size < payload.length; size++)
    assertRefused(compressor, payload.subarray(0, size), 200, `cut to ${size} bytes`);
}

function checkTrailing(compressor: Compressor): void {
  const payload = compress(compressor, Buffer.alloc(2000, RECORD));
  for (const tail of [Buffer.alloc(1), Buffer.from("junk"), payload]) {
    assertRefused(compressor, Buffer.concat([payload, tail]), 2000, `${tail.length} bytes more`);
  }
}

function checkDamage(compressor: Compressor): void {
  const payload = compress(compressor, Buffer.alloc(300, RECORD));
  forEachFlip(payload, (damaged) => assertRightSizeOrRefused(compressor, damaged, 300));
  for (let size = 1; size < 200; size++) assertRightSizeOrRefused(compressor, KINDS["noise"]?.(size) ?? payload, 300);
}

function checkRecovery(compressor: Compressor): void {
  const content = Buffer.alloc(300, RECORD);
  const payload = compress(compressor, content);
  forEachFlip(payload, (damaged) => {
    assertRightSizeOrRefused(compressor, damaged, 300);
    assert.ok(compressor.decompress(payload, 300).equals(content), "after a damaged payload");
  });
  assert.equal(compressor.compressInto(content, Buffer.alloc(1)), DOES_NOT_FIT);
  assert.ok(compressor.decompress(compress(compressor, content), 300).equals(content), "after a payload that did not fit");
}

function checkFrames(compressor: Compressor): void {
  const content = Buffer.alloc(300, RECORD);
  for (const frameVersion of [1, 2] as const) {
    const codec = createValueCodec({ compressor, frameVersion, minCompressBytes: 0, accept: [compressor] });
    const frame = codec.encode(content);
    assert.equal(frame[5], compressor.id, "compressed");
    assert.ok(codec.decode(frame).equals(content), "content");
    forEachFlip(frame, (damaged) => assertCode(() => codec.decode(damaged)));
    for (let size = 0; size < frame.length; size++) assertCode(() => codec.decode(frame.subarray(0, size)));
  }
}

function compress(compressor: Compressor, content: Buffer): Buffer {
  const room = Buffer.alloc(content.length * 2 + 1024);
  const payloadSize = compressor.compressInto(content, room);
  assert.ok(payloadSize > 0, `payload of ${content.length} bytes in a target of ${room.length}`);
  return Buffer.from(room.subarray(0, payloadSize));
}

function decompressInto(compressor: Compressor, payload: Buffer, contentSize: number): Buffer {
  const target = Buffer.alloc(contentSize, 0xee);
  compressor.decompressInto(payload, target);
  return target;
}

function assertRefused(compressor: Compressor, payload: Buffer, contentSize: number, what: string): void {
  assertCode(() => compressor.decompress(payload, contentSize), what);
  assertCode(() => decompressInto(compressor, payload, contentSize), what);
}

function assertCode(run: () => unknown, what = "accepted"): CodecErrorCode {
  try {
    run();
  } catch (error) {
    if (isCodecError(error)) return error.code;
    throw new assert.AssertionError({ message: `expected a CodecError: ${what}`, actual: error });
  }
  assert.fail(`expected a CodecError: ${what}`);
}

function assertRightSizeOrRefused(compressor: Compressor, payload: Buffer, contentSize: number): void {
  try {
    assert.equal(compressor.decompress(payload, contentSize).length, contentSize);
  } catch (error) {
    assert.ok(isCodecError(error), "expected a CodecError");
  }
}

function assertFilled(memory: Buffer, start: number, end: number): void {
  assert.ok(
    memory.subarray(start, end).every((byte) => byte === 0xee),
    `bytes ${start} to ${end} were written to`,
  );
}

function forEachFlip(bytes: Buffer, visit: (damaged: Buffer) => void): void {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes);
    damaged[bit >>> 3] = (damaged[bit >>> 3] as number) ^ (1 << (bit & 7));
    visit(damaged);
  }
}
