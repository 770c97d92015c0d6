import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { compressWithin, decompressExactly } from "../src/compressors/zlib-calls.ts";
import { assertCode, noise } from "./support/frames.ts";

const ORIGIN = { id: 2, name: "deflate" };

suite("compressWithin()", () => {
  test("asks for chunks from 64 bytes to 64 KiB, one byte longer than the target", () => {
    const asked = [1, 63, 64, 100, 65_535, 65_536, 1_000_000].map((size) => {
      const chunkSizes: number[] = [];
      const compress = (_content: Uint8Array, chunkSize: number): Buffer => noise(chunkSizes.push(chunkSize));
      compressWithin(ORIGIN, compress, noise(9), Buffer.alloc(size));
      return chunkSizes[0];
    });
    assert.deepEqual(asked, [64, 64, 65, 101, 65_536, 65_536, 65_536]);
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
  test("bounds the output by the content size and chunks by 1 MiB", () => {
    const asked = [1, 63, 64, 5000, 1_048_575, 1_048_576, 0xffff_ffff].map((size) => {
      let given: object = {};
      const refuse = (_payload: Uint8Array, options: object): never => {
        given = options;
        throw new Error("refused");
      };
      assertCode(() => decompressExactly(ORIGIN, refuse, noise(9), size), "CODEC_PAYLOAD_CORRUPT", {
        contentSize: size,
        payloadSize: 9,
      });
      return given;
    });
    assert.deepEqual(
      asked,
      [64, 64, 65, 5001, 1_048_576, 1_048_576, 1_048_576].map((chunkSize, index) => ({
        chunkSize,
        maxOutputLength: [1, 63, 64, 5000, 1_048_575, 1_048_576, 0xffff_ffff][index],
        info: true,
      })),
    );
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
