import { giveScratch, takeScratch, viewOf, writeUint32 } from "../bytes.ts";
import { brandCompressor, CodecId, type Compressor, DOES_NOT_FIT, payloadCorrupt } from "../compressor.ts";
import { assertOptions } from "../limits.ts";
import { type Lz4, loadLz4 } from "../platform.ts";

// lz4-napi puts a u32 before the block and, reading, allocates whatever that u32 says: it must never see one that came from outside.
const SIZE_PREFIX_BYTES = 4;

// A byte of an LZ4 block adds at most 255 bytes to a match.
const MAX_EXPANSION = 255;

let lz4Package: Lz4 | undefined;

function load(): Lz4 {
  lz4Package ??= loadLz4();
  return lz4Package;
}

/**
 * LZ4: one raw block, the fastest of the built-in compressors. Needs the package lz4-napi, a dependency of this one.
 *
 * @throws TypeError for options; it has none
 * @example
 * const codec = createValueCodec({ compressor: lz4() });
 */
export function lz4(options: Record<string, never> = {}): Compressor {
  assertOptions("lz4()", options, []);
  return brandCompressor({
    id: CodecId.LZ4,
    name: "lz4",
    options: {},
    load: () => void load(),
    compressInto,
    decompress,
    decompressInto,
  });
}

function compressInto(content: Uint8Array, target: Uint8Array): number {
  const block = load().compressSync(content);
  const payloadSize = block.length - SIZE_PREFIX_BYTES;
  if (payloadSize > target.length) return DOES_NOT_FIT;
  target.set(viewOf(block, SIZE_PREFIX_BYTES, payloadSize));
  return payloadSize;
}

function decompress(payload: Uint8Array, contentSize: number): Buffer {
  if (payload.length === 0 || contentSize > payload.length * MAX_EXPANSION) {
    throw corrupt(`a block of ${payload.length} bytes cannot hold ${contentSize} bytes`);
  }
  const content = uncompressBlock(payload, contentSize);
  // With a size that is too large lz4-napi returns what there is.
  if (content.length === contentSize) return content;
  throw corrupt(`block holds ${content.length} bytes, expected ${contentSize}`);
}

function decompressInto(payload: Uint8Array, target: Uint8Array): void {
  target.set(decompress(payload, target.length));
}

function uncompressBlock(payload: Uint8Array, contentSize: number): Buffer {
  const size = SIZE_PREFIX_BYTES + payload.length;
  const block = takeScratch(size);
  writeUint32(block, 0, contentSize);
  block.set(payload, SIZE_PREFIX_BYTES);
  try {
    return load().uncompressSync(viewOf(block, 0, size));
  } catch (cause) {
    throw corrupt("block is damaged", cause);
  } finally {
    giveScratch(block);
  }
}

function corrupt(what: string, cause?: unknown): Error {
  return payloadCorrupt("lz4", CodecId.LZ4, what, cause);
}
