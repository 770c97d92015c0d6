import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { brotli } from "../src/compressors/brotli.ts";
import { deflate } from "../src/compressors/deflate.ts";
import { lz4 } from "../src/compressors/lz4.ts";
import { stored } from "../src/compressors/stored.ts";
import { zstd } from "../src/compressors/zstd.ts";
import { readFrameHeader } from "../src/frame.ts";
import { createValueCodec } from "../src/value-codec.ts";
import { noise, records } from "./support/frames.ts";

const COMPRESSORS = [
  brotli(),
  deflate(),
  lz4(),
  zstd(),
  stored(),
  zstd({ level: -7 }),
  zstd({ level: 12 }),
  deflate({ level: 9 }),
  brotli({ quality: 0 }),
];

const anyCodec = fc
  .record({
    compressor: fc.constantFrom(...COMPRESSORS),
    frameVersion: fc.constantFrom(1 as const, 2 as const),
    minCompressBytes: fc.constantFrom(0, 1, 64, 1024, 100_000),
  })
  .map((options) => createValueCodec(options));

// Repeating, random, and a mixture: few distinct bytes, so that matches of every length and distance occur.
const anyContent = fc.oneof(
  fc.uint8Array({ maxLength: 3000, size: "max" }),
  fc.array(fc.constantFrom(0, 65, 66, 255), { maxLength: 5000, size: "max" }).map((bytes) => Uint8Array.from(bytes)),
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(5000))
    .map(([piece, size]) => new Uint8Array(Buffer.alloc(size, piece))),
);

suite("every codec", () => {
  test("restores any content, in both forms, from views at any offset", () => {
    fc.assert(
      fc.property(anyCodec, anyContent, fc.nat(20), (codec, content, offset) => {
        const memory = Buffer.alloc(offset + content.length);
        memory.set(content, offset);
        const view = memory.subarray(offset);
        const frame = codec.encode(view);
        assert.ok(frame.length <= codec.maxEncodedBytes(content.length));
        assert.ok(codec.decode(frame).equals(content));
        const target = Buffer.alloc(offset + codec.maxEncodedBytes(content.length) + 5, 0xee);
        const frameSize = codec.encodeInto(view, target, offset);
        assert.ok(target.subarray(offset, offset + frameSize).equals(frame));
        const restored = Buffer.alloc(offset + content.length);
        assert.equal(codec.decodeInto(target.subarray(offset, offset + frameSize), restored, offset), content.length);
        assert.ok(restored.subarray(offset).equals(content));
        assert.ok(view.equals(content), "content is unchanged");
      }),
      { numRuns: 1500 },
    );
  });

  test("writes a header that says what is in the frame", () => {
    fc.assert(
      fc.property(anyCodec, anyContent, (codec, content) => {
        const frame = codec.encode(content);
        const header = readFrameHeader(frame);
        assert.equal(header?.version, codec.frameVersion);
        assert.equal(header?.contentSize, content.length);
        assert.equal(header?.payloadSize, frame.length - 18);
        const isStored = header?.codecId === 0;
        assert.ok(isStored ? frame.length === content.length + 18 : frame.length < content.length + 18);
        if (content.length < codec.minCompressBytes) assert.ok(isStored);
      }),
    );
  });

  test("writes equal frames for equal content", () => {
    fc.assert(
      fc.property(anyCodec, anyContent, anyContent, (codec, content, other) => {
        const frame = codec.encode(content);
        codec.encode(other);
        assert.ok(codec.encode(content).equals(frame));
      }),
    );
  });

  test("restores sizes around thresholds and powers of two up to 4 MiB", () => {
    const sizes = [0, 1, 2, 3, 1023, 1024, 1025];
    for (let power = 2; power <= 22; power++) sizes.push(2 ** power - 1, 2 ** power, 2 ** power + 1);
    for (const compressor of [brotli(), deflate(), lz4(), zstd(), stored()]) {
      for (const frameVersion of [1, 2] as const) {
        const codec = createValueCodec({ compressor, frameVersion });
        for (const size of sizes) {
          for (const content of [records(size), noise(size)]) {
            assert.ok(codec.decode(codec.encode(content)).equals(content), `${compressor.name} v${frameVersion}, ${size} bytes`);
          }
        }
      }
    }
  });
});

suite("decode()", () => {
  test("answers any bytes with content or a CodecError", () => {
    const header = fc.tuple(
      fc.constantFrom(1, 2),
      fc.integer({ min: 0, max: 20 }),
      fc.nat(5000),
      fc.uint8Array({ maxLength: 200 }),
    );
    const codec = createValueCodec();
    const decodes = (bytes: Uint8Array): boolean => {
      try {
        return codec.decode(bytes).length >= 0;
      } catch (error) {
        return (error as { name: string }).name === "CodecError";
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), decodes));
    fc.assert(
      fc.property(header, ([version, codecId, contentSize, rest]) => {
        const bytes = Buffer.alloc(10 + rest.length);
        bytes.write("RVC\0", "latin1");
        bytes[4] = version;
        bytes[5] = codecId;
        bytes.writeUInt32LE(contentSize, 6);
        bytes.set(rest, 10);
        return decodes(bytes);
      }),
    );
  });
});
