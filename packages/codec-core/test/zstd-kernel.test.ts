import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Kernel } from "@tightwire/kernel";
import { nativeZstd } from "../src/compressors/zstd.ts";
import { assertSingleFrame } from "../src/compressors/zstd-frame.ts";
import { compressInKernel, decompressFromKernel, decompressInKernel } from "../src/compressors/zstd-kernel.ts";
import type { NativeZstd } from "../src/compressors/zstd-napi.ts";
import { kernelFor } from "../src/engine.ts";
import { assertCode, noise, records } from "./support/frames.ts";

const REGION_BYTES = 1024 * 1024;
const BLOCK_BYTES = 128 * 1024;

const kernel = kernelFor(0) as Kernel;
const zstd = nativeZstd() as NativeZstd;
const skip = (kernel === undefined && "there is no kernel") || (zstd === undefined && "zstd-napi is not installed");

/** One frame of uncompressed blocks, so that its length can be chosen. */
function rawFrame(content: Buffer): Buffer {
  const header = Buffer.from("28b52ffda000000000", "hex");
  header.writeUInt32LE(content.length, 5);
  const parts: Buffer[] = [header];
  for (let start = 0; start < content.length; start += BLOCK_BYTES) {
    const block = content.subarray(start, start + BLOCK_BYTES);
    const blockHeader = Buffer.alloc(3);
    blockHeader.writeUIntLE((block.length << 3) | (start + BLOCK_BYTES >= content.length ? 1 : 0), 0, 3);
    parts.push(blockHeader, block);
  }
  return Buffer.concat(parts);
}

/** A frame that does not say how much it holds: one byte, repeated. */
function repeatingFrame(size: number): Buffer {
  const frame = Buffer.from("28b52ffd000000000041", "hex");
  frame.writeUIntLE((size << 3) | 3, 6, 3);
  return frame;
}

function decompress(payload: Buffer, contentSize: number): Buffer {
  // What lay there before must not matter.
  kernel.payload.fill(0x28, 0, Math.min(payload.length + 300_000, REGION_BYTES));
  kernel.payload.set(payload);
  assertSingleFrame(kernel.payload, contentSize, payload.length);
  decompressInKernel(kernel, zstd, payload.length, contentSize);
  const content = Buffer.alloc(contentSize);
  assert.equal(kernel.copyContent(content, 0), contentSize);
  return content;
}

suite("decompressInKernel()", { skip }, () => {
  test("restores content behind payloads of every length", () => {
    for (let size = 1; size <= 1_200; size++) assert.ok(decompress(rawFrame(noise(size)), size).equals(noise(size)), `${size}`);
    for (let power = 11; power < 20; power++) {
      for (const size of [2 ** power - 30, 2 ** power - 12, 2 ** power - 1, 2 ** power, 2 ** power + 1, 1.3 * 2 ** power]) {
        const content = noise(Math.trunc(size));
        assert.ok(decompress(rawFrame(content), content.length).equals(content), `${size}`);
      }
    }
  });

  test("restores what is compressed", () => {
    const payload = Buffer.alloc(REGION_BYTES);
    for (const size of [20, 100, 999, 1_000, 1_024, 65_536, 300_000, REGION_BYTES]) {
      const payloadSize = zstd.compressInto(records(size), payload, 3);
      assert.ok(decompress(payload.subarray(0, payloadSize), size).equals(records(size)), `${size}`);
    }
  });

  test("restores content whose payload ends where the region ends, and where padding no longer has room", () => {
    const overhead = 9 + 8 * 3;
    for (const behind of [0, 1, 7, 8, 9, 70]) {
      const content = noise(REGION_BYTES - overhead - behind);
      const payload = rawFrame(content);
      assert.equal(payload.length, REGION_BYTES - behind);
      assert.ok(decompress(payload, content.length).equals(content));
    }
  });

  test("refuses a frame that holds more or less than it should, by a byte and by far", () => {
    for (const size of [1, 63, 64, 65, 1_000, 100_000]) {
      assert.ok(decompress(repeatingFrame(size), size).equals(Buffer.alloc(size, "A")));
      for (const held of [size + 1, size + 10, 2 * size, BLOCK_BYTES]) {
        const facts = { codecId: 4, contentSize: size, payloadSize: 10 };
        assertCode(() => decompress(repeatingFrame(held), size), "CODEC_PAYLOAD_CORRUPT", facts);
      }
      assertCode(() => decompress(repeatingFrame(size), size + 1), "CODEC_PAYLOAD_CORRUPT", { payloadSize: 10 });
    }
  });

  test("refuses what the payload itself has behind its frame, which could be taken for padding", () => {
    for (const suffix of ["502a4d1800000000", "502a4d18", "28b52ffd2000010000", "00"]) {
      const payload = Buffer.concat([rawFrame(noise(50)), Buffer.from(suffix, "hex")]);
      assertCode(() => decompress(payload, 50), "CODEC_PAYLOAD_CORRUPT", { contentSize: 50, payloadSize: payload.length });
    }
  });

  test("names a dictionary, and works on after native errors", () => {
    const needsDictionary = Buffer.from("28b52ffd210740030200 41".replace(" ", ""), "hex");
    assertCode(() => decompress(needsDictionary, 64), "CODEC_DICTIONARY_MISSING", { dictionaryId: 7, payloadSize: 11 });
    const corrupt = Buffer.from("28b52ffd0058 4d0000 ffffffffffffffffff".replaceAll(" ", ""), "hex");
    assertCode(() => decompress(corrupt, 64), "CODEC_PAYLOAD_CORRUPT", { contentSize: 64, payloadSize: corrupt.length });
    assert.ok(decompress(repeatingFrame(64), 64).equals(Buffer.alloc(64, "A")));
  });
});

suite("decompressFromKernel()", { skip }, () => {
  test("fills a target, and no byte behind what it holds", () => {
    for (const size of [1, 64, 1_000, 100_000]) {
      const payload = repeatingFrame(size);
      kernel.payload.set(payload);
      const memory = Buffer.alloc(size + 20, 0xee);
      decompressFromKernel(kernel, zstd, payload.length, size, memory.subarray(10, 10 + size));
      const edge = Buffer.alloc(10, 0xee);
      assert.ok(memory.equals(Buffer.concat([edge, Buffer.alloc(size, "A"), edge])));
    }
  });

  test("refuses a payload that holds more than there is room for, or less than it should", () => {
    for (const held of [63, 65, 100_000]) {
      const payload = repeatingFrame(held);
      kernel.payload.set(payload);
      const memory = Buffer.alloc(84, 0xee);
      const facts = { codecId: 4, contentSize: 64, payloadSize: 10 };
      const run = () => decompressFromKernel(kernel, zstd, payload.length, 64, memory.subarray(10, 74));
      assertCode(run, "CODEC_PAYLOAD_CORRUPT", facts);
      assert.ok(memory.subarray(0, 10).equals(memory.subarray(74)));
    }
  });
});

suite("compressInKernel()", { skip }, () => {
  test("writes what zstd writes of that content alone, whatever lengths came before", () => {
    const expected = Buffer.alloc(2_000);
    for (const size of [10, 74, 10, 1_000, 1_064, 74, 138, 1_000, 64, 128]) {
      kernel.putContent(records(1_200));
      kernel.putContent(records(size));
      const payloadSize = compressInKernel(kernel, zstd, size, 3);
      assert.equal(payloadSize, zstd.compressInto(records(size), expected, 3));
      assert.ok(kernel.payload.subarray(0, payloadSize).equals(expected.subarray(0, payloadSize)));
    }
  });
});
