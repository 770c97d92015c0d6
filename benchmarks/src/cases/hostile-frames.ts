import {
  createValueCodec,
  FRAME_HEADER_BYTES,
  isCodecError,
  readFrameHeader,
  stored,
  type ValueCodec,
} from "@tightwire/codec-core";
import { assertFact } from "./checks.ts";
import { createCompressor } from "./codec-cases.ts";
import { createCheckedFrame } from "./value-codec.ts";

/** A sound frame, and what is needed to make hostile ones of it. */
export interface GoodFrame {
  readonly codec: ValueCodec;
  readonly content: Buffer;
  readonly frame: Buffer;
}

const VERSION_OFFSET = 4;
const CODEC_ID_OFFSET = 5;
const CONTENT_SIZE_OFFSET = 6;
const CUT_BYTES = 10;
const RESERVED_ID = 9;
const UNKNOWN_VERSION = 3;
/** How many times what it claims a bomb holds. */
const BOMB_FACTOR = 16;

const storedCodec = createValueCodec({ compressor: stored() });

/**
 * Frames content with a codec, as it must be for the damages to mean something: compressed, except by `stored`.
 *
 * @throws Error if the content does not shrink
 */
export function createGoodFrame(codecName: string, content: Buffer): GoodFrame {
  const compressor = createCompressor(codecName);
  const codec = createValueCodec({ compressor, minCompressBytes: 0 });
  const frame = createCheckedFrame(content, codec);
  assertFact("codec id of a good frame", readFrameHeader(frame)?.codecId, compressor.id);
  return { codec, content, frame };
}

/** A frame with the right checksum over any payload: that of a stored frame is over its payload as well. */
function sealPayload(payload: Uint8Array, codecId: number, contentSize: number): Buffer {
  const frame = storedCodec.encode(payload);
  frame[CODEC_ID_OFFSET] = codecId;
  frame.writeUInt32LE(contentSize, CONTENT_SIZE_OFFSET);
  return frame;
}

function sealLike({ codec, content }: GoodFrame, payload: Uint8Array): Buffer {
  return sealPayload(payload, codec.compressor.id, content.length);
}

function payloadOf({ frame }: GoodFrame): Buffer {
  return frame.subarray(FRAME_HEADER_BYTES);
}

function copyWith({ frame }: GoodFrame, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(frame);
  change(copy);
  return copy;
}

/** The code that a frame is refused with; undefined if it is accepted. What is no CodecError is thrown. */
export function findCode(decode: () => unknown): string | undefined {
  try {
    decode();
    return undefined;
  } catch (error) {
    if (isCodecError(error)) return error.code;
    throw error;
  }
}

/** The payload with the last of its bytes inverted that makes it unreadable: what comes before it is decompressed in vain. */
function corruptPayload(good: GoodFrame): Buffer {
  const payload = payloadOf(good);
  for (let at = payload.length - 1; at >= 0; at--) {
    const changed = Buffer.from(payload);
    changed[at] = (changed[at] as number) ^ 0xff;
    const frame = sealLike(good, changed);
    if (findCode(() => good.codec.decode(frame)) !== undefined) return frame;
  }
  throw new Error("every change of the payload is read as content");
}

/** Sixteen times what the header claims. */
function createBomb(good: GoodFrame): Buffer {
  const { codec, content } = good;
  return sealLike(good, codec.encode(Buffer.alloc(content.length * BOMB_FACTOR)).subarray(FRAME_HEADER_BYTES));
}

const EMPTY_ZSTD_FRAME = Buffer.from("28b52ffd2000010000", "hex");
const ZSTD_MAGIC = Buffer.from("28b52ffd", "hex");
// Four bytes of content size, no dictionary, no checksum, and a window.
const ZSTD_DESCRIPTOR = 0x80;
/** 2^41 bytes and seven eighths more. */
const HUGE_WINDOW = 0xff;
const MAX_ZSTD_BLOCK = 131_072;
const RLE_BLOCK = 1 << 1;

/** A zstd frame of one byte repeated that is sound but for its window. */
function createHugeWindow(good: GoodFrame): Buffer {
  const { length } = good.content;
  const head = Buffer.from([ZSTD_DESCRIPTOR, HUGE_WINDOW, 0, 0, 0, 0]);
  head.writeUInt32LE(length, 2);
  const blocks: Buffer[] = [];
  for (let left = length; left > 0; left -= MAX_ZSTD_BLOCK) {
    const block = Buffer.from([0, 0, 0, 0x41]);
    const isLast = left <= MAX_ZSTD_BLOCK;
    block.writeUIntLE((Math.min(left, MAX_ZSTD_BLOCK) << 3) | RLE_BLOCK | Number(isLast), 0, 3);
    blocks.push(block);
  }
  return sealLike(good, Buffer.concat([ZSTD_MAGIC, head, ...blocks]));
}

/** The size that contradicts the payload's: stored content must be as long, compressed content longer. */
function disagreeingSize({ codec, frame }: GoodFrame): number {
  const payloadSize = frame.length - FRAME_HEADER_BYTES;
  return codec.compressor.id === 0 ? payloadSize + 1 : payloadSize;
}

/** Makes each hostile frame of a good one, by the name of its damage. */
export const DAMAGE_MAKERS: Readonly<Record<string, (good: GoodFrame) => Buffer>> = {
  magic: (good) => copyWith(good, (copy) => copy.writeUInt8(0xff, 0)),
  "cut-header": ({ frame }) => Buffer.from(frame.subarray(0, CUT_BYTES)),
  version: (good) => copyWith(good, (copy) => copy.writeUInt8(UNKNOWN_VERSION, VERSION_OFFSET)),
  "unknown-codec": (good) => copyWith(good, (copy) => copy.writeUInt8(RESERVED_ID, CODEC_ID_OFFSET)),
  "over-limit": (good) => copyWith(good, (copy) => copy.writeUInt32LE(good.codec.maxContentBytes + 1, CONTENT_SIZE_OFFSET)),
  "sizes-disagree": (good) => copyWith(good, (copy) => copy.writeUInt32LE(disagreeingSize(good), CONTENT_SIZE_OFFSET)),
  "flipped-bit": (good) => copyWith(good, (copy) => copy.writeUInt8(copy.readUInt8(copy.length - 1) ^ 1, copy.length - 1)),
  "corrupt-payload": corruptPayload,
  bomb: createBomb,
  "second-frame": (good) => sealLike(good, Buffer.concat([payloadOf(good), EMPTY_ZSTD_FRAME])),
  "huge-window": createHugeWindow,
};
