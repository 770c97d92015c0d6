// Documents repeat their keys, so text is made once per key. Bounded: this many keys of at most 31 bytes, the longest fixstr.
const SLOTS = 1024;

interface CachedKey {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** The text of map keys that were read before. */
export class KeyCache {
  readonly #slots: (CachedKey | undefined)[] = new Array<undefined>(SLOTS).fill(undefined);

  /** The text of the `length` bytes at `start`: remembered, or made by `decode`, which throws if they are no text. */
  textAt(bytes: Buffer, start: number, length: number, decode: (bytes: Buffer, start: number, length: number) => string): string {
    const slot = slotOf(bytes, start, length);
    const cached = this.#slots[slot];
    if (cached !== undefined && isAt(cached.bytes, bytes, start, length)) return cached.text;
    const text = decode(bytes, start, length);
    this.#slots[slot] = { bytes: new Uint8Array(bytes.subarray(start, start + length)), text };
    return text;
  }
}

function slotOf(bytes: Buffer, start: number, length: number): number {
  let hash = length;
  for (let i = start; i < start + length; i++) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
  return hash & (SLOTS - 1);
}

function isAt(expected: Uint8Array, bytes: Buffer, start: number, length: number): boolean {
  if (expected.length !== length) return false;
  for (let i = 0; i < length; i++) {
    if (expected[i] !== bytes[start + i]) return false;
  }
  return true;
}
