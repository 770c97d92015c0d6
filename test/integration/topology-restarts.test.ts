import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { RedisOptions } from "ioredis";
import type { RedisServer } from "../support/redis.ts";
import { type TestRedis, useRedis } from "./support/clients.ts";
import { Load } from "./support/topology-load.ts";
import { KIND_RULES } from "./support/topology-values.ts";

// What is acknowledged is on disk.
const durable = useRedis({ args: ["--appendonly", "yes", "--appendfsync", "always"] });
const forgetful = useRedis();

const CRASHES = 5;
const DOWN_MS = 100;
const COMMANDS_BETWEEN = 800;
const RECONNECT: RedisOptions = { retryStrategy: () => 20, maxRetriesPerRequest: null };

/** What becomes of a command whose reply a crash has cost. */
const SETTINGS: Readonly<Record<string, RedisOptions>> = {
  "sent again": RECONNECT,
  "sent again, but for a few attempts only": { ...RECONNECT, maxRetriesPerRequest: 2 },
  // ioredis forgets it: only a time limit settles it.
  "not sent again": { ...RECONNECT, autoResendUnfulfilledCommands: false, commandTimeout: 1_000 },
};

function openLoad(redis: TestRedis, options: RedisOptions, lists: boolean): Load {
  const clients = [{}, { enableAutoPipelining: true }].map((more) => {
    const client = redis.openWrapped(KIND_RULES, { ...options, ...more });
    client.on("error", () => undefined);
    return { client, workers: 16 };
  });
  return new Load({ clients, seed: CRASHES, lists });
}

async function crash(server: RedisServer, load: Load): Promise<void> {
  await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
  await server.kill();
  await delay(DOWN_MS);
  await server.restart();
}

for (const [what, options] of Object.entries(SETTINGS)) {
  suite(`a server that crashes and restarts under load, its unanswered commands ${what}`, () => {
    test("every promise settles, every acknowledged write is on disk and equal, each value is framed once", async () => {
      await durable.bare.flushall();
      const load = openLoad(durable, options, true);
      await load.fill();
      load.start();
      for (let i = 0; i < CRASHES; i++) await crash(durable.server, load);
      await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
      await load.pause();
      // Where all is sent again, only the rest of a pipeline that was answered in part is given up.
      if (options !== RECONNECT) assert.ok(load.lost > 0, "crashes lost commands");
      await load.verify(durable.bare);
    });

    test("without persistence no wrong value is read, and what is acknowledged after the last restart is readable", async () => {
      await forgetful.bare.flushall();
      const load = openLoad(forgetful, options, false);
      await load.fill();
      load.model.durability = "everything may be lost";
      load.start();
      for (let i = 0; i < CRASHES; i++) await crash(forgetful.server, load);
      await load.pause();
      load.model.durability = "kept";
      await load.readAll();
      load.start();
      await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
      await load.pause();
      await load.verify(forgetful.bare);
    });
  });
}
