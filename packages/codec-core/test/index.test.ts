import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as core from "../src/index.ts";

suite("@tightwire/codec-core", () => {
  test("offers what users need and nothing by accident", () => {
    assert.deepEqual(Object.keys(core), [
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
      "bytes",
      "codecIdOf",
      "contentSizeOf",
      "createValueCodec",
      "defineCompressor",
      "defineSerializer",
      "deflate",
      "isCodecError",
      "isCompressor",
      "isDamagedFrame",
      "isFrame",
      "isReservedContent",
      "isSerializer",
      "json",
      "lz4",
      "msgpack",
      "readFrameHeader",
      "stored",
      "utf8",
      "withSerializer",
      "zstd",
    ]);
  });
});
