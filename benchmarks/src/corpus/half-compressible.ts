import type { SizedCorpus } from "./corpus.ts";
import { createDotnetRandom } from "./dotnet-random.ts";

const SEED = 749;
const FIRST_PRINTABLE = 32;
const PRINTABLE_COUNT = 95;

/** The first half is one letter, the second random printable ASCII. */
export const halfCompressible: SizedCorpus = {
  name: "half-compressible",
  description: `half the letter a, half random printable ASCII (seed ${SEED})`,
  create: (sizeBytes) => {
    const content = Buffer.alloc(sizeBytes, "a");
    const random = createDotnetRandom(SEED);
    for (let i = Math.floor(sizeBytes / 2); i < sizeBytes; i++) content[i] = FIRST_PRINTABLE + (random.next() % PRINTABLE_COUNT);
    return content;
  },
};

/** Sizes of half-compressible payloads as studies of compressed RPC weigh them; the last is just under a message limit of 2 MB. */
export const WEIGHTS = Object.freeze({ light: 0, normal: 256, heavy: 8_192, super: 2_048_000 }) satisfies Readonly<
  Record<string, number>
>;
