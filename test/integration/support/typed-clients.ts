import type { Redis } from "../../support/ioredis-versions.ts";

type Names =
  | ("set" | "get" | "getBuffer" | "setex" | "setnx" | "getset" | "getdel" | "mset" | "mget" | "incr")
  | ("hset" | "hget" | "hmget" | "hgetall" | "hvals" | "hincrby" | "hsetnx" | "hscan")
  | ("rpush" | "lpush" | "lrange" | "lindex" | "lpop" | "lset" | "linsert" | "lrem" | "lpos" | "blpop" | "lmove")
  | ("xadd" | "xrange" | "xread" | "xreadgroup" | "xgroup" | "xautoclaim")
  | ("publish" | "spublish" | "eval" | "evalsha" | "fcall" | "call" | "callBuffer");

type Calls<R> = Readonly<Record<Names, (...args: unknown[]) => R>>;

/** A pipeline whose commands take any value. */
export type LoosePipeline = Calls<LoosePipeline> & { exec(): Promise<[error: Error | null, result: unknown][] | null> };

/** A client whose commands take and return any value: the tests of values assert what comes back, whatever its type says. */
export type LooseClient = Calls<Promise<unknown>> & {
  pipeline(batch?: readonly (readonly unknown[])[]): LoosePipeline;
  multi(): LoosePipeline;
};

export function loosen(client: Pick<Redis, "sendCommand" | "pipeline">): LooseClient {
  return client as unknown as LooseClient;
}
