import { readUint32 } from "../bytes.ts";
import { CodecId, payloadCorrupt } from "../compressor.ts";
import { CodecError } from "../errors.ts";

const MAGIC = 0xfd2f_b528;
const MAGIC_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
const CHECKSUM_BYTES = 4;
const MAX_BLOCK_BYTES = 128 * 1024;

// 128 MiB, what the reference decoder allows by default: a streaming decoder allocates its window before it decodes.
const MAX_WINDOW_LOG = 27;

const BlockType = { RAW: 0, RLE: 1, COMPRESSED: 2 } as const;

/** The part of a zstd frame header that decides whether we decode it (RFC 8878, section 3.1.1.1). */
interface ZstdHeader {
  readonly headerBytes: number;
  readonly hasChecksum: boolean;
  readonly dictionaryId: number;
  /** Undefined where the writer did not know it. */
  readonly contentSize: number | undefined;
  readonly windowLog: number;
}

/**
 * Holds if `payload` is exactly one ordinary zstd frame whose blocks could hold `contentSize` bytes. Looks at headers only, and before any native code does:
 * decoders join frames, skip skippable ones and take cut ones for short ones.
 *
 * @throws CodecError `CODEC_PAYLOAD_CORRUPT`, `CODEC_DICTIONARY_MISSING`
 */
export function assertSingleFrame(payload: Uint8Array, contentSize: number): void {
  const header = readHeader(payload);
  if (header === undefined) throw corrupt("payload does not begin with a zstd frame");
  if (header.dictionaryId !== 0) {
    const message = `zstd frame needs dictionary ${header.dictionaryId}`;
    throw new CodecError("CODEC_DICTIONARY_MISSING", message, { codecId: CodecId.ZSTD });
  }
  if (header.windowLog > MAX_WINDOW_LOG) throw corrupt(`window of 2^${header.windowLog} bytes, at most 2^${MAX_WINDOW_LOG}`);
  if (header.contentSize !== undefined && header.contentSize !== contentSize) {
    throw corrupt(`frame holds ${header.contentSize} bytes, expected ${contentSize}`);
  }
  const bound = boundOfBlocks(payload, header);
  if (bound < contentSize) throw corrupt(`blocks hold at most ${bound} bytes, expected ${contentSize}`);
}

function readHeader(payload: Uint8Array): ZstdHeader | undefined {
  if (payload.length <= MAGIC_BYTES || readUint32(payload, 0) !== MAGIC) return undefined;
  const descriptor = payload[MAGIC_BYTES] as number;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] as number;
  const contentSizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6] as number;
  const dictionaryOffset = MAGIC_BYTES + 1 + (isSingleSegment ? 0 : 1);
  const contentSizeOffset = dictionaryOffset + dictionaryBytes;
  const headerBytes = contentSizeOffset + contentSizeBytes;
  if (payload.length < headerBytes || (descriptor & 0x08) !== 0) return undefined;
  return {
    headerBytes,
    hasChecksum: (descriptor & 0x04) !== 0,
    dictionaryId: readInteger(payload, dictionaryOffset, dictionaryBytes),
    contentSize:
      contentSizeBytes === 0
        ? undefined
        : readInteger(payload, contentSizeOffset, contentSizeBytes) + (contentSizeBytes === 2 ? 256 : 0),
    windowLog: isSingleSegment ? 0 : windowLogOf(payload[MAGIC_BYTES + 1] as number),
  };
}

// Rounded up: the mantissa adds eighths of the power of two.
function windowLogOf(windowDescriptor: number): number {
  return 10 + (windowDescriptor >>> 3) + ((windowDescriptor & 7) === 0 ? 0 : 1);
}

/** Walks the blocks to the end of the payload; returns the most that they can hold. */
function boundOfBlocks(payload: Uint8Array, header: ZstdHeader): number {
  let offset = header.headerBytes;
  let bound = 0;
  for (let isLast = false; !isLast; ) {
    if (offset + BLOCK_HEADER_BYTES > payload.length) throw corrupt("frame is cut short");
    const blockHeader = readInteger(payload, offset, BLOCK_HEADER_BYTES);
    isLast = (blockHeader & 1) === 1;
    const type = (blockHeader >>> 1) & 3;
    const size = blockHeader >>> 3;
    if (type > BlockType.COMPRESSED || size > MAX_BLOCK_BYTES) throw corrupt("block header is damaged");
    offset += BLOCK_HEADER_BYTES + (type === BlockType.RLE ? 1 : size);
    bound += type === BlockType.COMPRESSED ? MAX_BLOCK_BYTES : size;
  }
  if (header.hasChecksum) offset += CHECKSUM_BYTES;
  if (offset === payload.length) return bound;
  throw corrupt(`frame ends at byte ${offset} of a payload of ${payload.length}`);
}

/** Little-endian; exact as far as doubles are, and far beyond every content size from there on. */
function readInteger(bytes: Uint8Array, offset: number, size: number): number {
  let value = 0;
  for (let index = size - 1; index >= 0; index--) value = value * 256 + (bytes[offset + index] as number);
  return value;
}

function corrupt(what: string): CodecError {
  return payloadCorrupt("zstd", CodecId.ZSTD, what);
}
