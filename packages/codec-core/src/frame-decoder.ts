import { allocate, assertBytes, assertRoom, copyOf, isShared, overlaps, placeCopy, roomOf, viewOf } from "./bytes.ts";
import type { Compressor } from "./compressor.ts";
import { CodecError } from "./errors.ts";
import { assertFrame, assertFrameChecksum, assertFrameSizes, codecIdOf, contentSizeOf, factsOf, payloadOf } from "./frame.ts";
import { type CodecSettings, decoderFor, openInKernel, REFUSED } from "./kernel-codec.ts";
import { MAX_CONTENT_BYTES } from "./limits.ts";

// Content of zstd is copied out of the kernel, or decompressed to its place from outside. value-codec/decode/*/zstd: a result of its
// own takes the latter 2 to 12 % less; up to 16 KiB a target takes both as long, and the former allocates nothing; text takes the
// former a third less.
const MaxZstdBytes = { RESULT: 0, TARGET: 16 * 1024, TEXT: MAX_CONTENT_BYTES } as const;

export function decode(settings: CodecSettings, frame: Uint8Array): Buffer {
  assertBytes("frame", frame);
  const kernel = decoderFor(settings, frame, MaxZstdBytes.RESULT);
  const openedSize = kernel === undefined ? REFUSED : openInKernel(kernel, settings, frame, MAX_CONTENT_BYTES);
  if (kernel === undefined || openedSize === REFUSED) return decodeAlone(settings, frame);
  const content = allocate(openedSize);
  kernel.copyContent(content, 0);
  return content;
}

/** The content of {@link decode} as text, without it where the kernel opens the frame. */
export function decodeText(settings: CodecSettings, frame: Uint8Array): string {
  assertBytes("frame", frame);
  const kernel = decoderFor(settings, frame, MaxZstdBytes.TEXT);
  const openedSize = kernel === undefined ? REFUSED : openInKernel(kernel, settings, frame, MAX_CONTENT_BYTES);
  return kernel === undefined || openedSize === REFUSED ? decodeAlone(settings, frame).toString("utf8") : kernel.readText();
}

function decodeAlone(settings: CodecSettings, frame: Uint8Array): Buffer {
  const source = isShared(frame) ? copyOf(frame) : frame;
  const compressor = openFrame(settings, source);
  return compressor.decompress(payloadOf(source), contentSizeOf(source));
}

export function decodeInto(settings: CodecSettings, frame: Uint8Array, target: Uint8Array, offset: number): number {
  assertBytes("frame", frame);
  const room = roomOf(target, offset);
  const kernel = decoderFor(settings, frame, MaxZstdBytes.TARGET);
  const openedSize = kernel === undefined ? REFUSED : openInKernel(kernel, settings, frame, room);
  // Refuses a target without room itself: to ask the target here could run code of the caller's, which may use the kernel.
  if (kernel !== undefined && openedSize !== REFUSED) return kernel.copyContent(target, offset);
  const source = isShared(frame) || overlaps(frame, target) ? copyOf(frame) : frame;
  const compressor = openFrame(settings, source);
  const contentSize = contentSizeOf(source);
  assertRoom(target, offset, contentSize);
  if (isShared(target)) return placeCopy(compressor.decompress(payloadOf(source), contentSize), target, offset);
  compressor.decompressInto(payloadOf(source), viewOf(target, offset, contentSize));
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
