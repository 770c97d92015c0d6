import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { RedisOptions } from "ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { describeError, invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { reconnected } from "./support/connections.ts";
import { LONG, MEDIUM } from "./support/scripts.ts";

const redis = useRedis({}, async (bare) => bare.mset("plain:a", LONG, "plain:b", MEDIUM, "plain:queued", "QUEUED"));
const RULES = { prefixes: { "r:": {} } };

type Pipeline = ReturnType<Redis["pipeline"]>;

// The types of ioredis do not know the transactions inside pipelines that its README describes.
const begin = (queue: Pipeline): Pipeline => invoke(queue, "multi", []) as Pipeline;
const end = (queue: Pipeline): unknown => invoke(queue, "exec", []);

/** Uses of transactions whose replies must be those of a bare client. */
type Use = (client: Redis, k: (name: string) => string) => Promise<unknown> | readonly unknown[];

const USES: Readonly<Record<string, Use>> = {
  "multi({ pipeline: false }) around reads, the text QUEUED among them": (client, k) => [
    client.multi({ pipeline: false }),
    client.get(k("a")),
    client.get(k("queued")),
    client.mget(k("a"), k("queued"), k("b")),
    client.hgetall(k("none")),
    client.ping(),
    client.exec(),
    client.get(k("queued")),
  ],
  'call("MULTI") and call("EXEC")': (client, k) => [
    client.call("MULTI"),
    client.get(k("a")),
    client.call("GeT", k("b")),
    client.call("EXEC"),
    client.get(k("a")),
  ],
  "multi({ pipeline: false }) and callBuffer of EXEC": (client, k) => [
    client.multi({ pipeline: false }),
    client.get(k("a")),
    client.callBuffer("exec"),
  ],
  "a pipeline inside multi({ pipeline: false })": (client, k) => [
    client.multi({ pipeline: false }),
    client.get(k("a")),
    client.pipeline().get(k("b")).get(k("queued")).exec(),
    client.get(k("b")),
    client.exec(),
  ],
  "a transaction inside a pipeline": (client, k) => {
    const queue = client.pipeline().get(k("a"));
    begin(queue).set(k("new"), LONG).get(k("a")).get(k("queued")).hgetall(k("none"));
    end(queue);
    return [queue.get(k("b")).exec()];
  },
  "two transactions inside a pipeline": (client, k) => {
    const queue = client.pipeline();
    begin(queue).get(k("a"));
    end(queue);
    begin(queue).getBuffer(k("b"));
    end(queue);
    return [queue.exec()];
  },
  'call("multi") and call("EXEC") inside a pipeline': (client, k) => [
    client.pipeline().call("multi").get(k("a")).call("EXEC").get(k("b")).exec(),
    client.get(k("a")),
  ],
  "a nested MULTI, which the server refuses": (client, k) => [
    client.multi({ pipeline: false }),
    client.get(k("a")),
    client.multi({ pipeline: false }),
    client.get(k("b")),
    client.exec(),
  ],
  "multi().discard()": (client, k) => [
    client.multi({ pipeline: false }),
    client.set(k("a"), "discarded"),
    client.discard(),
    client.get(k("a")),
    client.multi({ pipeline: false }),
    client.get(k("b")),
    client.exec(),
  ],
  "RESET inside multi({ pipeline: false })": (client, k) => [
    client.multi({ pipeline: false }),
    client.get(k("a")),
    client.call("RESET"),
    client.get(k("queued")),
    client.get(k("b")),
  ],
  "EXEC without MULTI": (client, k) => [client.exec(), client.get(k("a"))],
  "a command that fails inside a transaction": (client, k) => [
    client.multi().get(k("a")).hget(k("a"), "f").get(k("b")).exec(),
    client.multi({ pipeline: false }),
    client.get(k("a")),
    client.hget(k("a"), "f"),
    client.get(k("b")),
    client.exec(),
  ],
  "a command that the server does not queue": (client, k) => [
    client.multi().get(k("a")).call("NOSUCH", "argument").exec(),
    client.multi({ pipeline: false }),
    client.get(k("a")),
    client.call("NOSUCH", "argument"),
    client.exec(),
    client.get(k("a")),
  ],
  "a watched key that changed": async (client, k) => {
    await client.watch(k("watched"));
    await redis.bare.incr(k("watched"));
    const first = await client.multi().get(k("a")).exec();
    await client.watch(k("watched"));
    await redis.bare.incr(k("watched"));
    const replies = [client.multi({ pipeline: false }), client.get(k("a")), client.exec()];
    return [first, await Promise.all(replies), await client.get(k("a"))];
  },
  "a watched key that did not change": async (client, k) => {
    await client.watch(k("a"));
    return [await client.multi().get(k("a")).exec(), await client.watch(k("a")), await client.unwatch()];
  },
  "an empty transaction": (client) => [client.multi().exec(), client.multi({ pipeline: false }), client.exec()],
  "a connection lost inside multi({ pipeline: false })": async (client, k) => {
    const before = await Promise.all([client.multi({ pipeline: false }), client.get(k("a"))]);
    await reconnected(client);
    const after = await Promise.allSettled([client.get(k("a")), client.get(k("queued")), client.exec(), client.get(k("b"))]);
    return [before, after.map((one) => (one.status === "fulfilled" ? one.value : describeError(one.reason)))];
  },
  "a connection lost inside multi({ pipeline: false }), with commands issued while it is down": async (client, k) => {
    const before = await Promise.all([client.multi({ pipeline: false }), client.get(k("a"))]);
    client.disconnect(true);
    const after = await Promise.allSettled([client.get(k("a")), client.get(k("queued")), client.exec(), client.get(k("b"))]);
    return [before, after.map((one) => (one.status === "fulfilled" ? one.value : describeError(one.reason)))];
  },
};

async function outcomesOf(use: Use, client: Redis, prefix: string): Promise<unknown> {
  await client.ping();
  const used = use(client, (name) => prefix + name);
  const settled = await Promise.allSettled(used instanceof Promise ? [used] : used);
  return settled.map((one) => (one.status === "fulfilled" ? one.value : describeError(one.reason)));
}

for (const mode of MODES) {
  suite(`transactions in ${mode.name}`, () => {
    for (const [name, use] of Object.entries(USES)) {
      test(`${name}: every reply is that of a bare client`, async () => {
        const options: RedisOptions = { ...mode.options, retryStrategy: () => 1 };
        const plain = redis.open(options);
        const wrapped = redis.openWrapped(RULES, options);
        await wrapped.mset("r:a", LONG, "r:b", MEDIUM, "r:queued", "QUEUED");
        const expected = await outcomesOf(use, plain, "plain:");
        assert.deepStrictEqual(await outcomesOf(use, wrapped, "r:"), expected);
        assert.deepStrictEqual(await outcomesOf(use, wrapped, "plain:"), expected);
        plain.disconnect();
        wrapped.disconnect();
      });
    }
  });
}
