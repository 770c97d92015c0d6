import { deflateRawSync, inflateRawSync } from "node:zlib";
import { brandCompressor, CodecId, type Compressor } from "../compressor.ts";
import { assertIntegerBetween, assertOptions, DEFAULT_DEFLATE_LEVEL } from "../limits.ts";
import { compressWithin, decompressExactly, type ZlibCompress } from "./zlib-calls.ts";

const ORIGIN = { id: CodecId.DEFLATE, name: "deflate" } as const;

/** Options of {@link deflate}. */
export interface DeflateOptions {
  /** 0–9: 0 compresses nothing, 1 is fastest, 9 smallest. @default 1 */
  readonly level: number;
}

/**
 * Raw Deflate, without the wrapping of zlib or gzip. Part of Node.
 *
 * @throws TypeError, RangeError
 * @example
 * import { createValueCodec, deflate } from "@tightwire/codec-core";
 *
 * const codec = createValueCodec({ compressor: deflate({ level: 6 }) });
 * codec.encode(Buffer.alloc(5000, "abc")).length < 100; // true
 */
export function deflate(options: Partial<DeflateOptions> = {}): Compressor {
  assertOptions("deflate()", options, ["level"]);
  const { level = DEFAULT_DEFLATE_LEVEL } = options;
  assertIntegerBetween("level", level, 0, 9);
  const compress: ZlibCompress = (content, chunkSize) => deflateRawSync(content, { level, chunkSize });
  return brandCompressor({
    ...ORIGIN,
    options: { level },
    load: () => {},
    compressInto: (content, target) => compressWithin(ORIGIN, compress, content, target),
    decompress,
    decompressInto: (payload, target) => target.set(decompress(payload, target.length)),
  });
}

function decompress(payload: Uint8Array, contentSize: number): Buffer {
  return decompressExactly(ORIGIN, inflateRawSync, payload, contentSize);
}
