import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { withValueCodec } from "@tightwire/ioredis";
import type { SentinelAddress } from "ioredis";
import { Redis } from "../support/ioredis-versions.ts";
import { type SentinelGroup, startSentinel } from "../support/sentinel.ts";
import { waitUntilCaughtUp } from "./support/topology-cuts.ts";
import { Load } from "./support/topology-load.ts";
import { KIND_RULES } from "./support/topology-values.ts";

const COMMANDS_BETWEEN = 1_000;

suite("a wrapped client of a Sentinel group", () => {
  let group: SentinelGroup;
  const clients: Redis[] = [];
  before(async () => {
    group = await startSentinel({ sentinels: 3 });
  });
  after(async () => {
    for (const client of clients) client.disconnect();
    await group?.stop();
  });

  function open(options: { enableAutoPipelining?: boolean } = {}): Redis {
    const client = new Redis({
      ...options,
      sentinels: group.sentinels as SentinelAddress[],
      name: group.name,
      retryStrategy: () => 50,
      sentinelRetryStrategy: () => 50,
      maxRetriesPerRequest: null,
    });
    client.on("error", () => undefined);
    clients.push(client);
    return client;
  }

  async function assertSurvives(change: () => Promise<void>): Promise<void> {
    const bare = open();
    await bare.flushall();
    const wrapped = [open(), open({ enableAutoPipelining: true })];
    for (const client of wrapped) withValueCodec(client, KIND_RULES);
    const load = new Load({ clients: wrapped.map((client) => ({ client, workers: 16 })), seed: 1, lists: false });
    await load.fill();
    const old = await group.master();
    await waitUntilCaughtUp(old, await group.replica());
    // From here on a replica may lag behind: what the old master acknowledges last may be gone, but no value may be wrong.
    load.model.durability = "late writes may be lost";
    load.start();
    await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
    await change();
    await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
    await load.pause();
    assert.notEqual(await group.master(), old);
    load.model.durability = "kept";
    await load.readAll();
    load.start();
    await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
    await load.pause();
    await load.verify(bare);
  }

  test("goes on through a failover under load: every promise settles, no value is wrong, later writes are kept", () =>
    assertSurvives(() => group.failover()));

  test("goes on when the master is killed under load: every promise settles, no value is wrong, later writes are kept", () =>
    assertSurvives(() => group.replaceMaster()));
});
