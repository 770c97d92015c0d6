/** What is wrong with a hostile frame. Names and codes alone: reports read them too. */
export interface Damage {
  /** As the names of its cases end. */
  readonly name: string;
  /** What it must be refused with. */
  readonly code: string;
  /** The codecs whose frames can have it. @default all */
  readonly codecs?: readonly string[];
}

/** Codecs as case names call them. */
export const HOSTILE_CODECS: readonly string[] = ["stored", "lz4", "zstd-3", "brotli-4", "deflate-1"];

// Every payload of a stored frame is content.
const COMPRESSED = HOSTILE_CODECS.filter((name) => name !== "stored");

/** In the order of the checks that find them. */
export const DAMAGES: readonly Damage[] = [
  { name: "magic", code: "CODEC_FRAME_INVALID" },
  { name: "cut-header", code: "CODEC_FRAME_TRUNCATED" },
  { name: "version", code: "CODEC_FRAME_VERSION" },
  { name: "unknown-codec", code: "CODEC_UNKNOWN_ID" },
  { name: "over-limit", code: "CODEC_SIZE_LIMIT" },
  { name: "sizes-disagree", code: "CODEC_SIZE_MISMATCH" },
  { name: "flipped-bit", code: "CODEC_CHECKSUM_MISMATCH" },
  { name: "corrupt-payload", code: "CODEC_PAYLOAD_CORRUPT", codecs: COMPRESSED },
  { name: "bomb", code: "CODEC_PAYLOAD_CORRUPT", codecs: COMPRESSED },
  { name: "second-frame", code: "CODEC_PAYLOAD_CORRUPT", codecs: ["zstd-3"] },
  { name: "huge-window", code: "CODEC_PAYLOAD_CORRUPT", codecs: ["zstd-3"] },
];

/** What frames of a codec can suffer. */
export function damagesOf(codec: string): readonly Damage[] {
  return DAMAGES.filter(({ codecs }) => codecs === undefined || codecs.includes(codec));
}
