import { type Kernel, loadKernel, MAX_KERNEL_BYTES } from "@tightwire/kernel";

let kernel: Kernel | undefined;
let isChosen = false;

function choose(): Kernel | undefined {
  isChosen = true;
  // For those who must do without WebAssembly, and for the tests that everything works without it.
  if (process.env["TIGHTWIRE_KERNEL"] !== "off") kernel = loadKernel();
  return kernel;
}

/**
 * The kernel for work on so many bytes. Undefined where there are more than it has memory for, where WebAssembly or its SIMD are
 * missing, and if the environment variable `TIGHTWIRE_KERNEL` is `off`: then `lz4-napi` and `@node-rs/xxhash` do the work.
 *
 * Nothing may run between two of its steps that could use it as well: no compressor, no serializer, no getter of a caller's object.
 */
export function kernelFor(size: number): Kernel | undefined {
  if (size > MAX_KERNEL_BYTES) return undefined;
  return isChosen ? kernel : choose();
}
