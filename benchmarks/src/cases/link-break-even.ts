import { createValueCodec, type ValueCodec } from "@tightwire/codec-core";
import { type Compressor, isCodecError, zstd } from "@tightwire/ioredis";
import { createKnownContent, halfCompressible, jsonDocuments, recordText, sha256, WEIGHTS } from "../corpus/corpora.ts";
import type { SizedCorpus } from "../corpus/corpus.ts";
import { collectGarbage } from "../driver/garbage.ts";
import { isInterrupted, runRounds } from "../interleave.ts";
import { breakEvenBitsPerSecond } from "../link/break-even.ts";
import { sizeName } from "../names.ts";
import { createMetric } from "../statistics.ts";
import type { BenchCase, SuiteContext } from "../suite.ts";
import { createCompressor, respBytesOf } from "./codec-cases.ts";

// Computed, not simulated: how fast a link must be for a codec to cost more time than it saves. Both times are taken in the same round.

const KIB = 1_024;
const ROUNDS = 15;
const TURN_MS = 10;

const CONTENTS: readonly (readonly [corpus: SizedCorpus, sizes: readonly number[]])[] = [
  [halfCompressible, [WEIGHTS.normal, WEIGHTS.heavy, WEIGHTS.super]],
  [recordText, [KIB, 16 * KIB, 256 * KIB]],
  [jsonDocuments, [KIB, 16 * KIB, 256 * KIB]],
];

const COMPRESSORS: readonly (readonly [codec: string, create: () => Compressor])[] = [
  ...["brotli-4", "deflate-1", "lz4", "zstd-3"].map((codec) => [codec, () => createCompressor(codec)] as const),
  // Levels that trade size for speed, and speed for size.
  ["zstd-fast-5", () => zstd({ level: -5 })],
  ["zstd-10", () => zstd({ level: 10 })],
];

interface BreakEvenCell {
  readonly name: string;
  readonly corpus: SizedCorpus;
  readonly sizeBytes: number;
}

const CELLS: readonly BreakEvenCell[] = CONTENTS.flatMap(([corpus, sizes]) =>
  sizes.map((sizeBytes) => ({ name: `link/break-even/${corpus.name}-${sizeName(sizeBytes)}`, corpus, sizeBytes })),
);

export const BREAK_EVEN_CASES: readonly BenchCase[] = CELLS.flatMap(({ name }) =>
  COMPRESSORS.map(([codec]) => ({ name: `${name}/${codec}`, estimateMs: (ROUNDS + 2) * 2 * TURN_MS })),
);

/** Times the codecs with each content and says at which link speed they break even. */
export async function runBreakEven(chosen: ReadonlySet<string>, context: SuiteContext): Promise<void> {
  for (const cell of CELLS) {
    if (await isInterrupted(context.signal)) return;
    await runCell(cell, chosen, context);
  }
}

interface Contestant {
  readonly name: string;
  readonly codec: string;
  readonly heldBytes: number;
  readonly codecId: number;
  readonly sha256: string;
  takeTurn(): Promise<CodecTimes>;
}

interface CodecTimes {
  readonly encodeNs: number;
  readonly decodeNs: number;
}

async function runCell(cell: BreakEvenCell, chosen: ReadonlySet<string>, context: SuiteContext): Promise<void> {
  const content = createKnownContent(cell.corpus, cell.sizeBytes);
  const contestants: Contestant[] = [];
  for (const [codec, create] of COMPRESSORS) {
    const name = `${cell.name}/${codec}`;
    if (!chosen.has(name)) continue;
    try {
      contestants.push(prepare(name, codec, create(), content, context));
    } catch (error) {
      const isAbsent = isCodecError(error) && error.code === "CODEC_UNAVAILABLE";
      context.fail(name, isAbsent ? error.message : error);
    }
  }
  collectGarbage();
  const rounds = context.effort === "quick" ? { rounds: 2, warmUpRounds: 0 } : { rounds: ROUNDS, warmUpRounds: 2 };
  const outcomes = await runRounds(contestants, { ...rounds, signal: context.signal });
  if (context.signal.aborted) return;
  for (const [index, contestant] of contestants.entries()) {
    const outcome = outcomes[index];
    if (outcome?.failure !== undefined) context.fail(contestant.name, outcome.failure);
    else if (outcome !== undefined) record(cell, contestant, outcome.samples, context);
  }
}

function prepare(name: string, codec: string, compressor: Compressor, content: Buffer, context: SuiteContext): Contestant {
  const valueCodec = createValueCodec({ compressor, minCompressBytes: 0 });
  const frame = valueCodec.encode(content);
  if (!valueCodec.decode(frame).equals(content)) throw new Error("the content did not come back equal");
  const calls = createCalls(valueCodec, content, frame);
  const turnMs = context.effort === "quick" ? 1 : TURN_MS;
  const takeTurn = async (): Promise<CodecTimes> => ({
    encodeNs: timeCall(calls.encode, turnMs),
    decodeNs: timeCall(calls.decode, turnMs),
  });
  return { name, codec, heldBytes: frame.length, codecId: compressor.id, sha256: sha256(content), takeTurn };
}

/** The target forms: what a call takes, without what a fresh Buffer does. */
function createCalls(codec: ValueCodec, content: Buffer, frame: Buffer): { encode(): number; decode(): number } {
  const target = Buffer.alloc(codec.maxEncodedBytes(content.length));
  const back = Buffer.alloc(content.length);
  return { encode: () => codec.encodeInto(content, target), decode: () => codec.decodeInto(frame, back) };
}

const CALLS_BETWEEN_LOOKS = 16;

/** The mean of as many calls as fit into a time; at least one. */
function timeCall(call: () => number, turnMs: number): number {
  const begin = performance.now();
  let calls = 0;
  let tookMs = 0;
  do {
    // The first look comes early: a large value needs no sixteen calls.
    for (let i = calls === 0 ? CALLS_BETWEEN_LOOKS - 1 : 0; i < CALLS_BETWEEN_LOOKS; i++) {
      call();
      calls++;
    }
    tookMs = performance.now() - begin;
  } while (tookMs < turnMs);
  return (tookMs * 1_000_000) / calls;
}

function record(cell: BreakEvenCell, contestant: Contestant, samples: readonly CodecTimes[], context: SuiteContext): void {
  const rawBytes = respBytesOf(cell.sizeBytes);
  const heldBytes = respBytesOf(contestant.heldBytes);
  const speeds = samples.map((times) => breakEvenBitsPerSecond({ rawBytes, heldBytes, ...times }));
  context.record({
    name: contestant.name,
    parameters: {
      suite: "link",
      operation: "break-even",
      corpus: cell.corpus.name,
      sizeBytes: cell.sizeBytes,
      codec: contestant.codec,
    },
    metrics: {
      breakEvenBitsPerSecond: createMetric("bit/s", speeds),
      encodeNs: createMetric(
        "ns",
        samples.map(({ encodeNs }) => encodeNs),
      ),
      decodeNs: createMetric(
        "ns",
        samples.map(({ decodeNs }) => decodeNs),
      ),
    },
    facts: {
      contentBytes: cell.sizeBytes,
      heldBytes: contestant.heldBytes,
      respBytes: heldBytes,
      codecId: contestant.codecId,
      sha256: contestant.sha256,
    },
  });
}
