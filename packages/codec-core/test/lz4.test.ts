import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { lz4 } from "../src/compressors/lz4.ts";
import { isCodecError } from "../src/errors.ts";
import { loadLz4 } from "../src/platform.ts";
import { createValueCodec } from "../src/value-codec.ts";
import { assertCode, noise, records } from "./support/frames.ts";

// 32 × "A", made by another implementation: one literal, a match of 26 at distance 1, five literals.
const BLOCK = Buffer.from("1f410100075041414141 41".replace(" ", ""), "hex");

suite("lz4()", () => {
  test("has id 3 and no options", () => {
    assert.equal(lz4().id, 3);
    assert.deepEqual(lz4().options, {});
    assert.throws(() => lz4({ level: 1 } as never), TypeError);
  });

  test("reads the published vector", () => {
    assert.equal(lz4().decompress(BLOCK, 32).toString(), "A".repeat(32));
  });

  test("writes one raw block without any prefix", () => {
    const target = Buffer.alloc(100);
    const payloadSize = lz4().compressInto(records(2000), target);
    const withPrefix = Buffer.concat([Buffer.from([0xd0, 0x07, 0, 0]), target.subarray(0, payloadSize)]);
    assert.deepEqual(loadLz4().uncompressSync(withPrefix), records(2000));
  });

  test("restores every length from 1 to 300 at threshold 0", () => {
    const codec = createValueCodec({ compressor: lz4(), minCompressBytes: 0 });
    for (let size = 0; size <= 300; size++) assert.ok(codec.decode(codec.encode(records(size))).equals(records(size)));
  });

  test("refuses a claim of more than 255 bytes per byte before the native code sees it", () => {
    for (const size of [255 * BLOCK.length + 1, 2 ** 31 - 1, 2 ** 32 - 1]) {
      assertCode(() => lz4().decompress(BLOCK, size), "CODEC_PAYLOAD_CORRUPT", { contentSize: size });
      assert.throws(
        () => lz4().decompress(BLOCK, size),
        (error) => isCodecError(error) && !("cause" in error),
      );
    }
  });

  test("accepts the largest expansion that a block can have", () => {
    const content = Buffer.alloc(10_000_000);
    const payload = loadLz4().compressSync(content).subarray(4);
    assert.ok(content.length / payload.length > 254);
    assert.ok(lz4().decompress(payload, content.length).equals(content));
  });

  test("refuses an empty payload and every claim but the right one", () => {
    assertCode(() => lz4().decompress(Buffer.alloc(0), 1), "CODEC_PAYLOAD_CORRUPT", { payloadSize: 0 });
    for (let size = 1; size < 300; size++) {
      if (size !== 32) assertCode(() => lz4().decompress(BLOCK, size), "CODEC_PAYLOAD_CORRUPT", { contentSize: size });
    }
  });

  test("refuses offsets of zero and beyond the beginning", () => {
    for (const block of ["1041 0000 504141414141", "1041 0200 504141414141", "1041 ffff 504141414141"]) {
      const payload = Buffer.from(block.replaceAll(" ", ""), "hex");
      assertCode(() => lz4().decompress(payload, 10), "CODEC_PAYLOAD_CORRUPT", { codecId: 3 });
    }
    assert.equal(lz4().decompress(Buffer.from("10410100504141414141", "hex"), 10).toString(), "A".repeat(10));
  });

  test("neither reads nor changes bytes around the payload", () => {
    const memory = Buffer.concat([noise(50), BLOCK, noise(50)]);
    const before = Buffer.from(memory);
    assert.equal(
      lz4()
        .decompress(memory.subarray(50, 50 + BLOCK.length), 32)
        .toString(),
      "A".repeat(32),
    );
    assert.ok(memory.equals(before));
  });

  test("reads payloads larger than the scratch that it keeps", () => {
    const content = Buffer.concat([noise(1_500_000), Buffer.alloc(500_000)]);
    const codec = createValueCodec({ compressor: lz4() });
    const frame = codec.encode(content);
    assert.equal(frame[5], 3);
    assert.ok(codec.decode(frame).equals(content));
  });

  test("returns memory that the next call does not touch, and little more than it holds", () => {
    const content = lz4().decompress(BLOCK, 32);
    const before = Buffer.from(content);
    assert.equal(
      lz4()
        .decompress(loadLz4().compressSync(Buffer.alloc(32, "z")).subarray(4), 32)
        .toString(),
      "z".repeat(32),
    );
    assert.deepEqual(content, before);
    assert.ok(content.buffer.byteLength <= 8192);
  });
});
