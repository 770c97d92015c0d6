import { createHash } from "node:crypto";
import { brotliDecompressSync, inflateRawSync, type Zlib } from "node:zlib";
import { xxh3 } from "@node-rs/xxhash";
import { Decompressor } from "zstd-napi";

/** Reads a frame as docs/frame-format.md says, and shares no code with the packages. */
export function readFrame(frame: Buffer, maxContentBytes: number = 8 * 1024 * 1024): Buffer {
  check(frame.length >= 18 && frame.readUInt32BE(0) === 0x52564300, "magic");
  const [version, id, size, payload] = [frame.readUInt8(4), frame.readUInt8(5), frame.readUInt32LE(6), frame.subarray(18)];
  const decode = [(stored: Buffer) => stored, unzip(brotliDecompressSync), unzip(inflateRawSync), decodeLz4, decodeZstd][id];
  check((version === 1 || version === 2) && decode !== undefined && size <= maxContentBytes, "version, codec id or limit");
  check(id === 0 ? payload.length === size : payload.length < size, "payload size");
  const sha256 = createHash("sha256").update(payload).digest().readBigUInt64LE();
  check((version === 1 ? sha256 : xxh3.xxh64(payload)) === frame.readBigUInt64LE(10), "checksum");
  const content = decode(payload, size);
  check(content.length === size, "content size");
  return content;
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`refused: ${what}`);
}

const unzip = (call: (payload: Buffer, options: object) => unknown) => (payload: Buffer, maxOutputLength: number) => {
  const { buffer, engine } = call(payload, { maxOutputLength, info: true }) as { buffer: Buffer; engine: Zlib };
  check(engine.bytesWritten === payload.length, "bytes after the stream");
  return buffer;
};

function decodeLz4(block: Buffer, size: number): Buffer {
  const content = Buffer.alloc(size);
  let [at, end] = [0, 0];
  const readLength = (nibble: number): number => {
    let length = nibble;
    for (let byte = nibble === 15 ? 255 : 0; byte === 255; length += byte) byte = block.readUInt8(at++);
    return length;
  };
  for (;;) {
    const token = block.readUInt8(at++);
    const literals = readLength(token >> 4);
    check(at + literals <= block.length && end + literals <= size, "literals");
    end += block.copy(content, end, at, at + literals);
    at += literals;
    if (at === block.length) return content.subarray(0, end);
    const offset = block.readUInt16LE(at);
    at += 2;
    const stop = end + readLength(token & 15) + 4;
    check(offset > 0 && offset <= end && stop <= size, "match");
    for (; end < stop; end++) content[end] = content.readUInt8(end - offset);
  }
}

function decodeZstd(payload: Buffer): Buffer {
  const [flags, single] = [payload.readUInt8(4), (payload.readUInt8(4) >> 5) & 1];
  check(payload.readUInt32LE(0) === 0xfd2fb528 && (single === 1 || payload.readUInt8(5) <= 0x88), "zstd magic or window");
  let at = 6 - single + Number([0, 1, 2, 4][flags & 3]) + Number([single, 2, 4, 8][flags >> 6]);
  for (let block = 0; (block & 1) === 0; at += 3 + ((block & 6) === 2 ? 1 : block >> 3)) block = payload.readUIntLE(at, 3);
  check(at + (flags & 4) === payload.length, "one zstd frame"); // flag 4 announces a checksum of 4 bytes
  return new Decompressor().decompress(payload);
}
