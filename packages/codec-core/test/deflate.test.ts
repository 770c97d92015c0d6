import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { deflateRawSync, deflateSync, inflateRawSync } from "node:zlib";
import { deflate } from "../src/compressors/deflate.ts";
import { createValueCodec } from "../src/value-codec.ts";
import { assertCode, records } from "./support/frames.ts";

suite("deflate()", () => {
  test("has id 2 and level 1 unless asked", () => {
    assert.equal(deflate().id, 2);
    assert.deepEqual(deflate().options, { level: 1 });
    assert.deepEqual(deflate({ level: 9 }).options, { level: 9 });
  });

  test("takes levels 0 to 9 and no other", () => {
    for (let level = 0; level <= 9; level++) deflate({ level });
    for (const level of [-1, 10, 1.5, Number.NaN]) assert.throws(() => deflate({ level }), RangeError);
    for (const options of [{ level: "1" }, { level: null }, { quality: 4 }, null, 6]) {
      assert.throws(() => deflate(options as never), TypeError);
    }
  });

  test("writes what node:zlib writes at that level", () => {
    for (const level of [1, 6, 9]) {
      const codec = createValueCodec({ compressor: deflate({ level }) });
      assert.deepEqual(codec.encode(records(4096)).subarray(18), deflateRawSync(records(4096), { level }));
    }
  });

  test("stores what level 0 does not make smaller", () => {
    assert.equal(createValueCodec({ compressor: deflate({ level: 0 }) }).encode(records(4096))[5], 0);
  });

  test("refuses the wrapping of zlib", () => {
    const payload = deflateSync(records(2000));
    assert.notDeepEqual(payload, deflateRawSync(records(2000)));
    assertCode(() => deflate().decompress(payload, 2000), "CODEC_PAYLOAD_CORRUPT", { codecId: 2, contentSize: 2000 });
  });

  test("refuses an empty payload", () => {
    assertCode(() => deflate().decompress(Buffer.alloc(0), 1), "CODEC_PAYLOAD_CORRUPT", { payloadSize: 0 });
  });

  test("writes streams that an independent inflater reads", () => {
    const target = Buffer.alloc(2000);
    const payloadSize = deflate().compressInto(records(2000), target);
    assert.ok(inflateRawSync(target.subarray(0, payloadSize)).equals(records(2000)));
  });

  test("returns results that hold on to little more than themselves", () => {
    for (const size of [10, 100, 5000, 50_000]) {
      const content = deflate().decompress(deflateRawSync(records(size)), size);
      assert.ok(content.buffer.byteLength <= size + 8192, `${content.buffer.byteLength} bytes for ${size}`);
    }
  });
});
