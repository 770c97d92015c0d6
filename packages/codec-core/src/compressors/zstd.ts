import { brandCompressor, CodecId, type Compressor, payloadCorrupt } from "../compressor.ts";
import { assertIntegerBetween, assertOptions, DEFAULT_ZSTD_LEVEL } from "../limits.ts";
import { findZstdBinding, nodeZstd, zstdUnavailable } from "../platform.ts";
import { createBindingBackend, createNodeBackend, type ZstdBackend } from "./zstd-backends.ts";
import { assertSingleFrame } from "./zstd-frame.ts";

/** Options of {@link zstd}. */
export interface ZstdOptions {
  /** −131072–22: negative levels are fastest, 22 is smallest; 0 means the default. @default 3 */
  readonly level: number;
}

const MIN_LEVEL = -131072;
const MAX_LEVEL = 22;

let backend: ZstdBackend | undefined;

function load(): ZstdBackend {
  backend ??= createBackend();
  return backend;
}

function createBackend(): ZstdBackend {
  const binding = findZstdBinding();
  if (binding !== undefined) return createBindingBackend(binding);
  if (nodeZstd !== undefined) return createNodeBackend(nodeZstd);
  throw zstdUnavailable();
}

/**
 * Zstandard: the best ratio for its cost, hence the default. Needs the optional package zstd-napi, or Node 22.15 or later, whose own
 * zstd is used where that package is absent.
 *
 * @throws TypeError, RangeError
 * @example
 * const codec = createValueCodec({ compressor: zstd({ level: 9 }) });
 */
export function zstd(options: Partial<ZstdOptions> = {}): Compressor {
  assertOptions("zstd()", options, ["level"]);
  assertIntegerBetween("level", options.level ?? DEFAULT_ZSTD_LEVEL, MIN_LEVEL, MAX_LEVEL);
  const level = options.level || DEFAULT_ZSTD_LEVEL;
  return brandCompressor({
    id: CodecId.ZSTD,
    name: "zstd",
    options: { level },
    load: () => void load(),
    compressInto: (content, target) => load().compressInto(content, target, level),
    decompress,
    decompressInto,
  });
}

function decompress(payload: Uint8Array, contentSize: number): Buffer {
  assertSingleFrame(payload, contentSize);
  const target = Buffer.allocUnsafe(contentSize);
  fill(payload, target);
  return target;
}

function decompressInto(payload: Uint8Array, target: Uint8Array): void {
  assertSingleFrame(payload, target.length);
  fill(payload, target);
}

function fill(payload: Uint8Array, target: Uint8Array): void {
  const used = load();
  let contentSize: number;
  try {
    contentSize = used.decompressInto(payload, target);
  } catch (cause) {
    throw payloadCorrupt("zstd", CodecId.ZSTD, "frame is damaged", cause);
  }
  if (contentSize === target.length) return;
  throw payloadCorrupt("zstd", CodecId.ZSTD, `frame holds ${contentSize} bytes, expected ${target.length}`);
}
