import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { overlaps } from "../src/bytes.ts";
import { stored } from "../src/compressors/stored.ts";
import { createValueCodec } from "../src/value-codec.ts";
import { assertCode, noise, records } from "./support/frames.ts";

suite("stored()", () => {
  test("has id 0 and no options", () => {
    assert.equal(stored().id, 0);
    assert.deepEqual(stored().options, {});
    assert.throws(() => stored({ level: 1 } as never), TypeError);
  });

  test("never compresses", () => {
    assert.equal(stored().compressInto(records(100), Buffer.alloc(200)), -1);
    const codec = createValueCodec({ compressor: stored(), minCompressBytes: 0 });
    for (const size of [0, 1, 5000]) assert.equal(codec.encode(records(size)).length, size + 18);
  });

  test("copies a payload of exactly the content's size", () => {
    const payload = noise(100);
    const content = stored().decompress(payload, 100);
    assert.ok(content.equals(payload));
    assert.equal(overlaps(content, payload), false);
    const target = Buffer.alloc(100);
    stored().decompressInto(payload, target);
    assert.ok(target.equals(payload));
  });

  test("refuses any other", () => {
    for (const size of [0, 99, 101]) {
      assertCode(() => stored().decompress(noise(100), size), "CODEC_PAYLOAD_CORRUPT", { contentSize: size, payloadSize: 100 });
      assertCode(() => stored().decompressInto(noise(100), Buffer.alloc(size)), "CODEC_PAYLOAD_CORRUPT", { codecId: 0 });
    }
  });
});
