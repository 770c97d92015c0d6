import { after, before } from "node:test";
import { type ValueCodecClientOptions, withValueCodec } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import { ioredisVersion, Redis } from "../../support/ioredis-versions.ts";
import { type RedisServer, type StartOptions, startRedis } from "../../support/redis.ts";

const NOT_STARTED = "the server is started before the first test, not earlier";

/** A protocol and a mapping of replies that the ioredis under test speaks. */
export interface Mode {
  readonly name: string;
  readonly options: RedisOptions;
}

const MODES_OF_6: readonly Mode[] = [
  { name: "RESP2", options: { protocol: 2 } },
  { name: "RESP3", options: { protocol: 3 } },
  { name: "RESP3 with mapped replies", options: { protocol: 3, replyMapping: "resp3" } },
];

export const MODES: readonly Mode[] = ioredisVersion === "6" ? MODES_OF_6 : [{ name: "RESP2", options: {} }];

/** One server for a test file, and clients that are closed with it. */
export interface TestRedis {
  readonly server: RedisServer;
  /** A client that knows nothing of frames. */
  readonly bare: Redis;
  open(options?: RedisOptions): Redis;
  openWrapped(rules: ValueCodecClientOptions, options?: RedisOptions): Redis;
  /** Has a client closed with the others: a duplicate, for example. */
  keep<C extends { disconnect(): void }>(client: C): C;
}

/**
 * Starts a server before the tests of a file and ends it, with all clients, after them.
 *
 * @param fill what the tests of the file find in Redis; hooks of a file are not awaited one after the other
 */
export function useRedis(startOptions: StartOptions = {}, fill?: (bare: Redis) => Promise<unknown>): TestRedis {
  let server: RedisServer | undefined;
  let bare: Redis | undefined;
  const clients: { disconnect(): void }[] = [];
  before(async () => {
    server = await startRedis(startOptions);
    bare = open();
    await fill?.(bare);
  });
  after(async () => {
    for (const client of clients) client.disconnect();
    await server?.stop();
  });
  const started = (): RedisServer => {
    if (server === undefined) throw new Error(NOT_STARTED);
    return server;
  };
  const keep = <C extends { disconnect(): void }>(client: C): C => {
    clients.push(client);
    return client;
  };
  // Typed as a client with legacy replies: the tests compare replies whole, whatever their type.
  const open = (options: RedisOptions = {}): Redis =>
    keep(new Redis(started().url, options as RedisOptions & { replyMapping?: "legacy" }));
  return {
    get server() {
      return started();
    },
    get bare() {
      if (bare === undefined) throw new Error(NOT_STARTED);
      return bare;
    },
    open,
    // Of rules in a variable of this type the values are not known; the tests say what they are.
    openWrapped: (rules, options) => withValueCodec(open(options), rules) as unknown as Redis,
    keep,
  };
}
