import { type CodecError, type Compressor, isSerializer, type Serializer } from "@tightwire/codec-core";
import { resolveScripts, type ScriptOptions, type ScriptRule } from "./scripts.ts";

/** `always`: every value of `minFrameBytes` or more; `when-smaller`: only where the frame is smaller; `never`: write raw, still read frames. */
export type FrameMode = "always" | "when-smaller" | "never";
/** `raw`: numbers as Redis writes them stay raw, so INCR and HINCRBY work; `framed`: numbers are values like any other. */
export type NumberMode = "raw" | "framed";
/** What becomes of a value that is not a frame: returned as it is, given to the serializer, or refused. */
export type UnframedMode = "accept" | "deserialize" | "reject";
/** What becomes of a value that cannot be decoded: an error, `null`, or (for `*Buffer` replies) the bytes as they are. */
export type DecodeErrorMode = "throw" | "miss" | "pass";
/** What becomes of a command that would read or change the bytes of a frame. */
export type UnsafeMode = "refuse" | "allow";
/** What becomes of a command that compares a value with what Redis holds: refused, or the value is encoded as it would be written. */
export type ComparandMode = "refuse" | "encode";
/** The data types whose values a rule covers. */
export type ValueType = "string" | "hash" | "list" | "stream";

/** Settings of one key prefix. */
export interface RuleOptions {
  /**
   * What values are compressed with; its package is loaded when the rule is made.
   * @default zstd()
   */
  compressor: Compressor;
  /**
   * Frame version to write; both are always readable.
   * @default 2
   */
  frameVersion: 1 | 2;
  /**
   * Largest content in bytes that is written or read.
   * @default 8388608 (8 MiB)
   */
  maxContentBytes: number;
  /**
   * Smallest content in bytes that compression is tried on. JSON documents of 200 to 1,023 bytes shrink by 7 to 59 % with
   * zstd and grow by 2 to 9 % when they are only framed.
   * @default 256
   */
  minCompressBytes: number;
  /**
   * The complete list of compressors that may be decoded.
   * @default all built-in ones and `compressor`
   */
  accept: readonly Compressor[];
  /** @default "always" */
  frame: FrameMode;
  /**
   * Content shorter than this many bytes is held raw: lock tokens, flags and what scripts compare keep working, and hash
   * fields keep their listpack (64 bytes by default). 0 frames everything.
   * @default 65
   */
  minFrameBytes: number;
  /** @default "raw" */
  numbers: NumberMode;
  /**
   * Turns values into bytes and back; without one, values are strings and bytes.
   * @default none
   */
  serializer: Serializer<unknown> | undefined;
  /**
   * `"deserialize"` needs a serializer; `"reject"` needs `minFrameBytes: 0`, `numbers: "framed"` and `frame: "always"`.
   * @default "deserialize" with `json()` and `utf8()`, else "accept"
   */
  unframed: UnframedMode;
  /** @default ["string", "hash", "list", "stream"] */
  types: readonly ValueType[];
  /** @default "throw" */
  onDecodeError: DecodeErrorMode;
  /** @default "refuse" */
  comparands: ComparandMode;
  /** @default "refuse" */
  unsafe: UnsafeMode;
}

/** Settings of one channel prefix: those of a rule that mean something for messages. A damaged message is always dropped and reported. */
export type ChannelRuleOptions = Omit<RuleOptions, "types" | "comparands" | "unsafe" | "onDecodeError">;

/** A rule: its settings, or `"raw"` for keys that are never encoded nor decoded. */
export type PrefixRule = Partial<RuleOptions> | "raw";
/** A rule of a channel prefix: its settings, or `"raw"`. */
export type ChannelRule = Partial<ChannelRuleOptions> | "raw";

type ByPrefix<R> = Readonly<Record<string, R>> | Iterable<readonly [prefix: string, rule: R]>;

/** Options of `withValueCodec()`. */
export interface ValueCodecClientOptions {
  /**
   * Rules by key prefix, as an object or as `[prefix, rule]` pairs; the longest matching prefix wins, `""` matches every key.
   * Keys are logical: without ioredis' `keyPrefix`.
   */
  prefixes: ByPrefix<PrefixRule>;
  /**
   * Rules by channel prefix, for PUBLISH, SPUBLISH and the messages received; channels too are without ioredis' `keyPrefix`.
   * @default none
   */
  channels?: ByPrefix<ChannelRule>;
  /**
   * Scripts whose arguments or replies hold values, by the name that `defineCommand` or FUNCTION gave them, or by the SHA-1 of
   * their text. All others pass untouched.
   * @default none
   */
  scripts?: Readonly<Record<string, ScriptOptions>>;
  /**
   * Bytes that the reply of one command may decompress to in total.
   * @default 536870912 (512 MiB)
   */
  maxReplyBytes?: number;
  /**
   * Called with every value that `onDecodeError` turned into a miss or passed on, and with every message that was dropped. What it
   * throws becomes a process warning.
   * @default none
   */
  onError?: (error: CodecError) => void;
}

/** Of `maxReplyBytes`. What one bulk string of Redis may hold by default: a larger reply is more likely an attack than a value. */
export const DEFAULT_MAX_REPLY_BYTES: number = 512 * 1024 * 1024;
/** Of a rule's `minCompressBytes`: from about that size on JSON documents were measured to shrink. */
export const DEFAULT_RULE_MIN_COMPRESS_BYTES: number = 256;
/** Of a rule's `minFrameBytes`. One more than `hash-max-listpack-value`, so that a frame never pushes a hash out of its listpack. */
export const DEFAULT_MIN_FRAME_BYTES: number = 65;

const CHOICES = Object.freeze({
  frame: ["always", "when-smaller", "never"],
  numbers: ["raw", "framed"],
  unframed: ["accept", "deserialize", "reject"],
  onDecodeError: ["throw", "miss", "pass"],
  comparands: ["refuse", "encode"],
  unsafe: ["refuse", "allow"],
} as const);
const VALUE_TYPES: readonly ValueType[] = Object.freeze(["string", "hash", "list", "stream"] as const);
const CODEC_OPTIONS = ["compressor", "frameVersion", "maxContentBytes", "minCompressBytes", "accept"] as const;
const RULE_OPTIONS: ReadonlySet<string> = new Set([
  ...CODEC_OPTIONS,
  ...Object.keys(CHOICES),
  "minFrameBytes",
  "serializer",
  "types",
]);
const KEY_ONLY_OPTIONS: ReadonlySet<string> = new Set(["types", "comparands", "unsafe", "onDecodeError"]);
const CHANNEL_OPTIONS: ReadonlySet<string> = new Set([...RULE_OPTIONS].filter((name) => !KEY_ONLY_OPTIONS.has(name)));
const CLIENT_OPTIONS: ReadonlySet<string> = new Set(["prefixes", "channels", "scripts", "maxReplyBytes", "onError"]);
// Values that were there before are text that these two read; any other serializer would have to guess.
const TEXT_SERIALIZERS: ReadonlySet<string> = new Set(["json", "utf8"]);

/** A rule's settings with the defaults filled in, but for those that the value codec itself fills in and checks. */
export type ResolvedRuleOptions = Omit<RuleOptions, (typeof CODEC_OPTIONS)[number]> &
  Partial<Pick<RuleOptions, (typeof CODEC_OPTIONS)[number]>>;

function assertObject(value: unknown, what: string): asserts value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(
      `${what} must be an object, got ${value === null ? "null" : Array.isArray(value) ? "an array" : typeof value}`,
    );
  }
}

function assertKnown(options: Record<string, unknown>, known: ReadonlySet<string>, what: string): void {
  for (const name of Object.keys(options)) {
    if (!known.has(name)) throw new TypeError(`${what}: unknown option "${name}"; known are ${[...known].join(", ")}`);
  }
}

function assertSize(value: unknown, name: string, least: number): asserts value is number {
  if (typeof value !== "number") throw new TypeError(`${name} must be a number of bytes, got ${typeof value}`);
  if (!Number.isSafeInteger(value) || value < least)
    throw new RangeError(`${name} must be a whole number ≥ ${least}, got ${value}`);
}

function choose<K extends keyof typeof CHOICES>(
  options: Record<string, unknown>,
  name: K,
  what: string,
): (typeof CHOICES)[K][number] {
  const value = options[name];
  if (value === undefined) return CHOICES[name][0];
  if (typeof value !== "string") throw new TypeError(`${what}: ${name} must be a string, got ${typeof value}`);
  const found = (CHOICES[name] as readonly string[]).indexOf(value);
  if (found < 0) throw new RangeError(`${what}: ${name} must be one of ${CHOICES[name].join(", ")}, got "${value}"`);
  return value as (typeof CHOICES)[K][number];
}

function resolveTypes(value: unknown, what: string): readonly ValueType[] {
  if (value === undefined) return VALUE_TYPES;
  if (!Array.isArray(value)) throw new TypeError(`${what}: types must be an array, got ${typeof value}`);
  for (const type of value) {
    if (!VALUE_TYPES.includes(type))
      throw new RangeError(`${what}: types may hold ${VALUE_TYPES.join(", ")}, got "${String(type)}"`);
  }
  return Object.freeze(VALUE_TYPES.filter((type) => value.includes(type)));
}

/**
 * Checks a rule's settings and fills in the defaults.
 *
 * @param what how to call the rule in messages
 * @param isChannel whether it is the rule of a channel prefix
 * @throws TypeError for a wrong kind, an unknown option, or options that exclude each other
 * @throws RangeError for a value out of range
 */
export function resolveRuleOptions(options: unknown, what: string, isChannel: boolean): ResolvedRuleOptions {
  assertObject(options, what);
  assertKnown(options, isChannel ? CHANNEL_OPTIONS : RULE_OPTIONS, what);
  const { minFrameBytes = DEFAULT_MIN_FRAME_BYTES } = options;
  assertSize(minFrameBytes, `${what}: minFrameBytes`, 0);
  const codecOptions = Object.fromEntries(
    CODEC_OPTIONS.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
  const serializer = resolveSerializer(options["serializer"], what);
  const resolved: ResolvedRuleOptions = {
    minCompressBytes: DEFAULT_RULE_MIN_COMPRESS_BYTES,
    ...codecOptions,
    serializer,
    minFrameBytes,
    frame: choose(options, "frame", what),
    numbers: choose(options, "numbers", what),
    unframed: resolveUnframed(options, serializer, what),
    onDecodeError: choose(options, "onDecodeError", what),
    comparands: choose(options, "comparands", what),
    unsafe: choose(options, "unsafe", what),
    types: resolveTypes(options["types"], what),
  };
  assertCompatible(resolved, what);
  return Object.freeze(resolved);
}

function resolveSerializer(value: unknown, what: string): Serializer<unknown> | undefined {
  if (value === undefined || isSerializer(value)) return value;
  throw new TypeError(`${what}: serializer must be made by json(), msgpack(), utf8(), bytes() or defineSerializer()`);
}

function resolveUnframed(
  options: Record<string, unknown>,
  serializer: Serializer<unknown> | undefined,
  what: string,
): UnframedMode {
  if (options["unframed"] !== undefined) return choose(options, "unframed", what);
  return serializer !== undefined && TEXT_SERIALIZERS.has(serializer.name) ? "deserialize" : "accept";
}

function assertCompatible(options: ResolvedRuleOptions, what: string): void {
  const { serializer, unframed, frame } = options;
  if (unframed === "reject" && !framesEverything(options)) {
    throw new TypeError(`${what}: unframed "reject" needs minFrameBytes 0, numbers "framed" and frame "always"`);
  }
  if (unframed === "deserialize" && serializer === undefined)
    throw new TypeError(`${what}: unframed "deserialize" needs a serializer`);
  if (serializer !== undefined && frame === "never" && unframed !== "deserialize") {
    throw new TypeError(`${what}: frame "never" with a serializer needs unframed "deserialize"`);
  }
}

function framesEverything(options: ResolvedRuleOptions): boolean {
  return options.minFrameBytes === 0 && options.numbers === "framed" && options.frame === "always";
}

/** The client's options, checked; `prefixes` as pairs. */
export interface ResolvedClientOptions {
  readonly prefixes: readonly (readonly [string, unknown])[];
  readonly channels: readonly (readonly [string, unknown])[];
  readonly scripts: ReadonlyMap<string, ScriptRule>;
  readonly maxReplyBytes: number;
  readonly onError: ((error: CodecError) => void) | undefined;
}

/**
 * Checks the options of a client and fills in the defaults.
 *
 * @throws TypeError for a wrong kind or an unknown option
 * @throws RangeError for a value out of range or two rules for one prefix
 */
export function resolveClientOptions(options: unknown): ResolvedClientOptions {
  assertObject(options, "options");
  assertKnown(options, CLIENT_OPTIONS, "options");
  const { maxReplyBytes = DEFAULT_MAX_REPLY_BYTES, onError } = options;
  assertSize(maxReplyBytes, "maxReplyBytes", 1);
  if (onError !== undefined && typeof onError !== "function")
    throw new TypeError(`onError must be a function, got ${typeof onError}`);
  return Object.freeze({
    prefixes: listPrefixes(options["prefixes"], "prefixes"),
    channels: options["channels"] === undefined ? Object.freeze([]) : listPrefixes(options["channels"], "channels"),
    scripts: resolveScripts(options["scripts"]),
    maxReplyBytes,
    onError: onError as ((error: CodecError) => void) | undefined,
  });
}

function isEmptyRecord(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null || Symbol.iterator in value;
}

function listPrefixes(prefixes: unknown, what: string): readonly (readonly [string, unknown])[] {
  if (typeof prefixes !== "object" || prefixes === null) {
    throw new TypeError(
      `${what} must be an object or pairs of prefix and rule, got ${prefixes === null ? "null" : typeof prefixes}`,
    );
  }
  const pairs: unknown[] = Symbol.iterator in prefixes ? [...(prefixes as Iterable<unknown>)] : Object.entries(prefixes);
  // A Date, a RegExp or a promise has no entries, and would be taken for an object without rules.
  if (pairs.length === 0 && !isEmptyRecord(prefixes))
    throw new TypeError(`${what} must be an object or pairs of prefix and rule`);
  const seen = new Set<string>();
  const checked = pairs.map((pair) => {
    if (!Array.isArray(pair) || typeof pair[0] !== "string")
      throw new TypeError(`${what} must hold pairs of a string and a rule`);
    // Half a surrogate pair has no bytes of its own: string keys would match and Buffer keys would not.
    if (Buffer.from(pair[0]).toString() !== pair[0]) throw new RangeError(`${what}: a prefix is not well-formed Unicode`);
    if (seen.has(pair[0])) throw new RangeError(`${what}: two rules for the prefix "${pair[0]}"`);
    seen.add(pair[0]);
    return Object.freeze([pair[0], pair[1]] as [string, unknown]);
  });
  return Object.freeze(checked);
}
