import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { brotli, createValueCodec, defineCompressor, deflate, lz4, stored, zstd } from "../src/index.ts";
import { cutsOf, flipsOf, frameOf, records } from "./support/frames.ts";
import { outcomeOf } from "./support/outcomes.ts";
import { texts } from "./support/texts.ts";

const plain = defineCompressor({
  id: 16,
  name: "plain",
  compress: (content) => content.subarray(1),
  decompress: (payload) => Buffer.concat([Buffer.from("t"), payload]),
});
const COMPRESSORS = [stored(), brotli(), deflate(), lz4(), zstd(), plain];

suite("decodeText()", () => {
  for (const compressor of COMPRESSORS) {
    test(`${compressor.name}: gives the text that was encoded`, () => {
      for (const frameVersion of [1, 2] as const) {
        const codec = createValueCodec({ compressor, frameVersion, minCompressBytes: 20 });
        fc.assert(
          fc.property(texts, (text) => {
            const content = Buffer.from(`t${text}`);
            assert.equal(codec.decodeText(codec.encode(content)), content.toString("utf8"));
          }),
          { numRuns: 60 },
        );
      }
    });

    test(`${compressor.name}: gives of any bytes what toString() gives of decode()`, () => {
      const codec = createValueCodec({ compressor, minCompressBytes: 20 });
      const bytes = fc.tuple(fc.uint8Array({ maxLength: 100 }), fc.integer({ min: 1, max: 30 }));
      fc.assert(
        fc.property(bytes, ([part, times]) => {
          const content = Buffer.concat([Buffer.from("t"), ...new Array(times).fill(part)]);
          assert.equal(codec.decodeText(codec.encode(content)), content.toString("utf8"));
        }),
        { numRuns: 60 },
      );
    });

    test(`${compressor.name}: refuses every flip and cut as decode() does`, () => {
      const codec = createValueCodec({ compressor, minCompressBytes: 20 });
      const frame = codec.encode(Buffer.from("text ".repeat(20)));
      for (const damaged of [...flipsOf(frame), ...cutsOf(frame)]) {
        const expected = outcomeOf(() => codec.decode(damaged).toString("utf8"));
        assert.deepEqual(
          outcomeOf(() => codec.decodeText(damaged)),
          expected,
        );
      }
    });
  }

  test("is the same at the bounds of the kernel", () => {
    for (const compressor of COMPRESSORS) {
      const codec = createValueCodec({ compressor });
      for (const size of [2 ** 19 - 1, 2 ** 19 + 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1]) {
        for (const unit of ["t", "té", "t語"]) {
          const content = Buffer.alloc(size, unit);
          assert.ok(codec.decodeText(codec.encode(content)) === content.toString("utf8"), `${compressor.name} ${size} ${unit}`);
        }
      }
    }
  });

  test("throws TypeError for what is no Uint8Array", () => {
    for (const frame of [undefined, null, "text", 5, [1], new ArrayBuffer(30), new Uint16Array(20)]) {
      assert.throws(() => createValueCodec().decodeText(frame as never), TypeError);
    }
  });

  test("reads shared memory", () => {
    for (const compressor of COMPRESSORS) {
      const codec = createValueCodec({ compressor, minCompressBytes: 0 });
      const content = Buffer.concat([Buffer.from("t"), records(500)]);
      const frame = codec.encode(content);
      const shared = new Uint8Array(new SharedArrayBuffer(frame.length));
      shared.set(frame);
      assert.equal(codec.decodeText(shared), content.toString("utf8"));
    }
  });

  test("gives U+FFFD for what is no UTF-8", () => {
    assert.equal(createValueCodec().decodeText(frameOf({ payload: Buffer.from("61ff62c3", "hex") })), "a\ufffdb\ufffd");
  });
});
