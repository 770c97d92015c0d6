import { CodecError, CodecErrorCode, isCodecError, isDamagedFrame, isFrame, isReservedContent } from "@tightwire/codec-core";
import { isCanonicalNumber } from "./numbers.ts";
import { type ContentTraits, placeValue } from "./placement.ts";
import { readValue } from "./reading.ts";
import type { Rule } from "./rules.ts";
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

function traitsOf(value: Held): ContentTraits {
  if (typeof value !== "string") {
    return { reserved: isReservedContent(value), number: isCanonicalNumber(value), size: value.length };
  }
  return {
    reserved: mayBeReserved(value) && isReservedContent(Buffer.from(value)),
    number: isCanonicalNumber(value),
    size: Buffer.byteLength(value),
  };
}

function countWritten(stats: PrefixStats, framed: boolean, contentBytes: number, heldBytes: number): void {
  if (framed) stats.encoded++;
  else stats.raw++;
  stats.contentBytes += contentBytes;
  stats.heldBytes += heldBytes;
}

/**
 * What Redis is given for a content: a frame, or the content itself. The result never aliases `value`, so that the caller may
 * change a Buffer as soon as the call returned.
 *
 * @throws CodecError `CODEC_SIZE_LIMIT` for a content over the rule's `maxContentBytes`
 */
export function encodeValue(rule: Rule, stats: PrefixStats, value: Held): Held {
  const traits = traitsOf(value);
  const placement = placeValue(traits, rule);
  if (placement !== "raw") {
    const frame = rule.codec.encode(typeof value === "string" ? Buffer.from(value) : value);
    if (placement === "framed" || frame.length < traits.size) {
      countWritten(stats, true, traits.size, frame.length);
      return frame;
    }
  }
  countWritten(stats, false, traits.size, traits.size);
  return typeof value === "string" ? value : Buffer.from(value);
}

/**
 * The content of what Redis holds: the content of a frame, or the bytes themselves.
 *
 * @throws CodecError with the code of the first check that failed
 */
export function decodeValue(rule: Rule, stats: PrefixStats, held: Buffer): Buffer {
  const framed = isFrame(held);
  const reading = readValue({ framed, damaged: !framed && isDamagedFrame(held) }, rule);
  if (reading === "raw") return held;
  if (reading === "damaged") throw new CodecError(CodecErrorCode.FRAME_INVALID, "a frame whose magic is damaged");
  if (reading === "reject") {
    throw new CodecError(CodecErrorCode.UNFRAMED, `expected a frame, got ${held.length} bytes without one`, {
      frameSize: held.length,
    });
  }
  const content = rule.codec.decode(held);
  stats.decoded++;
  return content;
}

/** Where a value stood: added to the error that its decoding threw. */
export interface ValuePlace {
  readonly key: string | Buffer;
  readonly command: string;
  readonly index?: number;
  readonly field?: string | Buffer;
  readonly id?: string;
}

const MAX_SHOWN_KEY = 100;

function showKey(key: string | Buffer): string {
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
