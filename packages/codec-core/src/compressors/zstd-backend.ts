import { CodecId, type Origin } from "../compressor.ts";

export const ORIGIN: Origin = { id: CodecId.ZSTD, name: "zstd" };

/** One implementation of zstd. It is given only payloads that have been found to be one complete frame. */
export interface ZstdBackend {
  /** Returns the payload's length, or -1 if it does not fit. */
  compressInto(content: Uint8Array, target: Uint8Array, level: number): number;
  decompress(payload: Uint8Array, contentSize: number): Buffer;
  /** Fills the target. */
  decompressInto(payload: Uint8Array, target: Uint8Array): void;
}
