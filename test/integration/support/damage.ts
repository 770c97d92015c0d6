import { createValueCodec, stored } from "@tightwire/codec-core";
import type { CodecErrorCode } from "@tightwire/ioredis";

const codec = createValueCodec();

/** A frame with one thing wrong, and the code of the check that must notice it. */
export interface Damage {
  readonly name: string;
  readonly frame: Buffer;
  readonly code: CodecErrorCode;
}

const CONTENT = Buffer.from("secret and repeated ".repeat(100));
const frame = codec.encode(CONTENT);
const unpacked = createValueCodec({ compressor: stored() }).encode(Buffer.from("no zstd frame at all"));

function change(bytes: Buffer, edit: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  edit(copy);
  return copy;
}

const ZSTD_ID = 4;

export const DAMAGES: readonly Damage[] = [
  { name: "the magic alone", frame: frame.subarray(0, 4), code: "CODEC_FRAME_TRUNCATED" },
  { name: "a cut header", frame: frame.subarray(0, 17), code: "CODEC_FRAME_TRUNCATED" },
  { name: "an unknown version", frame: change(frame, (b) => b.writeUInt8(9, 4)), code: "CODEC_FRAME_VERSION" },
  { name: "an unknown codec id", frame: change(frame, (b) => b.writeUInt8(0x7f, 5)), code: "CODEC_UNKNOWN_ID" },
  { name: "a claim of 4 GiB", frame: change(frame, (b) => b.writeUInt32LE(0xffff_ffff, 6)), code: "CODEC_SIZE_LIMIT" },
  { name: "a claim of too few bytes", frame: change(frame, (b) => b.writeUInt32LE(1, 6)), code: "CODEC_SIZE_MISMATCH" },
  {
    name: "a flipped checksum bit",
    frame: change(frame, (b) => b.writeUInt8(b.readUInt8(10) ^ 1, 10)),
    code: "CODEC_CHECKSUM_MISMATCH",
  },
  {
    name: "a flipped payload bit",
    frame: change(frame, (b) => b.writeUInt8(b.readUInt8(b.length - 1) ^ 128, b.length - 1)),
    code: "CODEC_CHECKSUM_MISMATCH",
  },
  { name: "a cut payload", frame: frame.subarray(0, -1), code: "CODEC_CHECKSUM_MISMATCH" },
  { name: "a byte too many", frame: Buffer.concat([frame, Buffer.of(0)]), code: "CODEC_CHECKSUM_MISMATCH" },
  {
    name: "a payload of another algorithm",
    frame: change(unpacked, (b) => {
      b.writeUInt8(ZSTD_ID, 5);
      b.writeUInt32LE(1000, 6);
    }),
    code: "CODEC_PAYLOAD_CORRUPT",
  },
  { name: "a damaged magic", frame: change(frame, (b) => b.writeUInt8(0x53, 0)), code: "CODEC_FRAME_INVALID" },
];

/** What the damaged frames hold; it must not appear in an error's message. */
export const DAMAGED_TEXT = "secret and repeated";

/** A frame that fails its checksum. */
export const BAD: Buffer = change(frame, (b) => b.writeUInt8(b.readUInt8(b.length - 1) ^ 1, b.length - 1));
