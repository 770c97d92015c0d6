import { Redis } from "ioredis";
import type { RedisServer } from "../../../scripts/redis-server.mjs";
import type { Peer } from "../peers/peer.ts";
import { roundTo } from "../statistics.ts";
import { respBytesOf } from "./codec-cases.ts";
import { FIELD_NAMES, isHash, VALUES_AT_ONCE, type Workload } from "./redis-workload.ts";

/** Bytes that a server received and sent, over all connections. */
export interface WireBytes {
  readonly toServer: number;
  readonly toClient: number;
}

interface NetworkTotals extends WireBytes {
  /** What the answer that tells them takes on the wire itself: sent after the totals were read. */
  readonly replyBytes: number;
}

const INFO_REQUEST = "*2\r\n$4\r\nINFO\r\n$5\r\nstats\r\n";

/** Counts every byte of some work by the server's own totals. Nothing else may talk to the server meanwhile. */
export async function countWireBytes(server: RedisServer, work: () => Promise<unknown>): Promise<WireBytes> {
  const before = await readTotals(server);
  await work();
  const after = await readTotals(server);
  return {
    toServer: after.toServer - before.toServer - INFO_REQUEST.length,
    toClient: after.toClient - before.toClient - before.replyBytes,
  };
}

async function readTotals(server: RedisServer): Promise<NetworkTotals> {
  const text = String(await server.command("INFO", "stats"));
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(text)?.[1]);
  return {
    toServer: read("total_net_input_bytes"),
    toClient: read("total_net_output_bytes"),
    replyBytes: respBytesOf(text.length),
  };
}

/** How values are held, by a look at the server that no peer has a part in. */
export interface HeldFacts {
  readonly heldBytes: number;
  readonly codecId: number | null;
  /** What the server needs for one value, its key or its share of a hash included. */
  readonly usedMemoryBytes: number;
}

// Each codec makes these smaller, but for values too short for it.
const SURE_TO_SHRINK_BYTES = 1_024;

/**
 * Looks at what a peer left on the server.
 *
 * @throws Error if a value that must be compressed is not
 */
export async function readHeldFacts(control: Redis, peer: Peer, key: string, workload: Workload): Promise<HeldFacts> {
  const hash = isHash(workload.operation);
  const held = hash ? await control.hgetBuffer(key, FIELD_NAMES[0] ?? "") : await control.getBuffer(key);
  const memory = await control.memory("USAGE", key, "SAMPLES", 0);
  if (held === null || memory === null) throw new Error("the server does not hold what was written");
  const { compressed, codecId } = peer.readHeld(held);
  const compressible = workload.kind === "text" && workload.sizeBytes >= SURE_TO_SHRINK_BYTES;
  const compresses = peer.codec !== "raw" && peer.codec !== "stored";
  // Not that they are smaller than the content: the envelope of Keyv's gzip can be larger.
  if (compresses && compressible && !compressed) throw new Error(`${peer.name} holds a value that is not compressed`);
  return { heldBytes: held.length, codecId, usedMemoryBytes: hash ? roundTo(memory / VALUES_AT_ONCE, 1) : memory };
}

/** A client beside the peers: it empties the server and looks at what it holds. */
export async function connectControl(port: number): Promise<Redis> {
  const control = new Redis({ port, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => null });
  // Its end is what tells: see whileServerRuns.
  control.on("error", () => {});
  await control.connect();
  return control;
}

/**
 * Does some work with a server, and ends with it: some clients would wait for another one forever.
 *
 * @throws Error if the server ends first; the work is then left alone
 */
export async function whileServerRuns<T>(control: Redis, work: () => Promise<T>): Promise<T> {
  let onEnd = (): void => {};
  const ended = new Promise<never>((_, reject) => {
    onEnd = () => reject(new Error("the Redis server ended in the middle of the run"));
    control.once("end", onEnd);
  });
  try {
    return await Promise.race([work(), ended]);
  } finally {
    control.off("end", onEnd);
  }
}
