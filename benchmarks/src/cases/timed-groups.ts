import { isInterrupted, takeTurns } from "../interleave.ts";
import { createMeter, type Measurement, type Meter, roundsOf } from "../measure.ts";
import type { CaseResult } from "../results.ts";
import { createMetric } from "../statistics.ts";
import type { SuiteContext } from "../suite.ts";

/** A call whose results were found right, ready to be timed. */
export interface PreparedCall {
  readonly call: () => unknown;
  /** Bytes of content that one call goes through. */
  readonly contentBytes: number;
  /** Values that one call goes through, where it is more than one. @default 1 */
  readonly values?: number;
  readonly facts: CaseResult["facts"];
}

/** A case of a group. */
export interface TimedCase {
  readonly name: string;
  readonly parameters: CaseResult["parameters"];
  /** Sets up and checks; what it throws is the failure of this case. */
  prepare(): PreparedCall;
}

interface RunningCase {
  readonly timed: TimedCase;
  readonly prepared: PreparedCall;
  readonly meter: Meter;
}

const BYTES_PER_MIB = 1_048_576;
const NS_PER_SECOND = 1e9;

/** Runs groups one after the other. Within a group cases take turns, round by round; a case that throws leaves the others alone. */
export async function runTimedGroups(
  groups: readonly (readonly TimedCase[])[],
  chosen: ReadonlySet<string>,
  context: SuiteContext,
): Promise<void> {
  const parts = groups.map((group) => group.filter(({ name }) => chosen.has(name))).filter((group) => group.length > 0);
  for (const [done, group] of parts.entries()) {
    if (await isInterrupted(context.signal)) return;
    await runGroup(group, context, createRoundProgress(context, done, parts.length));
  }
}

/** Tells of each round of one of so many groups how much of the whole run is done before it. */
export function createRoundProgress(context: SuiteContext, done: number, groups: number): (round: number) => void {
  const rounds = roundsOf(context);
  return (round) => context.progress?.((done + round / rounds) / groups, `round ${round + 1} of ${rounds}`);
}

async function runGroup(group: readonly TimedCase[], context: SuiteContext, onRound: (round: number) => void): Promise<void> {
  const running = new Set<RunningCase>();
  for (const timed of group) {
    if (await isInterrupted(context.signal)) return;
    const started = attempt(timed, context, () => startCase(timed, context));
    if (started !== undefined) running.add(started);
  }
  await takeTurns({
    running,
    rounds: roundsOf(context),
    signal: context.signal,
    take: ({ meter }) => meter.round(),
    fail: ({ timed }, error) => context.fail(timed.name, error),
    onRound,
  });
  for (const { timed, prepared, meter } of running) {
    if (await isInterrupted(context.signal)) return;
    const result = attempt(timed, context, () => createResult(timed, prepared, meter.finish()));
    if (result !== undefined) context.record(result);
  }
}

function attempt<T>({ name }: TimedCase, context: SuiteContext, step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    context.fail(name, error);
    return undefined;
  }
}

function startCase(timed: TimedCase, context: SuiteContext): RunningCase {
  const prepared = timed.prepare();
  return { timed, prepared, meter: createMeter(prepared.call, context) };
}

function createResult({ name, parameters }: TimedCase, prepared: PreparedCall, measured: Measurement): CaseResult {
  const { contentBytes, values = 1, facts } = prepared;
  const divide = (samples: readonly number[]): number[] => samples.map((sample) => sample / values);
  const mibPerSecond = measured.ns.samples.map((ns) => ((contentBytes / BYTES_PER_MIB) * NS_PER_SECOND) / ns);
  return {
    name,
    parameters,
    metrics: {
      ns: createMetric("ns", divide(measured.ns.samples)),
      mibPerSecond: createMetric("MiB/s", mibPerSecond),
      heapBytes: createMetric("B", divide(measured.heapBytes.samples)),
      externalBytes: createMetric("B", divide(measured.externalBytes.samples)),
    },
    facts,
  };
}
