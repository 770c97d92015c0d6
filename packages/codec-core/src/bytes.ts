import { types } from "node:util";
import { CodecError, describeKind } from "./errors.ts";

const indexOf: (this: Uint8Array, searchElement: number) => number = Uint8Array.prototype.indexOf;

/**
 * Holds for a Uint8Array of any realm (test runners have several) whose memory is still there.
 *
 * @throws TypeError if `value` is no Uint8Array, or one whose buffer was transferred away or shrunk under it
 */
export function assertBytes(name: string, value: unknown): asserts value is Uint8Array {
  if (!types.isUint8Array(value)) throw new TypeError(`${name} must be a Uint8Array, got ${describeKind(value)}`);
  // A detached view looks empty. Every method of typed arrays refuses one, so that it is not taken for empty content.
  if (value.length === 0) indexOf.call(value, 0);
}

/** A view of `length` bytes from `start`, over the same memory. */
export function viewOf(bytes: Uint8Array, start: number, length: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + start, length);
}

/**
 * Memory for a result, of unspecified content. Small ones come out of Node's own pool of a few KiB.
 *
 * @throws CodecError `CODEC_SIZE_LIMIT` if the process has no memory for it
 */
export function allocate(size: number): Buffer {
  try {
    return Buffer.allocUnsafe(size);
  } catch (cause) {
    throw outOfMemory(size, cause);
  }
}

/** The error for content within all limits that the process has no memory for. */
export function outOfMemory(size: number, cause: unknown): CodecError {
  return new CodecError("CODEC_SIZE_LIMIT", `no memory for ${size} bytes`, { contentSize: size, cause });
}

/** Whether a native call failed for want of memory, not because of its input. */
export function isAllocationFailure(error: unknown): boolean {
  // Not by class: test runners with realms of their own have every class twice.
  const { name, code, message } = (error ?? {}) as { name?: unknown; code?: unknown; message?: unknown };
  if (code === "ERR_BUFFER_TOO_LARGE") return false;
  return name === "RangeError" || /ALLOC|MEM/.test(String(code)) || /memory/i.test(String(message));
}

/** An owned copy, in memory that nobody else can reach. */
export function copyOf(bytes: Uint8Array): Buffer {
  const copy = allocate(bytes.length);
  copy.set(bytes);
  return copy;
}

/** Whether another thread may be writing to these bytes while we read them. */
export function isShared(bytes: Uint8Array): boolean {
  return bytes.buffer[Symbol.toStringTag] === "SharedArrayBuffer";
}

/** Whether two views have a byte in common. */
export function overlaps(a: Uint8Array, b: Uint8Array): boolean {
  return a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.length && b.byteOffset < a.byteOffset + a.length;
}

/** Reads an unsigned 32-bit little-endian integer; the caller has checked that it is there. */
export function readUint32(bytes: Uint8Array, offset: number): number {
  const low = (bytes[offset] as number) | ((bytes[offset + 1] as number) << 8) | ((bytes[offset + 2] as number) << 16);
  return low + (bytes[offset + 3] as number) * 0x100_0000;
}

/** Writes an unsigned 32-bit little-endian integer; the caller has checked that there is room. */
export function writeUint32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value;
  bytes[offset + 1] = value >>> 8;
  bytes[offset + 2] = value >>> 16;
  bytes[offset + 3] = value >>> 24;
}

// Larger values are rare, and a buffer for them would stay resident for the life of the process.
const MAX_SCRATCH_BYTES = 1024 * 1024;
const MIN_SCRATCH_BYTES = 16 * 1024;

let scratch: Buffer | undefined;

/**
 * Memory for an intermediate result: at least `size` bytes of unspecified content, never handed out to callers. One buffer of
 * at most 1 MiB is kept between calls. It belongs to whoever took it until it is given back, so that codecs may nest; after an
 * error it need not be given back.
 */
export function takeScratch(size: number): Buffer {
  if (size > MAX_SCRATCH_BYTES) return allocate(size);
  const taken = scratch;
  scratch = undefined;
  if (taken !== undefined && taken.length >= size) return taken;
  return Buffer.allocUnsafeSlow(Math.max(MIN_SCRATCH_BYTES, 2 ** Math.ceil(Math.log2(size))));
}

/** Gives back what {@link takeScratch} lent. */
export function giveScratch(taken: Buffer): void {
  if (taken.length > MAX_SCRATCH_BYTES || (scratch !== undefined && scratch.length >= taken.length)) return;
  scratch = taken;
}
