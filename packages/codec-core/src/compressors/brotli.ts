import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { brandCompressor, CodecId, type Compressor } from "../compressor.ts";
import { assertIntegerBetween, assertOptions, DEFAULT_BROTLI_QUALITY } from "../limits.ts";
import { compressWithin, decompressExactly, type ZlibCompress } from "./zlib-calls.ts";

const ORIGIN = { id: CodecId.BROTLI, name: "brotli" } as const;

/** Options of {@link brotli}. */
export interface BrotliOptions {
  /** 0–11: 0 is fastest, 11 smallest and a hundred times slower than the default. @default 4 */
  readonly quality: number;
}

/**
 * Brotli: small payloads for text and HTML. Part of Node.
 *
 * @throws TypeError, RangeError
 * @example
 * import { brotli, createValueCodec } from "@tightwire/codec-core";
 *
 * const codec = createValueCodec({ compressor: brotli({ quality: 5 }) });
 * codec.encode(Buffer.alloc(5000, "abc")).length < 100; // true
 */
export function brotli(options: Partial<BrotliOptions> = {}): Compressor {
  assertOptions("brotli()", options, ["quality"]);
  const { quality = DEFAULT_BROTLI_QUALITY } = options;
  assertIntegerBetween("quality", quality, 0, 11);
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const compress: ZlibCompress = (content, chunkSize) => brotliCompressSync(content, { params, chunkSize });
  return brandCompressor({
    ...ORIGIN,
    options: { quality },
    load: () => {},
    compressInto: (content, target) => compressWithin(ORIGIN, compress, content, target),
    decompress,
    decompressInto: (payload, target) => target.set(decompress(payload, target.length)),
  });
}

function decompress(payload: Uint8Array, contentSize: number): Buffer {
  return decompressExactly(ORIGIN, brotliDecompressSync, payload, contentSize);
}
