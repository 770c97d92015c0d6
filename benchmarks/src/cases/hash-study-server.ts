import { deepStrictEqual } from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { type RedisServer, startRedis } from "../../../scripts/redis-server.mjs";
import type { HashEntries } from "../corpus/hash-entries.ts";
import { createMetric } from "../statistics.ts";
import type { SuiteContext } from "../suite.ts";
import type { Cell } from "./hash-study-cells.ts";
import type { Metrics, RoundCase } from "./serializers-rounds.ts";

export const SERVER_OPERATIONS = Object.freeze(["set", "get"] as const);
export type ServerOperation = (typeof SERVER_OPERATIONS)[number];

const DATABASE = 15;
const KEY = "sample_key";
const NS_PER_MS = 1_000_000;
const NS_PER_SECOND = 1_000_000_000;

/** How long a case takes its turn, at least; in a quick run it makes one call. */
const TURN_MS: Readonly<Record<SuiteContext["effort"], number>> = { full: 15, quick: 0 };
const WARM_UP_MS: Readonly<Record<SuiteContext["effort"], number>> = { full: 60, quick: 0 };

/** What a client whose rule has a serializer does with entries. */
export interface FramedClient {
  set(key: string, entries: HashEntries): Promise<unknown>;
  get(key: string): Promise<HashEntries | null>;
}

/** A server of its own and what talks to it. */
export interface StudyServer {
  /** Values of bare cells go through this client; it also checks what is held. */
  readonly plain: Redis;
  /** Values of a framed cell go through a client whose rule for every key is that cell's. */
  connectFramed(cell: Cell): Promise<FramedClient>;
  /** Deletes the key and ends everything. */
  stop(): Promise<void>;
}

function createClient(server: RedisServer): Redis {
  // A server that is gone fails the calls that wait for it, at once; they report it, so the client's own event need not.
  const client = new Redis(server.url, { db: DATABASE, lazyConnect: true, retryStrategy: () => null });
  return client.on("error", () => {});
}

/** Starts a server for the study. */
export async function startStudyServer(context: SuiteContext): Promise<StudyServer> {
  const server = await startRedis();
  const clients: Redis[] = [];
  const open = async (): Promise<Redis> => {
    const client = createClient(server);
    clients.push(client);
    await client.connect();
    return client;
  };
  const stop = async (): Promise<void> => {
    for (const client of clients) client.disconnect();
    await server.stop();
  };
  try {
    context.noteVersion("redis-server", await readServerVersion(server));
    const plain = await open();
    return {
      plain,
      connectFramed: async ({ compressor, serializer }) =>
        withValueCodec(await open(), { prefixes: { "": { compressor: compressor.framed, serializer } } }),
      stop: async () => {
        try {
          // An interrupt ends the server too.
          if (context.signal.aborted) return;
          await plain.del(KEY);
          if ((await plain.dbsize()) !== 0) throw new Error(`database ${DATABASE} must be empty after the study`);
        } finally {
          await stop();
        }
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readServerVersion({ command }: RedisServer): Promise<string> {
  const information = String(await command("INFO", "server"));
  return /^redis_version:(.+)$/m.exec(information)?.[1]?.trim() ?? "unknown";
}

/** Entries to and from the key, the whole way. */
interface Calls {
  set(): Promise<unknown>;
  get(): Promise<HashEntries>;
}

function bareCalls({ entries, serializer, encode, decode }: Cell, client: Redis): Calls {
  return {
    set: () => client.set(KEY, asBuffer(encode(serializer.serialize(entries)))),
    async get() {
      const held = await client.getBuffer(KEY);
      if (held === null) throw new Error("the key is gone");
      return serializer.deserialize(decode(held));
    },
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function framedCalls({ entries }: Cell, client: FramedClient): Calls {
  return {
    set: () => client.set(KEY, entries),
    async get() {
      const found = await client.get(KEY);
      if (found === null) throw new Error("the key is gone");
      return found;
    },
  };
}

/**
 * A case that sets or gets a cell's entries, one call after the other.
 *
 * @throws Error if the server does not hold what it must, or other entries come back
 */
export async function createServerCase(
  name: string,
  cell: Cell,
  operation: ServerOperation,
  server: StudyServer,
  { effort }: SuiteContext,
): Promise<RoundCase> {
  const isFramed = cell.name.frame === "framed";
  const calls = isFramed ? framedCalls(cell, await server.connectFramed(cell)) : bareCalls(cell, server.plain);
  await verifyCalls(calls, cell, server.plain);
  const call = calls[operation];
  const samples: number[] = [];
  await timeCalls(call, WARM_UP_MS[effort]);
  const finish = (): Metrics => ({
    ns: createMetric("ns", samples),
    opsPerSecond: createMetric(
      "ops/s",
      samples.map((ns) => NS_PER_SECOND / ns),
    ),
  });
  const round = async (): Promise<void> => {
    // The cells share one key, as in the study that this one repeats: a turn of reads begins with its own bytes in it.
    if (operation === "get") await server.plain.set(KEY, cell.held);
    samples.push(await timeCalls(call, TURN_MS[effort]));
    if (operation === "set") await assertHeld(server.plain, cell);
  };
  return { name, round, finish };
}

async function verifyCalls(calls: Calls, cell: Cell, plain: Redis): Promise<void> {
  await calls.set();
  await assertHeld(plain, cell);
  deepStrictEqual(await calls.get(), cell.entries);
}

async function assertHeld(plain: Redis, { held }: Cell): Promise<void> {
  const found = await plain.getBuffer(KEY);
  if (found === null || !held.equals(found)) throw new Error("the server holds other bytes than the cell's");
}

/** Repeats a call until its turn is over. Returns the mean of the turn in nanoseconds. */
async function timeCalls(call: () => Promise<unknown>, turnMs: number): Promise<number> {
  const begin = performance.now();
  let calls = 0;
  let elapsed = 0;
  do {
    await call();
    calls++;
    elapsed = performance.now() - begin;
  } while (elapsed < turnMs);
  return (elapsed * NS_PER_MS) / calls;
}
