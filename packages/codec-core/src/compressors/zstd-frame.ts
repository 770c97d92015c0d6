import { readUint32 } from "../bytes.ts";
import { payloadCorrupt } from "../compressor.ts";
import { CodecError } from "../errors.ts";
import { ORIGIN } from "./zstd-backend.ts";

const MAGIC = 0xfd2f_b528;
const DESCRIPTOR_OFFSET = 4;
const BLOCK_HEADER_BYTES = 3;
const CHECKSUM_BYTES = 4;
const MAX_BLOCK_BYTES = 128 * 1024;

// 128 MiB, the most that the reference decoder allows unless asked: a streaming decoder allocates the window before it decodes.
const MAX_WINDOW_LOG = 27;

const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const;
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;
const BlockType = { RAW: 0, RLE: 1, COMPRESSED: 2 } as const;

/**
 * Holds if the first `payloadSize` bytes of `payload` are exactly one ordinary zstd frame, of a size and a window that we decode.
 * Looks at headers only, before any native code does: decoders join frames, skip skippable ones and may take a cut one for a short
 * one.
 *
 * @throws CodecError `CODEC_PAYLOAD_CORRUPT`, `CODEC_DICTIONARY_MISSING`
 */
export function assertSingleFrame(payload: Uint8Array, contentSize: number, payloadSize: number = payload.length): void {
  const objection = objectionToHeader(payload, payloadSize);
  if (objection !== undefined) throw payloadCorrupt(ORIGIN, objection, { contentSize, payloadSize });
  const dictionaryId = dictionaryIdOf(payload);
  if (dictionaryId !== 0) throw dictionaryMissing(dictionaryId, contentSize, payloadSize);
  const other = objectionToWindow(payload) ?? objectionToSizes(payload, contentSize, payloadSize);
  if (other !== undefined) throw payloadCorrupt(ORIGIN, other, { contentSize, payloadSize });
}

function dictionaryMissing(dictionaryId: number, contentSize: number, payloadSize: number): CodecError {
  const facts = { codecId: ORIGIN.id, dictionaryId, contentSize, payloadSize };
  return new CodecError("CODEC_DICTIONARY_MISSING", `zstd: payload needs dictionary ${dictionaryId}`, facts);
}

// What a header says (RFC 8878, section 3.1.1.1) is read by one function for each field: an object that holds them all would be
// garbage at every frame.
function objectionToHeader(payload: Uint8Array, payloadSize: number): string | undefined {
  if (payloadSize <= DESCRIPTOR_OFFSET || readUint32(payload, 0) !== MAGIC) return "payload does not begin with a zstd frame";
  const descriptor = descriptorOf(payload);
  if ((descriptor & 0x08) !== 0) return "reserved bit is set";
  return payloadSize < headerBytesOf(descriptor) ? "header is cut short" : undefined;
}

function descriptorOf(payload: Uint8Array): number {
  return payload[DESCRIPTOR_OFFSET] as number;
}

/** Of a frame without a window of its own: the content is the window. */
function isSingleSegment(descriptor: number): boolean {
  return (descriptor & 0x20) !== 0;
}

function dictionaryOffsetOf(descriptor: number): number {
  return DESCRIPTOR_OFFSET + (isSingleSegment(descriptor) ? 1 : 2);
}

function dictionaryBytesOf(descriptor: number): number {
  return DICTIONARY_ID_BYTES[(descriptor & 3) as 0 | 1 | 2 | 3];
}

function contentSizeBytesOf(descriptor: number): number {
  return CONTENT_SIZE_BYTES[(descriptor >>> 6) as 0 | 1 | 2 | 3] || (isSingleSegment(descriptor) ? 1 : 0);
}

function headerBytesOf(descriptor: number): number {
  return dictionaryOffsetOf(descriptor) + dictionaryBytesOf(descriptor) + contentSizeBytesOf(descriptor);
}

function dictionaryIdOf(payload: Uint8Array): number {
  const descriptor = descriptorOf(payload);
  return readInteger(payload, dictionaryOffsetOf(descriptor), dictionaryBytesOf(descriptor));
}

/** Whether the frame does not say how much it holds, or says so much. */
function claims(payload: Uint8Array, contentSize: number): boolean {
  const size = contentSizeBytesOf(descriptorOf(payload));
  return size === 0 || claimedSizeOf(payload, size) === contentSize;
}

function claimedSizeOf(payload: Uint8Array, size: number): number {
  const descriptor = descriptorOf(payload);
  const claimed = readInteger(payload, dictionaryOffsetOf(descriptor) + dictionaryBytesOf(descriptor), size);
  // Two bytes count from 256: smaller sizes take one.
  return size === 2 ? claimed + 256 : claimed;
}

function objectionToWindow(payload: Uint8Array): string | undefined {
  if (isSingleSegment(descriptorOf(payload))) return undefined;
  const windowLog = windowLogOf(payload[DESCRIPTOR_OFFSET + 1] as number);
  return windowLog > MAX_WINDOW_LOG ? `window of 2^${windowLog} bytes, at most 2^${MAX_WINDOW_LOG}` : undefined;
}

// Rounded up: the mantissa adds eighths of the power of two.
function windowLogOf(windowDescriptor: number): number {
  return 10 + (windowDescriptor >>> 3) + ((windowDescriptor & 7) === 0 ? 0 : 1);
}

/** Walks the blocks to the end of the payload. */
function objectionToSizes(payload: Uint8Array, contentSize: number, payloadSize: number): string | undefined {
  const descriptor = descriptorOf(payload);
  if (!claims(payload, contentSize)) {
    return `frame holds ${claimedSizeOf(payload, contentSizeBytesOf(descriptor))} bytes, expected ${contentSize}`;
  }
  let offset = headerBytesOf(descriptor);
  let bound = 0;
  let isLast = false;
  while (!isLast) {
    if (offset + BLOCK_HEADER_BYTES > payloadSize) return "frame is cut short";
    const blockHeader = readInteger(payload, offset, BLOCK_HEADER_BYTES);
    isLast = (blockHeader & 1) === 1;
    const type = (blockHeader >>> 1) & 3;
    const size = blockHeader >>> 3;
    if (type > BlockType.COMPRESSED || size > MAX_BLOCK_BYTES) return "block header is damaged";
    offset += BLOCK_HEADER_BYTES + (type === BlockType.RLE ? 1 : size);
    bound += type === BlockType.COMPRESSED ? MAX_BLOCK_BYTES : size;
  }
  offset += (descriptor & 0x04) === 0 ? 0 : CHECKSUM_BYTES;
  if (offset !== payloadSize) return `frame ends at byte ${offset} of ${payloadSize}`;
  return bound < contentSize ? `blocks hold at most ${bound} bytes, expected ${contentSize}` : undefined;
}

/** Little-endian. Inexact beyond 2^53, which is far beyond every size that is accepted. */
function readInteger(bytes: Uint8Array, offset: number, size: number): number {
  let value = 0;
  for (let index = size - 1; index >= 0; index--) value = value * 256 + (bytes[offset + index] as number);
  return value;
}
