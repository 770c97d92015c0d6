import { readFrameHeader } from "@tightwire/codec-core";
import { brotli, type Compressor, deflate, isCodecError, lz4, stored, withValueCodec, zstd } from "@tightwire/ioredis";
import { type ChainableCommander, Redis } from "ioredis";
import {
  type ContentKind,
  type Peer,
  type PeerCalls,
  type PeerConnection,
  type PeerTarget,
  PeerUnavailableError,
} from "./peer.ts";

const PACKAGES = ["ioredis"];

/** ioredis alone: what all others are compared with. */
export const rawPeer: Peer = createRawPeer("ioredis-raw", "the values as they are");

/** The same once more, so its ratio is the noise of a ratio on this machine. */
export const rawAgainPeer: Peer = createRawPeer(
  "ioredis-again",
  "the same client once more: its ratio is the noise of this machine",
);

function createRawPeer(name: string, difference: string): Peer {
  return Object.freeze<Peer>({
    name,
    product: "ioredis",
    codec: "raw",
    difference,
    packages: PACKAGES,
    supports: () => true,
    connect: ({ port }) => connectClient(createClient(port)),
    readHeld: () => ({ compressed: false, codecId: null }),
  });
}

/** ioredis with a value codec for every key, its settings the defaults but for the compressor. */
export const tightwirePeers: readonly Peer[] = [
  createTightwirePeer("stored", () => stored(), "frame and checksum, no compression"),
  createTightwirePeer("brotli-4", () => brotli({ quality: 4 })),
  createTightwirePeer("deflate-1", () => deflate({ level: 1 })),
  createTightwirePeer("lz4", () => lz4(), undefined, ["lz4-napi"]),
  createTightwirePeer("zstd-3", () => zstd({ level: 3 }), undefined, ["zstd-napi"]),
];

function createTightwirePeer(
  codec: string,
  createCompressor: () => Compressor,
  difference: string = "frame, checksum and compression from 256 B on",
  packages: readonly string[] = [],
): Peer {
  return Object.freeze<Peer>({
    name: `tightwire-${codec}`,
    product: "tightwire",
    codec,
    difference,
    packages: [...PACKAGES, "@tightwire/ioredis", "@node-rs/xxhash", ...packages],
    supports: () => true,
    connect: (target) => connectTightwire(target, createCompressor),
    readHeld: readFrame,
  });
}

function readFrame(held: Buffer): { compressed: boolean; codecId: number | null } {
  const header = readFrameHeader(held);
  // Short values are held raw, by default.
  return { compressed: header !== undefined && header.codecId !== stored().id, codecId: header?.codecId ?? null };
}

function createClient(port: number): Redis {
  // Calls report what fails; the client's own event need not.
  return new Redis({ port, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => null }).on("error", () => {});
}

async function connectTightwire({ port, prefix }: PeerTarget, createCompressor: () => Compressor): Promise<PeerConnection> {
  const client = createClient(port);
  try {
    withValueCodec(client, { prefixes: { [prefix]: { compressor: createCompressor() } } });
  } catch (error) {
    if (isCodecError(error) && error.code === "CODEC_UNAVAILABLE")
      throw new PeerUnavailableError(error.message, { cause: error });
    throw error;
  }
  return connectClient(client);
}

async function connectClient(client: Redis): Promise<PeerConnection> {
  await client.connect();
  const close = async (): Promise<void> => client.disconnect();
  return { calls: (kind) => createCalls(client, kind), close };
}

function createCalls(client: Redis, kind: ContentKind): PeerCalls {
  const writes = {
    set: (key: string, value: string | Buffer) => client.set(key, value),
    hset: (key: string, fields: Record<string, string | Buffer>) => client.hset(key, fields),
  };
  if (kind === "text") {
    return {
      ...writes,
      get: (key) => client.get(key),
      mget: (keys) => client.mget(keys),
      hgetall: (key) => client.hgetall(key),
      createPipeline: () => withCheckedReplies(client.pipeline()),
    };
  }
  return {
    ...writes,
    get: (key) => client.getBuffer(key),
    mget: (keys) => client.mgetBuffer(keys),
    hgetall: (key) => client.hgetallBuffer(key),
    createPipeline: () => createBufferPipeline(client.pipeline()),
  };
}

function withCheckedReplies(pipeline: ChainableCommander): ReturnType<PeerCalls["createPipeline"]> {
  return {
    set: (key, value) => pipeline.set(key, value),
    get: (key) => pipeline.get(key),
    mget: (keys) => pipeline.mget(keys),
    hset: (key, fields) => pipeline.hset(key, fields),
    hgetall: (key) => pipeline.hgetall(key),
    exec: () => readReplies(pipeline),
  };
}

function createBufferPipeline(pipeline: ChainableCommander): ReturnType<PeerCalls["createPipeline"]> {
  return {
    ...withCheckedReplies(pipeline),
    get: (key) => pipeline.getBuffer(key),
    mget: (keys) => pipeline.mgetBuffer(keys),
    hgetall: (key) => pipeline.hgetallBuffer(key),
  };
}

async function readReplies(pipeline: ChainableCommander): Promise<unknown[]> {
  const replies = (await pipeline.exec()) ?? [];
  return replies.map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  });
}
