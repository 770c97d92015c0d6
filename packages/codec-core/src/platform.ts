import * as zlib from "node:zlib";
import { CodecError } from "./errors.ts";
import { loadPackage } from "./load-package.cts";

/** What is used of `@node-rs/xxhash`. */
export interface Xxhash {
  readonly xxh3: { xxh64(input: Uint8Array): bigint };
}

/** What is used of `lz4-napi`: blocks behind a u32 little-endian content size. */
export interface Lz4 {
  compressSync(content: Uint8Array): Buffer;
  uncompressSync(block: Uint8Array): Buffer;
}

/** What is used of `zstd-napi/binding`. */
export interface ZstdBinding {
  readonly CCtx: new () => ZstdCompressContext;
  readonly DCtx: new () => ZstdDecompressContext;
  readonly CParameter: { readonly compressionLevel: number };
  readonly ResetDirective: { readonly sessionAndParameters: number };
}

export interface ZstdCompressContext {
  setParameter(parameter: number, value: number): void;
  compress2(target: Uint8Array, content: Uint8Array): number;
}

export interface ZstdDecompressContext {
  decompress(target: Uint8Array, payload: Uint8Array): number;
  reset(directive: number): void;
}

/** What is used of `node:zlib` where it has zstd: Node 22.15 and later, and 24. */
export interface NodeZstd {
  zstdCompressSync(content: Uint8Array, options: object): Buffer;
  zstdDecompressSync(payload: Uint8Array, options: object): unknown;
  readonly constants: { readonly ZSTD_c_compressionLevel: number };
}

interface Loaded {
  readonly exports?: unknown;
  readonly cause?: unknown;
}

// A package that is missing stays missing until the process restarts: to search for it at every frame would cost more than decoding.
const loaded: Map<string, Loaded> = new Map();

function loadOnce(name: string): Loaded {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  let result: Loaded;
  try {
    result = { exports: loadPackage(name) };
  } catch (cause) {
    result = { cause };
  }
  loaded.set(name, result);
  return result;
}

function unavailable(what: string, packageName: string, remedy: string, cause: unknown): CodecError {
  return new CodecError("CODEC_UNAVAILABLE", `${what} needs the package ${packageName}, which cannot be loaded: ${remedy}`, {
    packageName,
    cause,
  });
}

/** @throws CodecError `CODEC_UNAVAILABLE` */
export function loadXxhash(): Xxhash {
  const { exports, cause } = loadOnce("@node-rs/xxhash");
  if (exports !== undefined) return exports as Xxhash;
  throw unavailable("frame version 2", "@node-rs/xxhash", "run npm install @node-rs/xxhash on this platform", cause);
}

/** @throws CodecError `CODEC_UNAVAILABLE` */
export function loadLz4(): Lz4 {
  const { exports, cause } = loadOnce("lz4-napi");
  if (exports !== undefined) return exports as Lz4;
  throw unavailable("lz4", "lz4-napi", "run npm install lz4-napi on this platform", cause);
}

/** The preferred zstd; undefined where the package or its native part is missing. */
export function findZstdBinding(): ZstdBinding | undefined {
  return loadOnce("zstd-napi/binding").exports as ZstdBinding | undefined;
}

/** Node's own zstd, the fallback. */
export const nodeZstd: NodeZstd | undefined = findNodeZstd(zlib);

// The types of Node 20 do not know it.
function findNodeZstd(candidate: object): NodeZstd | undefined {
  const { zstdCompressSync } = candidate as { zstdCompressSync?: unknown };
  return typeof zstdCompressSync === "function" ? (candidate as NodeZstd) : undefined;
}

/** What to throw where there is no zstd at all. */
export function zstdUnavailable(): CodecError {
  const remedy =
    "run npm install zstd-napi with install scripts allowed, or use Node 22.15 or later, whose own zstd is used instead";
  return unavailable("zstd", "zstd-napi", remedy, loadOnce("zstd-napi/binding").cause);
}
