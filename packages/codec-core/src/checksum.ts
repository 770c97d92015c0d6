import { hash } from "node:crypto";
import { kernelFor } from "./engine.ts";
import { loadXxhash, type Xxhash } from "./platform.ts";

/** Versions of the frame: 1 has a SHA-256 checksum, 2 an XXH3-64 one. */
export type FrameVersion = 1 | 2;

export const CHECKSUM_BYTES = 8;

let xxhash: Xxhash | undefined;

/**
 * Loads what the checksum of `version` needs.
 *
 * @throws CodecError `CODEC_UNAVAILABLE`
 */
export function loadChecksum(version: FrameVersion): void {
  if (version === 2) xxhash ??= loadXxhash();
}

/** Writes the checksum of `payload` to the eight bytes at `offset`. */
export function writeChecksum(version: FrameVersion, payload: Uint8Array, target: Uint8Array, offset: number): void {
  if (version === 1) {
    target.set(digestSha256(payload), offset);
    return;
  }
  const kernel = kernelFor(payload.length);
  if (kernel === undefined) writeUint64(target, offset, digestXxh3(payload));
  else kernel.writeDigest(payload, target, offset);
}

/** Whether the eight bytes at `offset` of `source` are the checksum of `payload`. */
export function matchesChecksum(version: FrameVersion, payload: Uint8Array, source: Uint8Array, offset: number): boolean {
  if (version === 2) return matchesXxh3(payload, source, offset);
  const digest = digestSha256(payload);
  return digest.every((byte, index) => byte === source[offset + index]);
}

function matchesXxh3(payload: Uint8Array, source: Uint8Array, offset: number): boolean {
  const kernel = kernelFor(payload.length);
  if (kernel !== undefined) return kernel.matchesDigest(payload, source, offset);
  return readUint64(source, offset) === digestXxh3(payload);
}

// No seed and no secret: the frame fixes both.
function digestXxh3(payload: Uint8Array): bigint {
  xxhash ??= loadXxhash();
  return xxhash.xxh3.xxh64(payload);
}

function digestSha256(payload: Uint8Array): Uint8Array {
  return hash("sha256", payload, "buffer").subarray(0, CHECKSUM_BYTES);
}

function readUint64(bytes: Uint8Array, offset: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset + offset, CHECKSUM_BYTES).getBigUint64(0, true);
}

function writeUint64(bytes: Uint8Array, offset: number, value: bigint): void {
  new DataView(bytes.buffer, bytes.byteOffset + offset, CHECKSUM_BYTES).setBigUint64(0, value, true);
}
