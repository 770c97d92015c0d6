import {
  CodecError,
  CodecErrorCode,
  isCodecError,
  isDamagedFrame,
  isFrame,
  isReservedContent,
  type Serializer,
  type ValueCodec,
} from "@tightwire/codec-core";
import { isCanonicalNumber, parseCanonicalNumber } from "./numbers.ts";
import { type ContentTraits, type Placement, placeContent, placeSerialized, placeTyped, type TypedTraits } from "./placement.ts";
import { readHeld } from "./reading.ts";
import type { Rule } from "./rules.ts";
import type { Shared } from "./shared.ts";
import type { PrefixStats } from "./stats.ts";

/** A value as ioredis sends it. */
export type Held = string | Buffer;

// A string can only be taken for a frame if its first bytes are the magic, or if a version byte (1 or 2) stands where a header
// has it. Byte 4 of UTF-8 comes from one of the first five characters.
const HEADER_CHARACTERS = 5;
const MAGIC_TEXT = "RVC\0";

function mayBeReserved(text: string): boolean {
  if (text.startsWith(MAGIC_TEXT)) return true;
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

function contentTraits(value: Held): ContentTraits {
  const size = typeof value === "string" ? Buffer.byteLength(value) : value.length;
  return { reserved: isReserved(value), number: isCanonicalNumber(value), size };
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
  /** @param size bytes of the content */
  encode(codec: ValueCodec, content: Held, size: number): Buffer;
}

function encodeFrame(codec: ValueCodec, content: Held, size: number, place: FramePlace | undefined): Buffer {
  if (place !== undefined) return place.encode(codec, content, size);
  return codec.encode(typeof content === "string" ? Buffer.from(content) : content);
}

function hold(rule: Rule, stats: PrefixStats, value: Held, size: number, placement: Placement, place?: FramePlace): Held {
  if (placement !== "raw") {
    const frame = encodeFrame(rule.codec, value, size, place);
    if (placement === "framed" || frame.length < size) {
      countWritten(stats, true, size, frame.length);
      return frame;
    }
  }
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
  return argument instanceof Buffer && heldBuffers.has(argument);
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
  const traits = contentTraits(content);
  return hold(rule, stats, content, traits.size, placeContent(traits, rule), place);
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
  return placeContent(contentTraits(value as Held), rule) === "raw";
}

function encodeTyped(
  rule: Rule,
  serializer: Serializer<unknown>,
  stats: PrefixStats,
  value: unknown,
  place: FramePlace | undefined,
): Held {
  if (placeTyped(typedTraits(value), rule) === "raw") {
    const text = String(value);
    return hold(rule, stats, text, Buffer.byteLength(text), "raw");
  }
  const bytes = serializer.serialize(value);
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const traits = { reserved: isReservedContent(content), number: isCanonicalNumber(content), size: content.length };
  return hold(rule, stats, content, content.length, placeSerialized(traits, rule), place);
}

/**
 * A value that the serializer made, on its way through ioredis' own conversion of replies, which would make text of the Buffers
 * in it.
 */
export class TypedValue {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/**
 * What the reader gets for what Redis holds: the content of a frame or the bytes themselves, as a Buffer; under a serializer and
 * unless bytes are wanted the value, wrapped if it is an object.
 *
 * @param bytes whether the reader wants bytes (a `*Buffer` method)
 * @throws CodecError with the code of the first check that failed
 */
export function decodeValue(rule: Rule, stats: PrefixStats, held: Buffer, bytes: boolean): unknown {
  const serializer = bytes ? undefined : rule.serializer;
  const framed = isFrame(held);
  const traits = {
    framed,
    damaged: !framed && isDamagedFrame(held),
    number: serializer !== undefined && isCanonicalNumber(held),
  };
  const { numbers, unframed } = rule;
  switch (readHeld(traits, { typed: serializer !== undefined, numbers, unframed })) {
    case "decode":
      return decodeFrame(rule, serializer, stats, held);
    case "damaged":
      throw new CodecError(CodecErrorCode.FRAME_INVALID, "a frame whose magic is damaged");
    case "reject":
      throw new CodecError(CodecErrorCode.UNFRAMED, `expected a frame, got ${held.length} bytes without one`, {
        frameSize: held.length,
      });
    case "number":
      return validateNumber(serializer, parseCanonicalNumber(held.toString()));
    case "deserialize":
      return deserialize(serializer, held);
    default:
      return held;
  }
}

/** A number that Redis holds has not passed through the serializer, but what checks its values checks it too. */
function validateNumber(serializer: Serializer<unknown> | undefined, number: number | bigint): unknown {
  const validate = serializer?.options["validate"];
  if (typeof validate !== "function") return number;
  try {
    return validate(number);
  } catch (cause) {
    throw new CodecError(CodecErrorCode.DESERIALIZE, "a number that the serializer's validate refuses", { cause });
  }
}

function decodeFrame(rule: Rule, serializer: Serializer<unknown> | undefined, stats: PrefixStats, frame: Buffer): unknown {
  const value = deserialize(serializer, rule.codec.decode(frame));
  stats.decoded++;
  return value;
}

/** The serializer's value of a content, wrapped if it is an object; the content itself without a serializer. */
export function deserialize(serializer: Serializer<unknown> | undefined, content: Buffer): unknown {
  if (serializer === undefined) return content;
  const value = serializer.deserialize(content);
  return typeof value === "object" && value !== null ? new TypedValue(value) : value;
}

/** A reply after ioredis has converted it, with values in the place of the wrapped ones. */
export function unwrapTyped(reply: unknown): unknown {
  if (reply instanceof TypedValue) return reply.value;
  if (Array.isArray(reply)) {
    for (let i = 0; i < reply.length; i++) reply[i] = unwrapTyped(reply[i]);
    return reply;
  }
  if (typeof reply !== "object" || reply === null || reply instanceof Buffer || reply instanceof Error) return reply;
  for (const [field, value] of Object.entries(reply)) setOwn(reply, field, unwrapTyped(value));
  return reply;
}

/** Sets a field that may be called "__proto__", which an assignment would take for the object's prototype. */
export function setOwn(target: object, field: string, value: unknown): void {
  if (field === "__proto__")
    Object.defineProperty(target, field, { value, configurable: true, enumerable: true, writable: true });
  else (target as Record<string, unknown>)[field] = value;
}

/** Where a value stood: added to the error that its decoding threw. */
export interface ValuePlace {
  readonly key: string | Buffer;
  readonly command: string;
  readonly index?: number;
  readonly field?: string | Buffer;
  readonly id?: string;
}

/** Counts a failure under its rule; returns it. */
export function countError(shared: Shared, rule: Rule, error: unknown): unknown {
  if (isCodecError(error)) shared.stats.countError(rule.statsName, error.code);
  return error;
}

const MAX_SHOWN_KEY = 100;

/** A key as messages show it: quoted, and cut if it is long. */
export function showKey(key: string | Buffer): string {
  const text = key.toString();
  return JSON.stringify(text.length > MAX_SHOWN_KEY ? `${text.slice(0, MAX_SHOWN_KEY)}…` : text);
}

/** The same error, saying where the value stood; anything that is not a `CodecError` is returned as it is. */
export function locateError(error: unknown, place: ValuePlace, frame?: Buffer): unknown {
  if (!isCodecError(error)) return error;
  const { name: _name, code, ...facts } = error;
  // The message begins with a lower-case word: in a cluster ioredis follows errors that begin with MOVED or ASK.
  const located = new CodecError(code, `value under key ${showKey(place.key)} (${place.command}): ${error.message}`, {
    ...facts,
    ...place,
    ...(error.cause !== undefined && { cause: error.cause }),
  });
  if (frame !== undefined) Object.defineProperty(located, "frame", { value: frame });
  return located;
}
