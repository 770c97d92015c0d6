/**
 * Most bytes of content, and most of payload: 1 MiB. With both regions the kernel's memory takes 2.2 MiB of address space, of which
 * the system makes resident what values have touched. Where larger values are compressed, crossings and copies no longer matter.
 */
export const MAX_KERNEL_BYTES: number = 1024 * 1024;

/** A UTF-16 code unit takes at most three bytes of UTF-8. */
export const MAX_TEXT_UNITS: number = Math.floor(MAX_KERNEL_BYTES / 3);

/** @throws RangeError */
export function assertFits(name: string, size: number): void {
  if (size >= 0 && size <= MAX_KERNEL_BYTES) return;
  throw new RangeError(`${name} of ${size} bytes, the kernel takes at most ${MAX_KERNEL_BYTES}`);
}
