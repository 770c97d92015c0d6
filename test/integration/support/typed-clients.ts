type Names =
  | ("set" | "get" | "getBuffer" | "setex" | "setnx" | "getset" | "getdel" | "mset" | "mget" | "incr")
  | ("hset" | "hget" | "hmget" | "hgetall" | "hvals" | "hincrby" | "hsetnx" | "hscan")
  | ("rpush" | "lpush" | "lrange" | "lindex" | "lpop" | "lset" | "linsert" | "lrem" | "lpos" | "blpop" | "lmove")
  | ("xadd" | "xrange" | "xread" | "xreadgroup" | "xgroup" | "xautoclaim")
  | ("publish" | "spublish" | "eval" | "evalsha" | "fcall" | "call" | "callBuffer");

type Calls<R> = Readonly<Record<Names, (...args: unknown[]) => R>>;

/** A pipeline whose commands take any value. */
export interface LoosePipeline extends Calls<LoosePipeline> {
  exec(): Promise<[error: Error | null, result: unknown][] | null>;
}

/** A client whose commands take and return any value: the tests of values assert what comes back, whatever its type says. */
export interface LooseClient extends Calls<Promise<unknown>> {
  pipeline(batch?: readonly (readonly unknown[])[]): LoosePipeline;
  multi(batch?: readonly (readonly unknown[])[]): LoosePipeline;
}

export function loosen(client: object): LooseClient {
  return client as LooseClient;
}
