import { types } from "node:util";
import { markAsUntransferable } from "node:worker_threads";
import { CodecError, describeKind } from "./errors.ts";
import { assertIntegerBetween } from "./limits.ts";

// Taken once: the global Buffer is an accessor, which costs 6 ns each time.
const { byteLength } = Buffer;

// What typed arrays themselves have: a subclass may mean something else by these names, and a length of its own could run its author's
// code between two steps of the kernel.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
const lengthGetter = getterOf("length") as (this: Uint8Array) => number;
const bufferGetter = getterOf("buffer") as (this: Uint8Array) => ArrayBufferLike;
const byteOffsetGetter = getterOf("byteOffset") as (this: Uint8Array) => number;
const indexOf: (this: Uint8Array, searchElement: number) => number = Uint8Array.prototype.indexOf;

const bufferPrototype: unknown = Buffer.prototype;
const arrayPrototype: unknown = Uint8Array.prototype;

function getterOf(name: keyof Uint8Array): unknown {
  return Object.getOwnPropertyDescriptor(typedArray, name)?.get;
}

/**
 * Holds for a Uint8Array of any realm (test runners have several) whose memory is still there.
 *
 * @throws TypeError if `value` is no Uint8Array, or one whose buffer was transferred away or shrunk under it
 */
export function assertBytes(name: string, value: unknown): asserts value is Uint8Array {
  checkedLengthOf(name, value);
}

/**
 * How long bytes are: {@link assertBytes}, {@link lengthOf}.
 *
 * @throws TypeError
 */
export function checkedLengthOf(name: string, value: unknown): number {
  if (!types.isUint8Array(value)) throw new TypeError(`${name} must be a Uint8Array, got ${describeKind(value)}`);
  const length = lengthOf(value);
  // A detached view looks empty. Every method of typed arrays refuses one, so that it is not taken for empty content.
  if (length === 0) indexOf.call(value, 0);
  return length;
}

/** How long bytes are, whatever they say; runs nobody's code. */
export function lengthOf(bytes: Uint8Array): number {
  return lengthGetter.call(bytes);
}

/** The same bytes as a Uint8Array or Buffer that is nothing else, for code that asks them for their length or memory. */
export function plainOf(bytes: Uint8Array): Uint8Array {
  const prototype: unknown = Object.getPrototypeOf(bytes);
  const isPlain = (prototype === bufferPrototype || prototype === arrayPrototype) && !Object.hasOwn(bytes, "length");
  return isPlain ? bytes : viewOf(bytes, 0, lengthOf(bytes));
}

/** The first `size` bytes, of which there were that many, where no other thread can change them; plain. */
export function unsharedOf(bytes: Uint8Array, size: number): Uint8Array {
  // Shared memory may have grown since.
  return isShared(bytes) ? copyOf(viewOf(bytes, 0, size)) : plainOf(bytes);
}

/**
 * How many bytes `target` has from `offset` on.
 *
 * @throws TypeError, RangeError for what is no target, or no offset in it
 */
export function roomOf(target: Uint8Array, offset: number): number {
  const length = checkedLengthOf("target", target);
  assertIntegerBetween("offset", offset, 0, length);
  return length - offset;
}

/** @throws TypeError, RangeError unless `target` has room for `size` bytes at `offset` */
export function assertRoom(target: Uint8Array, offset: number, size: number): void {
  const room = roomOf(target, offset);
  if (room < size) throw new RangeError(`target has room for ${room} bytes at offset ${offset}, needs ${size}`);
}

/** A view of `length` bytes from `start`, over the same memory. */
export function viewOf(bytes: Uint8Array, start: number, length: number): Uint8Array {
  return new Uint8Array(bufferGetter.call(bytes), byteOffsetGetter.call(bytes) + start, length);
}

// Node's own pool would do, if its size were not up to the release (64 KiB in Node 24) and to whoever sets Buffer.poolSize: a value of
// a few bytes that somebody keeps would hold on to all of it.
const SLAB_BYTES = 8 * 1024;
const MAX_CARVED_BYTES: number = SLAB_BYTES / 2;
const ALIGNMENT = 8;

let slab: Buffer | undefined;
let slabOffset = 0;

/**
 * Memory for a result, of unspecified content. Up to 4 KiB it is carved from a slab of 8 KiB, which is used once and can be
 * transferred to no other thread.
 *
 * @throws CodecError `CODEC_SIZE_LIMIT` if the process has no memory for it
 */
export function allocate(size: number): Buffer {
  if (size > MAX_CARVED_BYTES) return allocateAlone(size);
  if (slab === undefined || slabOffset + size > SLAB_BYTES) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    markAsUntransferable(slab.buffer);
    slabOffset = 0;
  }
  const start = slabOffset;
  slabOffset += Math.ceil(size / ALIGNMENT) * ALIGNMENT;
  return slab.subarray(start, start + size);
}

/**
 * Memory that shares its buffer with nothing, of unspecified content.
 *
 * @throws CodecError `CODEC_SIZE_LIMIT` if the process has no memory for it
 */
export function allocateAlone(size: number): Buffer {
  try {
    return Buffer.allocUnsafeSlow(size);
  } catch (cause) {
    throw outOfMemory(size, cause);
  }
}

/** A result as it is, or copied if it would hold on to memory many times its size. */
export function detachSmall(result: Buffer): Buffer {
  return result.buffer.byteLength - result.length > SLAB_BYTES ? copyOf(result) : result;
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

/** How many bytes text takes as UTF-8. */
export function byteLengthOf(text: string): number {
  return byteLength(text);
}

/** Text as UTF-8, as `Buffer.from(text)` has it, in memory that nobody else can reach. */
export function copyOfText(text: string): Buffer {
  const copy = allocate(byteLengthOf(text));
  copy.write(text);
  return copy;
}

/** An owned copy, in memory that nobody else can reach. */
export function copyOf(bytes: Uint8Array): Buffer {
  const copy = allocate(lengthOf(bytes));
  copy.set(bytes);
  return copy;
}

/** For targets that other threads write to, too: what is worked on must be nobody else's. */
export function placeCopy(result: Buffer, target: Uint8Array, offset: number): number {
  target.set(result, offset);
  return result.length;
}

/** Whether another thread may be writing to these bytes while we read them. */
export function isShared(bytes: Uint8Array): boolean {
  return bufferGetter.call(bytes)[Symbol.toStringTag] === "SharedArrayBuffer";
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
  if (size > MAX_SCRATCH_BYTES) return allocateAlone(size);
  const taken = scratch;
  scratch = undefined;
  if (taken !== undefined && taken.length >= size) return taken;
  return allocateAlone(Math.max(MIN_SCRATCH_BYTES, 2 ** Math.ceil(Math.log2(size))));
}

/** Gives back what {@link takeScratch} lent. */
export function giveScratch(taken: Buffer): void {
  if (taken.length > MAX_SCRATCH_BYTES || (scratch !== undefined && scratch.length >= taken.length)) return;
  scratch = taken;
}
