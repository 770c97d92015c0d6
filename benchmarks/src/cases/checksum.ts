import { createValueCodec, type FrameVersion, readFrameHeader, stored } from "@tightwire/codec-core";
import { createDotnetRandomCorpus, createKnownContent, sha256 } from "../corpus/corpora.ts";
import { MEASURE_MS } from "../measure.ts";
import { sizeName } from "../names.ts";
import type { Suite } from "../suite.ts";
import { assertFact } from "./checks.ts";
import { OPERATIONS, type Operation, respBytesOf } from "./codec-cases.ts";
import { type PreparedCall, runTimedGroups, type TimedCase } from "./timed-groups.ts";
import { createCheckedFrame } from "./value-codec.ts";

// What the two versions of the frame cost without compression: SHA-256 in version 1, XXH3 in version 2.

const CORPUS = createDotnetRandomCorpus("random-981", 981);
const SIZES: readonly number[] = [64, 16_384];
const VERSIONS: readonly FrameVersion[] = [1, 2];

const GROUPS: readonly (readonly TimedCase[])[] = OPERATIONS.flatMap((operation) =>
  SIZES.map((sizeBytes) =>
    VERSIONS.map((frameVersion) => ({
      name: `checksum/${operation}/${CORPUS.name}-${sizeName(sizeBytes)}/version-${frameVersion}`,
      parameters: { suite: "checksum", operation, corpus: CORPUS.name, sizeBytes, codec: "stored", frameVersion },
      prepare: () => prepare(operation, createKnownContent(CORPUS, sizeBytes), frameVersion),
    })),
  ),
);

function prepare(operation: Operation, content: Buffer, frameVersion: FrameVersion): PreparedCall {
  const codec = createValueCodec({ compressor: stored(), frameVersion });
  const frame = createCheckedFrame(content, codec);
  assertFact("codec of a frame without compression", readFrameHeader(frame)?.codecId, 0);
  const target = Buffer.alloc(frame.length);
  const call = operation === "encode" ? () => codec.encodeInto(content, target) : () => codec.decodeInto(frame, target);
  const heldBytes = frame.length;
  const facts = {
    contentBytes: content.length,
    heldBytes,
    respBytes: respBytesOf(heldBytes),
    codecId: 0,
    sha256: sha256(content),
  };
  return { call, contentBytes: content.length, facts };
}

export const checksumSuite: Suite = {
  name: "checksum",
  description: "frame version 1 (SHA-256) against version 2 (XXH3), compression off",
  launches: 2,
  listCases: () => GROUPS.flat().map(({ name }) => ({ name, estimateMs: MEASURE_MS })),
  run: (chosen, context) => runTimedGroups(GROUPS, chosen, context),
};
