import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as compressors from "../src/compressor.ts";
import { brotli } from "../src/compressors/brotli.ts";
import { type CompressorDefinition, defineCompressor } from "../src/compressors/custom.ts";
import { deflate } from "../src/compressors/deflate.ts";
import { lz4 } from "../src/compressors/lz4.ts";
import { stored } from "../src/compressors/stored.ts";
import { zstd } from "../src/compressors/zstd.ts";

const definition: CompressorDefinition = {
  id: 16,
  name: "copy",
  compress: (content) => content,
  decompress: (payload) => payload,
};

suite("CodecId", () => {
  test("is what the factories use", () => {
    const ids = [stored(), brotli(), deflate(), lz4(), zstd()].map(({ id }) => id);
    assert.deepEqual(ids, [0, 1, 2, 3, 4]);
    assert.deepEqual(Object.values(compressors.CodecId), ids);
    assert.ok(Object.isFrozen(compressors.CodecId));
  });
});

suite("isCompressor()", () => {
  test("recognises compressors, also of another copy of the package", () => {
    for (const compressor of [stored(), lz4(), zstd(), defineCompressor(definition)])
      assert.ok(compressors.isCompressor(compressor));
    const foreign = Object.defineProperty({ ...lz4() }, Symbol.for("tightwire.Compressor"), { value: true });
    assert.ok(compressors.isCompressor(foreign));
  });

  test("refuses what only looks like one", () => {
    for (const value of [definition, { ...lz4() }, lz4, null, undefined, 4, "zstd"])
      assert.equal(compressors.isCompressor(value), false);
  });
});

suite("createRegistry()", () => {
  test("holds accept, the writer and stored frames", () => {
    const writer = zstd({ level: 9 });
    const registry = compressors.createRegistry([lz4()], writer, stored());
    assert.equal(registry.length, 256);
    assert.deepEqual(
      registry.flatMap((known) => known?.id ?? []),
      [0, 3, 4],
    );
    assert.equal(registry[4], writer);
    assert.ok(Object.isFrozen(registry));
  });

  test("throws RangeError for an id that accept has twice", () => {
    for (const accept of [
      [lz4(), lz4()],
      [zstd(), zstd({ level: 9 })],
      [defineCompressor(definition), defineCompressor(definition)],
    ]) {
      assert.throws(() => compressors.createRegistry(accept, stored(), stored()), RangeError);
    }
  });

  test("throws RangeError for two custom compressors with one id", () => {
    const [first, second] = [defineCompressor(definition), defineCompressor(definition)];
    assert.throws(() => compressors.createRegistry([first], second, stored()), RangeError);
    compressors.createRegistry([first], first, stored());
  });

  test("lets a built-in compressor of another level read what the writer writes", () => {
    const writer = zstd({ level: 9 });
    assert.equal(compressors.createRegistry([zstd({ level: 1 })], writer, stored())[4], writer);
  });

  test("throws TypeError for what is no compressor", () => {
    for (const accept of [[{}], [undefined], ["zstd"], [definition]] as never[]) {
      assert.throws(() => compressors.createRegistry(accept, stored(), stored()), TypeError);
    }
  });
});

suite("brandCompressor()", () => {
  test("freezes the compressor and its options", () => {
    for (const compressor of [
      stored(),
      brotli(),
      deflate(),
      lz4(),
      zstd(),
      defineCompressor({ ...definition, options: { window: 3 } }),
    ]) {
      assert.ok(Object.isFrozen(compressor));
      assert.ok(Object.isFrozen(compressor.options));
    }
  });

  test("does not freeze the options that it was given", () => {
    const options = { window: 3 };
    assert.deepEqual(defineCompressor({ ...definition, options }).options, { window: 3 });
    assert.equal(Object.isFrozen(options), false);
  });
});
