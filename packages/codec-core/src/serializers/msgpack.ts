import { CodecError } from "../errors.ts";
import { assertOptions } from "../limits.ts";
import { MessagePackReader } from "./messagepack-reader.ts";
import { MessagePackWriter } from "./messagepack-writer.ts";
import { createSerializer, type Serializer } from "./serializer.ts";

/** What {@link msgpack} takes. */
export interface MsgpackOptions<T> {
  /**
   * Called with every value that was read; returns the value to hand out, or throws.
   *
   * @default none
   */
  validate: ((value: unknown) => T) | undefined;
}

/**
 * Standard MessagePack, which any library reads: every value stands alone, objects are maps with string keys, Dates are
 * timestamps (extension −1); no other extension is written or read.
 *
 * | value | comes back |
 * |---|---|
 * | null, booleans, strings, numbers (`NaN`, `±Infinity` and `-0` too), arrays, plain objects, Buffers, valid Dates | equal |
 * | BigInt beyond ±(2⁵³ − 1), within 64 bits | equal; smaller ones as numbers, larger ones are refused |
 * | `undefined` inside, holes | `null` |
 * | Uint8Array, ArrayBuffer, DataView | a Buffer of the same bytes |
 * | Map with string keys, class instances | plain objects |
 * | Set | an array |
 * | URL and whatever else has `toJSON()` | its result, as with JSON |
 * | `undefined` at the top, functions, symbols, invalid Dates, RegExp, Error, other typed arrays, Map with other keys | refused |
 * | lone surrogates, cycles, more than 1,024 levels | refused |
 *
 * Integers are written in their shortest form; an integer that is read is a number up to ±(2⁵³ − 1) and a BigInt beyond, never rounded.
 * Its methods throw a CodecError with `CODEC_SERIALIZE` or `CODEC_DESERIALIZE`; whatever `validate` throws is the cause of the latter.
 *
 * @throws TypeError if an option has the wrong kind or is not known
 *
 * @example
 * import { msgpack } from "@tightwire/codec-core";
 *
 * const sessions = msgpack<{ user: string; seen: Date }>();
 * sessions.deserialize(sessions.serialize({ user: "ada", seen: new Date(0) })); // { user: "ada", seen: 1970-01-01T00:00:00.000Z }
 */
export function msgpack<T = unknown>(options: Partial<MsgpackOptions<T>> = {}): Serializer<T> {
  assertOptions("msgpack()", options, ["validate"]);
  return createSerializer<T>({
    name: "msgpack",
    serialize: serializeMessagePack,
    deserialize: deserializeMessagePack as (bytes: Uint8Array) => T,
    validate: options.validate,
  });
}

let idleWriter: MessagePackWriter | undefined;
let reader: MessagePackReader | undefined;

function serializeMessagePack(value: unknown): Buffer {
  if (value === undefined) throw new CodecError("CODEC_SERIALIZE", "msgpack() cannot write undefined");
  // A getter or a toJSON() may serialize something else while this value is being written, so the writer is taken, not shared.
  const writer = idleWriter ?? new MessagePackWriter();
  idleWriter = undefined;
  try {
    return writer.write(value);
  } finally {
    idleWriter = writer;
  }
}

function deserializeMessagePack(bytes: Uint8Array): unknown {
  reader ??= new MessagePackReader();
  return reader.read(bytes);
}
