import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { brotli } from "../src/compressors/brotli.ts";
import { createValueCodec } from "../src/value-codec.ts";
import { assertCode, records } from "./support/frames.ts";

suite("brotli()", () => {
  test("has id 1 and quality 4 unless asked", () => {
    assert.equal(brotli().id, 1);
    assert.deepEqual(brotli().options, { quality: 4 });
    assert.deepEqual(brotli({ quality: 11 }).options, { quality: 11 });
  });

  test("takes qualities 0 to 11 and no other", () => {
    for (let quality = 0; quality <= 11; quality++) brotli({ quality });
    for (const quality of [-1, 12, 1.5, Number.NaN]) assert.throws(() => brotli({ quality }), RangeError);
    for (const options of [{ quality: "4" }, { quality: null }, { level: 4 }, null, 6]) {
      assert.throws(() => brotli(options as never), TypeError);
    }
  });

  test("writes what node:zlib writes at that quality", () => {
    for (const quality of [0, 4, 11]) {
      const codec = createValueCodec({ compressor: brotli({ quality }) });
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
      assert.deepEqual(codec.encode(records(4096)).subarray(18), brotliCompressSync(records(4096), { params }));
    }
  });

  test("refuses an empty payload", () => {
    assertCode(() => brotli().decompress(Buffer.alloc(0), 1), "CODEC_PAYLOAD_CORRUPT", { codecId: 1, payloadSize: 0 });
  });

  test("writes streams that an independent decoder reads", () => {
    const target = Buffer.alloc(2000);
    const payloadSize = brotli().compressInto(records(2000), target);
    assert.ok(brotliDecompressSync(target.subarray(0, payloadSize)).equals(records(2000)));
  });

  test("reads content beyond one chunk", () => {
    const content = records(3_000_000);
    assert.ok(brotli().decompress(brotliCompressSync(content), content.length).equals(content));
  });
});
