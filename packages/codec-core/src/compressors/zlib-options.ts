// node:zlib refuses smaller chunks.
const MIN_CHUNK_BYTES = 64;

// Enough for one chunk per value as a rule; larger ones are put together from several.
const MAX_CHUNK_BYTES = 64 * 1024;

/** Chunk size for a result of about `size` bytes: a small result must not hold on to a large chunk. */
export function chunkSizeFor(size: number, maxChunkBytes: number = MAX_CHUNK_BYTES): number {
  return Math.max(MIN_CHUNK_BYTES, Math.min(size, maxChunkBytes));
}

/** What node:zlib returns under `info: true`, which its types do not know. */
export interface InfoResult {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
