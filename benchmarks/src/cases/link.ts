import type { Redis } from "ioredis";
import { type RedisServer, startRedis } from "../../../scripts/redis-server.mjs";
import type { TurnSample } from "../driver/turn.ts";
import { type Calibration, calibrate } from "../link/calibration.ts";
import { type LinkProxy, startLinkProxy } from "../link/proxy.ts";
import type { Peer } from "../peers/peer.ts";
import { type OpenPeers, openPeers } from "../peers/peers.ts";
import type { CaseResult } from "../results.ts";
import { median, roundTo } from "../statistics.ts";
import type { BenchCase, Suite, SuiteContext } from "../suite.ts";
import { BREAK_EVEN_CASES, runBreakEven } from "./link-break-even.ts";
import { LINK_CELLS, LINK_PEERS, LINKS, type LinkCell, type NamedLink } from "./link-cells.ts";
import { notePeers, noteVersions } from "./redis.ts";
import { caseNameOf, peersOf } from "./redis-cells.ts";
import { type ComparisonEffort, comparePeers, QUICK_EFFORT } from "./redis-comparison.ts";
import { connectControl, type WireBytes, whileServerRuns } from "./redis-facts.ts";

const WARM_UP_ROUNDS = 1;
const TURN_MS = 40;
const MIN_WINDOWS = 2;
const BITS_OF_MEGABIT = 1_000_000;

/** The same over slow links, which a proxy in its own process simulates, and the speed at which a codec breaks even. */
export const linkSuite: Suite = {
  name: "link",
  needsServer: true,
  description: "SET and GET over simulated links of 100 Mbit/s to 10 Gbit/s, and the link speed at which each codec breaks even",
  listCases: () => [...BREAK_EVEN_CASES, ...LINK_CELLS.flatMap(listCell)],
  run,
};

function listCell(cell: LinkCell): readonly BenchCase[] {
  const leastMs = (MIN_WINDOWS * cell.inFlight * cell.sizeBytes * 8_000) / cell.link.bitsPerSecond;
  const estimateMs = Math.round((cell.rounds + WARM_UP_ROUNDS + 3) * Math.max(TURN_MS, leastMs));
  return peersOf(cell, LINK_PEERS).map((peer) => ({ name: caseNameOf(cell, peer), estimateMs }));
}

async function run(chosen: ReadonlySet<string>, context: SuiteContext): Promise<void> {
  await runBreakEven(chosen, context);
  const cells = LINK_CELLS.map((cell) => ({ cell, cases: chooseCases(cell, chosen) })).filter(({ cases }) => cases.size > 0);
  if (cells.length === 0 || context.signal.aborted) return;
  const server = await startRedis();
  try {
    await noteVersions(server, LINK_PEERS, context);
    notePeers(LINK_PEERS, context);
    for (const link of LINKS) {
      await runLink(
        link,
        cells.filter(({ cell }) => cell.link === link),
        server,
        context,
      );
    }
  } finally {
    await server.stop();
  }
}

interface ChosenCell {
  readonly cell: LinkCell;
  readonly cases: ReadonlyMap<Peer, string>;
}

function chooseCases(cell: LinkCell, chosen: ReadonlySet<string>): ReadonlyMap<Peer, string> {
  const named = peersOf(cell, LINK_PEERS).map((peer) => [peer, caseNameOf(cell, peer)] as const);
  return new Map(named.filter(([, name]) => chosen.has(name)));
}

async function runLink(link: NamedLink, cells: readonly ChosenCell[], server: RedisServer, context: SuiteContext): Promise<void> {
  if (cells.length === 0 || context.signal.aborted) return;
  const proxy = await startLinkProxy({ ...link, targetPort: server.port });
  try {
    const calibration = await calibrate(proxy.port, calibrationSize(link, context.effort));
    context.note(describeCalibration(link, calibration));
    const peers = await openPeers(LINK_PEERS, proxy.port);
    try {
      await runCells(cells, { link, proxy, calibration, peers, server }, context);
    } finally {
      await peers.close();
    }
  } finally {
    await proxy.stop();
  }
}

function describeCalibration({ name }: NamedLink, calibration: Calibration): string {
  const { toServerBitsPerSecond, toClientBitsPerSecond, roundTripUs } = calibration;
  const [up, down] = [toServerBitsPerSecond, toClientBitsPerSecond].map((speed) => Math.round(speed / BITS_OF_MEGABIT));
  return `${name} as measured: ${up} Mbit/s to the server, ${down} Mbit/s back, ${Math.round(roundTripUs)} µs for a PING`;
}

/** A quarter of a second of the link. */
function calibrationSize({ bitsPerSecond }: NamedLink, effort: SuiteContext["effort"]): { bytes: number; pings: number } {
  const seconds = effort === "quick" ? 0.05 : 0.25;
  return { bytes: Math.floor(Math.min(64_000_000, (bitsPerSecond / 8) * seconds)), pings: effort === "quick" ? 20 : 200 };
}

/** A link in use. */
interface OpenLink {
  readonly link: NamedLink;
  readonly proxy: LinkProxy;
  readonly calibration: Calibration;
  readonly peers: OpenPeers;
  readonly server: RedisServer;
}

async function runCells(cells: readonly ChosenCell[], open: OpenLink, context: SuiteContext): Promise<void> {
  const control = await connectControl(open.server.port);
  try {
    await whileServerRuns(control, () => compareCells(cells, open, control, context));
  } finally {
    control.disconnect();
  }
}

async function compareCells(
  cells: readonly ChosenCell[],
  { link, proxy, calibration, peers, server }: OpenLink,
  control: Redis,
  context: SuiteContext,
): Promise<void> {
  for (const { cell, cases } of cells) {
    if (context.signal.aborted) return;
    const comparison = {
      ...{ workload: cell, peers, server, control, cases, effort: effortOf(cell, context.effort) },
      parameters: { suite: "link", link: link.name, weight: cell.weight },
      wrapTurn: (takeTurn: () => Promise<TurnSample>, wire: WireBytes) => watchTurn(takeTurn, wire, link, proxy),
      conclude: (samples: readonly TurnSample[]) => describeUse(samples, link, calibration),
    };
    await comparePeers(comparison, context);
  }
}

function effortOf({ rounds, inFlight }: LinkCell, effort: SuiteContext["effort"]): ComparisonEffort {
  if (effort === "quick") return QUICK_EFFORT;
  return { rounds, warmUpRounds: WARM_UP_ROUNDS, turnMs: TURN_MS, minWindows: inFlight > MIN_WINDOWS ? MIN_WINDOWS : 1 };
}

/** Adds how much of the link's speed was used, in its busier direction, and how busy the proxy and our main thread were. */
async function watchTurn(
  takeTurn: () => Promise<TurnSample>,
  wire: WireBytes,
  link: NamedLink,
  proxy: LinkProxy,
): Promise<TurnSample> {
  const before = await proxy.readUsage();
  const sample = await takeTurn();
  const after = await proxy.readUsage();
  const bytes = Math.max(wire.toServer, wire.toClient);
  const shares: Shares = {
    linkUse: (sample.opsPerSecond * bytes * 8) / link.bitsPerSecond,
    proxyBusy: (after.cpuUs - before.cpuUs) / sample.wallUs,
    mainThreadBusy: (sample.mainThreadUs * sample.opsPerSecond) / 1_000_000,
  };
  return { ...sample, shares };
}

/** Shares of 1: of the link's speed, and of a processor's time. */
export type Shares = Readonly<Record<"linkUse" | "proxyBusy" | "mainThreadBusy", number>>;

const SHARE_DIGITS = 3;

function describeUse(samples: readonly TurnSample[], link: NamedLink, calibration: Calibration): CaseResult["facts"] {
  const middle = (name: keyof Shares): number => median(samples.map(({ shares }) => shares?.[name] ?? Number.NaN));
  const shares = { linkUse: middle("linkUse"), proxyBusy: middle("proxyBusy"), mainThreadBusy: middle("mainThreadBusy") };
  return { linkUse: roundTo(shares.linkUse, SHARE_DIGITS), boundBy: findBound(shares, link, calibration) };
}

const NEARLY_ALL = 0.8;

/**
 * What a case was bound by. A proxy that carries clearly less than its link should, as calibration shows, is itself the limit of whatever
 * uses all of it: such a case tells nothing about the link.
 */
export function findBound(
  { linkUse, proxyBusy, mainThreadBusy }: Shares,
  { bitsPerSecond }: Pick<NamedLink, "bitsPerSecond">,
  { toServerBitsPerSecond, toClientBitsPerSecond }: Calibration,
): "link" | "proxy" | "client" | "round trips" {
  const carried = Math.min(toServerBitsPerSecond, toClientBitsPerSecond) / bitsPerSecond;
  if (linkUse >= NEARLY_ALL * Math.min(1, carried)) return carried < NEARLY_ALL ? "proxy" : "link";
  if (proxyBusy >= NEARLY_ALL) return "proxy";
  return mainThreadBusy >= NEARLY_ALL ? "client" : "round trips";
}
