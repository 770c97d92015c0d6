import { allocate, allocateAlone, assertBytes, copyOf, giveScratch, isShared, overlaps, takeScratch, viewOf } from "./bytes.ts";
import { type FrameVersion, loadChecksum } from "./checksum.ts";
import {
  assertCompressor,
  CodecId,
  type Compressor,
  type CompressorRegistry,
  createRegistry,
  DOES_NOT_FIT,
  FIRST_CUSTOM_ID,
} from "./compressor.ts";
import { brotli } from "./compressors/brotli.ts";
import { deflate } from "./compressors/deflate.ts";
import { lz4 } from "./compressors/lz4.ts";
import { stored } from "./compressors/stored.ts";
import { zstd } from "./compressors/zstd.ts";
import { CodecError, describeKind } from "./errors.ts";
import {
  assertFrame,
  assertFrameChecksum,
  assertFrameSizes,
  codecIdOf,
  contentSizeOf,
  FRAME_HEADER_BYTES,
  factsOf,
  payloadOf,
  sealFrame,
} from "./frame.ts";
import { decoderFor, encodeInKernel, encoderFor, openInKernel } from "./kernel-codec.ts";
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
}

const REFUSED = -1;
const OPTION_KEYS = ["compressor", "frameVersion", "minCompressBytes", "maxContentBytes", "accept"];

interface Settings extends ValueCodecOptions {
  readonly registry: CompressorRegistry;
}

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
    decode: (frame: Uint8Array) => decode(settings, frame),
    decodeInto: (frame: Uint8Array, target: Uint8Array, offset = 0) => decodeInto(settings, frame, target, offset),
  });
}

function resolveValueCodecOptions(options: Partial<ValueCodecOptions>): Settings {
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

function encode(settings: Settings, content: Uint8Array): Buffer {
  assertContent(settings, content);
  const kernel = encoderFor(settings, content);
  if (kernel !== undefined) {
    const framed = allocate(encodeInKernel(kernel, settings, content));
    kernel.copyFrame(framed, 0);
    return framed;
  }
  const source = isShared(content) ? copyOf(content) : content;
  const compressed = isWorthCompressing(settings, source) ? encodeCompressed(settings, source) : undefined;
  if (compressed !== undefined) return compressed;
  const frame = allocate(FRAME_HEADER_BYTES + source.length);
  writeStored(settings, source, frame, 0);
  return frame;
}

function encodeInto(settings: Settings, content: Uint8Array, target: Uint8Array, offset: number): number {
  assertContent(settings, content);
  assertRoom(target, offset, FRAME_HEADER_BYTES + content.length);
  const kernel = encoderFor(settings, content);
  if (kernel !== undefined) {
    encodeInKernel(kernel, settings, content);
    return kernel.copyFrame(target, offset);
  }
  if (isShared(target)) return placeCopy(encode(settings, content), target, offset);
  const source = isShared(content) || overlaps(content, target) ? copyOf(content) : content;
  const frameSize = isWorthCompressing(settings, source) ? writeCompressed(settings, source, target, offset) : DOES_NOT_FIT;
  return frameSize === DOES_NOT_FIT ? writeStored(settings, source, target, offset) : frameSize;
}

function assertContent({ maxContentBytes }: Settings, content: unknown): asserts content is Uint8Array {
  assertBytes("content", content);
  if (content.length <= maxContentBytes) return;
  const message = `content of ${content.length} bytes, limit ${maxContentBytes}`;
  throw new CodecError("CODEC_SIZE_LIMIT", message, { contentSize: content.length, limit: maxContentBytes });
}

// A single byte cannot become fewer.
function isWorthCompressing({ compressor, minCompressBytes }: Settings, content: Uint8Array): boolean {
  return content.length >= minCompressBytes && content.length > 1 && compressor.id !== CodecId.STORED;
}

function encodeCompressed(settings: Settings, content: Uint8Array): Buffer | undefined {
  const room = FRAME_HEADER_BYTES + content.length;
  // Memory that was used before holds what others encoded, which is no business of a compressor that is not ours.
  const isOurs = settings.compressor.id < FIRST_CUSTOM_ID;
  const target = isOurs ? takeScratch(room) : allocateAlone(room).fill(0);
  const frameSize = writeCompressed(settings, content, target, 0);
  const frame = frameSize === DOES_NOT_FIT ? undefined : copyOf(viewOf(target, 0, frameSize));
  if (isOurs) giveScratch(target);
  return frame;
}

/** Returns the frame's length, or -1 if compression gains nothing. There is room for header and content. */
function writeCompressed(settings: Settings, content: Uint8Array, target: Uint8Array, offset: number): number {
  const { compressor, frameVersion } = settings;
  const room = viewOf(target, offset + FRAME_HEADER_BYTES, content.length - 1);
  const payloadSize = compressor.compressInto(content, room);
  if (payloadSize === DOES_NOT_FIT) return DOES_NOT_FIT;
  return sealFrame(target, offset, frameVersion, compressor.id, content.length, payloadSize);
}

function writeStored({ frameVersion }: Settings, content: Uint8Array, target: Uint8Array, offset: number): number {
  target.set(content, offset + FRAME_HEADER_BYTES);
  return sealFrame(target, offset, frameVersion, CodecId.STORED, content.length, content.length);
}

function decode(settings: Settings, frame: Uint8Array): Buffer {
  assertBytes("frame", frame);
  const kernel = decoderFor(settings, frame);
  const openedSize = kernel === undefined ? REFUSED : openInKernel(kernel, settings, frame);
  if (kernel !== undefined && openedSize > REFUSED) {
    const content = allocate(openedSize);
    kernel.copyContent(content, 0);
    return content;
  }
  // The checks say why it was refused.
  const source = isShared(frame) ? copyOf(frame) : frame;
  const compressor = openFrame(settings, source);
  return compressor.decompress(payloadOf(source), contentSizeOf(source));
}

function decodeInto(settings: Settings, frame: Uint8Array, target: Uint8Array, offset: number): number {
  assertBytes("frame", frame);
  assertRoom(target, offset, 0);
  const kernel = decoderFor(settings, frame);
  const openedSize = kernel === undefined ? REFUSED : openInKernel(kernel, settings, frame);
  // Refuses a target without room itself: to ask the target here could run code of the caller's, which may use the kernel.
  if (kernel !== undefined && openedSize > REFUSED) return kernel.copyContent(target, offset);
  // The checks say why it was refused.
  const source = isShared(frame) || overlaps(frame, target) ? copyOf(frame) : frame;
  const compressor = openFrame(settings, source);
  const contentSize = contentSizeOf(source);
  assertRoom(target, offset, contentSize);
  if (isShared(target)) return placeCopy(compressor.decompress(payloadOf(source), contentSize), target, offset);
  compressor.decompressInto(payloadOf(source), viewOf(target, offset, contentSize));
  return contentSize;
}

/** Checks 1 to 6; returns the compressor for the seventh. */
function openFrame({ registry, maxContentBytes }: Settings, frame: Uint8Array): Compressor {
  assertFrame(frame);
  const compressor = registry[codecIdOf(frame)];
  if (compressor === undefined) {
    throw new CodecError("CODEC_UNKNOWN_ID", `codec id ${codecIdOf(frame)} is not accepted`, factsOf(frame));
  }
  compressor.load();
  assertFrameSizes(frame, maxContentBytes);
  assertFrameChecksum(frame);
  return compressor;
}

function assertRoom(target: unknown, offset: unknown, size: number): asserts target is Uint8Array {
  assertBytes("target", target);
  assertIntegerBetween("offset", offset, 0, target.length);
  if (target.length - offset >= size) return;
  throw new RangeError(`target has room for ${target.length - offset} bytes at offset ${offset}, needs ${size}`);
}

// Memory that other threads write to: what is worked on must be nobody else's.
function placeCopy(result: Buffer, target: Uint8Array, offset: number): number {
  target.set(result, offset);
  return result.length;
}
