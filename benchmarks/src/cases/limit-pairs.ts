import { brotliCompressSync, brotliDecompressSync, constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { createValueCodec, FRAME_HEADER_BYTES, readFrameHeader, type ValueCodec } from "@tightwire/codec-core";
import { sha256 } from "../corpus/corpora.ts";
import { createMeter, type MeasureOptions } from "../measure.ts";
import type { CaseResult } from "../results.ts";
import { assertBytesEqual, assertFact } from "./checks.ts";
import { CODEC_INPUTS, type CodecInput, createCompressor, OPERATIONS, type Operation, respBytesOf } from "./codec-cases.ts";
import type { LimitCodec, LimitPart, LimitProgram } from "./limit-program.ts";
import { createCheckedFrame } from "./value-codec.ts";

/** What ours is held against: C, or for the compressors that are part of Node a bare call of theirs. */
export type Reference = "c" | "node-zlib";

/** One frame, made or read by two programs. */
export interface LimitPair {
  /** `limit/encode/record-text-16k/lz4`; each side adds its own name. */
  readonly name: string;
  readonly operation: Operation;
  readonly input: CodecInput;
  readonly codec: string;
  readonly reference: Reference;
}

const C_CODECS: Readonly<Record<string, LimitCodec>> = { raw: "raw", stored: "stored", lz4: "lz4", "zstd-3": "zstd" };
const ZLIB_CODECS: readonly string[] = ["brotli-4", "deflate-1"];

/** Pairs that take turns with each other: all of one input and direction. */
export const LIMIT_GROUPS: readonly (readonly LimitPair[])[] = OPERATIONS.flatMap((operation) =>
  CODEC_INPUTS.map((input) => {
    const create = (codec: string, reference: Reference): LimitPair => ({
      name: `limit/${operation}/${input.name}/${codec}`,
      operation,
      input,
      codec,
      reference,
    });
    // What does not compress is stored: reading it back, there is nothing for zlib to do.
    const isZlibIdle = operation === "decode" && input.corpus.name === "random";
    return [
      ...Object.keys(C_CODECS).map((codec) => create(codec, "c")),
      ...(isZlibIdle ? [] : ZLIB_CODECS.map((codec) => create(codec, "node-zlib"))),
    ];
  }),
);

/** One side of a pair while it is measured. */
export interface LimitSide {
  /** Takes one more sample. */
  round(): Promise<void>;
  /** Samples by metric, in nanoseconds. */
  finish(): Readonly<Record<string, readonly number[]>>;
  readonly facts: CaseResult["facts"];
}

function createFacts(content: Buffer, heldBytes: number): CaseResult["facts"] {
  return { contentBytes: content.length, heldBytes, respBytes: respBytesOf(heldBytes), sha256: sha256(content) };
}

/** Our side. */
export function createOurSide({ operation, input, codec }: LimitPair, options: MeasureOptions): LimitSide {
  const content = input.create();
  const target = Buffer.alloc(content.length + FRAME_HEADER_BYTES);
  if (codec === "raw") return createMeteredSide(() => target.set(content), createFacts(content, content.length), options);
  const valueCodec = createCodec(codec);
  const frame = createCheckedFrame(content, valueCodec);
  const call = operation === "encode" ? () => valueCodec.encodeInto(content, target) : () => valueCodec.decodeInto(frame, target);
  const codecId = readFrameHeader(frame)?.codecId ?? null;
  return createMeteredSide(call, { ...createFacts(content, frame.length), codecId }, options);
}

function createCodec(codec: string): ValueCodec {
  return createValueCodec({ compressor: createCompressor(codec), minCompressBytes: 0 });
}

function createMeteredSide(call: () => unknown, facts: CaseResult["facts"], options: MeasureOptions): LimitSide {
  const meter = createMeter(call, options);
  return { facts, round: meter.round, finish: () => ({ ns: meter.finish().ns.samples }) };
}

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const ZLIB_CALLS: Readonly<Record<string, Readonly<Record<Operation, (bytes: Uint8Array) => Buffer>>>> = {
  "brotli-4": { encode: (bytes) => brotliCompressSync(bytes, QUALITY), decode: (bytes) => brotliDecompressSync(bytes) },
  "deflate-1": { encode: (bytes) => deflateRawSync(bytes, { level: 1 }), decode: (bytes) => inflateRawSync(bytes) },
};

/** The bare call of node:zlib: no frame, no checksum, no target. */
export function createZlibSide({ operation, input, codec }: LimitPair, options: MeasureOptions): LimitSide {
  const calls = ZLIB_CALLS[codec];
  if (calls === undefined) throw new RangeError(`node:zlib has no ${codec}`);
  const content = input.create();
  const payload = calls.encode(content);
  assertBytesEqual("what node:zlib reads back", calls.decode(payload), content);
  const call = operation === "encode" ? () => calls.encode(content) : () => calls.decode(payload);
  return createMeteredSide(call, createFacts(content, payload.length), options);
}

const NS_PER_MS = 1e6;
const FULL_MS: Readonly<Record<LimitPart, number>> = { frame: 30, compress: 6, hash: 6 };
const QUICK_SHARE = 0.05;

/** The side of C, whose frames must be ours to read, and ours its. */
export async function createCSide(pair: LimitPair, program: LimitProgram, options: MeasureOptions): Promise<LimitSide> {
  const { operation, codec, input } = pair;
  const content = input.create();
  const cCodec = C_CODECS[codec];
  if (cCodec === undefined) throw new RangeError(`limit.c has no ${codec}`);
  const heldBytes = codec === "raw" ? await checkCopy(program, content) : await checkFrames(program, content, codec, cCodec);
  const bytes = operation === "encode" || codec === "raw" ? content : createCodec(codec).encode(content);
  const load = (): Promise<void> => program.load(operation === "encode" ? "content" : "frame", bytes);
  const takers = PARTS_OF[cCodec].map((part) =>
    createTaker(part, options, (calls) => program.run(operation, cCodec, part, calls)),
  );
  return {
    facts: createFacts(content, heldBytes),
    round: async () => {
      await load();
      for (const taker of takers) await taker.take();
    },
    finish: () => Object.fromEntries(takers.map(({ metric, samples }) => [metric, samples])),
  };
}

const PARTS_OF: Readonly<Record<LimitCodec, readonly LimitPart[]>> = {
  raw: ["frame"],
  stored: ["frame", "hash"],
  lz4: ["frame", "compress", "hash"],
  zstd: ["frame", "compress", "hash"],
};

const METRIC_OF: Readonly<Record<LimitPart, string>> = { frame: "ns", compress: "compressNs", hash: "hashNs" };

interface Taker {
  readonly metric: string;
  readonly samples: number[];
  take(): Promise<void>;
}

function createTaker(
  part: LimitPart,
  { effort }: MeasureOptions,
  run: (calls: number) => Promise<{ readonly ns: number }>,
): Taker {
  const sampleNs = FULL_MS[part] * NS_PER_MS * (effort === "full" ? 1 : QUICK_SHARE);
  const samples: number[] = [];
  let calls = 0;
  const take = async (): Promise<void> => {
    if (calls === 0) calls = await calibrate(run, sampleNs);
    samples.push((await run(calls)).ns / calls);
  };
  return { metric: METRIC_OF[part], samples, take };
}

/** How many calls take so long, found by doubling. */
async function calibrate(run: (calls: number) => Promise<{ readonly ns: number }>, sampleNs: number): Promise<number> {
  let calls = 1;
  while ((await run(calls)).ns < sampleNs) calls *= 2;
  return calls;
}

async function checkCopy(program: LimitProgram, content: Buffer): Promise<number> {
  for (const [slot, operation] of [
    ["content", "encode"],
    ["frame", "decode"],
  ] as const) {
    await program.load(slot, content);
    await program.run(operation, "raw", "frame", 1);
    assertBytesEqual("copy made by C", await program.readResult(), content);
  }
  return content.length;
}

async function checkFrames(program: LimitProgram, content: Buffer, codec: string, cCodec: LimitCodec): Promise<number> {
  const valueCodec = createCodec(codec);
  await program.load("content", content);
  const { resultBytes } = await program.run("encode", cCodec, "frame", 1);
  const theirs = await program.readResult();
  assertFact("length of the frame of C", theirs.length, resultBytes);
  assertBytesEqual("frame of C, read by us", valueCodec.decode(theirs), content);
  await program.load("frame", valueCodec.encode(content));
  await program.run("decode", cCodec, "frame", 1);
  assertBytesEqual("our frame, read by C", await program.readResult(), content);
  return theirs.length;
}
