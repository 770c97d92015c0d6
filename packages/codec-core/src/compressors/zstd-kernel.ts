import type { Kernel } from "@tightwire/kernel";
import { viewOf } from "../bytes.ts";
import { decompressFailed } from "../compressor.ts";
import { ORIGIN } from "./zstd-backend.ts";
import { assertFilled, type NativeZstd } from "./zstd-napi.ts";

// Native code learns how many bytes it may touch from a view alone. One made for the call (50 ns and some 100 bytes) would be all
// that the call allocates, so views are kept, of the one
// kernel that engine.ts has: see paddedView() and exactView().
const views: (Uint8Array | undefined)[] = new Array(1024).fill(undefined);
const PAYLOAD_VIEWS = 0;
const CONTENT_VIEWS = 512;

const MIN_STEP_LOG = 6;
const PLACES_LOG = 5;

/**
 * A view of at least `size` bytes of a region, and at most 64 bytes or an eighth more. There are at most 16 for every power of two.
 */
function paddedView(region: Uint8Array, size: number, firstPlace: number): Uint8Array {
  // 31 - clz32 is the binary logarithm: steps of an eighth of the power of two below.
  const stepLog = Math.max(MIN_STEP_LOG, 28 - Math.clz32(size));
  const steps = (size + (1 << stepLog) - 1) >>> stepLog;
  const place = firstPlace + ((stepLog - MIN_STEP_LOG) << PLACES_LOG) + steps;
  const known = views[place];
  if (known !== undefined) return known;
  const view = viewOf(region, 0, Math.min(steps << stepLog, region.length));
  views[place] = view;
  return view;
}

const SKIPPABLE_MAGIC = 0x184d_2a50;
const SKIPPABLE_HEADER_BYTES = 8;

// Not byte by byte: the decoder reads each field at once, and a load waits until all stores to its bytes are done.
let padding: DataView | undefined;

/** The payload and behind it, to the end of the view, one skippable frame, which the decoder steps over. */
function paddedPayload({ payload }: Kernel, payloadSize: number): Uint8Array {
  if (payloadSize + SKIPPABLE_HEADER_BYTES > payload.length) return viewOf(payload, 0, payloadSize);
  const view = paddedView(payload, payloadSize + SKIPPABLE_HEADER_BYTES, PAYLOAD_VIEWS);
  padding ??= new DataView(payload.buffer, payload.byteOffset, payload.length);
  padding.setUint32(payloadSize, SKIPPABLE_MAGIC, true);
  padding.setUint32(payloadSize + 4, view.length - payloadSize - SKIPPABLE_HEADER_BYTES, true);
  return view;
}

/**
 * Decompresses the payload that lies in the kernel to `target`, which it must fill up to `contentSize`. `assertSingleFrame()` must
 * have held for the payload: what is behind it is not judged.
 *
 * @throws CodecError `CODEC_PAYLOAD_CORRUPT`
 */
export function decompressFromKernel(
  kernel: Kernel,
  zstd: NativeZstd,
  payloadSize: number,
  contentSize: number,
  target: Uint8Array,
): void {
  let size: number;
  try {
    size = zstd.decompressWithin(paddedPayload(kernel, payloadSize), target);
  } catch (cause) {
    throw decompressFailed(ORIGIN, payloadSize, contentSize, cause);
  }
  assertFilled(size, payloadSize, contentSize);
}

/**
 * The same, so that its content is what the kernel has opened. A payload that holds more than it should may write over bytes of the
 * content region behind it: those belong to nobody.
 *
 * @throws CodecError `CODEC_PAYLOAD_CORRUPT`
 */
export function decompressInKernel(kernel: Kernel, zstd: NativeZstd, payloadSize: number, contentSize: number): void {
  const target = paddedView(kernel.content, contentSize, CONTENT_VIEWS);
  decompressFromKernel(kernel, zstd, payloadSize, contentSize, target);
  kernel.openContent(contentSize);
}

const MAX_EXACT_VIEWS = 64;
const exactViews: (Uint8Array | undefined)[] = new Array(MAX_EXACT_VIEWS).fill(undefined);

// Content cannot be padded. Values of one kind have few lengths, so the last view for each of 64 remainders is kept.
function exactView({ content }: Kernel, size: number): Uint8Array {
  const place = size % MAX_EXACT_VIEWS;
  const known = exactViews[place];
  if (known !== undefined && known.length === size) return known;
  const view = viewOf(content, 0, size);
  exactViews[place] = view;
  return view;
}

/**
 * Compresses the content that was put into the kernel to where its payloads lie.
 *
 * @returns the payload's length, or -1 if it does not fit
 */
export function compressInKernel(kernel: Kernel, zstd: NativeZstd, contentSize: number, level: number): number {
  return zstd.compressInto(exactView(kernel, contentSize), kernel.payload, level);
}
