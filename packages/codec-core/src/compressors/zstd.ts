import { brandCompressor, type Compressor } from "../compressor.ts";
import { assertIntegerBetween, assertOptions, DEFAULT_ZSTD_LEVEL } from "../limits.ts";
import { findZstdBinding, nodeZstd, zstdUnavailable } from "../platform.ts";
import { ORIGIN, type ZstdBackend } from "./zstd-backend.ts";
import { assertSingleFrame } from "./zstd-frame.ts";
import { createBindingBackend, type NativeZstd } from "./zstd-napi.ts";
import { createNodeBackend } from "./zstd-node.ts";

/** Options of {@link zstd}. */
export interface ZstdOptions {
  /** −131072–22: negative levels are fastest, 22 is smallest; 0 means 3. @default 3 */
  readonly level: number;
}

const MIN_LEVEL = -131072;
const MAX_LEVEL = 22;

let backend: ZstdBackend | undefined;
let native: NativeZstd | undefined;
let isNativeSought = false;

/**
 * The backend that is nothing but a native call, where there is one: it may work in the kernel's memory. node:zlib makes an object
 * for each call, of which `async_hooks` tells whoever listens, and a listener may use the kernel.
 */
export function nativeZstd(): NativeZstd | undefined {
  if (isNativeSought) return native;
  isNativeSought = true;
  const binding = findZstdBinding();
  if (binding !== undefined) native = createBindingBackend(binding);
  return native;
}

function load(): ZstdBackend {
  backend ??= nativeZstd() ?? createFallback();
  return backend;
}

function createFallback(): ZstdBackend {
  if (nodeZstd !== undefined) return createNodeBackend(nodeZstd);
  throw zstdUnavailable();
}

/**
 * Zstandard: the smallest payloads for their cost, hence the default. Needs the optional package zstd-napi, or Node 22.15 or
 * later, whose own zstd is used where that package is absent.
 *
 * @throws TypeError, RangeError
 * @example
 * import { createValueCodec, zstd } from "@tightwire/codec-core";
 *
 * const codec = createValueCodec({ compressor: zstd({ level: 9 }) });
 * codec.encode(Buffer.alloc(5000, "abc")).length < 100; // true
 */
export function zstd(options: Partial<ZstdOptions> = {}): Compressor {
  assertOptions("zstd()", options, ["level"]);
  const { level = DEFAULT_ZSTD_LEVEL } = options;
  assertIntegerBetween("level", level, MIN_LEVEL, MAX_LEVEL);
  const effectiveLevel = level === 0 ? DEFAULT_ZSTD_LEVEL : level;
  return brandCompressor({
    ...ORIGIN,
    options: { level: effectiveLevel },
    load: () => void load(),
    compressInto: (content, target) => load().compressInto(content, target, effectiveLevel),
    decompress,
    decompressInto,
  });
}

function decompress(payload: Uint8Array, contentSize: number): Buffer {
  assertSingleFrame(payload, contentSize);
  return load().decompress(payload, contentSize);
}

function decompressInto(payload: Uint8Array, target: Uint8Array): void {
  assertSingleFrame(payload, target.length);
  load().decompressInto(payload, target);
}
