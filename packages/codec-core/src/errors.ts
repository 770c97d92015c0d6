/**
 * Every way in which bytes, values or commands can be refused. The codes are API: they are documented one by one and
 * never change meaning; messages are not.
 */
export const CodecErrorCode: {
  readonly FRAME_TRUNCATED: "CODEC_FRAME_TRUNCATED";
  readonly FRAME_INVALID: "CODEC_FRAME_INVALID";
  readonly FRAME_VERSION: "CODEC_FRAME_VERSION";
  readonly UNKNOWN_ID: "CODEC_UNKNOWN_ID";
  readonly UNAVAILABLE: "CODEC_UNAVAILABLE";
  readonly DICTIONARY_MISSING: "CODEC_DICTIONARY_MISSING";
  readonly CHECKSUM_MISMATCH: "CODEC_CHECKSUM_MISMATCH";
  readonly PAYLOAD_CORRUPT: "CODEC_PAYLOAD_CORRUPT";
  readonly SIZE_LIMIT: "CODEC_SIZE_LIMIT";
  readonly SIZE_MISMATCH: "CODEC_SIZE_MISMATCH";
  readonly SERIALIZE: "CODEC_SERIALIZE";
  readonly DESERIALIZE: "CODEC_DESERIALIZE";
  readonly UNFRAMED: "CODEC_UNFRAMED";
  readonly COMMAND_UNSAFE: "CODEC_COMMAND_UNSAFE";
} = Object.freeze({
  FRAME_TRUNCATED: "CODEC_FRAME_TRUNCATED",
  FRAME_INVALID: "CODEC_FRAME_INVALID",
  FRAME_VERSION: "CODEC_FRAME_VERSION",
  UNKNOWN_ID: "CODEC_UNKNOWN_ID",
  UNAVAILABLE: "CODEC_UNAVAILABLE",
  DICTIONARY_MISSING: "CODEC_DICTIONARY_MISSING",
  CHECKSUM_MISMATCH: "CODEC_CHECKSUM_MISMATCH",
  PAYLOAD_CORRUPT: "CODEC_PAYLOAD_CORRUPT",
  SIZE_LIMIT: "CODEC_SIZE_LIMIT",
  SIZE_MISMATCH: "CODEC_SIZE_MISMATCH",
  SERIALIZE: "CODEC_SERIALIZE",
  DESERIALIZE: "CODEC_DESERIALIZE",
  UNFRAMED: "CODEC_UNFRAMED",
  COMMAND_UNSAFE: "CODEC_COMMAND_UNSAFE",
});

export type CodecErrorCode = (typeof CodecErrorCode)[keyof typeof CodecErrorCode];

/** What is known about a failure, beside its code. Numbers and names only: never bytes of a value. */
export interface CodecErrorFacts {
  /** Codec id in the frame's header. */
  codecId?: number;
  /** Version in the frame's header. */
  version?: number;
  /** Length of the frame in bytes. */
  frameSize?: number;
  /** Content size in bytes, as the header claims it. */
  contentSize?: number;
  /** Length of the payload in bytes. */
  payloadSize?: number;
  /** The limit in bytes that was exceeded. */
  limit?: number;
  /** Id of the dictionary that a zstd payload names. */
  dictionaryId?: number;
  /** The npm package that is missing. */
  packageName?: string;
  /** The logical key (without ioredis' keyPrefix) whose value failed. */
  key?: string | Buffer;
  /** The command that failed, in lower case. */
  command?: string;
  /** Position of the value in a reply of many. */
  index?: number;
  /** Hash or stream field of the value. */
  field?: string | Buffer;
  /** Stream entry id of the value. */
  id?: string;
  /** A reply of many in its normal shape; each bad value is replaced by its own `CodecError`. */
  reply?: unknown;
  /** What went wrong underneath: a native library's error. */
  cause?: unknown;
}

// Two copies of the package (ESM beside CommonJS, two versions in one tree) must recognise each other's errors.
const BRAND: unique symbol = Symbol.for("tightwire.CodecError") as never;

/**
 * The one error for bytes, values and commands that are refused. A caller's own mistakes are `TypeError` or `RangeError`.
 *
 * @example
 * import { createValueCodec, isCodecError } from "@tightwire/codec-core";
 *
 * const codec = createValueCodec();
 * const frame = codec.encode(Buffer.from("abc"));
 * frame[20] = 0;
 * try {
 *   codec.decode(frame);
 * } catch (error) {
 *   isCodecError(error) && error.code; // "CODEC_CHECKSUM_MISMATCH"
 * }
 */
export class CodecError extends Error {
  override readonly name: string = "CodecError";
  readonly code: CodecErrorCode;
  declare readonly codecId?: number;
  declare readonly version?: number;
  declare readonly frameSize?: number;
  declare readonly contentSize?: number;
  declare readonly payloadSize?: number;
  declare readonly limit?: number;
  declare readonly dictionaryId?: number;
  declare readonly packageName?: string;
  declare readonly key?: string | Buffer;
  declare readonly command?: string;
  declare readonly index?: number;
  declare readonly field?: string | Buffer;
  declare readonly id?: string;
  declare readonly reply?: unknown;
  /** The damaged frame itself, where the reply held it; not enumerable, so that it does not end up in logs. */
  declare readonly frame?: Buffer;

  /**
   * @param code one of {@link CodecErrorCode}
   * @param message what, expected and got; never bytes of a value
   * @param facts copied onto the error; `cause` becomes the error's cause
   */
  constructor(code: CodecErrorCode, message: string, facts: CodecErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    const own = this as Record<string, unknown>;
    for (const name of Object.keys(facts)) {
      if (name !== "cause") own[name] = facts[name as keyof CodecErrorFacts];
    }
  }
}

// Once, on the prototype: to define it on each error would cost as much as all of its facts.
Object.defineProperty(CodecError.prototype, BRAND, { value: true });

/**
 * Whether `error` is a {@link CodecError}, also one of another copy of this package.
 *
 * @example
 * import { CodecError, isCodecError } from "@tightwire/codec-core";
 *
 * isCodecError(new CodecError("CODEC_UNFRAMED", "no frame")); // true
 * isCodecError(new Error("CODEC_UNFRAMED")); // false
 */
export function isCodecError(error: unknown): error is CodecError {
  return typeof error === "object" && error !== null && (error as { [BRAND]?: true })[BRAND] === true;
}

/** The kind of a value for messages: never the value itself, which may be somebody's data. */
export function describeKind(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  // Not the name of its constructor: plain data may have a field of that name.
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
