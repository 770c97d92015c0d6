import { xxh3 } from "@node-rs/xxhash";
import { compressSync, uncompressSync } from "lz4-napi";

// lz4-napi puts a u32 of the content's size before the block.
const PREFIX_BYTES = 4;

export function digestOf(bytes: Uint8Array): Buffer {
  const digest = Buffer.alloc(8);
  digest.writeBigUInt64LE(xxh3.xxh64(bytes));
  return digest;
}

export function compressWithPackage(content: Buffer): Buffer {
  return compressSync(content).subarray(PREFIX_BYTES);
}

/** What lz4-napi makes of a block; undefined if it refuses it or the content has another size. */
export function decompressWithPackage(block: Uint8Array, contentSize: number): Buffer | undefined {
  const input = Buffer.alloc(PREFIX_BYTES + block.length);
  input.writeUInt32LE(contentSize);
  input.set(block, PREFIX_BYTES);
  try {
    const content = uncompressSync(input);
    return content.length === contentSize ? content : undefined;
  } catch {
    return undefined;
  }
}

/** The block format read byte by byte, as its description has it; undefined for what is no block of exactly that content size. */
export function decompressPlainly(block: Uint8Array, contentSize: number): Buffer | undefined {
  const content: number[] = [];
  let at = 0;
  const readLength = (start: number): number => {
    let length = start;
    if (start < 15) return length;
    let more = 255;
    while (more === 255) {
      if (at >= block.length) return Number.NaN;
      more = block[at++] as number;
      length += more;
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at++] as number;
    const literals = readLength(token >> 4);
    if (!(at + literals <= block.length && content.length + literals <= contentSize)) return undefined;
    content.push(...block.subarray(at, at + literals));
    at += literals;
    if (at === block.length) return content.length === contentSize ? Buffer.from(content) : undefined;
    if (at + 2 > block.length) return undefined;
    const distance = (block[at] as number) + 256 * (block[at + 1] as number);
    at += 2;
    const length = readLength(token & 15) + 4;
    if (distance === 0 || distance > content.length || !(content.length + length <= contentSize)) return undefined;
    for (let index = 0; index < length; index++) content.push(content[content.length - distance] as number);
  }
  return undefined;
}

/** Where in the content the last match of a sound block starts, and how many literals are behind it; undefined if there is none. */
export function findLastMatch(block: Uint8Array): { readonly start: number; readonly literalsBehind: number } | undefined {
  let at = 0;
  let size = 0;
  let match: { start: number; end: number } | undefined;
  const readLength = (start: number): number => {
    let length = start;
    for (let more = start < 15 ? 0 : 255; more === 255; length += more) more = block[at++] as number;
    return length;
  };
  while (at < block.length) {
    const token = block[at++] as number;
    const literals = readLength(token >> 4);
    at += literals;
    size += literals;
    if (at >= block.length) break;
    at += 2;
    const start = size;
    size += readLength(token & 15) + 4;
    match = { start, end: size };
  }
  return match && { start: match.start, literalsBehind: size - match.end };
}
