import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { compressWithin, decompressExactly } from "../src/compressors/zlib-calls.ts";
import { assertCode, noise } from "./support/frames.ts";

const ORIGIN = { id: 2, name: "deflate" };

suite("compressWithin()", () => {
  test("asks for chunks from 64 bytes to 64 KiB, one byte longer than the shorter of content and target", () => {
    const chunkFor = (contentSize: number, room: number): number => {
      let asked = 0;
      const compress = (_content: Uint8Array, chunkSize: number): Buffer => {
        asked = chunkSize;
        return noise(1);
      };
      compressWithin(ORIGIN, compress, noise(contentSize), Buffer.alloc(room));
      return asked;
    };
    const sizes = [1, 63, 64, 100, 65_535, 65_536, 1_000_000];
    const asked = [64, 64, 65, 101, 65_536, 65_536, 65_536];
    for (const [i, size] of sizes.entries()) {
      assert.equal(chunkFor(1_000_001, size), asked[i]);
      assert.equal(chunkFor(size, 1_000_001), asked[i]);
    }
  });

  test("turns what the compressor throws into a CodecError", () => {
    const fail = (error: Error) => (): never => {
      throw error;
    };
    const content = noise(9);
    const facts = { codecId: 2, contentSize: 9 };
    assertCode(() => compressWithin(ORIGIN, fail(new Error("broken")), content, Buffer.alloc(9)), "CODEC_PAYLOAD_CORRUPT", facts);
    const noMemory = fail(new RangeError("Array buffer allocation failed"));
    assertCode(() => compressWithin(ORIGIN, noMemory, content, Buffer.alloc(9)), "CODEC_SIZE_LIMIT", { contentSize: 9 });
  });
});

suite("decompressExactly()", () => {
  /** The options that a call is given for a payload and a content of these sizes. */
  function optionsFor(payloadSize: number, contentSize: number): unknown {
    let given: unknown;
    const refuse = (_payload: Uint8Array, options: object): never => {
      given = options;
      throw new Error("refused");
    };
    const facts = { codecId: 2, contentSize, payloadSize };
    assertCode(() => decompressExactly(ORIGIN, refuse, noise(payloadSize), contentSize), "CODEC_PAYLOAD_CORRUPT", facts);
    return given;
  }

  test("bounds the output by the content size", () => {
    assert.deepEqual(optionsFor(9, 5000), { chunkSize: 5001, maxOutputLength: 5000, info: true });
    assert.deepEqual(optionsFor(9, 0xffff_ffff), { chunkSize: 65_536, maxOutputLength: 0xffff_ffff, info: true });
  });

  test("asks for chunks from 64 bytes to 1 MiB, as far as the payload is long enough to fill them", () => {
    const chunkSizes = [
      [9, 1, 64],
      [9, 63, 64],
      [9, 64, 65],
      [9, 65_535, 65_536],
      [9, 65_536, 65_536],
      [2000, 100_000, 100_001],
      [2000, 1_000_000, 128_000],
      [20_000, 1_048_575, 1_048_576],
      [20_000, 5_000_000, 1_048_576],
    ] as const;
    for (const [payloadSize, contentSize, chunkSize] of chunkSizes) {
      assert.equal(
        (optionsFor(payloadSize, contentSize) as { chunkSize: number }).chunkSize,
        chunkSize,
        `${payloadSize} ${contentSize}`,
      );
    }
  });

  test("keeps the native error as the cause", () => {
    assert.throws(
      () => decompressExactly(ORIGIN, inflateRawSync, Buffer.from("ffff", "hex"), 10),
      (error: Error) => (error.cause as { code?: string }).code === "Z_DATA_ERROR",
    );
  });

  test("says if there was no memory", () => {
    const noMemory = (): never => {
      throw new RangeError("Array buffer allocation failed");
    };
    assertCode(() => decompressExactly(ORIGIN, noMemory, noise(9), 10), "CODEC_SIZE_LIMIT", { contentSize: 10 });
  });
});
