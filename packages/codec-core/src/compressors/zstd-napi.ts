import { allocate, viewOf } from "../bytes.ts";
import { compressFailed, DOES_NOT_FIT, decompressFailed, payloadCorrupt } from "../compressor.ts";
import type { ZstdBinding, ZstdCompressContext, ZstdDecompressContext } from "../platform.ts";
import { ORIGIN, type ZstdBackend } from "./zstd-backend.ts";

// A context keeps tables in proportion to its level and to the largest content it has seen: with this bound a few MiB at most.
const MAX_KEPT_CONTENT_BYTES = 64 * 1024;
const MAX_KEPT_CONTEXTS = 4;

// ZSTD_compressBound of that content.
const MAX_KEPT_PAYLOAD_BYTES: number = MAX_KEPT_CONTENT_BYTES + (MAX_KEPT_CONTENT_BYTES >>> 8) + 32;

/** A backend that is nothing but native calls. */
export interface NativeZstd extends ZstdBackend {
  /**
   * Decompresses all frames of `source` to the beginning of `target`.
   *
   * @returns how many bytes they hold
   * @throws whatever the package throws
   */
  decompressWithin(source: Uint8Array, target: Uint8Array): number;
}

/**
 * The package zstd-napi. Contexts are reused: for content up to 64 KiB one per level, for at most four levels; larger content
 * shares one that the garbage collector may take at any time, because its tables grow to tens of MiB. One context decompresses
 * everything; its size does not depend on the content.
 */
export function createBindingBackend(binding: ZstdBinding): NativeZstd {
  const compressSmall = createSmallCompressor(binding);
  const compressLarge = createLargeCompressor(binding);
  const decompressWithin = createDecompressor(binding);
  const fill = createFiller(decompressWithin);
  return {
    compressInto: (content, target, level) =>
      content.length <= MAX_KEPT_CONTENT_BYTES ? compressSmall(content, target, level) : compressLarge(content, target, level),
    decompress: (payload, contentSize) => {
      const target = allocate(contentSize);
      fill(payload, target);
      return target;
    },
    decompressInto: fill,
    decompressWithin,
  };
}

function createContext(binding: ZstdBinding, level: number): ZstdCompressContext {
  const context = new binding.CCtx();
  context.setParameter(binding.CParameter.compressionLevel, level);
  return context;
}

function createSmallCompressor(binding: ZstdBinding): ZstdBackend["compressInto"] {
  const contexts: Map<number, ZstdCompressContext> = new Map();
  let room: Buffer | undefined;

  function contextOf(level: number): ZstdCompressContext {
    const known = contexts.get(level);
    if (known !== undefined) return known;
    const [oldest] = contexts.keys();
    if (oldest !== undefined && contexts.size >= MAX_KEPT_CONTEXTS) contexts.delete(oldest);
    const context = createContext(binding, level);
    contexts.set(level, context);
    return context;
  }

  function compress(content: Uint8Array, target: Uint8Array, level: number): number {
    try {
      return contextOf(level).compress2(target, content);
    } catch (cause) {
      contexts.delete(level);
      throw compressFailed(ORIGIN, content.length, cause);
    }
  }

  return (content, target, level) => {
    if (target.length >= MAX_KEPT_PAYLOAD_BYTES) return compress(content, target, level);
    // Room for whatever comes out: copying it costs less than the exception for a payload that does not fit.
    room ??= Buffer.allocUnsafeSlow(MAX_KEPT_PAYLOAD_BYTES);
    const payloadSize = compress(content, room, level);
    if (payloadSize > target.length) return DOES_NOT_FIT;
    target.set(viewOf(room, 0, payloadSize));
    return payloadSize;
  };
}

function createLargeCompressor(binding: ZstdBinding): ZstdBackend["compressInto"] {
  // One for all levels: contexts that are dropped pile up until the event loop turns, however many are created before.
  let held: WeakRef<ZstdCompressContext> | undefined;
  let heldLevel = 0;

  function contextOf(level: number): ZstdCompressContext {
    const known = held?.deref();
    if (known === undefined) {
      const context = createContext(binding, level);
      held = new WeakRef(context);
      heldLevel = level;
      return context;
    }
    if (heldLevel !== level) known.setParameter(binding.CParameter.compressionLevel, level);
    heldLevel = level;
    return known;
  }

  return (content, target, level) => {
    try {
      return contextOf(level).compress2(target, content);
    } catch (cause) {
      // Such a context may be used again: ZSTD_compress2 begins with a reset.
      if (isTooSmall(cause)) return DOES_NOT_FIT;
      held = undefined;
      throw compressFailed(ORIGIN, content.length, cause);
    }
  };
}

// By message, for the binding gives no code, and not by class, which test runners with realms of their own have twice.
function isTooSmall(error: unknown): boolean {
  return String((error as { message?: unknown } | undefined)?.message).includes("too small");
}

function createDecompressor(binding: ZstdBinding): NativeZstd["decompressWithin"] {
  let context: ZstdDecompressContext | undefined;

  return (source, target) => {
    try {
      context ??= new binding.DCtx();
      return context.decompress(target, source);
    } catch (cause) {
      // After a frame without content size that failed, a context refuses every other until it is reset.
      context?.reset(binding.ResetDirective.sessionAndParameters);
      throw cause;
    }
  };
}

function createFiller(decompressWithin: NativeZstd["decompressWithin"]): ZstdBackend["decompressInto"] {
  return (payload, target) => {
    let contentSize: number;
    try {
      contentSize = decompressWithin(payload, target);
    } catch (cause) {
      throw decompressFailed(ORIGIN, payload.length, target.length, cause);
    }
    assertFilled(contentSize, payload.length, target.length);
  };
}

/** @throws CodecError `CODEC_PAYLOAD_CORRUPT` unless a payload held as much as it should */
export function assertFilled(size: number, payloadSize: number, contentSize: number): void {
  if (size === contentSize) return;
  throw payloadCorrupt(ORIGIN, `frame holds ${size} bytes, expected ${contentSize}`, { contentSize, payloadSize });
}
