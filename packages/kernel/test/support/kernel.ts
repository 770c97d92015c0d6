import assert from "node:assert/strict";
import type { Kernel } from "../../src/kernel.ts";
import { loadKernel } from "../../src/load-kernel.ts";

const loaded = loadKernel();
assert.ok(loaded, "this process has no WebAssembly with SIMD");

/** The kernel of this process. */
export const kernel: Kernel = loaded;

export function compress(content: Uint8Array, capacity: number = content.length + Math.floor(content.length / 255) + 16): Buffer {
  kernel.putContent(content);
  const payload = Buffer.alloc(kernel.compress(Math.min(capacity, kernel.payload.length)));
  kernel.copyPayload(payload, 0);
  return payload;
}

/** Undefined if the kernel refuses the block. Whatever lay in its memory before is overwritten, to be seen if it comes out. */
export function decompress(block: Uint8Array, contentSize: number): Buffer | undefined {
  kernel.content.fill(0xa5, 0, Math.min(contentSize + 64, kernel.content.length));
  kernel.payload.fill(0x5a, 0, Math.min(block.length + 64, kernel.payload.length));
  if (!kernel.decompress(block, contentSize)) return undefined;
  const content = Buffer.alloc(contentSize);
  kernel.copyContent(content, 0);
  return content;
}

export function encode(method: "encodeStored" | "encodeLz4", content: Uint8Array): Buffer {
  kernel.putContent(content);
  const frame = Buffer.alloc(kernel[method]());
  kernel.copyFrame(frame, 0);
  return frame;
}

/** Content, or the status. */
export function decode(frame: Uint8Array, maxContentBytes = 8 * 1024 * 1024): Buffer | number {
  kernel.putFrame(frame);
  const contentSize = kernel.decodeFrame(maxContentBytes);
  if (contentSize < 0) return contentSize;
  const content = Buffer.alloc(contentSize);
  kernel.copyContent(content, 0);
  return content;
}
