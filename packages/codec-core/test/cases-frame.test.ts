// Failures of other systems, small enough to replay. Each test names the case and the public thread that told of it.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { brotliDecompressSync, deflateSync, gzipSync, inflateRawSync } from "node:zlib";
import { xxh3 } from "@node-rs/xxhash";
import { brotli } from "../src/compressors/brotli.ts";
import { deflate } from "../src/compressors/deflate.ts";
import { lz4 } from "../src/compressors/lz4.ts";
import { stored } from "../src/compressors/stored.ts";
import { zstd } from "../src/compressors/zstd.ts";
import { isCodecError } from "../src/errors.ts";
import { isDamagedFrame, isFrame, isReservedContent, readFrameHeader } from "../src/frame.ts";
import { loadPackage } from "../src/load-package.cts";
import { createValueCodec } from "../src/value-codec.ts";
import { assertCode, cutsOf, flipsOf, frameOf, noise, records } from "./support/frames.ts";

const BUILT_IN = [brotli(), deflate(), lz4(), zstd()];

/** Whether a reader that holds some values raw returns these bytes untouched. */
function isRaw(bytes: Uint8Array): boolean {
  return !isFrame(bytes) && !isDamagedFrame(bytes);
}

suite("values that are no frames", () => {
  test("case 18 (phpredis/phpredis#1936): plain values are told from frames without a look at their content", () => {
    for (const text of ["123", "hello there", '{"a":1}']) {
      const value = Buffer.from(text);
      assert.ok(isRaw(value));
      assert.equal(isReservedContent(value), false);
      for (const compressor of BUILT_IN) assertCode(() => createValueCodec({ compressor }).decode(value), "CODEC_FRAME_INVALID");
    }
  });

  test("case 21 (zendesk/large_object_store#3): compressed values of an application are values like any other", () => {
    const values = ["789c4b040000620062", "28b52ffd2000010000", "04224d18 6440a7 00000000".replaceAll(" ", "")].map((hex) =>
      Buffer.from(hex, "hex"),
    );
    for (const value of [...values, gzipSync(records(500)), deflateSync(records(500))]) {
      assert.ok(isRaw(value));
      const codec = createValueCodec({ minCompressBytes: 0 });
      assert.ok(codec.decode(codec.encode(value)).equals(value));
    }
  });

  test("case 22 (neomutt/neomutt#2152): short binary values that decode by chance are never tried", () => {
    for (const hex of ["7f9edb7f", "050000005068656c6c6f"]) assert.ok(isRaw(Buffer.from(hex, "hex")));
    const { uncompressSync } = loadPackage("lz4-napi") as { uncompressSync(block: Buffer): Buffer };
    assert.equal(uncompressSync(Buffer.from("050000005068656c6c6f", "hex")).toString(), "hello");
  });

  test("case 24 (go-redis/cache#81): foreign values pass, and an unknown codec id is named", () => {
    for (const text of ["abc=", "x9"]) assert.ok(isRaw(Buffer.from(text)));
    const frame = frameOf({ codecId: 0x7f, contentSize: 1000, payload: noise(100) });
    assertCode(() => createValueCodec().decode(frame), "CODEC_UNKNOWN_ID", {
      codecId: 0x7f,
      contentSize: 1000,
      payloadSize: 100,
    });
    assert.equal(readFrameHeader(frame)?.codecId, 0x7f);
  });
});

suite("other implementations", () => {
  test("case 19 (phpredis/phpredis#1939, redisson/redisson#4140): sizes are little-endian and payloads are standard streams", () => {
    const { decompress } = loadPackage("zstd-napi") as { decompress(frame: Buffer): Buffer };
    const { uncompressSync } = loadPackage("lz4-napi") as { uncompressSync(block: Buffer): Buffer };
    const readers: Record<number, (payload: Buffer, size: number) => Buffer> = {
      0: (payload) => payload,
      1: (payload) => brotliDecompressSync(payload),
      2: (payload) => inflateRawSync(payload),
      3: (payload, size) => {
        const prefix = Buffer.alloc(4);
        prefix.writeUInt32LE(size);
        return uncompressSync(Buffer.concat([prefix, payload]));
      },
      4: (payload) => decompress(payload),
    };
    for (const compressor of [...BUILT_IN, stored()]) {
      const codec = createValueCodec({ compressor, minCompressBytes: 0 });
      for (const size of [127, 128, 255, 256, 65_535, 65_536]) {
        const frame = codec.encode(records(size));
        assert.equal(frame.readUInt32LE(6), size);
        const read = readers[frame[5] as number];
        assert.ok(read?.(frame.subarray(18), size).equals(records(size)), `${compressor.name}, ${size} bytes`);
      }
    }
  });
});

suite("thresholds", () => {
  test("case 20 (sorentwo/readthis#13): the header alone decides how a value is read", () => {
    const content = Buffer.alloc(5000, "a");
    const codecs = [0, 1024, 5000, 5001, 1_000_000].map((minCompressBytes) => createValueCodec({ minCompressBytes }));
    for (const writer of codecs) {
      const frame = writer.encode(content);
      assert.equal(frame[5], writer.minCompressBytes <= 5000 ? 4 : 0);
      for (const reader of codecs) assert.ok(reader.decode(frame).equals(content));
    }
  });

  test("case 27 (colinmollenhour/Cm_Cache_Backend_Redis#82, phpredis/phpredis#1753): a value never grows by more than the header", () => {
    for (const content of [records(50_000), noise(50_000)]) {
      const frame = createValueCodec({ compressor: stored() }).encode(content);
      assert.ok(frame.subarray(18).equals(content));
      assert.equal(frame[5], 0);
    }
    for (const compressor of BUILT_IN) {
      const codec = createValueCodec({ compressor });
      const frame = codec.encode(noise(50_000));
      assert.equal(frame.length, 50_018);
      assert.ok(codec.decode(frame).equals(noise(50_000)));
    }
  });

  test("case 28 (rails/rails#48660): texts and bytes are compressed alike", () => {
    for (const compressor of BUILT_IN) {
      const codec = createValueCodec({ compressor });
      for (const content of [Buffer.from("é".repeat(10_000)), Buffer.alloc(20_000, 7)]) {
        const frame = codec.encode(content);
        assert.ok(frame.length < 1000, `${frame.length} bytes by ${compressor.name}`);
        assert.ok(codec.decode(frame).equals(content));
      }
    }
  });
});

suite("short and damaged values", () => {
  // A cut below the magic cannot be told from a raw value of 0 to 3 bytes: the frame has no room to say so. From 4 bytes on it can.
  test("case 25 (redisson/redisson#5837): a cut frame is corrupt from its magic on, raw below, and no RangeError escapes", () => {
    const codec = createValueCodec({ compressor: lz4() });
    for (const cut of cutsOf(codec.encode(records(3000)))) {
      assert.throws(() => codec.decode(cut), isCodecError);
      assert.equal(isRaw(cut), cut.length < 4);
    }
    for (let size = 0; size <= 16; size++) assert.throws(() => codec.decode(noise(size)), isCodecError);
    for (let byte = 0; byte < 256; byte++) {
      assertCode(() => codec.decode(Buffer.from([byte])), "CODEC_FRAME_INVALID", { frameSize: 1 });
      assert.ok(isRaw(Buffer.from([byte])));
    }
  });

  // No checksum covers the header: each of its fields is pinned by a rule instead, the magic by what follows it.
  test("case 29 (rails/rails#40005, rails/rails#56729): no flipped bit gives a wrong value, nor passes for a raw one", () => {
    for (const compressor of [...BUILT_IN, stored()]) {
      for (const frameVersion of [1, 2] as const) {
        const codec = createValueCodec({ compressor, frameVersion, minCompressBytes: 0 });
        for (const content of [records(60), records(2000)]) {
          for (const damaged of flipsOf(codec.encode(content))) {
            assert.throws(() => codec.decode(damaged), isCodecError);
            assert.equal(isRaw(damaged), false);
          }
        }
      }
    }
  });

  // What a reply of many looks like is the wrapper's affair. Here: an error is an error, never a value that stands for one.
  test("case 30 (OpenBankProject/OBP-API#2859): a bad value among good ones throws, and the good ones are read", () => {
    const codec = createValueCodec();
    const frames = [records(2000), noise(2000), Buffer.from("c")].map((content) => codec.encode(content));
    const bad = Buffer.from(frames[1] as Buffer).fill(0, 1000, 1100);
    assertCode(() => codec.decode(bad), "CODEC_CHECKSUM_MISMATCH", { codecId: 0, contentSize: 2000 });
    assert.ok(codec.decode(frames[0] as Buffer).equals(records(2000)));
    assert.equal(codec.decode(frames[2] as Buffer).toString(), "c");
  });
});

suite("the checksum", () => {
  // The frame fixes the seed, and the package takes any other without complaint: none may ever reach it.
  test("case 31 (oven-sh/bun#32833, oven-sh/bun#21879, mscdex/node-xxhash#14): is XXH3-64 with seed 0 and no other", () => {
    const codec = createValueCodec();
    const frame = codec.encode(Buffer.alloc(0));
    assert.equal(frame.readBigUInt64LE(10).toString(16), "2d06800538d394c2");
    for (const seed of [1n, 2n ** 32n, 2n ** 63n]) {
      frame.writeBigUInt64LE(xxh3.xxh64("", seed), 10);
      assertCode(() => codec.decode(frame), "CODEC_CHECKSUM_MISMATCH", { version: 2 });
    }
    assert.equal(xxh3.xxh64("", 2n ** 32n).toString(16), "34b7a180c41f536f");
  });
});
