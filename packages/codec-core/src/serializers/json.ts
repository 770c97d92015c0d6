import { types } from "node:util";
import { CodecError } from "../errors.ts";
import { assertOptions } from "../limits.ts";
import { createSerializer, type Serializer } from "./serializer.ts";
import { describeJsonLoss } from "./strict-json.ts";
import { asBuffer, decodeUtf8, encodeUtf8 } from "./text.ts";

/** What {@link json} takes. */
export interface JsonOptions<T> {
  /**
   * Refuse every value that would not come back equal in the sense of `assert.deepStrictEqual`.
   *
   * @default false
   */
  strict: boolean;
  /**
   * Called with every value that was read; returns the value to hand out, or throws.
   *
   * @default none
   */
  validate: ((value: unknown) => T) | undefined;
}

const OPTION_KEYS: readonly string[] = ["strict", "validate"];

/**
 * JSON: exactly `JSON.stringify` and `JSON.parse`, on UTF-8.
 *
 * | value | `json()` | `json({ strict: true })` |
 * |---|---|---|
 * | null, booleans, strings, finite numbers, arrays and plain objects of these | equal | equal |
 * | `undefined`, functions, symbols at the top | refused | refused |
 * | `undefined`, functions, symbols inside | left out of objects, `null` in arrays | refused |
 * | `NaN`, `±Infinity` | `null` | refused |
 * | `-0` | `0` | refused |
 * | Date, URL and whatever else has `toJSON()` | its result, mostly a string | refused |
 * | Map, Set, RegExp, Error | `{}` | refused |
 * | class instances | plain objects | refused |
 * | Buffer and other bytes at the top | refused | refused |
 * | bytes inside | an object that spells them out | refused |
 * | BigInt, cycles | refused | refused |
 * | bytes that are not UTF-8, or no JSON | refused on reading | refused on reading |
 *
 * Its methods throw a CodecError with `CODEC_SERIALIZE` or `CODEC_DESERIALIZE`; whatever `validate` throws is the cause of the latter.
 *
 * @throws TypeError if an option has the wrong kind or is not known
 *
 * @example
 * import { json } from "@tightwire/codec-core";
 *
 * const sessions = json<{ user: string }>({ strict: true });
 * sessions.serialize({ user: "ada" }); // the bytes of {"user":"ada"}
 */
export function json<T = unknown>(options: Partial<JsonOptions<T>> = {}): Serializer<T> {
  assertOptions("json()", options, OPTION_KEYS);
  const { strict = false, validate } = options;
  if (typeof strict !== "boolean") throw new TypeError(`strict must be a boolean, got ${typeof strict}`);
  return createSerializer<T>({
    name: "json",
    options: { strict },
    serialize: strict ? serializeStrictly : serializeJson,
    deserialize: deserializeJson as (bytes: Uint8Array) => T,
    validate,
  });
}

function serializeJson(value: unknown): Buffer {
  if (isBytes(value)) throw new CodecError("CODEC_SERIALIZE", "json() cannot write bytes");
  // The declared type hides that a function, a symbol or a toJSON() may have no JSON.
  const text = stringify(value) as string | undefined;
  if (text === undefined) throw new CodecError("CODEC_SERIALIZE", `json() cannot write this ${typeof value}`);
  return encodeUtf8(text);
}

function stringify(value: unknown): unknown {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Of a cycle V8 shows the names of the properties: they may be somebody's data, and causes end up in logs.
    const isCycle = error instanceof TypeError && error.message.startsWith("Converting circular structure");
    throw isCycle ? new TypeError("Converting circular structure to JSON") : error;
  }
}

function serializeStrictly(value: unknown): Buffer {
  // First, because it ends on cycles.
  const bytes = serializeJson(value);
  const loss = describeJsonLoss(value);
  if (loss === undefined) return bytes;
  throw new CodecError("CODEC_SERIALIZE", `json({ strict: true }) cannot write ${loss}, which would not come back equal`);
}

function isBytes(value: unknown): boolean {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value);
}

function deserializeJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(asBuffer(bytes), 0, bytes.length);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CodecError("CODEC_DESERIALIZE", `these ${bytes.length} bytes are not JSON`, { cause: withoutExcerpt(error) });
  }
}

const POSITION = /at position \d+/;

// V8 quotes the text in its message. It is somebody's value, and causes end up in logs.
function withoutExcerpt(error: unknown): unknown {
  if (!(error instanceof SyntaxError)) return error;
  return new SyntaxError(`invalid JSON ${POSITION.exec(error.message)?.[0] ?? ""}`.trimEnd());
}
