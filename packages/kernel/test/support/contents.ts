const RECORD = "tenant=demo;type=event;status=active;value=12345;\n";

/** Content that is one long repetition. */
export function records(size: number): Buffer {
  return Buffer.alloc(size, RECORD);
}

/** A generator of 32-bit numbers, the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Content without repetitions. */
export function noise(size: number, seed = 1): Buffer {
  const next = createRandom(seed);
  return Buffer.from(Array.from({ length: size }, () => next() & 0xff));
}

/** Noise with copies in it, of many lengths and from many distances, also overlapping ones. */
export function patchwork(size: number, seed = 1): Buffer {
  const next = createRandom(seed);
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const length = 1 + (next() % (next() % 8 === 0 ? 600 : 24));
    const distance = 1 + (next() % (next() % 2 === 0 ? 20 : 70_000));
    const isCopy = next() % 2 === 0 && distance <= at;
    for (let end = Math.min(size, at + length); at < end; at++) {
      bytes[at] = isCopy ? (bytes[at - distance] as number) : next() & 0xff;
    }
  }
  return bytes;
}

/** Copies of `bytes` with one bit flipped each. */
export function* flipsOf(bytes: Uint8Array): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes);
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
    yield damaged;
  }
}
