import type { SizedCorpus } from "./corpus.ts";

const MAX_INT = 0x7fff_ffff;
const SEED_BASE = 161_803_398;
const STATE_WORDS = 55;
const LAG = 21;

/** Numbers of .NET's `new Random(seed)`: the same sequence, so that inputs are the same bytes as in studies made with .NET. */
export interface DotnetRandom {
  /** `Next()`: 0 to 2³¹ − 2. */
  next(): number;
  /** `NextBytes(bytes)`. */
  fill(bytes: Uint8Array): void;
}

/**
 * Makes the generator that .NET has kept for seeds: Knuth's subtractive one, 55 words of state, lag 21.
 *
 * @throws RangeError for a seed that is no integer of 31 bits
 */
export function createDotnetRandom(seed: number): DotnetRandom {
  if (!Number.isInteger(seed) || seed < 0 || seed > MAX_INT) throw new RangeError(`seed must be 0 to ${MAX_INT}, got ${seed}`);
  const state = createState(seed);
  let at = 0;
  const next = (): number => {
    at = (at % STATE_WORDS) + 1;
    const difference = subtract(state, at, ((at + LAG - 1) % STATE_WORDS) + 1);
    const word = difference === MAX_INT ? difference - 1 : difference;
    state[at] = word;
    return word;
  };
  const fill = (bytes: Uint8Array): void => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = next();
  };
  return { next, fill };
}

function wrap(word: number): number {
  return word < 0 ? word + MAX_INT : word;
}

function subtract(state: Int32Array, from: number, index: number): number {
  return wrap((state[from] as number) - (state[index] as number));
}

/** Words 1 to 55, as the generator's author counts them. */
function createState(seed: number): Int32Array {
  const state = new Int32Array(STATE_WORDS + 1);
  let last = SEED_BASE - seed;
  let word = 1;
  state[STATE_WORDS] = last;
  for (let i = 1; i < STATE_WORDS; i++) {
    const index = (LAG * i) % STATE_WORDS;
    state[index] = word;
    word = wrap(last - word);
    last = state[index] as number;
  }
  for (let pass = 0; pass < 4; pass++) {
    for (let i = 1; i <= STATE_WORDS; i++) state[i] = subtract(state, i, 1 + ((i + 30) % STATE_WORDS));
  }
  return state;
}

/** Bytes that no compressor makes smaller. */
export function createDotnetRandomCorpus(name: string, seed: number): SizedCorpus {
  return {
    name,
    description: `incompressible: the bytes of .NET's new Random(${seed})`,
    create: (sizeBytes) => {
      const content = Buffer.alloc(sizeBytes);
      createDotnetRandom(seed).fill(content);
      return content;
    },
  };
}

export const dotnetRandom: SizedCorpus = createDotnetRandomCorpus("random", 527);
