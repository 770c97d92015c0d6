import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { testCompressor } from "@tightwire/codec-core/testing";
import * as snappy from "snappy";
import { COMPRESSOR_NAMES, defineSnappy, defineZlib, loadCompressor } from "../src/cases/hash-study-compressors.ts";

suite("Snappy in frames", () => testCompressor({ compressor: defineSnappy(snappy), test }));

suite("zlib in frames", () => testCompressor({ compressor: defineZlib(), test }));

suite("loadCompressor()", () => {
  test("gives each algorithm one id in frames, and those without an id of their own one of applications", async () => {
    const ids = await Promise.all(COMPRESSOR_NAMES.map(async (name) => (await loadCompressor(name)).framed.id));
    assert.deepEqual(Object.fromEntries(COMPRESSOR_NAMES.map((name, i) => [name, ids[i]])), {
      none: 0,
      lz4: 3,
      "zlib-6": 17,
      snappy: 16,
      "brotli-4": 1,
      "deflate-1": 2,
      "zstd-3": 4,
    });
  });

  test("holds what the algorithm writes, without a frame", async () => {
    const content = Buffer.alloc(5_000, "tenant=demo;");
    const starts = { "zlib-6": "789c", snappy: "8827", "zstd-3": "28b52ffd", lz4: "88130000" };
    for (const [name, start] of Object.entries(starts)) {
      const { compress, decompress } = await loadCompressor(name as keyof typeof starts);
      const held = compress(content);
      assert.ok(Buffer.from(held).toString("hex").startsWith(start), name);
      assert.deepEqual(Buffer.from(decompress(held, content.length)), content);
    }
  });
});
