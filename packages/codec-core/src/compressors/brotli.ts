import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { brandCompressor, CodecId, type Compressor, DOES_NOT_FIT, payloadCorrupt } from "../compressor.ts";
import { assertIntegerBetween, assertOptions, DEFAULT_BROTLI_QUALITY } from "../limits.ts";
import { chunkSizeFor, type InfoResult } from "./zlib-options.ts";

/** Options of {@link brotli}. */
export interface BrotliOptions {
  /** 0–11: 0 is fastest, 11 smallest and a hundred times slower than the default. @default 4 */
  readonly quality: number;
}

// Up to here a value is decompressed into one piece; beyond, memory grows with what the stream really holds, for a few bytes of Brotli can claim to hold gigabytes.
const MAX_CHUNK_BYTES = 1024 * 1024;

/**
 * Brotli: small payloads for text and HTML. Part of Node.
 *
 * @throws TypeError, RangeError
 * @example
 * const codec = createValueCodec({ compressor: brotli({ quality: 5 }) });
 */
export function brotli(options: Partial<BrotliOptions> = {}): Compressor {
  assertOptions("brotli()", options, ["quality"]);
  const { quality = DEFAULT_BROTLI_QUALITY } = options;
  assertIntegerBetween("quality", quality, 0, 11);
  return brandCompressor({
    id: CodecId.BROTLI,
    name: "brotli",
    options: { quality },
    load: () => {},
    compressInto: (content, target) => compressInto(content, target, quality),
    decompress,
    decompressInto: (payload, target) => target.set(decompress(payload, target.length)),
  });
}

function compressInto(content: Uint8Array, target: Uint8Array, quality: number): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const payload = brotliCompressSync(content, { params, chunkSize: chunkSizeFor(target.length + 1) });
  if (payload.length > target.length) return DOES_NOT_FIT;
  target.set(payload);
  return payload.length;
}

function decompress(payload: Uint8Array, contentSize: number): Buffer {
  const { buffer, engine } = decompressStream(payload, contentSize);
  // node:zlib ignores what follows the end of the stream.
  if (engine.bytesWritten === payload.length && buffer.length === contentSize) return buffer;
  const what = `${engine.bytesWritten} of ${payload.length} bytes hold ${buffer.length} bytes, expected ${contentSize}`;
  throw payloadCorrupt("brotli", CodecId.BROTLI, what);
}

function decompressStream(payload: Uint8Array, contentSize: number): InfoResult {
  // One byte more than the content: a full chunk would make node:zlib allocate another.
  const options = { chunkSize: chunkSizeFor(contentSize + 1, MAX_CHUNK_BYTES), maxOutputLength: contentSize, info: true };
  try {
    return brotliDecompressSync(payload, options) as unknown as InfoResult;
  } catch (cause) {
    throw payloadCorrupt("brotli", CodecId.BROTLI, "stream is damaged or too long", cause);
  }
}
