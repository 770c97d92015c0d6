import { createEngine } from "./engine.ts";
import { FrameKernel } from "./frame-kernel.ts";
import type { Kernel } from "./kernel.ts";

let kernel: Kernel | undefined;
let isLoaded = false;

/**
 * The kernel of this thread, made at the first call; undefined where it cannot run.
 *
 * @example
 * import { loadKernel } from "@tightwire/kernel";
 *
 * const kernel = loadKernel();
 * if (kernel === undefined) throw new Error("this process has no WebAssembly with SIMD");
 * kernel.putContent(Buffer.from("hello ".repeat(1000)));
 * const frame = Buffer.alloc(kernel.encodeLz4());
 * kernel.copyFrame(frame, 0); // 57
 *
 * kernel.putFrame(frame);
 * kernel.decodeFrame(8 * 1024 * 1024); // 6000
 * kernel.readText().slice(0, 5); // "hello"
 */
export function loadKernel(): Kernel | undefined {
  if (isLoaded) return kernel;
  isLoaded = true;
  const engine = createEngine();
  if (engine !== undefined) kernel = new FrameKernel(engine);
  return kernel;
}

/**
 * Whether this process can run the kernel: it has WebAssembly with SIMD, and address space for its memory.
 *
 * @example
 * import { isKernelSupported } from "@tightwire/kernel";
 *
 * isKernelSupported(); // true
 */
export function isKernelSupported(): boolean {
  return loadKernel() !== undefined;
}
