import { isAllocationFailure, outOfMemory } from "./bytes.ts";
import { CodecError, type CodecErrorFacts, describeKind } from "./errors.ts";

/** Codec ids of the built-in compressors, as the frame names them; 5–15 are reserved. */
export const CodecId: {
  readonly STORED: 0;
  readonly BROTLI: 1;
  readonly DEFLATE: 2;
  readonly LZ4: 3;
  readonly ZSTD: 4;
} = Object.freeze({ STORED: 0, BROTLI: 1, DEFLATE: 2, LZ4: 3, ZSTD: 4 });

/** Codec ids that applications may use. */
export const FIRST_CUSTOM_ID = 16;
export const LAST_CUSTOM_ID = 255;

/** What `compressInto` returns when the payload does not fit the target. */
export const DOES_NOT_FIT = -1;

// Two copies of the package in one tree must accept each other's compressors.
const BRAND: unique symbol = Symbol.for("tightwire.Compressor") as never;

/**
 * One algorithm with its level: content ⇄ payload. Made by `brotli()`, `deflate()`, `lz4()`, `zstd()`, `stored()` and
 * `defineCompressor()`; immutable, and safe to share between any number of codecs.
 */
export interface Compressor {
  /** Codec id in the frame. */
  readonly id: number;
  /** For messages and reports. */
  readonly name: string;
  /** The numbers it compresses with, e.g. `{ level: 3 }`: equal ids and options write alike. */
  readonly options: Readonly<Record<string, number>>;
  /**
   * Loads what it needs, once.
   *
   * @throws CodecError `CODEC_UNAVAILABLE`
   */
  load(): void;
  /**
   * Compresses content, which is never empty, to the beginning of `target`.
   *
   * @returns the payload's length, at least 1, or -1 if it does not fit; bytes of the target after it are unspecified
   */
  compressInto(content: Uint8Array, target: Uint8Array): number;
  /**
   * Decompresses the whole payload into exactly `contentSize` bytes, at least 1. The result is the caller's.
   *
   * @throws CodecError `CODEC_PAYLOAD_CORRUPT`, `CODEC_DICTIONARY_MISSING`, `CODEC_UNAVAILABLE`
   */
  decompress(payload: Uint8Array, contentSize: number): Buffer;
  /**
   * Decompresses the whole payload so that it fills the whole target.
   *
   * @throws CodecError as `decompress`; the target's bytes are then unspecified
   */
  decompressInto(payload: Uint8Array, target: Uint8Array): void;
}

/** Freezes and marks a compressor. */
export function brandCompressor(compressor: Compressor): Compressor {
  const branded = { ...compressor, options: Object.freeze({ ...compressor.options }) };
  Object.defineProperty(branded, BRAND, { value: true });
  return Object.freeze(branded);
}

/**
 * Whether `value` is a compressor, also one of another copy of this package.
 *
 * @example
 * import { isCompressor, lz4 } from "@tightwire/codec-core";
 *
 * isCompressor(lz4()); // true
 * isCompressor("lz4"); // false
 */
export function isCompressor(value: unknown): value is Compressor {
  return typeof value === "object" && value !== null && (value as { [BRAND]?: true })[BRAND] === true;
}

/** @throws TypeError */
export function assertCompressor(name: string, value: unknown): asserts value is Compressor {
  if (isCompressor(value)) return;
  throw new TypeError(`${name} takes compressors such as zstd() or those of defineCompressor(), got ${describeKind(value)}`);
}

/** Compressors by codec id: 256 places. */
export type CompressorRegistry = readonly (Compressor | undefined)[];

/**
 * Arranges by id what may be decoded: `accept`, the compressor that is written with, and stored frames.
 *
 * @throws TypeError for what is no compressor, RangeError for an id that two different compressors have
 */
export function createRegistry(accept: readonly Compressor[], writer: Compressor, stored: Compressor): CompressorRegistry {
  const registry: (Compressor | undefined)[] = new Array(LAST_CUSTOM_ID + 1).fill(undefined);
  for (const compressor of accept) {
    assertCompressor("accept", compressor);
    if (registry[compressor.id] !== undefined) throw new RangeError(`accept has codec id ${compressor.id} twice`);
    registry[compressor.id] = compressor;
  }
  const other = registry[writer.id];
  // Built-in compressors read alike whatever their level; what a custom id means is known to one definition alone.
  if (other !== undefined && other !== writer && writer.id >= FIRST_CUSTOM_ID) {
    throw new RangeError(`compressor and accept have different compressors with codec id ${writer.id}`);
  }
  registry[writer.id] = writer;
  registry[CodecId.STORED] ??= stored;
  return Object.freeze(registry);
}

/** Who reports an error. */
export interface Origin {
  readonly id: number;
  readonly name: string;
}

/** The error for a payload that its compressor refuses, and for a compressor that breaks its contract. */
export function payloadCorrupt(origin: Origin, what: string, facts: CodecErrorFacts = {}): CodecError {
  return new CodecError("CODEC_PAYLOAD_CORRUPT", `${origin.name}: ${what}`, { codecId: origin.id, ...facts });
}

/** The error for a native compressor that threw. */
export function compressFailed(origin: Origin, contentSize: number, cause: unknown): CodecError {
  if (isAllocationFailure(cause)) return outOfMemory(contentSize, cause);
  return payloadCorrupt(origin, "failed to compress", { contentSize, cause });
}

/** The error for a native decompressor that threw. */
export function decompressFailed(origin: Origin, payloadSize: number, contentSize: number, cause: unknown): CodecError {
  if (isAllocationFailure(cause)) return outOfMemory(contentSize, cause);
  return payloadCorrupt(origin, "damaged, or longer than its content size", { contentSize, payloadSize, cause });
}
