import { deflateRawSync, inflateRawSync } from "node:zlib";
import { brandCompressor, CodecId, type Compressor, DOES_NOT_FIT, payloadCorrupt } from "../compressor.ts";
import { assertIntegerBetween, assertOptions, DEFAULT_DEFLATE_LEVEL } from "../limits.ts";
import { chunkSizeFor, type InfoResult } from "./zlib-options.ts";

/** Options of {@link deflate}. */
export interface DeflateOptions {
  /** 0–9: 0 compresses nothing, 1 is fastest, 9 smallest. @default 1 */
  readonly level: number;
}

// 258 bytes for two bits.
const MAX_EXPANSION = 1032;

/**
 * Raw Deflate, without zlib's or gzip's wrapping. Part of Node.
 *
 * @throws TypeError, RangeError
 * @example
 * const codec = createValueCodec({ compressor: deflate({ level: 6 }) });
 */
export function deflate(options: Partial<DeflateOptions> = {}): Compressor {
  assertOptions("deflate()", options, ["level"]);
  const { level = DEFAULT_DEFLATE_LEVEL } = options;
  assertIntegerBetween("level", level, 0, 9);
  return brandCompressor({
    id: CodecId.DEFLATE,
    name: "deflate",
    options: { level },
    load: () => {},
    compressInto: (content, target) => compressInto(content, target, level),
    decompress,
    decompressInto: (payload, target) => target.set(decompress(payload, target.length)),
  });
}

function compressInto(content: Uint8Array, target: Uint8Array, level: number): number {
  const payload = deflateRawSync(content, { level, chunkSize: chunkSizeFor(target.length + 1) });
  if (payload.length > target.length) return DOES_NOT_FIT;
  target.set(payload);
  return payload.length;
}

function decompress(payload: Uint8Array, contentSize: number): Buffer {
  if (contentSize > payload.length * MAX_EXPANSION) {
    throw payloadCorrupt("deflate", CodecId.DEFLATE, `${payload.length} bytes cannot hold ${contentSize} bytes`);
  }
  const { buffer, engine } = inflate(payload, contentSize);
  // node:zlib ignores what follows the end of the stream.
  if (engine.bytesWritten === payload.length && buffer.length === contentSize) return buffer;
  const what = `${engine.bytesWritten} of ${payload.length} bytes hold ${buffer.length} bytes, expected ${contentSize}`;
  throw payloadCorrupt("deflate", CodecId.DEFLATE, what);
}

function inflate(payload: Uint8Array, contentSize: number): InfoResult {
  // One byte more than the content: a full chunk would make node:zlib allocate another.
  const options = { chunkSize: chunkSizeFor(contentSize + 1, Infinity), maxOutputLength: contentSize, info: true };
  try {
    return inflateRawSync(payload, options) as unknown as InfoResult;
  } catch (cause) {
    throw payloadCorrupt("deflate", CodecId.DEFLATE, "stream is damaged or too long", cause);
  }
}
