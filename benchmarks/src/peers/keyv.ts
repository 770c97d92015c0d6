import type { Keyv } from "keyv";
import { loadPackage, type Peer, type PeerCalls, type PeerConnection, type PeerTarget } from "./peer.ts";

// A cache with a store for Redis, on node-redis. What it holds is a JSON envelope, `{"value":…}`, with the compressed bytes in base64
// (LZ4) or as an object of numbered bytes (gzip); what it decompresses is text, so other bytes do not come back as they were. It has no
// hashes and no pipelines.

/** Loads the class that compresses. */
type LoadCompression = () => Promise<new () => unknown>;

const STORE_PACKAGES = ["keyv", "@keyv/redis"];

// gzip in JavaScript takes 20 ms for a document of 256 KiB, all of them on the main thread: its cells would take longer than all others.
const GZIP_MAX_BYTES = 16_384;

/** Keyv with LZ4 (on threads of its own) and with gzip (in JavaScript). */
export const keyvPeers: readonly Peer[] = [
  createKeyvPeer("lz4", Number.POSITIVE_INFINITY, "JSON envelope, LZ4 in base64", "@keyv/compress-lz4", async () => {
    return (await import("@keyv/compress-lz4")).KeyvLz4;
  }),
  createKeyvPeer(
    "gzip",
    GZIP_MAX_BYTES,
    "JSON envelope, gzip as an object of numbered bytes",
    "@keyv/compress-gzip",
    async () => {
      return (await import("@keyv/compress-gzip")).KeyvGzip;
    },
  ),
];

function createKeyvPeer(codec: string, maxBytes: number, difference: string, packageName: string, load: LoadCompression): Peer {
  return Object.freeze<Peer>({
    name: `keyv-${codec}`,
    product: "keyv",
    codec,
    difference: `${difference}; compresses every value; text only, no hashes, no pipelines`,
    packages: [...STORE_PACKAGES, packageName],
    supports: ({ operation, style, kind, sizeBytes }) =>
      style === "direct" && kind === "text" && sizeBytes <= maxBytes && !operation.startsWith("h"),
    connect: (target) => connect(target, packageName, load),
    readHeld: (held) => {
      if (typeof JSON.parse(held.toString()).value !== "object" && !held.includes(":base64:")) {
        throw new Error("Keyv did not compress");
      }
      return { compressed: true, codecId: null };
    },
  });
}

async function connect({ port }: PeerTarget, packageName: string, load: LoadCompression): Promise<PeerConnection> {
  const Compression = await loadPackage(packageName, load);
  const [store, keyv] = await loadPackage(STORE_PACKAGES.join(", "), () => Promise.all([import("@keyv/redis"), import("keyv")]));
  // Errors must not become misses.
  const errors = { throwOnErrors: true, throwOnConnectError: true };
  const cache = new keyv.Keyv({
    store: new store.default(`redis://127.0.0.1:${port}`, errors),
    compression: new Compression(),
    useKeyPrefix: false,
    throwOnErrors: true,
    emitErrors: false,
  });
  // Keys then are as long as those of the others.
  cache.namespace = undefined;
  return { calls: () => createCalls(cache), close: () => cache.disconnect() };
}

function createCalls(cache: Keyv): PeerCalls {
  return {
    set: (key, value) => cache.set(key, value),
    get: (key) => cache.get(key),
    mget: (keys) => cache.getMany(keys),
    hset: refuse,
    hgetall: refuse,
    createPipeline: refuse,
  };
}

function refuse(): never {
  throw new Error("Keyv has no such command");
}
