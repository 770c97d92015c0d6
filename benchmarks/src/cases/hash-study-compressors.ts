import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  inflateRawSync,
  inflateSync,
} from "node:zlib";
import { brotli, type Compressor, defineCompressor, deflate, lz4, stored, zstd } from "@tightwire/codec-core";

/** One algorithm twice: as a program without a value codec calls it, and inside frames. */
export interface StudyCompressor {
  /** Content to what is held without a frame. */
  compress(content: Uint8Array): Uint8Array;
  decompress(held: Uint8Array, contentSize: number): Uint8Array;
  /** The same algorithm and level for frames. */
  readonly framed: Compressor;
}

export const COMPRESSOR_NAMES = Object.freeze(["none", "lz4", "zlib-6", "snappy", "brotli-4", "deflate-1", "zstd-3"] as const);
export type CompressorName = (typeof COMPRESSOR_NAMES)[number];

// Any ids that applications may use: frames have none of their own for these two.
export const SNAPPY_ID = 16;
export const ZLIB_ID = 17;

const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const DEFLATE_OPTIONS = { level: 1 };

type Zlib = (bytes: Uint8Array) => Uint8Array;

function useZlib(framed: Compressor, compress: Zlib, decompress: Zlib): StudyCompressor {
  return { framed, compress, decompress };
}

function inflateExactly(payload: Uint8Array, contentSize: number): Buffer {
  const result: unknown = inflateSync(payload, { maxOutputLength: contentSize, info: true });
  const { buffer, engine } = result as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
  if (engine.bytesWritten !== payload.length) throw new RangeError("bytes after the end of the zlib stream");
  return buffer;
}

/** zlib at its default level, with its header and checksum. */
export function defineZlib(): Compressor {
  return defineCompressor({
    id: ZLIB_ID,
    name: "zlib",
    compress: (content) => deflateSync(content),
    decompress: inflateExactly,
  });
}

/** The length that a raw Snappy block begins with: seven bits a byte, the lowest first. */
function readSnappyLength(payload: Uint8Array): number {
  let length = 0;
  for (let at = 0; at < Math.min(payload.length, 5); at++) {
    const byte = payload[at] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return length;
  }
  return Number.NaN;
}

type Snappy = Pick<typeof import("snappy"), "compressSync" | "uncompressSync">;

/** Raw Snappy blocks. */
export function defineSnappy({ compressSync, uncompressSync }: Snappy): Compressor {
  return defineCompressor({
    id: SNAPPY_ID,
    name: "snappy",
    compress: (content) => compressSync(content),
    decompress(payload, contentSize) {
      // The package allocates whatever the block claims.
      if (readSnappyLength(payload) !== contentSize) throw new RangeError("the Snappy block is of another length");
      return uncompressSync(payload) as Buffer;
    },
  });
}

async function useSnappy(): Promise<StudyCompressor> {
  const snappy = await import("snappy");
  return {
    framed: defineSnappy(snappy),
    compress: (content) => snappy.compressSync(content),
    decompress: (held) => snappy.uncompressSync(held) as Buffer,
  };
}

async function useLz4(): Promise<StudyCompressor> {
  const { compressSync, uncompressSync } = await import("lz4-napi");
  // Without a frame a block is held in the package's own form, its size before it.
  return { framed: lz4(), compress: (content) => compressSync(asBuffer(content)), decompress: (held) => uncompressSync(held) };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** zstd frames as the value codec makes them, without its own frame around them. */
function useZstd(): StudyCompressor {
  const framed = zstd();
  framed.load();
  return {
    framed,
    compress(content) {
      const target = Buffer.allocUnsafe(content.length);
      const size = framed.compressInto(content, target);
      if (size < 0) throw new RangeError("zstd did not make the content smaller");
      return target.subarray(0, size);
    },
    decompress: (held, contentSize) => framed.decompress(held, contentSize),
  };
}

const LOADERS: Readonly<Record<CompressorName, () => StudyCompressor | Promise<StudyCompressor>>> = {
  none: () =>
    useZlib(
      stored(),
      (content) => content,
      (held) => held,
    ),
  lz4: useLz4,
  "zlib-6": () =>
    useZlib(
      defineZlib(),
      (content) => deflateSync(content),
      (held) => inflateSync(held),
    ),
  snappy: useSnappy,
  "brotli-4": () =>
    useZlib(
      brotli(),
      (content) => brotliCompressSync(content, BROTLI_OPTIONS),
      (held) => brotliDecompressSync(held),
    ),
  "deflate-1": () =>
    useZlib(
      deflate(),
      (content) => deflateRawSync(content, DEFLATE_OPTIONS),
      (held) => inflateRawSync(held),
    ),
  "zstd-3": useZstd,
};

/**
 * Loads a compressor and its package.
 *
 * @throws Error if the package is not installed for this machine
 */
export async function loadCompressor(name: CompressorName): Promise<StudyCompressor> {
  return await LOADERS[name]();
}
