import type { Kernel } from "@tightwire/kernel";
import { allocate, giveScratch, takeScratch, viewOf, writeUint32 } from "../bytes.ts";
import {
  brandCompressor,
  CodecId,
  type Compressor,
  compressFailed,
  DOES_NOT_FIT,
  decompressFailed,
  payloadCorrupt,
} from "../compressor.ts";
import { kernelFor } from "../engine.ts";
import type { CodecError } from "../errors.ts";
import { assertOptions } from "../limits.ts";
import { type Lz4, loadLz4 } from "../platform.ts";

const ORIGIN = { id: CodecId.LZ4, name: "lz4" } as const;

// lz4-napi puts a u32 before the block and, reading, allocates whatever that u32 says: it is always written here, never read.
const SIZE_PREFIX_BYTES = 4;

// One byte of a block makes a match at most 255 bytes longer.
const MAX_EXPANSION = 255;

let lz4Package: Lz4 | undefined;

function load(): Lz4 {
  lz4Package ??= loadLz4();
  return lz4Package;
}

/**
 * LZ4: one raw block; reads and writes fastest. Needs the package lz4-napi, a dependency of this one.
 *
 * @throws TypeError for options; it has none
 * @example
 * import { createValueCodec, lz4 } from "@tightwire/codec-core";
 *
 * const codec = createValueCodec({ compressor: lz4() });
 * codec.encode(Buffer.alloc(5000, "abc")).length < 100; // true
 */
export function lz4(options: Readonly<Record<string, never>> = {}): Compressor {
  assertOptions("lz4()", options, []);
  return brandCompressor({ ...ORIGIN, options: {}, load: () => void load(), compressInto, decompress, decompressInto });
}

function compressInto(content: Uint8Array, target: Uint8Array): number {
  const room = target.length;
  const kernel = kernelFor(Math.max(content.length, room));
  if (kernel !== undefined) {
    kernel.putContent(content);
    return kernel.compress(room) === 0 ? DOES_NOT_FIT : kernel.copyPayload(target, 0);
  }
  const block = compressBlock(content);
  const payloadSize = block.length - SIZE_PREFIX_BYTES;
  if (payloadSize > room) return DOES_NOT_FIT;
  target.set(viewOf(block, SIZE_PREFIX_BYTES, payloadSize));
  return payloadSize;
}

function compressBlock(content: Uint8Array): Buffer {
  try {
    return load().compressSync(content);
  } catch (cause) {
    throw compressFailed(ORIGIN, content.length, cause);
  }
}

function assertPlausible(payloadSize: number, contentSize: number): void {
  if (contentSize <= payloadSize * MAX_EXPANSION) return;
  throw payloadCorrupt(ORIGIN, `${payloadSize} bytes cannot hold ${contentSize} bytes`, { contentSize, payloadSize });
}

function decompress(payload: Uint8Array, contentSize: number): Buffer {
  assertPlausible(payload.length, contentSize);
  const kernel = openWithKernel(payload, contentSize);
  if (kernel !== undefined) {
    const content = allocate(contentSize);
    kernel.copyContent(content, 0);
    return content;
  }
  return decompressNatively(payload, contentSize);
}

function decompressNatively(payload: Uint8Array, contentSize: number): Buffer {
  const payloadSize = payload.length;
  const content = uncompressBlock(payload, contentSize);
  // Given a size that is too large, lz4-napi returns what there is.
  if (content.length === contentSize) return content;
  throw payloadCorrupt(ORIGIN, `block holds ${content.length} bytes, expected ${contentSize}`, { contentSize, payloadSize });
}

function decompressInto(payload: Uint8Array, target: Uint8Array): void {
  assertPlausible(payload.length, target.length);
  const kernel = openWithKernel(payload, target.length);
  if (kernel === undefined) target.set(decompressNatively(payload, target.length));
  else kernel.copyContent(target, 0);
}

/** Decompresses in the kernel, where the content then lies; undefined if that is not its business. */
function openWithKernel(payload: Uint8Array, contentSize: number): Kernel | undefined {
  const payloadSize = payload.length;
  const kernel = kernelFor(Math.max(payloadSize, contentSize));
  if (kernel === undefined || kernel.decompress(payload, contentSize)) return kernel;
  throw blockCorrupt(payloadSize, contentSize);
}

/** The error for a block that the kernel refuses. */
export function blockCorrupt(payloadSize: number, contentSize: number): CodecError {
  return payloadCorrupt(ORIGIN, "damaged, or not as long as its content size", { contentSize, payloadSize });
}

function uncompressBlock(payload: Uint8Array, contentSize: number): Buffer {
  const block = takeScratch(SIZE_PREFIX_BYTES + payload.length);
  writeUint32(block, 0, contentSize);
  block.set(payload, SIZE_PREFIX_BYTES);
  try {
    return load().uncompressSync(viewOf(block, 0, SIZE_PREFIX_BYTES + payload.length));
  } catch (cause) {
    throw decompressFailed(ORIGIN, payload.length, contentSize, cause);
  } finally {
    giveScratch(block);
  }
}
