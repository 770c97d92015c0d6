import { allocate, assertBytes, assertRoom, copyOf, isShared, overlaps, placeCopy, viewOf } from "./bytes.ts";
import type { Compressor } from "./compressor.ts";
import { CodecError } from "./errors.ts";
import { assertFrame, assertFrameChecksum, assertFrameSizes, codecIdOf, contentSizeOf, factsOf, payloadOf } from "./frame.ts";
import { type CodecSettings, decoderFor, openInKernel, REFUSED } from "./kernel-codec.ts";

export function decode(settings: CodecSettings, frame: Uint8Array): Buffer {
  assertBytes("frame", frame);
  const kernel = decoderFor(settings, frame);
  const openedSize = kernel === undefined ? REFUSED : openInKernel(kernel, settings, frame);
  if (kernel === undefined || openedSize === REFUSED) return decodeAlone(settings, frame);
  const content = allocate(openedSize);
  kernel.copyContent(content, 0);
  return content;
}

/** The content of {@link decode} as text, without it where the kernel opens the frame. */
export function decodeText(settings: CodecSettings, frame: Uint8Array): string {
  assertBytes("frame", frame);
  const kernel = decoderFor(settings, frame);
  const openedSize = kernel === undefined ? REFUSED : openInKernel(kernel, settings, frame);
  return kernel === undefined || openedSize === REFUSED ? decodeAlone(settings, frame).toString("utf8") : kernel.readText();
}

function decodeAlone(settings: CodecSettings, frame: Uint8Array): Buffer {
  // The checks say why it was refused.
  const source = isShared(frame) ? copyOf(frame) : frame;
  const compressor = openFrame(settings, source);
  return compressor.decompress(payloadOf(source), contentSizeOf(source));
}

export function decodeInto(settings: CodecSettings, frame: Uint8Array, target: Uint8Array, offset: number): number {
  assertBytes("frame", frame);
  assertRoom(target, offset, 0);
  const kernel = decoderFor(settings, frame);
  const openedSize = kernel === undefined ? REFUSED : openInKernel(kernel, settings, frame);
  // Refuses a target without room itself: to ask the target here could run code of the caller's, which may use the kernel.
  if (kernel !== undefined && openedSize !== REFUSED) return kernel.copyContent(target, offset);
  // The checks say why it was refused.
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
