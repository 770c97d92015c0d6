import type { Kernel } from "@tightwire/kernel";
import { isShared, viewOf } from "./bytes.ts";
import type { FrameVersion } from "./checksum.ts";
import { CodecId, type Compressor, type CompressorRegistry, DOES_NOT_FIT, FIRST_CUSTOM_ID } from "./compressor.ts";
import { nativeZstd } from "./compressors/zstd.ts";
import { kernelFor } from "./engine.ts";
import { codecIdOf, contentSizeOf, FRAME_HEADER_BYTES, versionOf } from "./frame.ts";

const KERNEL_VERSION = 2;

/** What {@link openInKernel} returns for a frame that others must judge. */
export const REFUSED = -1;

const MAX_CONTENT_VIEWS = 64;
const contentViews: (Uint8Array | undefined)[] = new Array(MAX_CONTENT_VIEWS).fill(undefined);

// value-codec/encode-text/session-1k/zstd: a view for each call would be all that the call allocates. Values of one kind have few
// lengths, so the last view for each of 64 remainders is kept.
function contentView({ content }: Kernel, size: number): Uint8Array {
  const place = size % MAX_CONTENT_VIEWS;
  const known = contentViews[place];
  if (known !== undefined && known.length === size) return known;
  const view = viewOf(content, 0, size);
  contentViews[place] = view;
  return view;
}

/** The settings of a value codec, checked, with what it reads by codec id. */
export interface CodecSettings {
  readonly compressor: Compressor;
  readonly frameVersion: FrameVersion;
  readonly minCompressBytes: number;
  readonly maxContentBytes: number;
  readonly registry: CompressorRegistry;
}

/** The kernel that writes the frame of this content, if it can: {@link encodeInKernel}. */
export function encoderFor({ compressor, frameVersion }: CodecSettings, content: Uint8Array): Kernel | undefined {
  // A compressor that is not ours gets no memory to see that holds what others encoded, and none that is not there for it alone.
  if (frameVersion !== KERNEL_VERSION || compressor.id >= FIRST_CUSTOM_ID) return undefined;
  const kernel = kernelFor(content.length);
  // What a native compressor reads must be nobody else's.
  return kernel !== undefined && compressor.id > CodecId.STORED && isShared(content) ? undefined : kernel;
}

/**
 * Frames content in the kernel's memory, for `kernel.copyFrame()`.
 *
 * @returns length of the frame
 */
export function encodeInKernel(kernel: Kernel, settings: CodecSettings, content: Uint8Array): number {
  const { compressor, minCompressBytes } = settings;
  const { length } = content;
  // A single byte cannot become fewer.
  const isWorthCompressing = length >= minCompressBytes && length > 1;
  if (isWorthCompressing && compressor.id !== CodecId.STORED && compressor.id !== CodecId.LZ4) {
    const payloadSize = compressor.compressInto(content, kernel.payload);
    if (payloadSize !== DOES_NOT_FIT && payloadSize < length) return kernel.encodePayload(payloadSize, compressor.id, length);
  }
  kernel.putContent(content);
  return isWorthCompressing && compressor.id === CodecId.LZ4 ? kernel.encodeLz4() : kernel.encodeStored();
}

/** The kernel that writes the frame of text, if it can: {@link encodeTextInKernel}. */
export function textEncoderFor({ compressor, frameVersion }: CodecSettings, text: string): Kernel | undefined {
  if (frameVersion !== KERNEL_VERSION || !worksInKernel(compressor)) return undefined;
  return kernelFor(text.length);
}

// Others make objects of Node's while they work: see nativeZstd().
function worksInKernel({ id }: Compressor): boolean {
  return id === CodecId.STORED || id === CodecId.LZ4 || (id === CodecId.ZSTD && nativeZstd() !== undefined);
}

/**
 * Frames the content that `kernel.putText()` has put in, for `kernel.copyFrame()`.
 *
 * @returns length of the frame
 */
export function encodeTextInKernel(kernel: Kernel, settings: CodecSettings, contentSize: number): number {
  const { compressor, minCompressBytes } = settings;
  const isWorthCompressing = contentSize >= minCompressBytes && contentSize > 1;
  if (!isWorthCompressing || compressor.id === CodecId.STORED) return kernel.encodeStored();
  if (compressor.id === CodecId.LZ4) return kernel.encodeLz4();
  const payloadSize = compressContent(kernel, compressor, contentSize);
  if (payloadSize === DOES_NOT_FIT || payloadSize >= contentSize) return kernel.encodeStored();
  return kernel.encodePayload(payloadSize, compressor.id, contentSize);
}

function compressContent(kernel: Kernel, { options }: Compressor, contentSize: number): number {
  const zstd = nativeZstd();
  if (zstd === undefined) return DOES_NOT_FIT;
  return zstd.compressInto(contentView(kernel, contentSize), kernel.payload, options["level"] as number);
}

/** The kernel that may be able to open a frame: {@link openInKernel}. */
export function decoderFor({ registry }: CodecSettings, frame: Uint8Array): Kernel | undefined {
  if (frame.length < FRAME_HEADER_BYTES || versionOf(frame) !== KERNEL_VERSION) return undefined;
  const codecId = codecIdOf(frame);
  if ((codecId !== CodecId.STORED && codecId !== CodecId.LZ4) || registry[codecId] === undefined) return undefined;
  // The kernel reads the codec id once more, which another thread may have changed meanwhile to one that is not accepted.
  if (registry[CodecId.LZ4] === undefined && isShared(frame)) return undefined;
  return kernelFor(Math.max(frame.length - FRAME_HEADER_BYTES, contentSizeOf(frame)));
}

/**
 * Verifies and opens a frame in the kernel's memory, for `kernel.copyContent()`.
 *
 * @returns content size; -1 if the frame was refused
 */
export function openInKernel(kernel: Kernel, { maxContentBytes }: CodecSettings, frame: Uint8Array): number {
  kernel.putFrame(frame);
  return Math.max(kernel.decodeFrame(maxContentBytes), REFUSED);
}
