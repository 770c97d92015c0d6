import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { suite, test } from "node:test";
import { loadKernel } from "@tightwire/kernel";
import fc from "fast-check";
import { brotli, createValueCodec, defineCompressor, deflate, lz4, stored, type ValueCodec, zstd } from "../src/index.ts";
import { textEncoderFor } from "../src/kernel-codec.ts";
import { assertCode } from "./support/frames.ts";
import { outcomeOf } from "./support/outcomes.ts";
import { texts } from "./support/texts.ts";

const mirror = defineCompressor({
  id: 16,
  name: "mirror",
  compress: (content) => Buffer.from(content).reverse().subarray(0, content.length),
  decompress: (payload) => Buffer.from(payload).reverse(),
});
const COMPRESSORS = [stored(), brotli(), deflate(), lz4(), zstd(), zstd({ level: 7 }), mirror];

// Texts of more UTF-16 code units may be too long for the kernel.
const MAX_KERNEL_UNITS = 349_525;

function targetFor(room: number): Buffer {
  return Buffer.alloc(room, 0xee);
}

function assertSame(codec: ValueCodec, text: string, offset = 3): void {
  const room = Buffer.byteLength(text) + 30;
  const [actual, expected] = [targetFor(room), targetFor(room)];
  const size = codec.encodeTextInto(text, actual, offset);
  assert.equal(size, codec.encodeInto(Buffer.from(text), expected, offset));
  assert.ok(actual.subarray(0, offset + size).equals(expected.subarray(0, offset + size)));
  assert.ok(actual.subarray(offset + 18 + Buffer.byteLength(text)).every((byte) => byte === 0xee));
}

suite("encodeTextInto()", () => {
  for (const compressor of COMPRESSORS) {
    for (const frameVersion of [1, 2] as const) {
      test(`writes what encodeInto() writes of the bytes: ${compressor.name} ${JSON.stringify(compressor.options)}, version ${frameVersion}`, () => {
        const codec = createValueCodec({ compressor, frameVersion, minCompressBytes: 20 });
        fc.assert(
          fc.property(texts, fc.nat(12), (text, offset) => assertSame(codec, text, offset)),
          { numRuns: 60 },
        );
      });
    }
  }

  test("is the same at the bounds of the kernel", () => {
    for (const compressor of [stored(), lz4(), zstd()]) {
      const codec = createValueCodec({ compressor });
      for (const units of [MAX_KERNEL_UNITS - 1, MAX_KERNEL_UNITS, MAX_KERNEL_UNITS + 1, 2 ** 20, 2 ** 20 + 1]) {
        for (const unit of ["x", "é", "語"]) assertSame(codec, unit.repeat(units));
      }
    }
  });

  test("is the same for incompressible text, which is stored", () => {
    const text = Array.from({ length: 3_000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000))).join("");
    for (const compressor of COMPRESSORS) assertSame(createValueCodec({ compressor }), text.slice(0, 600));
  });

  test("takes every length after every other", () => {
    const codec = createValueCodec({ compressor: zstd(), minCompressBytes: 0 });
    for (let length = 300; length >= 0; length -= 7) assertSame(codec, "abc".repeat(length));
    for (let length = 0; length < 300; length++) assertSame(codec, "z".repeat(length));
  });

  test("begins at 0 unless asked", () => {
    const target = Buffer.alloc(100);
    const size = createValueCodec().encodeTextInto("abc", target);
    assert.equal(target.toString("hex", 0, size), "5256430002000300000050392f89945faf78616263");
  });

  test("throws TypeError for what is no string", () => {
    for (const text of [undefined, null, 5, Buffer.from("abc"), new String("abc"), ["abc"], Symbol("abc")]) {
      assert.throws(() => createValueCodec().encodeTextInto(text as never, Buffer.alloc(100)), TypeError);
    }
  });

  test("refuses targets and offsets as encodeInto() does, and leaves the target as it was", () => {
    const detached = new Uint8Array(100);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    const targets = [
      undefined,
      null,
      "text",
      [],
      new ArrayBuffer(100),
      new Uint16Array(50),
      detached,
      ...[0, 17, 18, 100, 1_020].map(targetFor),
    ];
    for (const compressor of COMPRESSORS) {
      const codec = createValueCodec({ compressor, maxContentBytes: 1_500 });
      for (const text of ["", "é", "x".repeat(1_000), "語".repeat(500), "語".repeat(501)]) {
        for (const target of targets) {
          for (const offset of [0, 1, 3, 0.5, -1, 101, Number.NaN, "1", null, 1n]) {
            const expected = outcomeOf(() => codec.encodeInto(Buffer.from(text), target as never, offset as never));
            assert.deepEqual(
              outcomeOf(() => codec.encodeTextInto(text, target as never, offset as never)),
              expected,
            );
          }
        }
      }
    }
    const target = targetFor(1_017);
    assert.throws(() => createValueCodec().encodeTextInto("x".repeat(1_000), target), RangeError);
    assert.ok(target.every((byte) => byte === 0xee));
  });

  test("refuses text over the limit in bytes, however long its target is", () => {
    for (const compressor of COMPRESSORS) {
      const codec = createValueCodec({ compressor, maxContentBytes: 400_000 });
      for (const text of ["é".repeat(200_001), "x".repeat(400_001)]) {
        const facts = { contentSize: Buffer.byteLength(text), limit: 400_000 };
        assertCode(() => codec.encodeTextInto(text, Buffer.alloc(5)), "CODEC_SIZE_LIMIT", facts);
      }
    }
  });

  test("writes into shared memory, and into targets that use the codec when they are asked for their length", () => {
    const other = createValueCodec({ compressor: stored() });
    class Nesting extends Uint8Array {
      override get length(): number {
        other.encode(Buffer.alloc(200, "secret"));
        return super.length;
      }
    }
    for (const compressor of COMPRESSORS) {
      const codec = createValueCodec({ compressor, minCompressBytes: 0 });
      for (const text of ["", "record ".repeat(4), "record ".repeat(400)]) {
        const expected = codec.encode(Buffer.from(text));
        for (const target of [new Uint8Array(new SharedArrayBuffer(4_000)), new Nesting(4_000)]) {
          const size = codec.encodeTextInto(text, target, 7);
          assert.ok(Buffer.from(new Uint8Array(target.buffer, 7, size)).equals(expected));
        }
      }
    }
  });

  test("is the same while a listener of async_hooks uses the codec", () => {
    const other = createValueCodec({ compressor: stored() });
    const hook = createHook({ init: () => void other.encode(Buffer.alloc(200, "secret")) });
    hook.enable();
    try {
      for (const compressor of COMPRESSORS)
        assertSame(createValueCodec({ compressor, minCompressBytes: 0 }), "record ".repeat(30));
    } finally {
      hook.disable();
    }
  });
});

const isOff = process.env["TIGHTWIRE_KERNEL"] === "off";
const skip = isOff ? "TIGHTWIRE_KERNEL is off" : loadKernel() === undefined && "this process cannot run the kernel";

suite("textEncoderFor()", { skip }, () => {
  const settingsOf = (compressor = stored(), frameVersion: 1 | 2 = 2) => ({
    compressor,
    frameVersion,
    minCompressBytes: 1,
    maxContentBytes: 2 ** 23,
    registry: [],
  });

  test("gives the kernel to compressors that are one call or none", () => {
    for (const compressor of [stored(), lz4()]) assert.ok(textEncoderFor(settingsOf(compressor), "text") !== undefined);
  });

  test("gives none for version 1, and to compressors that make objects of Node's or are not ours", () => {
    for (const compressor of [brotli(), deflate(), mirror])
      assert.equal(textEncoderFor(settingsOf(compressor), "text"), undefined);
    assert.equal(textEncoderFor(settingsOf(lz4(), 1), "text"), undefined);
  });
});
