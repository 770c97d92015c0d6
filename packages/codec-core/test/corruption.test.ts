import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { brotli } from "../src/compressors/brotli.ts";
import { defineCompressor } from "../src/compressors/custom.ts";
import { deflate } from "../src/compressors/deflate.ts";
import { lz4 } from "../src/compressors/lz4.ts";
import { stored } from "../src/compressors/stored.ts";
import { zstd } from "../src/compressors/zstd.ts";
import { isCodecError } from "../src/errors.ts";
import { createValueCodec, type ValueCodec } from "../src/value-codec.ts";
import { checksumOf, cutsOf, flipsOf, frameOf, noise, records } from "./support/frames.ts";

const gzip = defineCompressor({
  id: 200,
  name: "gzip",
  compress: (content) => gzipSync(content),
  decompress: (payload, contentSize) => gunzipSync(payload, { maxOutputLength: contentSize }),
});

const COMPRESSORS = [brotli(), deflate(), lz4(), zstd(), stored(), gzip];
const CONTENTS = [Buffer.alloc(0), Buffer.from("x"), records(300), Buffer.concat([Buffer.alloc(1200, "a"), noise(300)])];

/** Whether a damaged frame gives the right value or a CodecError: the two answers that are allowed. */
function isSafe(codec: ValueCodec, damaged: Buffer, content: Buffer): boolean {
  try {
    return codec.decode(damaged).equals(content);
  } catch (error) {
    return isCodecError(error);
  }
}

for (const compressor of COMPRESSORS) {
  for (const frameVersion of [1, 2] as const) {
    suite(`frames of ${compressor.name}, version ${frameVersion}`, () => {
      const codec = createValueCodec({ compressor, frameVersion, minCompressBytes: 0 });

      test("every truncation is refused", () => {
        for (const content of CONTENTS) {
          for (const cut of cutsOf(codec.encode(content))) {
            assert.throws(() => codec.decode(cut), isCodecError, `cut to ${cut.length} bytes`);
          }
        }
      });

      test("every single flipped bit is refused", () => {
        for (const content of CONTENTS) {
          for (const damaged of flipsOf(codec.encode(content))) assert.throws(() => codec.decode(damaged), isCodecError);
        }
      });

      test("bytes behind are refused", () => {
        for (const content of CONTENTS) {
          for (const tail of [Buffer.alloc(1), noise(5), codec.encode(content)]) {
            assert.throws(() => codec.decode(Buffer.concat([codec.encode(content), tail])), isCodecError);
          }
        }
      });

      test("any damage to several bytes gives the right value or a CodecError", () => {
        const anyDamage = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 6 });
        const frame = codec.encode(records(300));
        fc.assert(
          fc.property(anyDamage, (damage) => {
            const damaged = Buffer.from(frame);
            for (const [at, byte] of damage) damaged[at % damaged.length] = byte;
            return isSafe(codec, damaged, records(300));
          }),
          { numRuns: 500 },
        );
      });
    });
  }
}

// With the checksum made right again: what a faulty writer, or a hostile one, could store.
suite("payloads that were damaged before they were framed", () => {
  for (const compressor of [brotli(), deflate(), lz4(), zstd()]) {
    test(`${compressor.name}: give content of the claimed size or a CodecError, and harm no later read`, () => {
      const codec = createValueCodec({ compressor, minCompressBytes: 0 });
      const frame = codec.encode(records(300));
      const tryPayload = (payload: Buffer, contentSize = 300): void => {
        try {
          assert.equal(codec.decode(frameOf({ codecId: compressor.id, contentSize, payload })).length, contentSize);
        } catch (error) {
          assert.ok(isCodecError(error), String(error));
        }
      };
      for (const payload of flipsOf(frame.subarray(18))) tryPayload(payload);
      for (const payload of cutsOf(frame.subarray(18))) tryPayload(payload);
      for (let seed = 1; seed < 300; seed++) tryPayload(noise(seed, seed));
      for (let size = 1; size < 1000; size++) tryPayload(frame.subarray(18), size);
      assert.ok(codec.decode(frame).equals(records(300)));
    });

    test(`${compressor.name}: are refused when they were cut, extended or claim another size`, () => {
      const codec = createValueCodec({ compressor, minCompressBytes: 0 });
      const payload = codec.encode(records(300)).subarray(18);
      const refuses = (bytes: Buffer, contentSize: number): void =>
        assert.throws(() => codec.decode(frameOf({ codecId: compressor.id, contentSize, payload: bytes })), isCodecError);
      for (const cut of cutsOf(payload)) refuses(cut, 300);
      for (const tail of ["00", "6a756e6b", payload.toString("hex")])
        refuses(Buffer.concat([payload, Buffer.from(tail, "hex")]), 300);
      for (const size of [payload.length + 1, 299, 301, 3000]) refuses(payload, size);
    });
  }
});

suite("a frame whose version was changed", () => {
  test("is refused though its payload is whole", () => {
    for (const version of [1, 2]) {
      const frame = frameOf({ version, payload: records(50) });
      frame[4] = 3 - version;
      assert.throws(() => createValueCodec().decode(frame), isCodecError);
      frame.set(checksumOf(3 - version, records(50)), 10);
      assert.ok(createValueCodec().decode(frame).equals(records(50)));
    }
  });
});
