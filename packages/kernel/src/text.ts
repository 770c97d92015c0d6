import type { Engine } from "./engine.ts";

// What toString() and write() call. They are not in the types and not documented, but in every release.
interface RawText {
  latin1Slice(start: number, end: number): string;
  ucs2Slice(start: number, end: number): string;
  latin1Write(text: string, offset: number, length: number): number;
  utf8Slice(start: number, end: number): string;
  utf8Write(text: string, offset: number): number;
}

// Taken once: the global Buffer is an accessor.
const { byteLength } = Buffer;

const MAX_CONVERTED_UNITS = 1024;

const LARGEST_ASCII = 0x7f;
/** First byte of the last two-byte sequence whose character is also in Latin-1. */
const LARGEST_LATIN1 = 0xc3;

// From then on Node decodes what is not ASCII with SIMD, at twice the speed of the kernel and more.
const FIRST_FAST_NODE = 24;
const IS_NODE_FAST: boolean = Number.parseInt(process.versions.node, 10) >= FIRST_FAST_NODE;

/**
 * The text of UTF-8 in the kernel's memory, with U+FFFD for what is none, exactly as `toString("utf8")` has it. `room` is the position
 * of twice as many bytes, which are overwritten.
 */
// redis/get: 16 KiB of ASCII takes Node 1.0 to 1.4 µs and this 0.7; before Node 24, with accents 28 and 15 µs, Japanese 86 and 23.
export function readUtf8(engine: Engine, memory: Buffer, start: number, size: number, room: number | undefined): string {
  const raw = memory as Buffer & RawText;
  const largest = engine.findLargestByte(start, size);
  if (largest <= LARGEST_ASCII) return raw.latin1Slice(start, start + size);
  const widened = IS_NODE_FAST || room === undefined ? undefined : widen(engine, raw, start, size, largest, room);
  return widened ?? raw.utf8Slice(start, start + size);
}

/** @returns undefined for what is no UTF-8 */
export function widen(
  engine: Engine,
  memory: Buffer,
  start: number,
  size: number,
  largest: number,
  room: number,
): string | undefined {
  const raw = memory as Buffer & RawText;
  if (largest <= LARGEST_LATIN1) {
    const characters = engine.toLatin1(start, size, room);
    return characters < 0 ? undefined : raw.latin1Slice(room, room + characters);
  }
  const units = engine.toUtf16(start, size, room);
  return units < 0 ? undefined : raw.ucs2Slice(room, room + 2 * units);
}

/** Writes text as UTF-8, as `Buffer.from(text)` has it; the caller has checked that there is room. */
export function writeUtf8(memory: Buffer, text: string, start: number): number {
  const raw = memory as Buffer & RawText;
  const { length } = text;
  // redis/set/record-text-16k: counting bytes and copying takes 0.33 µs for 16 KiB of ASCII, converting it 0.8; as long up to 1 KiB.
  const isAscii = length > MAX_CONVERTED_UNITS && byteLength(text) === length;
  return isAscii ? raw.latin1Write(text, start, length) : raw.utf8Write(text, start);
}
