import {
  allocate,
  allocateAlone,
  assertRoom,
  byteLengthOf,
  checkedLengthOf,
  copyOf,
  copyOfText,
  giveScratch,
  isShared,
  overlaps,
  placeCopy,
  plainOf,
  takeScratch,
  unsharedOf,
  viewOf,
} from "./bytes.ts";
import { CodecId, DOES_NOT_FIT, FIRST_CUSTOM_ID } from "./compressor.ts";
import { CodecError, describeKind } from "./errors.ts";
import { FRAME_HEADER_BYTES, sealFrame } from "./frame.ts";
import {
  type CodecSettings,
  encodeInKernel,
  encoderFor,
  encodeTextInKernel,
  isWorthCompressing,
  textEncoderFor,
} from "./kernel-codec.ts";

export function encode(settings: CodecSettings, content: Uint8Array): Buffer {
  const contentSize = sizeOfContent(settings, content);
  const kernel = encoderFor(settings, content, contentSize);
  if (kernel !== undefined) {
    const framed = allocate(encodeInKernel(kernel, settings, content, contentSize));
    kernel.copyFrame(framed, 0);
    return framed;
  }
  const source = unsharedOf(content, contentSize);
  const compressed = isWorthCompressing(settings, source.length) ? encodeCompressed(settings, source) : undefined;
  if (compressed !== undefined) return compressed;
  const frame = allocate(FRAME_HEADER_BYTES + source.length);
  writeStored(settings, source, frame, 0);
  return frame;
}

export function encodeInto(settings: CodecSettings, content: Uint8Array, target: Uint8Array, offset: number): number {
  const contentSize = sizeOfContent(settings, content);
  assertRoom(target, offset, FRAME_HEADER_BYTES + contentSize);
  const kernel = encoderFor(settings, content, contentSize);
  if (kernel !== undefined) {
    encodeInKernel(kernel, settings, content, contentSize);
    return kernel.copyFrame(target, offset);
  }
  const room = plainOf(target);
  const unshared = unsharedOf(content, contentSize);
  if (isShared(room)) return placeCopy(encode(settings, unshared), room, offset);
  const source = overlaps(unshared, room) ? copyOf(unshared) : unshared;
  const frameSize = isWorthCompressing(settings, source.length) ? writeCompressed(settings, source, room, offset) : DOES_NOT_FIT;
  return frameSize === DOES_NOT_FIT ? writeStored(settings, source, room, offset) : frameSize;
}

/** As {@link encodeInto} of the text's bytes. */
export function encodeTextInto(settings: CodecSettings, text: string, target: Uint8Array, offset: number): number {
  if (typeof text !== "string") throw new TypeError(`text must be a string, got ${describeKind(text)}`);
  const kernel = textEncoderFor(settings, text);
  // Says by -1 that the text may be too long.
  const contentSize = kernel === undefined ? DOES_NOT_FIT : kernel.putText(text);
  if (kernel === undefined || contentSize === DOES_NOT_FIT) {
    assertContentSize(settings, byteLengthOf(text));
    return encodeInto(settings, copyOfText(text), target, offset);
  }
  assertContentSize(settings, contentSize);
  assertRoom(target, offset, FRAME_HEADER_BYTES + contentSize);
  encodeTextInKernel(kernel, settings, contentSize);
  return kernel.copyFrame(target, offset);
}

function sizeOfContent(settings: CodecSettings, content: Uint8Array): number {
  const size = checkedLengthOf("content", content);
  assertContentSize(settings, size);
  return size;
}

function assertContentSize({ maxContentBytes }: CodecSettings, contentSize: number): void {
  if (contentSize <= maxContentBytes) return;
  const message = `content of ${contentSize} bytes, limit ${maxContentBytes}`;
  throw new CodecError("CODEC_SIZE_LIMIT", message, { contentSize, limit: maxContentBytes });
}

function encodeCompressed(settings: CodecSettings, content: Uint8Array): Buffer | undefined {
  const room = FRAME_HEADER_BYTES + content.length;
  // Memory that was used before holds what others encoded, which is no business of a compressor that is not ours.
  const isOurs = settings.compressor.id < FIRST_CUSTOM_ID;
  const target = isOurs ? takeScratch(room) : allocateAlone(room).fill(0);
  const frameSize = writeCompressed(settings, content, target, 0);
  const frame = frameSize === DOES_NOT_FIT ? undefined : copyOf(viewOf(target, 0, frameSize));
  if (isOurs) giveScratch(target);
  return frame;
}

/** Returns the frame's length, or -1 if compression gains nothing. There is room for header and content. */
function writeCompressed(settings: CodecSettings, content: Uint8Array, target: Uint8Array, offset: number): number {
  const { compressor, frameVersion } = settings;
  const room = viewOf(target, offset + FRAME_HEADER_BYTES, content.length - 1);
  const payloadSize = compressor.compressInto(content, room);
  if (payloadSize === DOES_NOT_FIT) return DOES_NOT_FIT;
  return sealFrame(target, offset, frameVersion, compressor.id, content.length, payloadSize);
}

function writeStored({ frameVersion }: CodecSettings, content: Uint8Array, target: Uint8Array, offset: number): number {
  target.set(content, offset + FRAME_HEADER_BYTES);
  return sealFrame(target, offset, frameVersion, CodecId.STORED, content.length, content.length);
}
