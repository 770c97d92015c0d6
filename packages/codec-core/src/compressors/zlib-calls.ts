import { detachSmall } from "../bytes.ts";
import { compressFailed, DOES_NOT_FIT, decompressFailed, type Origin, payloadCorrupt } from "../compressor.ts";

// node:zlib refuses smaller chunks.
const MIN_CHUNK_BYTES = 64;

// Results are put together from chunks. When writing, most payloads fill one.
const MAX_WRITE_CHUNK_BYTES = 64 * 1024;

// When reading, content up to 1 MiB takes one if it is at most 64 times as long as its payload. Beyond, memory grows with what a
// payload holds, not with what it claims to hold: a few bytes can claim gigabytes.
const MAX_READ_CHUNK_BYTES = 1024 * 1024;
const USUAL_EXPANSION = 64;

/** A synchronous compressor of node:zlib with its level. */
export type ZlibCompress = (content: Uint8Array, chunkSize: number) => Uint8Array;

/** A synchronous decompressor of node:zlib. */
export type ZlibDecompress = (payload: Uint8Array, options: ReadOptions) => unknown;

interface ReadOptions {
  readonly chunkSize: number;
  readonly maxOutputLength: number;
  readonly info: true;
}

/** What node:zlib returns under `info: true`, which its types do not know. */
interface Info {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Compresses to the beginning of `target`; returns the payload's length, or -1 if it does not fit. */
export function compressWithin(origin: Origin, call: ZlibCompress, content: Uint8Array, target: Uint8Array): number {
  let payload: Uint8Array;
  try {
    // The room may be far larger than the content: the kernel's memory is.
    const expectedBytes = Math.min(content.length, target.length);
    payload = call(content, chunkBytes(expectedBytes, MAX_WRITE_CHUNK_BYTES));
  } catch (cause) {
    throw compressFailed(origin, content.length, cause);
  }
  if (payload.length > target.length) return DOES_NOT_FIT;
  target.set(payload);
  return payload.length;
}

/**
 * Decompresses the whole payload into exactly `contentSize` bytes. node:zlib itself ignores what follows the end of a stream.
 *
 * @throws CodecError `CODEC_PAYLOAD_CORRUPT`; `CODEC_SIZE_LIMIT` if the process has no memory for the content
 */
export function decompressExactly(origin: Origin, call: ZlibDecompress, payload: Uint8Array, contentSize: number): Buffer {
  const payloadSize = payload.length;
  let result: Info;
  try {
    const expectedBytes = Math.max(MAX_WRITE_CHUNK_BYTES, payloadSize * USUAL_EXPANSION);
    const chunkSize = chunkBytes(contentSize, Math.min(expectedBytes, MAX_READ_CHUNK_BYTES));
    result = call(payload, { chunkSize, maxOutputLength: contentSize, info: true }) as Info;
  } catch (cause) {
    throw decompressFailed(origin, payloadSize, contentSize, cause);
  }
  const { buffer, engine } = result;
  if (buffer.length === contentSize && engine.bytesWritten === payloadSize) return detachSmall(buffer);
  const what = `${engine.bytesWritten} of ${payloadSize} bytes hold ${buffer.length} bytes, expected ${contentSize}`;
  throw payloadCorrupt(origin, what, { contentSize, payloadSize });
}

// One byte more than the result: behind a chunk that is full node:zlib allocates another.
function chunkBytes(size: number, maxBytes: number): number {
  return Math.min(Math.max(MIN_CHUNK_BYTES, size + 1), maxBytes);
}
