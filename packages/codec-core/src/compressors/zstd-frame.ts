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

/** What a zstd frame header says (RFC 8878, section 3.1.1.1). */
interface ZstdHeader {
  readonly headerBytes: number;
  readonly hasChecksum: boolean;
  readonly dictionaryId: number;
  /** Undefined where the writer did not know it. */
  readonly contentSize: number | undefined;
  /** Rounded up; 0 where the content itself is the window. */
  readonly windowLog: number;
}

/**
 * Holds if `payload` is exactly one ordinary zstd frame, of a size and a window that we decode. Looks at headers only, before any
 * native code does: decoders join frames, skip skippable ones and may take a cut one for a short one.
 *
 * @throws CodecError `CODEC_PAYLOAD_CORRUPT`, `CODEC_DICTIONARY_MISSING`
 */
export function assertSingleFrame(payload: Uint8Array, contentSize: number): void {
  const facts = { contentSize, payloadSize: payload.length };
  const header = readHeader(payload);
  if (typeof header === "string") throw payloadCorrupt(ORIGIN, header, facts);
  if (header.dictionaryId !== 0) {
    const message = `zstd: payload needs dictionary ${header.dictionaryId}`;
    throw new CodecError("CODEC_DICTIONARY_MISSING", message, {
      codecId: ORIGIN.id,
      dictionaryId: header.dictionaryId,
      ...facts,
    });
  }
  const objection = objectionTo(payload, header, contentSize);
  if (objection !== undefined) throw payloadCorrupt(ORIGIN, objection, facts);
}

function objectionTo(payload: Uint8Array, header: ZstdHeader, contentSize: number): string | undefined {
  if (header.windowLog > MAX_WINDOW_LOG) return `window of 2^${header.windowLog} bytes, at most 2^${MAX_WINDOW_LOG}`;
  if (header.contentSize !== undefined && header.contentSize !== contentSize) {
    return `frame holds ${header.contentSize} bytes, expected ${contentSize}`;
  }
  const bound = boundOfBlocks(payload, header);
  if (typeof bound === "string") return bound;
  return bound < contentSize ? `blocks hold at most ${bound} bytes, expected ${contentSize}` : undefined;
}

/** Returns the header, or what is wrong with it. */
function readHeader(payload: Uint8Array): ZstdHeader | string {
  if (payload.length <= DESCRIPTOR_OFFSET || readUint32(payload, 0) !== MAGIC) return "payload does not begin with a zstd frame";
  const descriptor = payload[DESCRIPTOR_OFFSET] as number;
  if ((descriptor & 0x08) !== 0) return "reserved bit is set";
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = DICTIONARY_ID_BYTES[(descriptor & 3) as 0 | 1 | 2 | 3];
  const contentSizeBytes = CONTENT_SIZE_BYTES[(descriptor >>> 6) as 0 | 1 | 2 | 3] || (isSingleSegment ? 1 : 0);
  const dictionaryOffset = DESCRIPTOR_OFFSET + (isSingleSegment ? 1 : 2);
  const contentSizeOffset = dictionaryOffset + dictionaryBytes;
  const headerBytes = contentSizeOffset + contentSizeBytes;
  if (payload.length < headerBytes) return "header is cut short";
  return {
    headerBytes,
    hasChecksum: (descriptor & 0x04) !== 0,
    dictionaryId: readInteger(payload, dictionaryOffset, dictionaryBytes),
    contentSize: contentSizeBytes === 0 ? undefined : readContentSize(payload, contentSizeOffset, contentSizeBytes),
    windowLog: isSingleSegment ? 0 : windowLogOf(payload[DESCRIPTOR_OFFSET + 1] as number),
  };
}

function readContentSize(payload: Uint8Array, offset: number, size: number): number {
  const contentSize = readInteger(payload, offset, size);
  // Two bytes count from 256: smaller sizes take one.
  return size === 2 ? contentSize + 256 : contentSize;
}

// The mantissa adds eighths of the power of two.
function windowLogOf(windowDescriptor: number): number {
  return 10 + (windowDescriptor >>> 3) + ((windowDescriptor & 7) === 0 ? 0 : 1);
}

/** Walks the blocks to the end of the payload. Returns the most that they can hold, or what is wrong with them. */
function boundOfBlocks(payload: Uint8Array, header: ZstdHeader): number | string {
  let offset = header.headerBytes;
  let bound = 0;
  let isLast = false;
  while (!isLast) {
    if (offset + BLOCK_HEADER_BYTES > payload.length) return "frame is cut short";
    const blockHeader = readInteger(payload, offset, BLOCK_HEADER_BYTES);
    isLast = (blockHeader & 1) === 1;
    const type = (blockHeader >>> 1) & 3;
    const size = blockHeader >>> 3;
    if (type > BlockType.COMPRESSED || size > MAX_BLOCK_BYTES) return "block header is damaged";
    offset += BLOCK_HEADER_BYTES + (type === BlockType.RLE ? 1 : size);
    bound += type === BlockType.COMPRESSED ? MAX_BLOCK_BYTES : size;
  }
  offset += header.hasChecksum ? CHECKSUM_BYTES : 0;
  return offset === payload.length ? bound : `frame ends at byte ${offset} of ${payload.length}`;
}

/** Little-endian. Inexact beyond 2^53, which is far beyond every size that is accepted. */
function readInteger(bytes: Uint8Array, offset: number, size: number): number {
  let value = 0;
  for (let index = size - 1; index >= 0; index--) value = value * 256 + (bytes[offset + index] as number);
  return value;
}
