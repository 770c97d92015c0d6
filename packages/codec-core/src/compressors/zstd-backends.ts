import { DOES_NOT_FIT } from "../compressor.ts";
import type { NodeZstd, ZstdBinding, ZstdCompressContext, ZstdDecompressContext } from "../platform.ts";
import { chunkSizeFor } from "./zlib-options.ts";

/** One implementation of zstd. */
export interface ZstdBackend {
  /** Returns the payload's length, or -1 if it does not fit. */
  compressInto(content: Uint8Array, target: Uint8Array, level: number): number;
  /** Returns the content's length; throws if the target is too small or the payload damaged. */
  decompressInto(payload: Uint8Array, target: Uint8Array): number;
}

// A context keeps tables in proportion to the largest content it has seen and to its level: up to about 2 MiB here.
const MAX_KEPT_CONTENT_BYTES = 64 * 1024;
const MAX_KEPT_CONTEXTS = 4;

/**
 * zstd-napi. Compression contexts are reused: at most four, one for each of the levels used last, for content up to 64 KiB. Larger content shares one context that
 * the garbage collector may take at any time. Decompression has one context, whose size is fixed. A context that failed is dropped.
 */
export function createBindingBackend(binding: ZstdBinding): ZstdBackend {
  const kept: Map<number, ZstdCompressContext> = new Map();
  let large: { readonly level: number; readonly context: WeakRef<ZstdCompressContext> } | undefined;
  let decompressContext: ZstdDecompressContext | undefined;

  function createContext(level: number): ZstdCompressContext {
    const context = new binding.CCtx();
    context.setParameter(binding.CParameter.compressionLevel, level);
    return context;
  }

  function keptContext(level: number): ZstdCompressContext {
    const known = kept.get(level);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (kept.size >= MAX_KEPT_CONTEXTS && oldest !== undefined) kept.delete(oldest);
    const context = createContext(level);
    kept.set(level, context);
    return context;
  }

  function largeContext(level: number): ZstdCompressContext {
    const known = large?.level === level ? large.context.deref() : undefined;
    if (known !== undefined) return known;
    const context = createContext(level);
    large = { level, context: new WeakRef(context) };
    return context;
  }

  return {
    compressInto: (content, target, level) => {
      const context = content.length <= MAX_KEPT_CONTENT_BYTES ? keptContext(level) : largeContext(level);
      try {
        return context.compress2(target, content);
      } catch (error) {
        kept.delete(level);
        large = undefined;
        if (isTooSmall(error)) return DOES_NOT_FIT;
        throw error;
      }
    },
    decompressInto: (payload, target) => {
      const context = decompressContext ?? new binding.DCtx();
      decompressContext = undefined;
      const contentSize = context.decompress(target, payload);
      decompressContext = context;
      return contentSize;
    },
  };
}

function isTooSmall(error: unknown): boolean {
  return error instanceof Error && /too small/.test(error.message);
}

// As for Brotli: beyond this, memory grows with what the frame really holds.
const MAX_CHUNK_BYTES = 1024 * 1024;

/** Node's own zstd: allocates a result for every call. */
export function createNodeBackend(zlib: NodeZstd): ZstdBackend {
  const { ZSTD_c_compressionLevel } = zlib.constants;
  return {
    compressInto: (content, target, level) => {
      const options = { params: { [ZSTD_c_compressionLevel]: level }, pledgedSrcSize: content.length };
      const payload = zlib.zstdCompressSync(content, { ...options, chunkSize: chunkSizeFor(target.length + 1) });
      if (payload.length > target.length) return DOES_NOT_FIT;
      target.set(payload);
      return payload.length;
    },
    decompressInto: (payload, target) => {
      const chunkSize = chunkSizeFor(target.length + 1, MAX_CHUNK_BYTES);
      const { buffer } = zlib.zstdDecompressSync(payload, { chunkSize, maxOutputLength: target.length, info: true });
      target.set(buffer);
      return buffer.length;
    },
  };
}
