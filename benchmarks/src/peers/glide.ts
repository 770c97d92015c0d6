import type { Batch, GlideClient, GlideReturnType } from "@valkey/valkey-glide";
import {
  type ContentKind,
  type HeldValue,
  loadPackage,
  type Peer,
  type PeerCalls,
  type PeerConnection,
  type PeerPipeline,
  type PeerTarget,
} from "./peer.ts";

// Valkey's official client. It compresses strings (SET, GET, MGET …), never hashes, and does its work on threads of its own.

type Glide = typeof import("@valkey/valkey-glide");

const PACKAGE = "@valkey/valkey-glide";

/** Its own numbers for its backends, as its header has them. */
const BACKENDS: Readonly<Record<string, number>> = { "zstd-3": 1, lz4: 2 };
const MAGIC = Buffer.from([0, 1, 2, 0]);

// By default a call fails after 250 ms; 64 values of 256 KiB in flight on a slow link take longer, for every client.
const REQUEST_TIMEOUT_MS = 60_000;

/** GLIDE without compression, with LZ4 and with zstd; compression from 64 B on, its default. */
export const glidePeers: readonly Peer[] = [createGlidePeer("raw"), createGlidePeer("lz4"), createGlidePeer("zstd-3")];

function createGlidePeer(codec: string): Peer {
  return Object.freeze<Peer>({
    name: `glide-${codec}`,
    product: "glide",
    codec,
    difference:
      codec === "raw"
        ? "works on threads of its own"
        : "works on threads of its own; no checksum; compresses strings from 64 B on, never hashes",
    packages: [PACKAGE],
    supports: ({ operation }) => codec === "raw" || !operation.startsWith("h"),
    connect: (target) => connect(target, codec),
    readHeld: (held) => readHeld(held, codec),
  });
}

function readHeld(held: Buffer, codec: string): HeldValue {
  const compressed = held.subarray(0, MAGIC.length).equals(MAGIC);
  if (compressed && held[MAGIC.length] !== BACKENDS[codec]) throw new Error(`GLIDE did not compress with ${codec}`);
  return { compressed, codecId: null };
}

async function connect({ port }: PeerTarget, codec: string): Promise<PeerConnection> {
  const glide = await loadPackage(PACKAGE, () => import("@valkey/valkey-glide"));
  glide.Logger.setLoggerConfig("error");
  const client = await glide.GlideClient.createClient({
    addresses: [{ host: "127.0.0.1", port }],
    requestTimeout: REQUEST_TIMEOUT_MS,
    ...(codec === "raw" ? {} : { compression: compressionOf(glide, codec) }),
  });
  return { calls: (kind) => createCalls(glide, client, kind), close: async () => client.close() };
}

function compressionOf({ CompressionBackend }: Glide, codec: string) {
  if (codec === "lz4") return { enabled: true, backend: CompressionBackend.LZ4 };
  return { enabled: true, backend: CompressionBackend.ZSTD, compressionLevel: 3 };
}

function createCalls(glide: Glide, client: GlideClient, kind: ContentKind): PeerCalls {
  const options = { decoder: kind === "text" ? glide.Decoder.String : glide.Decoder.Bytes };
  return {
    set: (key, value) => client.set(key, value),
    get: (key) => client.get(key, options),
    mget: (keys) => client.mget(keys, options),
    hset: (key, fields) => client.hset(key, fields),
    hgetall: (key) => client.hgetall(key, options),
    createPipeline: () => createPipeline(new glide.Batch(false), (batch) => client.exec(batch, true, options)),
  };
}

function createPipeline(batch: Batch, exec: (batch: Batch) => Promise<GlideReturnType[] | null>): PeerPipeline {
  return {
    set: (key, value) => batch.set(key, value),
    get: (key) => batch.get(key),
    mget: (keys) => batch.mget(keys),
    hset: (key, fields) => batch.hset(key, fields),
    hgetall: (key) => batch.hgetall(key),
    exec: async () => (await exec(batch)) ?? [],
  };
}
