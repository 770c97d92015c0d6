import {
  CodecError,
  CodecErrorCode,
  CodecId,
  codecIdOf,
  FRAME_HEADER_BYTES,
  isDamagedFrame,
  isFrame,
  type Serializer,
  type ValueCodec,
} from "@tightwire/codec-core";
import { isCanonicalNumber, parseCanonicalNumber } from "./numbers.ts";
import { type Reading, readUnframed } from "./reading.ts";
import type { Rule } from "./rules.ts";
import type { PrefixStats } from "./stats.ts";

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
 * How a reader wants a value: `bytes` for a `*Buffer` method, `text` where ioredis makes UTF-8 text of every reply, `buffer` where it
 * makes text of another encoding.
 */
export type ValueForm = "bytes" | "text" | "buffer";

/**
 * What the reader gets for what Redis holds: the content of a frame, as text if that is wanted, or the bytes that it holds
 * unframed; under a serializer and unless bytes are wanted the value, wrapped if it is an object.
 *
 * @throws CodecError with the code of the first check that failed
 */
export function decodeValue(rule: Rule, stats: PrefixStats, held: Buffer, form: ValueForm): unknown {
  const serializer = form === "bytes" ? undefined : rule.serializer;
  if (isFrame(held)) return decodeFrame(rule, serializer, stats, held, form);
  const traits = { damaged: isDamagedFrame(held), number: serializer !== undefined && isCanonicalNumber(held) };
  const { numbers, unframed } = rule;
  const reading = readUnframed(traits, { typed: serializer !== undefined, numbers, unframed });
  const value = readAs(reading, serializer, held);
  stats.unframed++;
  // As of frames: what is kept keeps no other replies, and nobody takes their memory away by transferring it.
  return value === held && form === "bytes" ? ownBytes(held) : value;
}

function readAs(reading: Reading, serializer: Serializer<unknown> | undefined, held: Buffer): unknown {
  switch (reading) {
    case "damaged":
      throw new CodecError(CodecErrorCode.FRAME_INVALID, "a frame whose magic is damaged");
    case "reject":
      throw new CodecError(CodecErrorCode.UNFRAMED, `expected a frame, got ${held.length} bytes without one`, {
        frameSize: held.length,
      });
    case "number":
      return wrapTyped(validate(serializer, parseCanonicalNumber(held.toString())));
    case "deserialize":
      return deserialize(serializer, held);
    default:
      return validatorOf(serializer) === undefined ? held : wrapTyped(validate(serializer, held.toString()));
  }
}

type Validator = (value: unknown) => unknown;

function validatorOf(serializer: Serializer<unknown> | undefined): Validator | undefined {
  const validator = serializer?.options["validate"];
  return typeof validator === "function" ? (validator as Validator) : undefined;
}

/** A number or a text that Redis holds has not passed through the serializer, but what checks its values checks it too. */
function validate(serializer: Serializer<unknown> | undefined, value: unknown): unknown {
  const validator = validatorOf(serializer);
  if (validator === undefined) return value;
  try {
    return validator(value);
  } catch (cause) {
    const message = `a ${typeof value} that the serializer's validate refuses`;
    throw new CodecError(CodecErrorCode.DESERIALIZE, message, { cause });
  }
}

function decodeFrame(
  rule: Rule,
  serializer: Serializer<unknown> | undefined,
  stats: PrefixStats,
  frame: Buffer,
  form: ValueForm,
): unknown {
  if (serializer === undefined) return readFrame(rule.codec, stats, frame, form);
  const value = deserialize(serializer, rule.codec.decode(frame));
  stats.decoded++;
  return value;
}

/**
 * The content of a frame, without a serializer. With `bytes` the result may lie in the memory of the frame; who keeps it keeps no
 * memory of more than twice its size.
 *
 * @throws CodecError with the code of the first check that failed
 */
export function readFrame(codec: ValueCodec, stats: PrefixStats, frame: Buffer, form: ValueForm): string | Buffer {
  const content = form === "text" ? codec.decodeText(frame) : form === "bytes" ? readBytes(codec, frame) : codec.decode(frame);
  stats.decoded++;
  return content;
}

const MAX_SLACK = 2;

function readBytes(codec: ValueCodec, frame: Buffer): Buffer {
  // redis/random-256k/get: fresh memory for a content that lies in the reply already costs more than checking it.
  if (
    frame.length >= FRAME_HEADER_BYTES &&
    codecIdOf(frame) === CodecId.STORED &&
    !isSlack(frame, frame.length - FRAME_HEADER_BYTES)
  ) {
    const size = codec.decodeInto(frame, frame, FRAME_HEADER_BYTES);
    return frame.subarray(FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + size);
  }
  const content = codec.decode(frame);
  return ownBytes(content);
}

function ownBytes(content: Buffer): Buffer {
  return isSlack(content, content.length) ? copyAlone(content) : content;
}

/** Whether who keeps `size` bytes of this memory would keep more than twice as many. */
function isSlack({ buffer }: Buffer, size: number): boolean {
  return buffer.byteLength > MAX_SLACK * size;
}

function copyAlone(content: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(content.length);
  copy.set(content);
  return copy;
}

/** The serializer's value of a content, wrapped if it is an object; the content itself without a serializer. */
export function deserialize(serializer: Serializer<unknown> | undefined, content: Buffer): unknown {
  if (serializer === undefined) return content;
  return wrapTyped(serializer.deserialize(content));
}

function wrapTyped(value: unknown): unknown {
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
