import { markAsUntransferable } from "node:worker_threads";

// A command is short-lived, so a slab may be larger than one for results: fewer of them for the collector to free.
const SLAB_BYTES = 64 * 1024;

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
