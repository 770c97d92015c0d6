// Published types speak of Buffer: TypeScript 7 includes no types by itself.
/// <reference types="node" preserve="true" />

export type { Kernel } from "./kernel.ts";
export { MAX_KERNEL_BYTES } from "./limits.ts";
export { isKernelSupported, loadKernel } from "./load-kernel.ts";
export { KernelStatus } from "./status.ts";
