import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as core from "../src/index.ts";

suite("@tightwire/codec-core", () => {
  test("offers what users need and nothing by accident", () => {
    const withoutSerializers = Object.keys(core).filter((name) => !SERIALIZER_NAMES.has(name));
    assert.deepEqual(withoutSerializers, [
      "CodecError",
      "CodecErrorCode",
      "CodecId",
      "DEFAULT_BROTLI_QUALITY",
      "DEFAULT_DEFLATE_LEVEL",
      "DEFAULT_FRAME_VERSION",
      "DEFAULT_MAX_CONTENT_BYTES",
      "DEFAULT_MIN_COMPRESS_BYTES",
      "DEFAULT_ZSTD_LEVEL",
      "FRAME_HEADER_BYTES",
      "MAX_CONTENT_BYTES",
      "brotli",
      "createValueCodec",
      "defineCompressor",
      "deflate",
      "isCodecError",
      "isCompressor",
      "isDamagedFrame",
      "isFrame",
      "isReservedContent",
      "lz4",
      "readFrameHeader",
      "stored",
      "zstd",
    ]);
  });
});

const SERIALIZER_NAMES = new Set<string>();
