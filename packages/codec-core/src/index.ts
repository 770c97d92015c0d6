// Published types speak of Buffer: TypeScript 7 includes no types by itself.
/// <reference types="node" preserve="true" />

export type { FrameVersion } from "./checksum.ts";
export { CodecId, type Compressor, isCompressor } from "./compressor.ts";
export { type BrotliOptions, brotli } from "./compressors/brotli.ts";
export {
  type CompressForm,
  type CompressIntoForm,
  type CompressorDefinition,
  type DecompressForm,
  type DecompressIntoForm,
  defineCompressor,
} from "./compressors/custom.ts";
export { type DeflateOptions, deflate } from "./compressors/deflate.ts";
export { lz4 } from "./compressors/lz4.ts";
export { stored } from "./compressors/stored.ts";
export { type ZstdOptions, zstd } from "./compressors/zstd.ts";
export { CodecError, CodecErrorCode, type CodecErrorFacts, isCodecError } from "./errors.ts";
export {
  codecIdOf,
  contentSizeOf,
  FRAME_HEADER_BYTES,
  type FrameHeader,
  isDamagedFrame,
  isFrame,
  isReservedContent,
  readFrameHeader,
} from "./frame.ts";
export {
  DEFAULT_BROTLI_QUALITY,
  DEFAULT_DEFLATE_LEVEL,
  DEFAULT_FRAME_VERSION,
  DEFAULT_MAX_CONTENT_BYTES,
  DEFAULT_MIN_COMPRESS_BYTES,
  DEFAULT_ZSTD_LEVEL,
  MAX_CONTENT_BYTES,
} from "./limits.ts";
export { bytes } from "./serializers/bytes.ts";
export { type JsonOptions, json } from "./serializers/json.ts";
export { type MsgpackOptions, msgpack } from "./serializers/msgpack.ts";
export { defineSerializer, isSerializer, type Serializer, type SerializerDefinition } from "./serializers/serializer.ts";
export { utf8 } from "./serializers/utf8.ts";
export { createValueCodec, type ValueCodec, type ValueCodecOptions } from "./value-codec.ts";
export { type SerializedCodec, withSerializer } from "./with-serializer.ts";
