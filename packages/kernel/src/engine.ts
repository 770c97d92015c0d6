import { WASM_BASE64 } from "./wasm-module.ts";

/** A place in the kernel's memory. */
interface WasmGlobal {
  readonly value: number;
}

/** What assembly/index.ts exports. Positions and sizes are not checked there: callers must have. */
export interface Engine {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly CONTENT_START: WasmGlobal;
  readonly DIGEST_START: WasmGlobal;
  readonly MAX_BYTES: WasmGlobal;
  readonly PAYLOAD_START: WasmGlobal;
  seal(payload: number, payloadSize: number, codecId: number, contentSize: number): void;
  encodeLz4(contentSize: number): number;
  check(frameSize: number, maxContentBytes: number): number;
  decode(frameSize: number, maxContentBytes: number): number;
  writeDigest(from: number, size: number): void;
  compressBlock(from: number, size: number, to: number, capacity: number): number;
  decompressBlock(from: number, size: number, to: number, contentSize: number): number;
  findLargestByte(from: number, size: number): number;
  toLatin1(from: number, size: number, to: number): number;
  toUtf16(from: number, size: number, to: number): number;
}

// The types of ECMAScript do not have it, and under --jitless neither has Node.
interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** A new engine with memory of its own; undefined where there is no WebAssembly with SIMD, or no address space for its memory. */
export function createEngine(): Engine | undefined {
  const api = (globalThis as { readonly WebAssembly?: WasmApi }).WebAssembly;
  if (api === undefined) return undefined;
  try {
    return new api.Instance(new api.Module(Buffer.from(WASM_BASE64, "base64"))).exports as Engine;
  } catch {
    // Whatever the reason, the answer is that this process does without.
    return undefined;
  }
}
