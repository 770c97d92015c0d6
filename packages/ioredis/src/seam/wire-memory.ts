import { markAsUntransferable } from "node:worker_threads";

// A command is short-lived, so a slab may be larger than one for results: fewer of them for the collector to free.
const SLAB_BYTES = 64 * 1024;
const ALIGNMENT = 8;

/** The most that is carved from a slab. */
export const MAX_CARVED_BYTES: number = SLAB_BYTES / 2;

let slab: Buffer = Buffer.alloc(0);
let slabOffset = 0;

/** The slab that the last {@link reserve} has carved from. */
export function currentSlab(): Buffer {
  return slab;
}

/** Where `size` bytes begin in the slab, which is never used twice: the socket may still hold what was carved before. */
export function reserve(size: number): number {
  if (slabOffset + size > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    markAsUntransferable(slab.buffer);
    slabOffset = 0;
  }
  const start = slabOffset;
  slabOffset = start + size;
  return start;
}

/** Gives back what of the last reservation lies after `end`, unless more has been reserved meanwhile. */
export function release(bytes: Buffer, reservedEnd: number, end: number): void {
  if (bytes === slab && slabOffset === reservedEnd) slabOffset = Math.min(reservedEnd, Math.ceil(end / ALIGNMENT) * ALIGNMENT);
}

// Larger values are rare: a buffer for them would stay resident for the life of the process.
const MAX_SCRATCH_BYTES = 1024 * 1024;
const MIN_SCRATCH_BYTES = 16 * 1024;

/** Memory for intermediate results. It belongs to whoever took it until it is given back, so that calls may nest. */
export class Scratch {
  #kept: Buffer | undefined = undefined;

  take(size: number): Buffer {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept !== undefined && kept.length >= size ? kept : Buffer.allocUnsafeSlow(Math.max(size, MIN_SCRATCH_BYTES));
  }

  give(taken: Buffer): void {
    if (taken.length <= MAX_SCRATCH_BYTES) this.#kept = taken;
  }
}
