import { type Kernel, KernelStatus, MAX_KERNEL_BYTES } from "@tightwire/kernel";
import { allocate, isShared, lengthOf, plainOf } from "./bytes.ts";
import type { FrameVersion } from "./checksum.ts";
import { CodecId, type Compressor, type CompressorRegistry, DOES_NOT_FIT, FIRST_CUSTOM_ID } from "./compressor.ts";
import { blockCorrupt } from "./compressors/lz4.ts";
import { nativeZstd } from "./compressors/zstd.ts";
import { assertSingleFrame } from "./compressors/zstd-frame.ts";
import { compressInKernel, decompressFromKernel, decompressInKernel } from "./compressors/zstd-kernel.ts";
import type { NativeZstd } from "./compressors/zstd-napi.ts";
import { kernelFor } from "./engine.ts";
import {
  checksumMismatch,
  codecIdOf,
  contentSizeOf,
  FRAME_HEADER_BYTES,
  frameInvalid,
  sizeLimitExceeded,
  sizeMismatch,
  versionOf,
} from "./frame.ts";

const KERNEL_VERSION = 2;

/** What {@link openInKernel} returns for a frame that the kernel cannot judge; `openFrame()` does. */
export const NOT_JUDGED = -1;

/** The settings of a value codec, checked, with what it reads by codec id. */
export interface CodecSettings {
  readonly compressor: Compressor;
  readonly frameVersion: FrameVersion;
  readonly minCompressBytes: number;
  readonly maxContentBytes: number;
  readonly registry: CompressorRegistry;
}

/** Whether compression is to be tried. A single byte cannot become fewer. */
export function isWorthCompressing({ compressor, minCompressBytes }: CodecSettings, contentSize: number): boolean {
  return contentSize >= minCompressBytes && contentSize > 1 && compressor.id !== CodecId.STORED;
}

/** The kernel that writes the frame of this content, if it can: {@link encodeInKernel}. */
export function encoderFor(
  { compressor, frameVersion }: CodecSettings,
  content: Uint8Array,
  contentSize: number,
): Kernel | undefined {
  // A compressor that is not ours gets no memory to see that holds what others encoded, and none that is not there for it alone.
  if (frameVersion !== KERNEL_VERSION || compressor.id >= FIRST_CUSTOM_ID) return undefined;
  const kernel = kernelFor(contentSize);
  // What a native compressor reads must be nobody else's.
  return kernel !== undefined && compressor.id > CodecId.STORED && isShared(content) ? undefined : kernel;
}

/**
 * Frames content in the kernel's memory, for `kernel.copyFrame()`.
 *
 * @returns length of the frame
 */
export function encodeInKernel(kernel: Kernel, settings: CodecSettings, content: Uint8Array, contentSize: number): number {
  const { compressor } = settings;
  const isWorthIt = isWorthCompressing(settings, contentSize);
  if (isWorthIt && compressor.id !== CodecId.LZ4) {
    const payloadSize = compressor.compressInto(plainOf(content), kernel.payload);
    if (payloadSize !== DOES_NOT_FIT && payloadSize < contentSize)
      return kernel.encodePayload(payloadSize, compressor.id, contentSize);
  }
  kernel.putContent(content);
  return isWorthIt && compressor.id === CodecId.LZ4 ? kernel.encodeLz4() : kernel.encodeStored();
}

/** The kernel that writes the frame of text, if it can: {@link encodeTextInKernel}. */
export function textEncoderFor({ compressor, frameVersion }: CodecSettings, text: string): Kernel | undefined {
  if (frameVersion !== KERNEL_VERSION || !worksInKernel(compressor.id)) return undefined;
  return kernelFor(text.length);
}

// Others make objects of Node's while they work: see nativeZstd().
function worksInKernel(codecId: number): boolean {
  return codecId === CodecId.STORED || codecId === CodecId.LZ4 || (codecId === CodecId.ZSTD && nativeZstd() !== undefined);
}

/**
 * Frames the content that `kernel.putText()` has put in, for `kernel.copyFrame()`.
 *
 * @returns length of the frame
 */
export function encodeTextInKernel(kernel: Kernel, settings: CodecSettings, contentSize: number): number {
  const { compressor } = settings;
  if (!isWorthCompressing(settings, contentSize)) return kernel.encodeStored();
  if (compressor.id === CodecId.LZ4) return kernel.encodeLz4();
  const payloadSize = compressContent(kernel, compressor, contentSize);
  if (payloadSize === DOES_NOT_FIT || payloadSize >= contentSize) return kernel.encodeStored();
  return kernel.encodePayload(payloadSize, compressor.id, contentSize);
}

function compressContent(kernel: Kernel, { options }: Compressor, contentSize: number): number {
  const zstd = nativeZstd();
  return zstd === undefined ? DOES_NOT_FIT : compressInKernel(kernel, zstd, contentSize, options["level"] as number);
}

/** The kernel that may be able to open a frame, one of zstd up to a content size: {@link openInKernel}, {@link decodeInKernel}. */
export function decoderFor({ registry }: CodecSettings, frame: Uint8Array, maxZstdBytes: number): Kernel | undefined {
  const frameSize = lengthOf(frame);
  if (frameSize < FRAME_HEADER_BYTES || versionOf(frame) !== KERNEL_VERSION) return undefined;
  const codecId = codecIdOf(frame);
  if (registry[codecId] === undefined || !worksInKernel(codecId)) return undefined;
  const contentSize = contentSizeOf(frame);
  if (codecId === CodecId.ZSTD && contentSize > maxZstdBytes) return undefined;
  return kernelFor(Math.max(frameSize - FRAME_HEADER_BYTES, contentSize));
}

/**
 * Verifies and opens a frame in the kernel's memory, for `kernel.copyContent()` and `kernel.readText()`. `room` is how much content
 * there is room for: more is refused before it is decompressed, by both engines.
 *
 * @returns content size; -1 for a frame that others must judge
 * @throws CodecError by the first check that fails; RangeError for content that would fail the last check and has no room
 */
export function openInKernel(kernel: Kernel, settings: CodecSettings, frame: Uint8Array, room: number): number {
  const frameSize = kernel.putFrame(frame);
  const contentSize = checkOrOpen(kernel, settings, frameSize, room);
  const zstd = zstdOf(kernel, contentSize);
  if (zstd !== undefined) decompressInKernel(kernel, zstd, frameSize - FRAME_HEADER_BYTES, contentSize);
  return contentSize;
}

/**
 * Verifies a frame in the kernel's memory and gives its content in memory of its own, to which zstd decompresses at once.
 *
 * @returns undefined for a frame that others must judge
 * @throws CodecError by the first check that fails
 */
export function decodeInKernel(kernel: Kernel, settings: CodecSettings, frame: Uint8Array): Buffer | undefined {
  const frameSize = kernel.putFrame(frame);
  const contentSize = checkOrOpen(kernel, settings, frameSize, MAX_KERNEL_BYTES);
  if (contentSize === NOT_JUDGED) return undefined;
  const content = allocate(contentSize);
  const zstd = zstdOf(kernel, contentSize);
  if (zstd === undefined) kernel.copyContent(content, 0);
  else decompressFromKernel(kernel, zstd, frameSize - FRAME_HEADER_BYTES, contentSize, content);
  return content;
}

/** What has still to decompress the frame that was verified. */
function zstdOf(kernel: Kernel, contentSize: number): NativeZstd | undefined {
  return contentSize !== NOT_JUDGED && codecIdOf(kernel.frame) === CodecId.ZSTD ? nativeZstd() : undefined;
}

/**
 * Makes every check of the frame that was put in, of zstd those before decompressing: stored and LZ4 are open afterwards. Returns
 * the content size, or -1 for a frame that others must judge.
 */
function checkOrOpen(kernel: Kernel, settings: CodecSettings, frameSize: number, room: number): number {
  // Another thread may have changed the frame, and may go on to. Only what lies in the kernel counts, and how long that is.
  const codecId = codecIdOf(kernel.frame);
  if (settings.registry[codecId] === undefined) return NOT_JUDGED;
  if (codecId === CodecId.ZSTD) return verifyZstd(kernel, frameSize, settings.maxContentBytes, room);
  const status = kernel.decodeFrame(settings.maxContentBytes);
  return status >= 0 ? status : judge(kernel.frame, frameSize, status, settings.maxContentBytes, room);
}

function verifyZstd(kernel: Kernel, frameSize: number, maxContentBytes: number, room: number): number {
  if (nativeZstd() === undefined) return NOT_JUDGED;
  const status = kernel.checkFrame(Math.min(maxContentBytes, MAX_KERNEL_BYTES));
  if (status < 0) return judge(kernel.frame, frameSize, status, maxContentBytes, room);
  assertRoomFor(status, room);
  assertSingleFrame(kernel.payload, status, frameSize - FRAME_HEADER_BYTES);
  return status;
}

/** Throws the error for the kernel's verdict. Returns -1 for those that come only from its own bounds, or of changing memory. */
function judge(frame: Uint8Array, frameSize: number, status: number, maxContentBytes: number, room: number): typeof NOT_JUDGED {
  switch (status) {
    case KernelStatus.INVALID:
      throw frameInvalid(frameSize);
    case KernelStatus.SIZE_LIMIT:
      if (contentSizeOf(frame) <= maxContentBytes) return NOT_JUDGED;
      throw sizeLimitExceeded(frame, frameSize, maxContentBytes);
    case KernelStatus.SIZE_MISMATCH:
      throw sizeMismatch(frame, frameSize);
    case KernelStatus.CHECKSUM_MISMATCH:
      throw checksumMismatch(frame, frameSize);
    case KernelStatus.PAYLOAD_CORRUPT:
      assertRoomFor(contentSizeOf(frame), room);
      throw blockCorrupt(frameSize - FRAME_HEADER_BYTES, contentSizeOf(frame));
    default:
      return NOT_JUDGED;
  }
}

function assertRoomFor(contentSize: number, room: number): void {
  if (contentSize > room) throw new RangeError(`target has room for ${room} bytes, needs ${contentSize}`);
}
