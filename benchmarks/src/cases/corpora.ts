import { createValueCodec, type ValueCodec } from "@tightwire/codec-core";
import { createKnownValues, describeValueSet, VALUE_SETS } from "../corpus/corpora.ts";
import type { ValueSet } from "../corpus/corpus.ts";
import { MEASURE_MS } from "../measure.ts";
import type { Suite } from "../suite.ts";
import { COMPRESSORS, createCompressor, OPERATIONS, type Operation, respBytesOf } from "./codec-cases.ts";
import { type PreparedCall, runTimedGroups, type TimedCase } from "./timed-groups.ts";
import { createCheckedFrame } from "./value-codec.ts";

// What real values become, and how long that takes. A call goes through all values of a set, so that no value is in the cache just
// because it was the one before; times and memory are of one value.

const CODECS: readonly string[] = Object.keys(COMPRESSORS);

/** Compressors take turns with each other, for one set and direction. */
const GROUPS: readonly (readonly TimedCase[])[] = OPERATIONS.flatMap((operation) =>
  VALUE_SETS.map((set) => CODECS.map((codec) => createCase(operation, set, codec))),
);

function createCase(operation: Operation, set: ValueSet, codec: string): TimedCase {
  return {
    name: `corpora/${operation}/${set.name}/${codec}`,
    parameters: { suite: "corpora", operation, corpus: set.name, codec, threshold: 0 },
    prepare: () =>
      prepare(operation, createKnownValues(set), createValueCodec({ compressor: createCompressor(codec), minCompressBytes: 0 })),
  };
}

function prepare(operation: Operation, values: readonly string[], codec: ValueCodec): PreparedCall {
  const contents = values.map((value) => Buffer.from(value));
  const frames = contents.map((content) => createCheckedFrame(content, codec));
  const largest = Math.max(...contents.map(({ length }) => length));
  const target = Buffer.alloc(codec.maxEncodedBytes(largest));
  const call =
    operation === "encode"
      ? () => sumOf(contents, (content) => codec.encodeInto(content, target))
      : () => sumOf(frames, (frame) => codec.decodeInto(frame, target));
  const { bytes, sha256 } = describeValueSet(values);
  return {
    call,
    contentBytes: bytes,
    values: values.length,
    facts: { values: values.length, contentBytes: bytes, ...describeFrames(frames, bytes), sha256 },
  };
}

function sumOf(items: readonly Buffer[], sizeOf: (item: Buffer) => number): number {
  let sum = 0;
  for (const item of items) sum += sizeOf(item);
  return sum;
}

function describeFrames(frames: readonly Buffer[], contentBytes: number): PreparedCall["facts"] {
  const heldBytes = sumOf(frames, ({ length }) => length);
  const respBytes = sumOf(frames, ({ length }) => respBytesOf(length));
  return { heldBytes, respBytes, heldShare: Number((heldBytes / contentBytes).toFixed(4)) };
}

export const corporaSuite: Suite = {
  name: "corpora",
  description: "real data as sessions, documents and feeds: what each compressor makes of it, and how fast",
  listCases: () => GROUPS.flat().map(({ name }) => ({ name, estimateMs: MEASURE_MS })),
  run: (chosen, context) => runTimedGroups(GROUPS, chosen, context),
};
