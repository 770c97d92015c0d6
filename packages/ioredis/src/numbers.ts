// Redis prints an INCRBYFLOAT result with at most 17 decimals; 40 characters hold every int64 and every such decimal worth keeping raw.
const MAX_NUMBER_LENGTH = 40;
const MAX_DECIMALS = 17;
const MIN_INT64 = "9223372036854775808";
const MAX_INT64 = "9223372036854775807";

const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const DOT = 46;

type Digits = string | Uint8Array;

function codeAt(text: Digits, index: number): number {
  return typeof text === "string" ? text.charCodeAt(index) : (text[index] ?? 0);
}

function skipDigits(text: Digits, start: number): number {
  let index = start;
  while (index < text.length) {
    const code = codeAt(text, index);
    if (code < ZERO || code > NINE) return index;
    index++;
  }
  return index;
}

function fitsInt64(text: Digits, start: number): boolean {
  const limit = start === 1 ? MIN_INT64 : MAX_INT64;
  const length = text.length - start;
  if (length !== limit.length) return length < limit.length;
  for (let i = 0; i < length; i++) {
    const difference = codeAt(text, start + i) - limit.charCodeAt(i);
    if (difference !== 0) return difference < 0;
  }
  return true;
}

/**
 * Whether `text` is a number exactly as Redis itself writes one: an int64 in decimal without a plus sign, leading zeros or
 * "-0", or a decimal without an exponent or trailing zeros (at most 17 decimals, as INCRBYFLOAT and HINCRBYFLOAT print).
 * Such values are held raw, so that the counters of Redis work on them.
 *
 * @param text the content, as a string or as its UTF-8 bytes
 */
export function isCanonicalNumber(text: Digits): boolean {
  if (text.length === 0 || text.length > MAX_NUMBER_LENGTH) return false;
  const start = codeAt(text, 0) === MINUS ? 1 : 0;
  const point = skipDigits(text, start);
  const leadsWithZero = codeAt(text, start) === ZERO;
  if (point === start || (leadsWithZero && point > start + 1)) return false;
  if (point === text.length) return fitsInt64(text, start) && !(start === 1 && leadsWithZero);
  const decimals = text.length - point - 1;
  if (codeAt(text, point) !== DOT || decimals === 0 || decimals > MAX_DECIMALS) return false;
  return skipDigits(text, point + 1) === text.length && codeAt(text, text.length - 1) !== ZERO;
}

/**
 * The number that a canonical text stands for. An integer that no JavaScript number holds exactly (a counter beyond 2^53) is a
 * bigint: rounding it would return another value than the one that is held.
 */
export function parseCanonicalNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) && !text.includes(".") ? BigInt(text) : number;
}
