import { HASH_ENTRY_COUNT } from "../corpus/hash-entries.ts";
import type { CompressorName } from "./hash-study-compressors.ts";
import type { SerializerName } from "./hash-study-serializers.ts";

const NODE_MAJOR = Number(process.versions.node.split(".")[0]);

// V8's format may change with V8; this is what those of these releases write.
const V8_BYTES: Readonly<Record<number, number>> = { 20: 640_006 };

/** Bytes of the 10,000 entries, whatever their digits; undefined where the size is known for other releases of Node alone. */
export function expectedContentBytes(serializer: SerializerName, nodeMajor: number = NODE_MAJOR): number | undefined {
  const sizes = { "inspect-text": 680_000, json: 660_001, v8: V8_BYTES[nodeMajor], messagepack: 630_003 };
  return sizes[serializer];
}

/** What other random digits were compressed to, once, by Node 20. */
const HELD_BYTES: Readonly<Record<string, number>> = {
  "json/zlib-6": 352_566,
  "v8/zlib-6": 347_901,
  "json/deflate-1": 356_559,
  "json/brotli-4": 347_230,
};

/** Digits and releases of zlib may make that much difference. */
export const HELD_TOLERANCE = 0.01;

// 30 random bytes an entry.
const FLOOR_BYTES = 30 * HASH_ENTRY_COUNT;

/** @throws RangeError for content of another size than it always has */
export function assertContentBytes(serializer: SerializerName, actual: number): void {
  const expected = expectedContentBytes(serializer);
  if (expected !== undefined && actual !== expected) {
    throw new RangeError(`${serializer} takes ${actual} bytes, expected ${expected}`);
  }
}

/** @throws RangeError if what is held without a frame is far from what it was before, or less than there is to hold */
export function assertHeldBytes(serializer: SerializerName, compressor: CompressorName, actual: number): void {
  const name = `${serializer}/${compressor}`;
  if (actual < FLOOR_BYTES) throw new RangeError(`${name} holds ${actual} bytes, below the entropy of ${FLOOR_BYTES}`);
  const expected = HELD_BYTES[name];
  if (expected === undefined || Math.abs(actual / expected - 1) <= HELD_TOLERANCE) return;
  throw new RangeError(`${name} holds ${actual} bytes, expected ${expected} within ${100 * HELD_TOLERANCE} %`);
}
