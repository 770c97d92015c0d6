import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createValueCodec, lz4, stored } from "@tightwire/codec-core";
import { readFrame, type ValueForm } from "../src/decode-value.ts";
import { Stats } from "../src/stats.ts";

const FORMS: readonly ValueForm[] = ["bytes", "text", "buffer"];
const SIZES = [0, 1, 64, 1000, 5000, 100_000, 2 * 1024 * 1024];

/** A frame as a reply holds it: alone, or in a chunk that many replies share. */
const PLACES = {
  alone: (frame: Buffer): Buffer => {
    const own = Buffer.allocUnsafeSlow(frame.length);
    frame.copy(own);
    return own;
  },
  "among others": (frame: Buffer): Buffer => Buffer.concat([Buffer.alloc(7, 1), frame, Buffer.alloc(4 * frame.length, 2)]),
} as const;

suite("readFrame()", () => {
  for (const compressor of [stored(), lz4()]) {
    const codec = createValueCodec({ compressor, minCompressBytes: 0 });
    for (const size of SIZES) {
      for (const [place, put] of Object.entries(PLACES)) {
        test(`gives back ${size} bytes of ${compressor.name} ${place}, in every form`, () => {
          const content = Buffer.alloc(size, "content of a value;");
          const frame = codec.encode(content);
          for (const form of FORMS) {
            const memory = put(frame);
            const before = Buffer.from(memory);
            const at = place === "alone" ? 0 : 7;
            const stats = new Stats().of("a:");
            const read = readFrame(codec, stats, memory.subarray(at, at + frame.length), form);
            assert.equal(typeof read, form === "text" ? "string" : "object");
            assert.ok(Buffer.from(read as string).equals(content));
            assert.deepEqual(memory, before);
            assert.equal(stats.decoded, 1);
          }
        });

        test(`keeps no memory of more than twice ${size} bytes of ${compressor.name} ${place}`, () => {
          const frame = put(codec.encode(Buffer.alloc(size, "content of a value;")));
          const at = place === "alone" ? 0 : 7;
          const end = place === "alone" ? frame.length : at + (frame.length - 7) / 5;
          const read = readFrame(codec, new Stats().of("a:"), frame.subarray(at, end), "bytes") as Buffer;
          assert.equal(read.length, size);
          assert.ok(read.buffer.byteLength <= 2 * size);
        });
      }
    }
  }

  test("counts nothing and changes nothing of a frame that is damaged", () => {
    const codec = createValueCodec({ compressor: stored() });
    const frame = PLACES.alone(codec.encode(Buffer.alloc(100_000, "x")));
    frame[50_000] = 1;
    const before = Buffer.from(frame);
    for (const form of FORMS) {
      const stats = new Stats().of("a:");
      assert.throws(() => readFrame(codec, stats, frame, form), { code: "CODEC_CHECKSUM_MISMATCH" });
      assert.equal(stats.decoded, 0);
      assert.deepEqual(frame, before);
    }
  });
});
