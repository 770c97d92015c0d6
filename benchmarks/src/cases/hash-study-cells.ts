import { deepStrictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import { createValueCodec, readFrameHeader, type Serializer, type ValueCodec } from "@tightwire/codec-core";
import type { HashEntries } from "../corpus/hash-entries.ts";
import { COMPRESSOR_NAMES, type CompressorName, type StudyCompressor } from "./hash-study-compressors.ts";
import { SERIALIZER_NAMES, type SerializerName, STUDY_SERIALIZERS } from "./hash-study-serializers.ts";
import { assertContentBytes, assertHeldBytes } from "./hash-study-sizes.ts";

export const FRAMES = Object.freeze(["bare", "framed"] as const);
export type Frame = (typeof FRAMES)[number];

/** A serializer, a compressor, and whether there is a frame around them: one field of the study's grid. */
export interface CellName {
  readonly serializer: SerializerName;
  readonly compressor: CompressorName;
  readonly frame: Frame;
}

/** The grid, in the order of its tables. */
export const CELL_NAMES: readonly CellName[] = Object.freeze(
  SERIALIZER_NAMES.flatMap((serializer) =>
    COMPRESSOR_NAMES.flatMap((compressor) => FRAMES.map((frame) => ({ serializer, compressor, frame }))),
  ),
);

/** What reports call a compressor: without a frame nothing is raw, in a frame it is stored. */
export function codecName({ compressor, frame }: CellName): string {
  if (compressor !== "none") return compressor;
  return frame === "framed" ? "stored" : "raw";
}

/** A cell with its bytes, all of them verified. */
export interface Cell {
  readonly name: CellName;
  readonly entries: HashEntries;
  readonly serializer: Serializer<HashEntries>;
  readonly compressor: StudyCompressor;
  readonly content: Uint8Array;
  /** What Redis holds. */
  readonly held: Buffer;
  encode(content: Uint8Array): Uint8Array;
  decode(held: Uint8Array): Uint8Array;
  readonly facts: Readonly<Record<string, string | number | null>>;
}

function useFrames(codec: ValueCodec): Pick<Cell, "encode" | "decode"> {
  return { encode: (content) => codec.encode(content), decode: (held) => codec.decode(held) };
}

function useNoFrames({ compress, decompress }: StudyCompressor, contentSize: number): Pick<Cell, "encode" | "decode"> {
  return { encode: compress, decode: (held) => decompress(held, contentSize) };
}

/** Length of a bulk string of Redis' protocol. */
function respBytes(size: number): number {
  return `$${size}\r\n\r\n`.length + size;
}

/**
 * Makes the bytes of a cell and verifies them, both ways.
 *
 * @throws Error if a size is not what it must be or the entries do not come back equal
 */
export function createCell(name: CellName, entries: HashEntries, compressor: StudyCompressor): Cell {
  const serializer = STUDY_SERIALIZERS[name.serializer];
  const content = serializer.serialize(entries);
  assertContentBytes(name.serializer, content.length);
  const isFramed = name.frame === "framed";
  const calls = isFramed
    ? useFrames(createValueCodec({ compressor: compressor.framed }))
    : useNoFrames(compressor, content.length);
  const held = Buffer.from(calls.encode(content));
  if (!isFramed) assertHeldBytes(name.serializer, name.compressor, held.length);
  deepStrictEqual(serializer.deserialize(calls.decode(held)), entries);
  const facts = {
    contentBytes: content.length,
    heldBytes: held.length,
    respBytes: respBytes(held.length),
    codecId: isFramed ? assertFramed(held, content.length, compressor.framed.id) : null,
    sha256: createHash("sha256").update(content).digest("hex"),
  };
  return { name, entries, serializer, compressor, content, held, ...calls, facts };
}

/** Returns the codec id: that of the compressor, or 0 if that gained nothing. */
function assertFramed(held: Uint8Array, contentSize: number, compressorId: number): number {
  const header = readFrameHeader(held);
  const isExpected = header?.version === 2 && header.contentSize === contentSize;
  if (isExpected && (header.codecId === compressorId || header.codecId === 0)) return header.codecId;
  throw new Error("what is held is not a frame of this content");
}
