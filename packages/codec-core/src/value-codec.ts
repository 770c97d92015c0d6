import { type FrameVersion, loadChecksum } from "./checksum.ts";
import { assertCompressor, type Compressor, createRegistry } from "./compressor.ts";
import { brotli } from "./compressors/brotli.ts";
import { deflate } from "./compressors/deflate.ts";
import { lz4 } from "./compressors/lz4.ts";
import { stored } from "./compressors/stored.ts";
import { zstd } from "./compressors/zstd.ts";
import { describeKind } from "./errors.ts";
import { FRAME_HEADER_BYTES } from "./frame.ts";
import { decode, decodeInto, decodeText } from "./frame-decoder.ts";
import { encode, encodeInto, encodeTextInto } from "./frame-encoder.ts";
import type { CodecSettings } from "./kernel-codec.ts";
import {
  assertIntegerBetween,
  assertOptions,
  DEFAULT_FRAME_VERSION,
  DEFAULT_MAX_CONTENT_BYTES,
  DEFAULT_MIN_COMPRESS_BYTES,
  MAX_CONTENT_BYTES,
} from "./limits.ts";

/** Options of {@link createValueCodec}. */
export interface ValueCodecOptions {
  /** What to write with. @default zstd() */
  readonly compressor: Compressor;
  /** Version of the frames to write; both are always read. @default 2 */
  readonly frameVersion: FrameVersion;
  /** Shorter content is stored without trying to compress it; 0 always tries. @default 1024 */
  readonly minCompressBytes: number;
  /** Longer content is refused, written or read. @default 8388608 */
  readonly maxContentBytes: number;
  /**
   * The complete list of compressors that may be read, except that stored frames and what `compressor` writes always may.
   * @default the built-in ones
   */
  readonly accept: readonly Compressor[];
}

/** Content ⇄ frame. Immutable; every method is synchronous and may be called from anywhere, also from a compressor. */
export interface ValueCodec {
  readonly compressor: Compressor;
  readonly frameVersion: FrameVersion;
  readonly minCompressBytes: number;
  readonly maxContentBytes: number;
  /** Every compressor that may be read, the one that writes and `stored()` included, by ascending id. */
  readonly accept: readonly Compressor[];
  /**
   * Frames content. The result is the caller's; the content is neither kept nor changed.
   *
   * @throws CodecError `CODEC_SIZE_LIMIT`; `CODEC_PAYLOAD_CORRUPT` if a custom compressor fails
   */
  encode(content: Uint8Array): Buffer;
  /**
   * Frames content into `target` from `offset` (0 by default), where there must be room for `maxEncodedBytes(content.length)`.
   * On failure the header's 18 bytes at `offset` are as they were, so nothing there reads as a new frame; the rest of the room is
   * unspecified, as it is behind a frame that is shorter. Outside that room nothing changes.
   *
   * @returns length of the frame
   * @throws TypeError, RangeError for a target without that room; otherwise as `encode`
   */
  encodeInto(content: Uint8Array, target: Uint8Array, offset?: number): number;
  /**
   * Frames text as `encodeInto(Buffer.from(text), target, offset)` does: lone surrogates become U+FFFD. Mostly without that Buffer.
   *
   * @returns length of the frame
   * @throws TypeError for what is no string; otherwise as `encodeInto`
   * @example
   * import { createValueCodec, lz4 } from "@tightwire/codec-core";
   *
   * const codec = createValueCodec({ compressor: lz4() });
   * const target = Buffer.alloc(codec.maxEncodedBytes(3000));
   * codec.encodeTextInto("Zürich".repeat(400), target) < 100; // true
   */
  encodeTextInto(text: string, target: Uint8Array, offset?: number): number;
  /**
   * The most bytes that a frame of so much content takes.
   *
   * @throws TypeError, RangeError for a size over `maxContentBytes`
   */
  maxEncodedBytes(contentSize: number): number;
  /**
   * Verifies a frame and restores its content. The result is the caller's and never shares memory with the frame.
   *
   * @throws CodecError by the first check that fails
   */
  decode(frame: Uint8Array): Buffer;
  /**
   * Verifies a frame and restores its content into `target` from `offset` (0 by default). If decompression fails the room of the
   * content is unspecified; on any other failure the target is as it was. Outside that room nothing changes.
   *
   * @returns length of the content
   * @throws TypeError, RangeError for a target without room for what a sound frame claims to hold; otherwise as `decode`
   */
  decodeInto(frame: Uint8Array, target: Uint8Array, offset?: number): number;
  /**
   * Verifies a frame and restores its content as text, exactly as `decode(frame).toString("utf8")` has it: what is no UTF-8 becomes
   * U+FFFD. Mostly without that Buffer.
   *
   * @throws CodecError as `decode`
   * @example
   * import { createValueCodec, lz4 } from "@tightwire/codec-core";
   *
   * const codec = createValueCodec({ compressor: lz4() });
   * codec.decodeText(codec.encode(Buffer.from("Zürich"))); // "Zürich"
   */
  decodeText(frame: Uint8Array): string;
}

const OPTION_KEYS = ["compressor", "frameVersion", "minCompressBytes", "maxContentBytes", "accept"];

/**
 * Makes a codec that frames, compresses and checksums content.
 *
 * @throws TypeError, RangeError for options; CodecError `CODEC_UNAVAILABLE` if the package of `compressor` is missing
 * @example
 * import { createValueCodec, lz4 } from "@tightwire/codec-core";
 *
 * const codec = createValueCodec({ compressor: lz4(), minCompressBytes: 256 });
 * const frame = codec.encode(Buffer.from("hello ".repeat(1000)));
 * frame.length < 100; // true
 * codec.decode(frame).toString("utf8", 0, 5); // "hello"
 */
export function createValueCodec(options: Partial<ValueCodecOptions> = {}): ValueCodec {
  const settings = resolveValueCodecOptions(options);
  const { compressor, frameVersion, minCompressBytes, maxContentBytes, accept } = settings;
  compressor.load();
  loadChecksum(frameVersion);
  return Object.freeze({
    compressor,
    frameVersion,
    minCompressBytes,
    maxContentBytes,
    accept,
    encode: (content: Uint8Array) => encode(settings, content),
    encodeInto: (content: Uint8Array, target: Uint8Array, offset = 0) => encodeInto(settings, content, target, offset),
    maxEncodedBytes: (contentSize: number) => {
      assertIntegerBetween("contentSize", contentSize, 0, maxContentBytes);
      return FRAME_HEADER_BYTES + contentSize;
    },
    encodeTextInto: (text: string, target: Uint8Array, offset = 0) => encodeTextInto(settings, text, target, offset),
    decode: (frame: Uint8Array) => decode(settings, frame),
    decodeInto: (frame: Uint8Array, target: Uint8Array, offset = 0) => decodeInto(settings, frame, target, offset),
    decodeText: (frame: Uint8Array) => decodeText(settings, frame),
  });
}

function resolveValueCodecOptions(options: Partial<ValueCodecOptions>): ValueCodecOptions & CodecSettings {
  assertOptions("createValueCodec()", options, OPTION_KEYS);
  const {
    compressor = zstd(),
    frameVersion = DEFAULT_FRAME_VERSION,
    minCompressBytes = DEFAULT_MIN_COMPRESS_BYTES,
    maxContentBytes = DEFAULT_MAX_CONTENT_BYTES,
    accept = [brotli(), deflate(), lz4(), zstd()],
  } = options;
  assertCompressor("compressor", compressor);
  assertIntegerBetween("frameVersion", frameVersion, 1, 2);
  assertIntegerBetween("minCompressBytes", minCompressBytes, 0, Number.MAX_SAFE_INTEGER);
  assertIntegerBetween("maxContentBytes", maxContentBytes, 1, MAX_CONTENT_BYTES);
  if (!Array.isArray(accept)) throw new TypeError(`accept must be an array of compressors, got ${describeKind(accept)}`);
  const registry = createRegistry(accept, compressor, stored());
  const readable = registry.filter((known) => known !== undefined);
  return { compressor, frameVersion, minCompressBytes, maxContentBytes, accept: Object.freeze(readable), registry };
}
