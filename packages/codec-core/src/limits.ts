import { constants } from "node:buffer";
import { describeKind } from "./errors.ts";

/** Version that is written unless asked otherwise: XXH3-64 costs a fraction of SHA-256 and detects accidents as well. */
export const DEFAULT_FRAME_VERSION = 2;

/** A codec by itself may be given anything, and content below about 1 KiB often shrinks by less than the 18 bytes of header. */
export const DEFAULT_MIN_COMPRESS_BYTES = 1024;

/** 8 MiB: far above what a healthy Redis value holds, and small enough that a hostile frame cannot exhaust a process. */
export const DEFAULT_MAX_CONTENT_BYTES: number = 8 * 1024 * 1024;

/** Brotli's own default, 11, takes a hundred times as long on a page of JSON, to save about a tenth. */
export const DEFAULT_BROTLI_QUALITY = 4;

/** The fastest level that still searches for matches. */
export const DEFAULT_DEFLATE_LEVEL = 1;

/** The reference library's own default. */
export const DEFAULT_ZSTD_LEVEL = 3;

const FRAME_HEADER_BYTES = 18;
const MAX_UINT32 = 0xffff_ffff;

/** The largest `maxContentBytes`: header and content must fit one Buffer, and the content's size a u32. */
export const MAX_CONTENT_BYTES: number = Math.min(MAX_UINT32, constants.MAX_LENGTH) - FRAME_HEADER_BYTES;

/** @throws TypeError if `value` is no number, RangeError if it is no integer from `min` to `max` */
export function assertIntegerBetween(name: string, value: unknown, min: number, max: number): asserts value is number {
  if (typeof value !== "number") throw new TypeError(`${name} must be a number, got ${describeKind(value)}`);
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} must be an integer from ${min} to ${max}, got ${value}`);
}

/** @throws TypeError if `options` is no object or has a key that is not in `known` */
export function assertOptions(name: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`${name} takes an object of options, got ${describeKind(options)}`);
  }
  const unknownKey = Object.keys(options).find((key) => !known.includes(key));
  if (unknownKey !== undefined)
    throw new TypeError(`${name} has no option "${unknownKey}"; it has ${known.join(", ") || "none"}`);
}
