import { type RedisServer, startRedis } from "../../../scripts/redis-server.mjs";
import { mainThreadClock, type ThreadClock } from "../driver/usage.ts";
import { readPackageVersion } from "../machine.ts";
import type { Peer } from "../peers/peer.ts";
import { openPeers, PEERS } from "../peers/peers.ts";
import type { BenchCase, Suite, SuiteContext } from "../suite.ts";
import { caseNameOf, peersOf, REDIS_CELLS, type RedisCell } from "./redis-cells.ts";
import { type ComparisonEffort, comparePeers, QUICK_EFFORT } from "./redis-comparison.ts";
import { connectControl, whileServerRuns } from "./redis-facts.ts";

const WARM_UP_ROUNDS = 2;
const TURN_MS = 40;
const MIN_WINDOWS = 2;

/** Round trips to a real server: raw ioredis, Tightwire and what a user would take instead, interleaved. */
export const redisSuite: Suite = {
  name: "redis",
  needsServer: true,
  description: "SET, GET, MGET, HSET and HGETALL on a real server: raw ioredis, Tightwire, Valkey GLIDE, Keyv",
  listCases,
  run,
};

function listCases(): readonly BenchCase[] {
  return REDIS_CELLS.flatMap((cell) =>
    peersOf(cell).map((peer) => ({ name: caseNameOf(cell, peer), estimateMs: estimate(cell) })),
  );
}

/** A turn of a large value is longer than asked for: it cannot have less than two windows. */
function estimate({ rounds, sizeBytes, inFlight }: RedisCell): number {
  const leastMs = (MIN_WINDOWS * inFlight * sizeBytes) / 400_000;
  return Math.round((rounds + WARM_UP_ROUNDS + 3) * Math.max(TURN_MS, leastMs));
}

async function run(chosen: ReadonlySet<string>, context: SuiteContext): Promise<void> {
  const cells = REDIS_CELLS.map((cell) => ({ cell, cases: chooseCases(cell, chosen) })).filter(({ cases }) => cases.size > 0);
  if (cells.length === 0) return;
  const server = await startRedis();
  try {
    await runCells(cells, server, context);
  } finally {
    await server.stop();
  }
}

interface ChosenCell {
  readonly cell: RedisCell;
  readonly cases: ReadonlyMap<Peer, string>;
}

function chooseCases(cell: RedisCell, chosen: ReadonlySet<string>): ReadonlyMap<Peer, string> {
  const named = peersOf(cell).map((peer) => [peer, caseNameOf(cell, peer)] as const);
  return new Map(named.filter(([, name]) => chosen.has(name)));
}

async function runCells(cells: readonly ChosenCell[], server: RedisServer, context: SuiteContext): Promise<void> {
  await noteVersions(server, PEERS, context);
  notePeers(PEERS, context);
  const control = await connectControl(server.port);
  const peers = await openPeers(PEERS, server.port);
  try {
    await whileServerRuns(control, async () => {
      for (const { cell, cases } of cells) {
        if (context.signal.aborted) return;
        const effort = effortOf(cell, context.effort);
        await comparePeers({ workload: cell, peers, server, control, effort, cases, parameters: { suite: "redis" } }, context);
      }
    });
  } finally {
    await peers.close();
    control.disconnect();
  }
}

function effortOf({ rounds }: RedisCell, effort: SuiteContext["effort"]): ComparisonEffort {
  if (effort === "quick") return QUICK_EFFORT;
  return { rounds, warmUpRounds: WARM_UP_ROUNDS, turnMs: TURN_MS, minWindows: MIN_WINDOWS };
}

const CLOCKS: Readonly<Record<ThreadClock["name"], string>> = {
  "thread-cpu": "what the thread ran on a processor",
  "event-loop": "what the event loop did not wait",
};

/** Notes what each peer does otherwise, and how the main thread's time is told. */
export function notePeers(peers: readonly Peer[], context: SuiteContext): void {
  for (const difference of new Set(peers.map((peer) => peer.difference))) {
    const names = peers.filter((peer) => peer.difference === difference).map(({ name }) => name);
    context.note(`${names.join(", ")}: ${difference}`);
  }
  context.note(`Main thread: ${CLOCKS[mainThreadClock()]}`);
}

/** Notes the server and every installed package that the numbers depend on. */
export async function noteVersions(server: RedisServer, peers: readonly Peer[], context: SuiteContext): Promise<void> {
  const information = String(await server.command("INFO", "server"));
  context.noteVersion("redis-server", /^redis_version:(\S+)/m.exec(information)?.[1] ?? "unknown");
  for (const name of new Set(peers.flatMap(({ packages }) => packages))) {
    const version = readPackageVersion(name);
    if (version !== undefined) context.noteVersion(name, version);
  }
}
