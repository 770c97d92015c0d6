import { createHash } from "node:crypto";

/** Strings by string: what the study of serializers and compressors stores under one key. */
export type HashEntries = Readonly<Record<string, string>>;

export const HASH_ENTRY_COUNT = 10_000;
/** Of the 10,000 entries as JSON. */
export const HASH_ENTRIES_SHA256 = "d0fd0c4ab9b949bf9f3eb62eaba105f2cfad2289bf13aefeef804218b74ed1ea";
const KEY_BYTES = 10;
const VALUE_BYTES = 20;

/** So many bytes without structure; the same for one seed, on every machine. */
export function createSeededBytes(seed: string, sizeBytes: number): Buffer {
  return createHash("shake256", { outputLength: sizeBytes }).update(seed).digest();
}

/**
 * Entries of 20 hexadecimal digits each → 40 hexadecimal digits. Half of each byte is redundant, the rest cannot be compressed: the
 * floor is 30 bytes an entry.
 *
 * @throws RangeError if two keys are the same
 */
export function createHashEntries(count: number = HASH_ENTRY_COUNT): HashEntries {
  const entryBytes = KEY_BYTES + VALUE_BYTES;
  const bytes = createSeededBytes("hash entries", count * entryBytes);
  const entries: Record<string, string> = {};
  for (let at = 0; at < bytes.length; at += entryBytes) {
    entries[bytes.toString("hex", at, at + KEY_BYTES)] = bytes.toString("hex", at + KEY_BYTES, at + entryBytes);
  }
  const keys = Object.keys(entries).length;
  if (keys !== count) throw new RangeError(`${count} entries have ${keys} different keys`);
  return entries;
}

/** @throws Error if these are not the 10,000 entries that were measured before */
export function assertHashEntries(entries: HashEntries): void {
  const digest = createHash("sha256").update(JSON.stringify(entries)).digest("hex");
  if (digest !== HASH_ENTRIES_SHA256)
    throw new Error(`the hash entries have the SHA-256 ${digest}, expected ${HASH_ENTRIES_SHA256}`);
}
