import { CONTENT_START, DIGEST_START, HEADER_BYTES, PAYLOAD_START } from "./layout";
import { compressBlock } from "./lz4-compress";
import { decompressBlock } from "./lz4-decompress";
import { digest } from "./xxh3";

const MAGIC: u32 = 0x00435652;
const VERSION: u8 = 2;
const STORED_ID: u8 = 0;
const LZ4_ID: u8 = 3;

// Offsets from the payload's first byte.
const VERSION_BEFORE: usize = HEADER_BYTES - 4;
const CODEC_ID_BEFORE: usize = HEADER_BYTES - 5;
const CONTENT_SIZE_BEFORE: usize = HEADER_BYTES - 6;
const CHECKSUM_BEFORE: usize = HEADER_BYTES - 10;

// Failures, in the order of the checks; src/status.ts names them.
const INVALID: i32 = -1;
const TRUNCATED: i32 = -2;
const VERSION_UNKNOWN: i32 = -3;
const CODEC_UNKNOWN: i32 = -4;
const OVER_LIMIT: i32 = -5;
const SIZE_MISMATCH: i32 = -6;
const CHECKSUM_MISMATCH: i32 = -7;
const PAYLOAD_CORRUPT: i32 = -8;

/** Writes the checksum of `size` bytes at `from`, as a header would have it. */
export function writeDigest(from: usize, size: u32): void {
  store<u64>(DIGEST_START, digest(from, size));
}

/** Writes the header before the payload at `payload`. */
export function seal(payload: usize, payloadSize: u32, codecId: u32, contentSize: u32): void {
  store<u32>(payload - HEADER_BYTES, MAGIC);
  store<u8>(payload - VERSION_BEFORE, VERSION);
  store<u8>(payload - CODEC_ID_BEFORE, <u8>codecId);
  store<u32>(payload - CONTENT_SIZE_BEFORE, contentSize);
  store<u64>(payload - CHECKSUM_BEFORE, digest(payload, payloadSize));
}

/**
 * Frames the content: compressed, before the payload region's first byte and on, if that is smaller; otherwise stored, where it is.
 *
 * @returns size of the payload, which equals the content's only if it is stored
 */
export function encodeLz4(contentSize: u32): u32 {
  const payloadSize = contentSize > 0 ? <u32>compressBlock(CONTENT_START, contentSize, PAYLOAD_START, contentSize - 1) : 0;
  if (payloadSize === 0) {
    seal(CONTENT_START, contentSize, STORED_ID, contentSize);
    return contentSize;
  }
  seal(PAYLOAD_START, payloadSize, LZ4_ID, contentSize);
  return payloadSize;
}

/**
 * Makes every check of the frame in the payload region but that of the codec id.
 *
 * @returns content size, or the failure
 */
export function check(frameSize: u32, maxContentBytes: u32): i32 {
  const start = PAYLOAD_START - HEADER_BYTES;
  if (frameSize < 4 || load<u32>(start) !== MAGIC) return INVALID;
  if (frameSize < HEADER_BYTES) return TRUNCATED;
  if (load<u8>(PAYLOAD_START - VERSION_BEFORE) !== VERSION) return VERSION_UNKNOWN;
  const contentSize = load<u32>(PAYLOAD_START - CONTENT_SIZE_BEFORE);
  if (contentSize > maxContentBytes) return OVER_LIMIT;
  const payloadSize = frameSize - HEADER_BYTES;
  const isStored = load<u8>(PAYLOAD_START - CODEC_ID_BEFORE) === STORED_ID;
  if (isStored ? payloadSize !== contentSize : payloadSize >= contentSize) return SIZE_MISMATCH;
  if (digest(PAYLOAD_START, payloadSize) !== load<u64>(PAYLOAD_START - CHECKSUM_BEFORE)) return CHECKSUM_MISMATCH;
  return <i32>contentSize;
}

/**
 * Checks and opens a stored frame or one of LZ4: the former's content is its payload, the latter's comes to the content region.
 *
 * @returns content size, or the failure
 */
export function decode(frameSize: u32, maxContentBytes: u32): i32 {
  const contentSize = check(frameSize, maxContentBytes);
  if (contentSize < 0) return contentSize;
  const codecId = load<u8>(PAYLOAD_START - CODEC_ID_BEFORE);
  if (codecId === STORED_ID) return contentSize;
  if (codecId !== LZ4_ID) return CODEC_UNKNOWN;
  const isSound = decompressBlock(PAYLOAD_START, frameSize - HEADER_BYTES, CONTENT_START, contentSize);
  return isSound ? contentSize : PAYLOAD_CORRUPT;
}
