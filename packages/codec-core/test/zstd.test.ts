import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { zstd } from "../src/compressors/zstd.ts";
import { isCodecError } from "../src/errors.ts";
import { findZstdBinding } from "../src/platform.ts";
import { createValueCodec } from "../src/value-codec.ts";
import { assertCode, flipsOf, frameOf, noise, records } from "./support/frames.ts";

const VECTOR = Buffer.from("28b52ffd204003020041", "hex");

suite("zstd()", () => {
  test("has id 4 and level 3 unless asked", () => {
    assert.equal(zstd().id, 4);
    assert.deepEqual(zstd().options, { level: 3 });
    assert.deepEqual(zstd({ level: -5 }).options, { level: -5 });
  });

  test("takes level 0 for 3", () => {
    assert.deepEqual(zstd({ level: 0 }).options, { level: 3 });
  });

  test("takes levels -131072 to 22 and no other", () => {
    for (const level of [-131072, -1, 1, 22]) assert.deepEqual(zstd({ level }).options, { level });
    for (const level of [-131073, 23, 1.5, Number.NaN]) assert.throws(() => zstd({ level }), RangeError);
    for (const options of [{ level: "3" }, { level: null }, { quality: 4 }, null, 3]) {
      assert.throws(() => zstd(options as never), TypeError);
    }
  });

  test("reads the published vector and refuses its extensions", () => {
    const codec = createValueCodec();
    const decode = (payload: Buffer): Buffer => codec.decode(frameOf({ codecId: 4, contentSize: 64, payload }));
    assert.equal(decode(VECTOR).toString(), "A".repeat(64));
    for (const suffix of ["28b52ffd2000010000", "502a4d1800000000"]) {
      const payload = Buffer.concat([VECTOR, Buffer.from(suffix, "hex")]);
      assertCode(() => decode(payload), "CODEC_PAYLOAD_CORRUPT", { codecId: 4, contentSize: 64 });
    }
  });

  test("restores tiny and large content at every kind of level", () => {
    for (const level of [-131072, -100, -1, 1, 3, 9, 19, 22]) {
      const codec = createValueCodec({ compressor: zstd({ level }), minCompressBytes: 0 });
      for (const size of [1, 2, 63, 64, 65, 1000, 65_536, 65_537, 200_000]) {
        for (const content of [records(size), noise(size)]) assert.ok(codec.decode(codec.encode(content)).equals(content));
      }
    }
  });

  test("writes the content's size into its frame, and no checksum of its own", () => {
    const target = Buffer.alloc(5000);
    zstd().compressInto(records(5000), target);
    assert.equal(target.toString("hex", 0, 7), "28b52ffd608812");
  });

  test("writes the same bytes whatever was compressed before, at whatever level", () => {
    const fresh = new Map<string, string>();
    const compress = (level: number, size: number): string => {
      const target = Buffer.alloc(size);
      return target.toString("hex", 0, zstd({ level }).compressInto(records(size), target));
    };
    const jobs = [1, 3, 5, 9, 12, -1].flatMap((level) =>
      [100, 5000, 65_536, 65_537, 300_000].map((size) => [level, size] as const),
    );
    for (const [level, size] of jobs) fresh.set(`${level} ${size}`, compressFresh(level, size));
    for (const [level, size] of [...jobs, ...jobs.toReversed()]) {
      zstd({ level }).compressInto(noise(size), Buffer.alloc(size - 1));
      assert.equal(compress(level, size), fresh.get(`${level} ${size}`), `level ${level}, ${size} bytes`);
    }
  });

  test("leaves a caller's frame as it is", () => {
    const payload = Buffer.alloc(2000);
    const size = zstd().compressInto(records(2000), payload);
    const before = Buffer.from(payload);
    zstd().decompress(payload.subarray(0, size), 2000);
    assert.ok(payload.equals(before));
  });

  test("answers every flipped bit with a CodecError or with content of the right size, and then still works", () => {
    const target = Buffer.alloc(1000);
    const payload = target.subarray(0, zstd().compressInto(records(1000), target));
    let refused = 0;
    for (const damaged of flipsOf(payload)) {
      try {
        assert.equal(zstd().decompress(damaged, 1000).length, 1000);
      } catch (error) {
        assert.ok(isCodecError(error), String(error));
        refused++;
      }
      assert.ok(zstd().decompress(payload, 1000).equals(records(1000)));
    }
    assert.ok(refused > 100, `${refused} refused`);
  });
});

function compressFresh(level: number, size: number): string {
  const binding = findZstdBinding();
  assert.ok(binding !== undefined, "zstd-napi is installed");
  const context = new binding.CCtx();
  context.setParameter(binding.CParameter.compressionLevel, level);
  const target = Buffer.alloc(size + 1000);
  return target.toString("hex", 0, context.compress2(target, records(size)));
}
