import { once } from "node:events";
import { suite, test } from "node:test";
import type { RedisOptions } from "ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { STYLES } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { compareWithBare, RULES, scriptsFor } from "./support/comparison.ts";

// Hash tables from the first field on: a listpack keeps its fields in another order, and frames decide which of the two a hash is.
const redis = useRedis({ args: ["--hash-max-listpack-entries", "0"] });

interface Lifecycle {
  /** Makes a wrapped client in the state that the suite is about. */
  readonly prepare: (options: RedisOptions) => Promise<Redis> | Redis;
  /** The state ends with the first commands. */
  readonly once?: boolean;
  readonly skips?: string;
}

async function connected(client: Redis, event: "connect" | "ready"): Promise<Redis> {
  await once(client, event);
  return client;
}

async function reconnected(client: Redis): Promise<Redis> {
  await connected(client, "ready");
  client.disconnect(true);
  return connected(client, "ready");
}

const LIFECYCLES: Readonly<Record<string, Lifecycle>> = {
  "before a lazy client connects": {
    prepare: (options) => redis.openWrapped(RULES, { ...options, lazyConnect: true }),
    once: true,
  },
  "between connect and ready": {
    prepare: (options) => connected(redis.openWrapped(RULES, options), "connect"),
    once: true,
    // ioredis 5 then sends MULTI at once and keeps what follows it back.
    skips: "multi({",
  },
  "after a reconnect": {
    prepare: (options) => reconnected(redis.openWrapped(RULES, { ...options, retryStrategy: () => 1 })),
  },
  "on a duplicate": {
    prepare: (options) => connected(redis.keep(redis.openWrapped(RULES, options).duplicate()), "ready"),
  },
  "on a duplicate of a duplicate with other options": {
    prepare: (options) => redis.keep(redis.keep(redis.openWrapped(RULES, options).duplicate()).duplicate({ lazyConnect: true })),
  },
};

function testStyle(name: string, { prepare, once: oneScript }: Lifecycle, options: RedisOptions): void {
  const style = STYLES[name];
  test(`${name}: replies are those of a bare client, and Redis holds frames where they are due`, async () => {
    if (style === undefined) throw new Error(`no style ${name}`);
    const plain = await connected(redis.open(options), "ready");
    let wrapped = await prepare(options);
    for (const [i, script] of scriptsFor(name).entries()) {
      if (oneScript && i > 0) wrapped = await prepare(options);
      await compareWithBare(redis, style, wrapped, plain, script);
      if (oneScript) wrapped.disconnect();
    }
    wrapped.disconnect();
    plain.disconnect();
  });
}

for (const mode of MODES) {
  for (const [state, lifecycle] of Object.entries(LIFECYCLES)) {
    suite(`commands in ${mode.name} ${state}`, () => {
      for (const name of Object.keys(STYLES)) {
        if (lifecycle.skips === undefined || !name.startsWith(lifecycle.skips)) testStyle(name, lifecycle, mode.options);
      }
    });
  }
}
