import { types } from "node:util";
import { assertBytes } from "../bytes.ts";
import { CodecError, isCodecError } from "../errors.ts";
import { assertOptions } from "../limits.ts";

/**
 * Turns values into content bytes and back. Made by `json()`, `msgpack()`, `utf8()`, `bytes()` or {@link defineSerializer};
 * frozen, without state of its own, safe to share between codecs.
 */
export interface Serializer<T> {
  /** What it is called in messages and rules: `"json"`, `"msgpack"`, … */
  readonly name: string;
  /** The options it was made with, defaults filled in, so that two serializers can be compared. */
  readonly options: Readonly<Record<string, unknown>>;
  /**
   * The bytes of `value`. They may be the value's own memory (`bytes()` copies nothing), so use them before the caller can change it.
   *
   * @throws CodecError `CODEC_SERIALIZE` if the value has no form in these bytes
   */
  serialize(value: T): Uint8Array;
  /**
   * The value in `bytes`. It never shares memory with `bytes`.
   *
   * @throws CodecError `CODEC_DESERIALIZE` if the bytes hold no value, or `validate` refused it
   * @throws TypeError if `bytes` is no Uint8Array
   */
  deserialize(bytes: Uint8Array): T;
}

/** What {@link defineSerializer} takes. */
export interface SerializerDefinition<T> {
  /** A short lower-case name for messages and for telling rules apart. */
  readonly name: string;
  /** Value to bytes. Whatever it throws becomes the cause of `CODEC_SERIALIZE`. */
  serialize(value: T): Uint8Array;
  /** Bytes to value; must copy what it keeps of `bytes`. Whatever it throws becomes the cause of `CODEC_DESERIALIZE`. */
  deserialize(bytes: Uint8Array): T;
  /**
   * Called with every value that was read; returns the value to hand out, or throws.
   *
   * @default none
   */
  readonly validate?: ((value: unknown) => T) | undefined;
  /**
   * Whatever else tells two serializers of this name apart.
   *
   * @default {}
   */
  readonly options?: Readonly<Record<string, unknown>>;
}

// Two copies of the package (ESM beside CommonJS) must recognise each other's serializers.
const BRAND: unique symbol = Symbol.for("tightwire.Serializer") as never;

const DEFINITION_KEYS: readonly string[] = ["name", "serialize", "deserialize", "validate", "options"];

/**
 * Whether `value` is a {@link Serializer}, also one of another copy of this package.
 *
 * @example
 * import { isSerializer, json } from "@tightwire/codec-core";
 *
 * isSerializer(json()); // true
 * isSerializer(JSON); // false
 */
export function isSerializer(value: unknown): value is Serializer<unknown> {
  return typeof value === "object" && value !== null && (value as { [BRAND]?: true })[BRAND] === true;
}

/**
 * Makes a serializer of two functions, for formats that this package does not have.
 *
 * @throws TypeError if the definition lacks a function, or has a key that is not known
 * @throws RangeError if the name is empty or that of a built-in serializer
 *
 * @example
 * import { deserialize, serialize } from "node:v8";
 * import { defineSerializer } from "@tightwire/codec-core";
 *
 * const structured = defineSerializer<Map<string, number>>({
 *   name: "v8",
 *   serialize: (value) => serialize(value),
 *   deserialize: (bytes) => deserialize(bytes),
 * });
 * structured.deserialize(structured.serialize(new Map([["a", 1]]))); // Map(1) { "a" => 1 }
 */
export function defineSerializer<T>(definition: SerializerDefinition<T>): Serializer<T> {
  const serializer = createSerializer(definition);
  if (BUILT_IN_NAMES.has(serializer.name)) throw new RangeError(`name "${serializer.name}" belongs to a built-in serializer`);
  return serializer;
}

// By these names rules know what a serializer reads, and whether two of them are alike.
const BUILT_IN_NAMES: ReadonlySet<string> = new Set(["json", "msgpack", "utf8", "bytes"]);

/** Makes a serializer of any name; see {@link defineSerializer}. */
export function createSerializer<T>(definition: SerializerDefinition<T>): Serializer<T> {
  assertDefinition(definition);
  const { name, validate } = definition;
  // The caller keeps the definition, and may change it.
  const { serialize, deserialize } = definition;
  const serializer: Serializer<T> = {
    name,
    options: Object.freeze(validate === undefined ? { ...definition.options } : { ...definition.options, validate }),
    serialize(value) {
      try {
        return assertResult(serialize(value));
      } catch (cause) {
        if (isCodecError(cause)) throw cause;
        throw new CodecError("CODEC_SERIALIZE", `${name} cannot write this ${typeof value}`, { cause });
      }
    },
    deserialize(bytes) {
      assertBytes("bytes", bytes);
      let value: T;
      try {
        value = deserialize(bytes);
      } catch (cause) {
        throw unreadable(cause, `${name} cannot read these ${bytes.length} bytes`);
      }
      if (validate === undefined) return value;
      try {
        return validate(value);
      } catch (cause) {
        throw unreadable(cause, `${name} can read these ${bytes.length} bytes, but validate refuses the value`);
      }
    },
  };
  Object.defineProperty(serializer, BRAND, { value: true });
  return Object.freeze(serializer);
}

function unreadable(cause: unknown, message: string): CodecError {
  return isCodecError(cause) && cause.code === "CODEC_DESERIALIZE"
    ? cause
    : new CodecError("CODEC_DESERIALIZE", message, { cause });
}

function assertDefinition<T>(definition: SerializerDefinition<T>): void {
  assertOptions("defineSerializer()", definition, DEFINITION_KEYS);
  const { name, options = {} } = definition;
  if (typeof name !== "string") throw new TypeError(`name must be a string, got ${typeof name}`);
  if (name === "") throw new RangeError("name must not be empty");
  assertFunction("serialize", definition.serialize);
  assertFunction("deserialize", definition.deserialize);
  assertValidate(definition.validate);
  if (typeof options !== "object" || options === null) throw new TypeError("options must be an object");
}

function assertFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw new TypeError(`${name} must be a function, got ${typeof value}`);
}

function assertValidate(validate: unknown): void {
  if (validate !== undefined) assertFunction("validate", validate);
}

function assertResult(bytes: unknown): Uint8Array {
  if (types.isUint8Array(bytes)) return bytes;
  throw new TypeError(`serialize must return a Uint8Array, got ${typeof bytes}`);
}
