import { contentSizeOf, isReservedContent, type Serializer, type ValueCodec } from "@tightwire/codec-core";
import { isCanonicalNumber, parseCanonicalNumber } from "./numbers.ts";
import { type Placement, placeContent, placeSerialized, placeTyped, type TypedTraits } from "./placement.ts";
import type { Rule } from "./rules.ts";
import type { PrefixStats } from "./stats.ts";

/** A value as ioredis sends it. */
export type Held = string | Buffer;

// A string can only be taken for a frame if its first bytes are the magic, or if a version byte (1 or 2) stands where a header
// has it. Byte 4 of UTF-8 comes from one of the first five characters.
const HEADER_CHARACTERS = 5;
const MAGIC_TEXT = "RVC\0";

function mayBeReserved(text: string): boolean {
  if (text.charCodeAt(0) === MAGIC_TEXT.charCodeAt(0) && text.startsWith(MAGIC_TEXT)) return true;
  const end = Math.min(text.length, HEADER_CHARACTERS);
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 1 || code === 2) return true;
  }
  return false;
}

function isReserved(value: Held): boolean {
  if (typeof value !== "string") return isReservedContent(value);
  return mayBeReserved(value) && isReservedContent(Buffer.from(value));
}

function byteLengthOf(value: Held): number {
  return typeof value === "string" ? Buffer.byteLength(value) : value.length;
}

/** Where a content goes under a rule without a serializer. */
function placementOf(value: Held, rule: Rule): Placement {
  // Text has at least as many bytes as UTF-16 code units: most of it need not be measured.
  const size = value.length < rule.minFrameBytes ? byteLengthOf(value) : value.length;
  const placement = placeContent({ reserved: false, number: isCanonicalNumber(value), size }, rule);
  // What is framed anyway need not be looked at: redis/set.
  return placement !== "framed" && isReserved(value) ? "framed" : placement;
}

function typedTraits(value: unknown): TypedTraits {
  if (typeof value === "string") {
    return { reserved: isReserved(value), number: false, text: !isCanonicalNumber(value), size: Buffer.byteLength(value) };
  }
  return { reserved: value instanceof Buffer && isReserved(value), number: isRedisNumber(value), text: false, size: 0 };
}

/** A number that Redis would write the same way, and that comes back from its text. */
function isRedisNumber(value: unknown): boolean {
  // A counter beyond 2^53 is read as a bigint, and goes back as one.
  if (typeof value !== "number" && typeof value !== "bigint") return false;
  const text = String(value);
  return isCanonicalNumber(text) && Object.is(parseCanonicalNumber(text), value);
}

function countWritten(stats: PrefixStats, framed: boolean, contentBytes: number, heldBytes: number): void {
  if (framed) stats.encoded++;
  else stats.raw++;
  stats.contentBytes += contentBytes;
  stats.heldBytes += heldBytes;
}

/** Where a frame is to lie, if not in memory of its own. */
export interface FramePlace {
  encode(codec: ValueCodec, content: Held): Buffer;
}

function encodeFrame(codec: ValueCodec, content: Held, place: FramePlace | undefined): Buffer {
  if (place !== undefined) return place.encode(codec, content);
  return codec.encode(typeof content === "string" ? Buffer.from(content) : content);
}

function hold(rule: Rule, stats: PrefixStats, value: Held, placement: Placement, place?: FramePlace): Held {
  if (placement === "raw") return holdRaw(stats, value);
  const frame = encodeFrame(rule.codec, value, place);
  const size = contentSizeOf(frame);
  if (placement === "smaller" && frame.length >= size) return holdRaw(stats, value);
  countWritten(stats, true, size, frame.length);
  return frame;
}

function holdRaw(stats: PrefixStats, value: Held): Held {
  const size = byteLengthOf(value);
  countWritten(stats, false, size, size);
  return typeof value === "string" ? value : Buffer.from(value);
}

// What own methods have made of values, on its way to the seam: marked by identity, so that it is encoded once whatever methods and
// however late it passes through.
const heldBuffers = new WeakSet<object>();

/** A value as Redis is to hold it, marked as such. */
export function markHeld(held: Held): Buffer {
  const buffer = typeof held === "string" ? Buffer.from(held) : held;
  heldBuffers.add(buffer);
  return buffer;
}

/** Whether an argument is what Redis is to hold already. */
export function isMarkedHeld(argument: unknown): boolean {
  return typeof argument !== "string" && argument instanceof Buffer && heldBuffers.has(argument);
}

/**
 * What Redis is given for a value: a frame, or the content itself. The result never aliases `value`, so that the caller may
 * change a Buffer as soon as the call returned.
 *
 * @param value a string or a Buffer; any value that the rule's serializer takes
 * @param place where the frame is to lie
 * @throws CodecError `CODEC_SIZE_LIMIT` for a content over the rule's `maxContentBytes`, `CODEC_SERIALIZE`
 */
export function encodeValue(rule: Rule, stats: PrefixStats, value: unknown, place?: FramePlace): Held {
  if (rule.serializer !== undefined) return encodeTyped(rule, rule.serializer, stats, value, place);
  const content = value as Held;
  if (content.length === 0) assertAttached(content);
  return hold(rule, stats, content, placementOf(content, rule), place);
}

const indexOf: (this: Uint8Array, searchElement: number) => number = Uint8Array.prototype.indexOf;

/**
 * Bytes whose memory was transferred away look empty; every method of typed arrays refuses them.
 *
 * @throws TypeError for such bytes
 */
export function assertAttached(value: string | Uint8Array): void {
  if (typeof value !== "string") indexOf.call(value, 0);
}

/** Whether a rule holds a value raw, whatever compression makes of it. */
export function isHeldRaw(rule: Rule, value: unknown): boolean {
  if (rule.serializer !== undefined) return placeTyped(typedTraits(value), rule) === "raw";
  return placementOf(value as Held, rule) === "raw";
}

function encodeTyped(
  rule: Rule,
  serializer: Serializer<unknown>,
  stats: PrefixStats,
  value: unknown,
  place: FramePlace | undefined,
): Held {
  if (placeTyped(typedTraits(value), rule) === "raw") return holdRaw(stats, String(value));
  const bytes = serializer.serialize(value);
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const traits = { reserved: isReservedContent(content), number: isCanonicalNumber(content), size: content.length };
  return hold(rule, stats, content, placeSerialized(traits, rule), place);
}
