import {
  assertBytes,
  assertRoom,
  copyOf,
  isShared,
  lengthOf,
  overlaps,
  placeCopy,
  plainOf,
  roomOf,
  unsharedOf,
  viewOf,
} from "./bytes.ts";
import type { Compressor } from "./compressor.ts";
import { CodecError } from "./errors.ts";
import { assertFrame, assertFrameChecksum, assertFrameSizes, codecIdOf, contentSizeOf, factsOf, payloadOf } from "./frame.ts";
import { type CodecSettings, decodeInKernel, decoderFor, NOT_JUDGED, openInKernel } from "./kernel-codec.ts";
import { MAX_CONTENT_BYTES } from "./limits.ts";

// A target gets zstd's content copied from the kernel, for which nothing is allocated, or decompressed to its place, for which two
// views are. value-codec/decode/*/zstd-3: 20 % faster at 1 KiB, equal at 16 KiB, 10 to 20 % slower above.
const MAX_COPIED_ZSTD_BYTES: number = 16 * 1024;

export function decode(settings: CodecSettings, frame: Uint8Array): Buffer {
  assertBytes("frame", frame);
  const kernel = decoderFor(settings, frame, MAX_CONTENT_BYTES);
  const content = kernel === undefined ? undefined : decodeInKernel(kernel, settings, frame);
  return content ?? decodeAlone(settings, frame);
}

/** The content of {@link decode} as text, without it where the kernel opens the frame. */
export function decodeText(settings: CodecSettings, frame: Uint8Array): string {
  assertBytes("frame", frame);
  const kernel = decoderFor(settings, frame, MAX_CONTENT_BYTES);
  const openedSize = kernel === undefined ? NOT_JUDGED : openInKernel(kernel, settings, frame, MAX_CONTENT_BYTES);
  return kernel === undefined || openedSize === NOT_JUDGED ? decodeAlone(settings, frame).toString("utf8") : kernel.readText();
}

function decodeAlone(settings: CodecSettings, frame: Uint8Array): Buffer {
  const source = unsharedOf(frame, lengthOf(frame));
  const compressor = openFrame(settings, source);
  return compressor.decompress(payloadOf(source), contentSizeOf(source));
}

export function decodeInto(settings: CodecSettings, frame: Uint8Array, target: Uint8Array, offset: number): number {
  assertBytes("frame", frame);
  const room = roomOf(target, offset);
  const kernel = decoderFor(settings, frame, MAX_COPIED_ZSTD_BYTES);
  const openedSize = kernel === undefined ? NOT_JUDGED : openInKernel(kernel, settings, frame, room);
  // Refuses a target without room itself: to ask the target here could run code of the caller's, which may use the kernel.
  if (kernel !== undefined && openedSize !== NOT_JUDGED) return kernel.copyContent(target, offset);
  const plainTarget = plainOf(target);
  const unshared = unsharedOf(frame, lengthOf(frame));
  const source = overlaps(unshared, plainTarget) ? copyOf(unshared) : unshared;
  const compressor = openFrame(settings, source);
  const contentSize = contentSizeOf(source);
  assertRoom(plainTarget, offset, contentSize);
  if (isShared(plainTarget)) return placeCopy(compressor.decompress(payloadOf(source), contentSize), plainTarget, offset);
  compressor.decompressInto(payloadOf(source), viewOf(plainTarget, offset, contentSize));
  return contentSize;
}

/** Checks 1 to 6; returns the compressor for the seventh. */
function openFrame({ registry, maxContentBytes }: CodecSettings, frame: Uint8Array): Compressor {
  assertFrame(frame);
  const compressor = registry[codecIdOf(frame)];
  if (compressor === undefined) {
    throw new CodecError("CODEC_UNKNOWN_ID", `codec id ${codecIdOf(frame)} is not accepted`, factsOf(frame));
  }
  compressor.load();
  assertFrameSizes(frame, maxContentBytes);
  assertFrameChecksum(frame);
  return compressor;
}
