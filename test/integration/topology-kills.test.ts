import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { RedisOptions } from "ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { useRedis } from "./support/clients.ts";
import { cutConnection } from "./support/topology-cuts.ts";
import { Load } from "./support/topology-load.ts";
import type { LoadStyle } from "./support/topology-senders.ts";
import { createRandom, KIND_RULES, pick } from "./support/topology-values.ts";

const redis = useRedis();

const COMMANDS = 100_000;
const KILLS = 50;
const PAUSE_MS = 20;

const RECONNECT: RedisOptions = { retryStrategy: () => PAUSE_MS, maxRetriesPerRequest: null };
/** Without resending ioredis forgets what was lost with a connection: only a time limit settles it. */
const NO_RESEND: RedisOptions = { ...RECONNECT, autoResendUnfulfilledCommands: false, commandTimeout: 1_000 };
/** Clients of many workers. */
const SHARED: readonly RedisOptions[] = [
  RECONNECT,
  { ...RECONNECT, protocol: 2 },
  { ...RECONNECT, enableAutoPipelining: true },
  NO_RESEND,
];
/** Clients of one worker, in whose transactions nobody else's commands get. */
const OWN: readonly RedisOptions[] = [RECONNECT, { ...RECONNECT, protocol: 2 }];
const OPEN_TRANSACTIONS: readonly LoadStyle[] = ["open transaction"];

suite(`${COMMANDS.toLocaleString("en")} mixed commands while ${KILLS} connections are killed`, () => {
  test("every promise settles, every acknowledged write is readable and equal, each value is framed once", async (t) => {
    const seed = Date.now() % 1_000_000_007;
    t.diagnostic(`seed ${seed}`);
    const loadClients = [
      ...SHARED.map((options) => ({ client: redis.openWrapped(KIND_RULES, options), workers: 16 })),
      ...OWN.map((options) => ({ client: redis.openWrapped(KIND_RULES, options), workers: 1, styles: OPEN_TRANSACTIONS })),
    ];
    const clients = loadClients.map(({ client }) => client);
    let closed = 0;
    for (const client of clients) client.on("close", () => closed++).on("error", () => undefined);
    const load = new Load({ clients: loadClients, seed });
    await load.fill();
    load.start();
    const inFlight = await killConnections(load, clients, seed);
    await load.waitForSettled(COMMANDS);
    await load.pause();
    assert.ok(load.settled >= COMMANDS);
    assert.equal(closed, KILLS);
    t.diagnostic(`${load.settled} commands settled, ${inFlight} were in flight when killed, ${load.lost} were rejected`);
    assert.ok(inFlight >= KILLS, "kills hit commands in flight");
    assert.ok(load.lost > 0, "kills lost commands");
    await load.verify(redis.bare);
    for (const client of clients) client.disconnect();
  });
});

/** Kills connections at equal distances over the load. */
async function killConnections(load: Load, clients: readonly Redis[], seed: number): Promise<number> {
  const random = createRandom(seed);
  let inFlight = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const at = (kill * COMMANDS) / (KILLS + 1);
    await load.waitForSettled(at);
    if (load.ended) break;
    inFlight += await cutConnection(pick(random, clients), redis.bare, pick(random, ["by the server", "by the client"]));
  }
  return inFlight;
}
