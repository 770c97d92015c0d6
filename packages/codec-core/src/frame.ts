import { copyOf, readUint32, viewOf, writeUint32 } from "./bytes.ts";
import { CHECKSUM_BYTES, type FrameVersion, matchesChecksum, writeChecksum } from "./checksum.ts";
import { CodecError, type CodecErrorFacts } from "./errors.ts";

/** Bytes of the header before every payload. */
export const FRAME_HEADER_BYTES = 18;

const VERSION_OFFSET = 4;
const CODEC_ID_OFFSET = 5;
const CONTENT_SIZE_OFFSET = 6;
const CHECKSUM_OFFSET = 10;

const STORED_ID = 0;
const LAST_BUILT_IN_ID = 4;
const FIRST_CUSTOM_ID = 16;

// Never occurs in UTF-8 and is unused in MessagePack: our own later frames begin with it.
const COMPACT_FRAME_MARK = 0xc1;

/** What a frame says of itself. Nothing is verified: neither sizes nor checksum, nor that version and codec are known. */
export interface FrameHeader {
  /** Frame version; 1 and 2 exist. */
  readonly version: number;
  /** The compressor of the payload: 0 stored, 1 Brotli, 2 raw Deflate, 3 LZ4 block, 4 zstd, 16–255 custom. */
  readonly codecId: number;
  /** Bytes of the original content. */
  readonly contentSize: number;
  /** Bytes after the header. */
  readonly payloadSize: number;
  /** The eight bytes of checksum over the payload, copied. */
  readonly checksum: Buffer;
}

type FrameFacts = Pick<CodecErrorFacts, "version" | "codecId" | "frameSize" | "contentSize" | "payloadSize">;

/**
 * Whether `bytes` begin with the four bytes that every frame begins with. Says nothing about the rest.
 *
 * @example
 * import { createValueCodec, isFrame } from "@tightwire/codec-core";
 *
 * isFrame(createValueCodec().encode(Buffer.from("abc"))); // true
 * isFrame(Buffer.from("abc")); // false
 */
export function isFrame(bytes: Uint8Array): boolean {
  return bytes[0] === 0x52 && bytes[1] === 0x56 && bytes[2] === 0x43 && bytes[3] === 0;
}

/**
 * Reads the header without judging it; undefined if `bytes` do not begin with one.
 *
 * @example
 * import { createValueCodec, readFrameHeader } from "@tightwire/codec-core";
 *
 * const header = readFrameHeader(createValueCodec().encode(Buffer.alloc(5000)));
 * header?.codecId; // 4
 * header?.contentSize; // 5000
 */
export function readFrameHeader(bytes: Uint8Array): FrameHeader | undefined {
  if (bytes.length < FRAME_HEADER_BYTES || !isFrame(bytes)) return undefined;
  return Object.freeze({
    version: versionOf(bytes),
    codecId: codecIdOf(bytes),
    contentSize: contentSizeOf(bytes),
    payloadSize: bytes.length - FRAME_HEADER_BYTES,
    checksum: copyOf(viewOf(bytes, CHECKSUM_OFFSET, CHECKSUM_BYTES)),
  });
}

/**
 * Codec id of a frame of at least a header's length; allocates nothing, as {@link readFrameHeader} does.
 *
 * @example
 * import { CodecId, codecIdOf, createValueCodec } from "@tightwire/codec-core";
 *
 * codecIdOf(createValueCodec().encode(Buffer.alloc(5000))) === CodecId.ZSTD; // true
 */
export function codecIdOf(frame: Uint8Array): number {
  return frame[CODEC_ID_OFFSET] as number;
}

/**
 * Content size that a frame of at least a header's length claims; allocates nothing, as {@link readFrameHeader} does.
 *
 * @example
 * import { contentSizeOf, createValueCodec } from "@tightwire/codec-core";
 *
 * contentSizeOf(createValueCodec().encode(Buffer.alloc(5000))); // 5000
 */
export function contentSizeOf(frame: Uint8Array): number {
  return readUint32(frame, CONTENT_SIZE_OFFSET);
}

/** The bytes after the header, over the same memory. */
export function payloadOf(frame: Uint8Array): Uint8Array {
  return viewOf(frame, FRAME_HEADER_BYTES, frame.length - FRAME_HEADER_BYTES);
}

/** Version of a frame of at least a header's length. */
export function versionOf(frame: Uint8Array): number {
  return frame[VERSION_OFFSET] as number;
}

/**
 * Puts the header before a payload that already lies at `offset + FRAME_HEADER_BYTES`. Last of all, so that a failed encode leaves
 * nothing that reads as a frame.
 *
 * @returns length of the frame
 */
export function sealFrame(
  target: Uint8Array,
  offset: number,
  version: FrameVersion,
  codecId: number,
  contentSize: number,
  payloadSize: number,
): number {
  const payload = viewOf(target, offset + FRAME_HEADER_BYTES, payloadSize);
  writeChecksum(version, payload, target, offset + CHECKSUM_OFFSET);
  target[offset] = 0x52;
  target[offset + 1] = 0x56;
  target[offset + 2] = 0x43;
  target[offset + 3] = 0;
  target[offset + VERSION_OFFSET] = version;
  target[offset + CODEC_ID_OFFSET] = codecId;
  writeUint32(target, offset + CONTENT_SIZE_OFFSET, contentSize);
  return FRAME_HEADER_BYTES + payloadSize;
}

/**
 * Checks 1 and 2 of decoding.
 *
 * @throws CodecError `CODEC_FRAME_INVALID`, `CODEC_FRAME_TRUNCATED`, `CODEC_FRAME_VERSION`
 */
export function assertFrame(frame: Uint8Array): void {
  const frameSize = frame.length;
  if (!isFrame(frame)) throw frameInvalid(frameSize);
  if (frameSize < FRAME_HEADER_BYTES) {
    const message = `frame of ${frameSize} bytes, expected a header of ${FRAME_HEADER_BYTES} bytes`;
    throw new CodecError("CODEC_FRAME_TRUNCATED", message, { frameSize });
  }
  const version = versionOf(frame);
  if (version === 2 || version === 1) return;
  throw new CodecError("CODEC_FRAME_VERSION", `frame version ${version}, expected 1 or 2`, { version, frameSize });
}

/** The error of check 1. */
export function frameInvalid(frameSize: number): CodecError {
  return new CodecError("CODEC_FRAME_INVALID", `${frameSize} bytes that do not begin with the frame magic`, { frameSize });
}

/**
 * Checks 4 and 5 of decoding: before anything is allocated.
 *
 * @throws CodecError `CODEC_SIZE_LIMIT`, `CODEC_SIZE_MISMATCH`
 */
export function assertFrameSizes(frame: Uint8Array, maxContentBytes: number): void {
  if (contentSizeOf(frame) > maxContentBytes) throw sizeLimitExceeded(frame, frame.length, maxContentBytes);
  if (!hasFittingSizes(frame)) throw sizeMismatch(frame, frame.length);
}

/** The error of check 4. */
export function sizeLimitExceeded(frame: Uint8Array, frameSize: number, limit: number): CodecError {
  const facts: CodecErrorFacts = factsOf(frame, frameSize);
  facts.limit = limit;
  return new CodecError("CODEC_SIZE_LIMIT", `frame claims ${facts.contentSize} bytes of content, limit ${limit}`, facts);
}

/** The error of check 5. */
export function sizeMismatch(frame: Uint8Array, frameSize: number): CodecError {
  const facts = factsOf(frame, frameSize);
  const expected = facts.codecId === STORED_ID ? "exactly" : "fewer than";
  const message = `payload of ${facts.payloadSize} bytes, expected ${expected} the ${facts.contentSize} bytes of content`;
  return new CodecError("CODEC_SIZE_MISMATCH", message, facts);
}

/**
 * Check 6 of decoding: before anything is decompressed.
 *
 * @throws CodecError `CODEC_CHECKSUM_MISMATCH`, `CODEC_UNAVAILABLE`
 */
export function assertFrameChecksum(frame: Uint8Array): void {
  if (!hasFittingChecksum(frame)) throw checksumMismatch(frame, frame.length);
}

/** The error of check 6. */
export function checksumMismatch(frame: Uint8Array, frameSize: number): CodecError {
  const facts = factsOf(frame, frameSize);
  return new CodecError("CODEC_CHECKSUM_MISMATCH", `checksum of a payload of ${facts.payloadSize} bytes differs`, facts);
}

/** What the header tells about a failure. The frame may lie at the beginning of more bytes. */
export function factsOf(frame: Uint8Array, frameSize: number = frame.length): Required<FrameFacts> {
  return {
    version: versionOf(frame),
    codecId: codecIdOf(frame),
    frameSize,
    contentSize: contentSizeOf(frame),
    payloadSize: frameSize - FRAME_HEADER_BYTES,
  };
}

function hasFittingSizes(frame: Uint8Array): boolean {
  const payloadSize = frame.length - FRAME_HEADER_BYTES;
  const contentSize = contentSizeOf(frame);
  return codecIdOf(frame) === STORED_ID ? payloadSize === contentSize : payloadSize < contentSize;
}

function hasFittingChecksum(frame: Uint8Array): boolean {
  return matchesChecksum(versionOf(frame) as FrameVersion, payloadOf(frame), frame, CHECKSUM_OFFSET);
}

/**
 * Whether `bytes` are a frame whose magic alone is damaged: the magic is wrong, but what follows could be the rest of a header, and
 * its checksum matches. Costs a few comparisons unless it could be one; never throws.
 *
 * @example
 * import { createValueCodec, isDamagedFrame } from "@tightwire/codec-core";
 *
 * const frame = createValueCodec().encode(Buffer.from("abc"));
 * isDamagedFrame(frame); // false
 * frame[0] = 0;
 * isDamagedFrame(frame); // true
 */
export function isDamagedFrame(bytes: Uint8Array): boolean {
  if (!(bytes.length >= FRAME_HEADER_BYTES) || isFrame(bytes) || !hasPlausibleHeader(bytes)) return false;
  try {
    return hasFittingChecksum(bytes);
  } catch {
    // Without the checksum's package the codec cannot read such a frame either.
    return false;
  }
}

function hasPlausibleHeader(bytes: Uint8Array): boolean {
  const version = versionOf(bytes);
  if (version !== 2 && version !== 1) return false;
  const codecId = codecIdOf(bytes);
  if (codecId > LAST_BUILT_IN_ID && codecId < FIRST_CUSTOM_ID) return false;
  return hasFittingSizes(bytes);
}

/**
 * Whether `bytes` would be taken for something else if they were held without a frame: they begin with the magic or with byte `c1`,
 * or look like a frame whose magic is damaged. Such content must always be framed.
 *
 * @example
 * import { createValueCodec, isReservedContent } from "@tightwire/codec-core";
 *
 * isReservedContent(createValueCodec().encode(Buffer.from("abc"))); // true
 * isReservedContent(Buffer.from("abc")); // false
 */
export function isReservedContent(bytes: Uint8Array): boolean {
  return bytes[0] === COMPACT_FRAME_MARK || isFrame(bytes) || isDamagedFrame(bytes);
}
