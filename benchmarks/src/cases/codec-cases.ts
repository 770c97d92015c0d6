import { brotli, type Compressor, deflate, lz4, stored, zstd } from "@tightwire/codec-core";
import { createKnownContent, dotnetRandom, recordText } from "../corpus/corpora.ts";
import type { SizedCorpus } from "../corpus/corpus.ts";
import { sizeName } from "../names.ts";

/** Which way a case goes. */
export type Operation = "encode" | "decode";

export const OPERATIONS: readonly Operation[] = ["encode", "decode"];

/** Sizes of the codec's cases, in bytes. */
export const CODEC_SIZES: readonly number[] = [64, 1_024, 16_384];

export const CODEC_CORPORA: readonly SizedCorpus[] = [recordText, dotnetRandom];

/** Compressors as case names call them; `raw` is no codec and therefore not among them. */
export const COMPRESSORS: Readonly<Record<string, () => Compressor>> = {
  stored: () => stored(),
  "brotli-4": () => brotli({ quality: 4 }),
  "deflate-1": () => deflate({ level: 1 }),
  lz4: () => lz4(),
  "zstd-3": () => zstd({ level: 3 }),
};

/**
 * Makes a compressor by the name that cases give it.
 *
 * @throws RangeError for another name
 */
export function createCompressor(name: string): Compressor {
  const create = COMPRESSORS[name];
  if (create === undefined) throw new RangeError(`no compressor is called ${name}`);
  return create();
}

/** One input of the codec's cases. */
export interface CodecInput {
  readonly corpus: SizedCorpus;
  readonly sizeBytes: number;
  /** `record-text-16k` */
  readonly name: string;
  /** Makes the content; its digest is checked. */
  create(): Buffer;
}

/** Every size of every corpus. */
export const CODEC_INPUTS: readonly CodecInput[] = CODEC_SIZES.flatMap((sizeBytes) =>
  CODEC_CORPORA.map((corpus) => ({
    corpus,
    sizeBytes,
    name: `${corpus.name}-${sizeName(sizeBytes)}`,
    create: () => createKnownContent(corpus, sizeBytes),
  })),
);

/** Length of a value as Redis' protocol carries it: `$`, its length, and two line ends. */
export function respBytesOf(heldBytes: number): number {
  return heldBytes + String(heldBytes).length + 5;
}
