import { createValueCodec, FRAME_HEADER_BYTES, readFrameHeader, type ValueCodec } from "@tightwire/codec-core";
import { sha256 } from "../corpus/corpora.ts";
import { lazily } from "../lazily.ts";
import { MEASURE_MS } from "../measure.ts";
import type { Suite } from "../suite.ts";
import { assertBytesEqual, assertFact } from "./checks.ts";
import { CODEC_INPUTS, type CodecInput, createCompressor, OPERATIONS, type Operation, respBytesOf } from "./codec-cases.ts";
import { type PreparedCall, runTimedGroups, type TimedCase } from "./timed-groups.ts";

// 60 cases a direction. Only the forms with a target are timed: checksum, compression and every check of the frame are in; command
// building, sockets and serialization are not. Targets, and the frames to decode, are made beforehand.

const RAW = "raw";
const CODECS: readonly string[] = [RAW, "brotli-4", "deflate-1", "lz4", "zstd-3"];
const THRESHOLDS: readonly number[] = [0, 1_024];

/** Where the cases of a group read and write, the same for all: how content and target lie to each other makes a copy half as slow again. */
interface Memory {
  readonly content: Buffer;
  readonly target: Buffer;
}

/** Cases that are compared with each other: all codecs with both thresholds for one input and direction. */
const GROUPS: readonly (readonly TimedCase[])[] = OPERATIONS.flatMap((operation) =>
  CODEC_INPUTS.map((input) => {
    const takeMemory = lazily(() => createMemory(input));
    return THRESHOLDS.flatMap((threshold) => CODECS.map((codec) => createCase(operation, input, codec, threshold, takeMemory)));
  }),
);

function createMemory(input: CodecInput): Memory {
  const content = input.create();
  return { content, target: Buffer.alloc(content.length + FRAME_HEADER_BYTES) };
}

function createCase(
  operation: Operation,
  input: CodecInput,
  codec: string,
  threshold: number,
  takeMemory: () => Memory,
): TimedCase {
  const { corpus, sizeBytes, name } = input;
  return {
    name: `value-codec/${operation}/${name}/${codec}/threshold-${threshold}`,
    parameters: { suite: "value-codec", operation, corpus: corpus.name, sizeBytes, codec, threshold },
    prepare: () =>
      codec === RAW ? prepareRaw(takeMemory()) : prepareCodec(operation, takeMemory(), createCodec(codec, threshold)),
  };
}

function createCodec(codec: string, minCompressBytes: number): ValueCodec {
  return createValueCodec({ compressor: createCompressor(codec), minCompressBytes });
}

/** A copy into the same target, the same in both directions. */
function prepareRaw({ content, target }: Memory): PreparedCall {
  const call = (): number => {
    target.set(content);
    return content.length;
  };
  assertFact("length of a copy", call(), content.length);
  assertBytesEqual("copy", target.subarray(0, content.length), content);
  return { call, contentBytes: content.length, facts: createFacts(content, content.length, null) };
}

function prepareCodec(operation: Operation, { content, target }: Memory, codec: ValueCodec): PreparedCall {
  const frame = createCheckedFrame(content, codec);
  const facts = createFacts(content, frame.length, readFrameHeader(frame)?.codecId ?? Number.NaN);
  const call = operation === "encode" ? () => codec.encodeInto(content, target) : () => codec.decodeInto(frame, target);
  return { call, contentBytes: content.length, facts };
}

/**
 * The frame of some content, after everything that must hold does: both forms write the same, both forms read it back, the input is as
 * it was, and what is under the threshold is stored.
 *
 * @throws Error naming what does not
 */
export function createCheckedFrame(content: Buffer, codec: ValueCodec): Buffer {
  const before = sha256(content);
  const frame = codec.encode(content);
  const target = Buffer.alloc(codec.maxEncodedBytes(content.length));
  assertBytesEqual("frame written into a target", target.subarray(0, codec.encodeInto(content, target)), frame);
  assertBytesEqual("decoded content", codec.decode(frame), content);
  const decoded = Buffer.alloc(content.length);
  assertFact("length of decoded content", codec.decodeInto(frame, decoded), content.length);
  assertBytesEqual("content decoded into a target", decoded, content);
  assertFact("digest of the input after encoding", sha256(content), before);
  assertHeader(content, frame, codec);
  return frame;
}

function assertHeader(content: Buffer, frame: Buffer, { minCompressBytes, frameVersion }: ValueCodec): void {
  const header = readFrameHeader(frame);
  assertFact("version of the frame", header?.version, frameVersion);
  assertFact("size of the content in the header", header?.contentSize, content.length);
  const isStored = header?.codecId === 0;
  if (content.length < minCompressBytes) assertFact("content under the threshold is stored", isStored, true);
  if (isStored) assertFact("length of a stored frame", frame.length, content.length + 18);
}

function createFacts(content: Buffer, heldBytes: number, codecId: number | null): PreparedCall["facts"] {
  return { contentBytes: content.length, heldBytes, respBytes: respBytesOf(heldBytes), codecId, sha256: sha256(content) };
}

export const valueCodecSuite: Suite = {
  name: "value-codec",
  description: "encode and decode into targets: codec × size × content × threshold",
  // Where code and data happen to lie in one process shifts all of its samples.
  launches: 2,
  listCases: () => GROUPS.flat().map(({ name }) => ({ name, estimateMs: MEASURE_MS })),
  run: (chosen, context) => runTimedGroups(GROUPS, chosen, context),
};
