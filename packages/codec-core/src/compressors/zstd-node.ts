import type { NodeZstd } from "../platform.ts";
import { compressWithin, decompressExactly } from "./zlib-calls.ts";
import { ORIGIN, type ZstdBackend } from "./zstd-backend.ts";

/** Node's own zstd, the fallback: every call allocates its result and a context. */
export function createNodeBackend(zlib: NodeZstd): ZstdBackend {
  const { ZSTD_c_compressionLevel } = zlib.constants;

  function decompress(payload: Uint8Array, contentSize: number): Buffer {
    return decompressExactly(ORIGIN, zlib.zstdDecompressSync, payload, contentSize);
  }

  return {
    compressInto: (content, target, level) => {
      const params = { [ZSTD_c_compressionLevel]: level };
      return compressWithin(ORIGIN, (bytes, chunkSize) => zlib.zstdCompressSync(bytes, { params, chunkSize }), content, target);
    },
    decompress,
    decompressInto: (payload, target) => target.set(decompress(payload, target.length)),
  };
}
