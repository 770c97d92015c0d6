import { after, before } from "node:test";
import { createCodecClasses, type ValueCodecClientOptions, withValueCodec } from "@tightwire/ioredis";
import { Cluster, Redis, type RedisOptions } from "ioredis";
import { ioredisVersion, Cluster as OtherCluster, Redis as OtherRedis } from "../../support/ioredis-versions.ts";
import { type RedisServer, startRedis } from "../../support/redis.ts";

/** The classes of one copy of ioredis. */
export interface Ioredis {
  readonly name: string;
  readonly Redis: typeof Redis;
  readonly Cluster: typeof Cluster;
}

/** The copy that the libraries of this folder import, where they import one. */
export const OWN_IOREDIS: Ioredis = { name: "ioredis 5", Redis, Cluster };

/** The copy under test in the other folders, typed as the copy above: the libraries take either. */
export const OTHER_IOREDIS: Ioredis = {
  name: `ioredis ${ioredisVersion}`,
  Redis: OtherRedis,
  Cluster: OtherCluster,
} as unknown as Ioredis;

/** A copy of ioredis, and how its clients are wrapped. */
export interface Way {
  readonly name: string;
  readonly ioredis: Ioredis;
  /** The class that a library would be given: a codec class, or one whose clients are wrapped one by one. */
  open(url: string, rules: ValueCodecClientOptions, options: RedisOptions): Redis;
}

/** Both ways to wrap the clients of one copy of ioredis. */
export function waysToWrap(ioredis: Ioredis): readonly Way[] {
  // Rules that are not known to the compiler may hold a serializer; none of these libraries is typed for that.
  return [
    {
      name: `a wrapped client of ${ioredis.name}`,
      ioredis,
      open: (url, rules, options) => withValueCodec(new ioredis.Redis(url, options), rules) as unknown as Redis,
    },
    {
      name: `a codec class of ${ioredis.name}`,
      ioredis,
      open: (url, rules, options) =>
        new (createCodecClasses({ Redis: ioredis.Redis }, rules).Redis)(url, options) as unknown as Redis,
    },
  ];
}

/** Every copy of ioredis with both ways to wrap its clients. */
export const WAYS: readonly Way[] = [OWN_IOREDIS, OTHER_IOREDIS].flatMap(waysToWrap);

/** One server for a test file, and clients that are closed with it. */
export interface TestRedis {
  readonly server: RedisServer;
  /** A client that knows nothing of frames, of a copy of ioredis that no instrumentation patches. */
  readonly bare: Redis;
  open(way: Way, rules: ValueCodecClientOptions, options?: RedisOptions): Redis;
  /** Has a client closed with the others. */
  keep<C extends { disconnect(): void }>(client: C): C;
  /** Ends what a library has opened, before the clients are closed. */
  onEnd(end: () => unknown): void;
}

/** Starts a server before the tests of a file and ends it, with all clients, after them. */
export function useRedis(): TestRedis {
  let server: RedisServer | undefined;
  let bare: Redis | undefined;
  const clients: { disconnect(): void }[] = [];
  const ends: (() => unknown)[] = [];
  before(async () => {
    server = await startRedis();
    bare = keep(new OTHER_IOREDIS.Redis(server.url));
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
    for (const client of clients) client.disconnect();
    await server?.stop();
  });
  const keep = <C extends { disconnect(): void }>(client: C): C => {
    clients.push(client);
    return client;
  };
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error("the server is started before the first test, not earlier");
    return value;
  };
  return {
    get server() {
      return started(server);
    },
    get bare() {
      return started(bare);
    },
    open: (way, rules, options = {}) => keep(way.open(started(server).url, rules, options)),
    keep,
    onEnd: (end) => ends.push(end),
  };
}
