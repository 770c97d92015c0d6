import type { Redis } from "ioredis";
import type { RedisServer } from "../../../scripts/redis-server.mjs";
import { runClosedLoop } from "../driver/closed-loop.ts";
import { collectGarbage } from "../driver/garbage.ts";
import { chooseOperations, measureTurn, type TurnSample } from "../driver/turn.ts";
import { type Arm, runRounds } from "../interleave.ts";
import { rawPeer } from "../peers/ioredis.ts";
import type { Content, Peer } from "../peers/peer.ts";
import type { OpenPeer, OpenPeers } from "../peers/peers.ts";
import type { CaseResult, Metric } from "../results.ts";
import { createMetric, roundTo } from "../statistics.ts";
import type { SuiteContext } from "../suite.ts";
import { countWireBytes, readHeldFacts, type WireBytes } from "./redis-facts.ts";
import { createContent, createPeerWork, type Workload } from "./redis-workload.ts";

// One workload, run by several peers in one interleaved run; used with and without a simulated link.

/** How thoroughly a workload is measured. */
export interface ComparisonEffort {
  readonly rounds: number;
  readonly warmUpRounds: number;
  /** How long the turn of each peer is. */
  readonly turnMs: number;
  /** A turn has at least so many times as many operations as are in flight. */
  readonly minWindows: number;
}

/** The effort of a quick run: everything happens, briefly. */
export const QUICK_EFFORT: ComparisonEffort = { rounds: 1, warmUpRounds: 0, turnMs: 0, minWindows: 1 };

const MAX_OPERATIONS = 20_000;
const BYTE_DIGITS = 1;

export interface Comparison {
  readonly workload: Workload;
  readonly peers: OpenPeers;
  readonly server: RedisServer;
  readonly control: Redis;
  readonly effort: ComparisonEffort;
  /** Chosen peers, with the names of their cases. Raw ioredis runs beside them in any case. */
  readonly cases: ReadonlyMap<Peer, string>;
  /** Added to the parameters of each case. */
  readonly parameters: CaseResult["parameters"];
  /** Wraps each turn, to measure what else happens meanwhile; it is told the bytes of one operation. */
  readonly wrapTurn?: (takeTurn: () => Promise<TurnSample>, wire: WireBytes) => Promise<TurnSample>;
  /** Facts that follow from what was measured. */
  readonly conclude?: (samples: readonly TurnSample[]) => CaseResult["facts"];
}

/** A peer that is ready to take turns. */
interface Contestant {
  readonly peer: Peer;
  readonly facts: CaseResult["facts"];
  readonly arm: Arm<TurnSample>;
}

/** Runs a workload by each chosen peer; each of the cases ends as recorded, skipped or failed. */
export async function comparePeers(comparison: Comparison, context: SuiteContext): Promise<void> {
  const { peers, cases, control, effort } = comparison;
  for (const [peer, name] of cases) reportAbsent(peer, name, peers, context);
  await control.flushall();
  const contestants = await prepareContestants(comparison, context);
  collectGarbage();
  const settings = { rounds: effort.rounds, warmUpRounds: effort.warmUpRounds, signal: context.signal };
  const outcomes = await runRounds(
    contestants.map(({ arm }) => arm),
    settings,
  );
  if (context.signal.aborted) return;
  const raw = outcomes[contestants.findIndex(({ peer }) => peer === rawPeer)];
  for (const [index, contestant] of contestants.entries()) {
    const name = cases.get(contestant.peer);
    const outcome = outcomes[index];
    if (name === undefined || outcome === undefined) continue;
    if (outcome.failure !== undefined) context.fail(name, outcome.failure);
    else if (raw === undefined || raw.failure !== undefined)
      context.fail(name, new Error("raw ioredis failed: nothing to compare with"));
    else context.record(createResult(name, comparison, contestant, outcome.samples, raw.samples));
  }
}

function reportAbsent(peer: Peer, name: string, { unavailable, failed }: OpenPeers, context: SuiteContext): void {
  const reason = unavailable.get(peer);
  if (reason !== undefined) context.fail(name, reason);
  if (failed.has(peer)) context.fail(name, failed.get(peer));
}

async function prepareContestants(comparison: Comparison, context: SuiteContext): Promise<Contestant[]> {
  const content = createContent(comparison.workload);
  const contestants: Contestant[] = [];
  for (const open of comparison.peers.open) {
    const name = comparison.cases.get(open.peer);
    if (name === undefined && open.peer !== rawPeer) continue;
    try {
      contestants.push(await prepareContestant(open, content, comparison));
    } catch (error) {
      if (name !== undefined) context.fail(name, error);
    }
  }
  return contestants;
}

/** Verifies, counts bytes, and chooses how long a turn is. */
async function prepareContestant(open: OpenPeer, content: Content, comparison: Comparison): Promise<Contestant> {
  const { workload, server, control, effort } = comparison;
  const { peer } = open;
  const work = createPeerWork(open, workload, content);
  await work.verify();
  const held = await readHeldFacts(control, peer, work.keys[0] ?? "", workload);
  const sample = { operations: workload.inFlight, inFlight: workload.inFlight, style: workload.style };
  const total = await countWireBytes(server, () => runClosedLoop(work, sample));
  const wire = { toServer: total.toServer / sample.operations, toClient: total.toClient / sample.operations };
  const operations = await chooseOperations(work, workload, { ...effort, maxOperations: MAX_OPERATIONS });
  const facts = {
    ...held,
    wireBytes: roundTo(wire.toServer + wire.toClient, BYTE_DIGITS),
  };
  const takeTurn = (): Promise<TurnSample> => measureTurn(work, { ...sample, operations });
  const { wrapTurn } = comparison;
  const arm = { name: peer.name, takeTurn: wrapTurn === undefined ? takeTurn : () => wrapTurn(takeTurn, wire) };
  return { peer, facts, arm };
}

function createResult(
  name: string,
  { workload, parameters, conclude }: Comparison,
  contestant: Contestant,
  samples: readonly TurnSample[],
  raw: readonly TurnSample[],
): CaseResult {
  return {
    name,
    parameters: {
      operation: workload.operation,
      corpus: workload.corpus.name,
      sizeBytes: workload.sizeBytes,
      inFlight: workload.inFlight,
      style: workload.style,
      peer: contestant.peer.product,
      codec: contestant.peer.codec,
      ...parameters,
    },
    metrics: createMetrics(samples, raw),
    facts: { ...contestant.facts, ...conclude?.(samples) },
  };
}

function createMetrics(samples: readonly TurnSample[], raw: readonly TurnSample[]): CaseResult["metrics"] {
  type Quantity = Exclude<keyof TurnSample, "shares">;
  const take = (unit: string, key: Quantity): Metric =>
    createMetric(
      unit,
      samples.map((sample) => sample[key]),
    );
  // Within each round, so that what slows the machine down slows both.
  const ratios = samples.map(({ opsPerSecond }, round) => opsPerSecond / (raw[round]?.opsPerSecond ?? Number.NaN));
  return {
    opsPerSecond: take("ops/s", "opsPerSecond"),
    ratioToRaw: createMetric("ratio", ratios),
    p50Us: take("µs", "p50Us"),
    p99Us: take("µs", "p99Us"),
    cpuUs: take("µs", "cpuUs"),
    mainThreadUs: take("µs", "mainThreadUs"),
  };
}
