import { isInterrupted, takeTurns } from "../interleave.ts";
import { createMeter, type Measurement, type MeasureOptions, type Meter, type Pace, roundsOf } from "../measure.ts";
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
  /** Another case of the group, whose time its own is divided by in each round, and what that metric is called. */
  readonly ratio?: { readonly metric: string; readonly to: string };
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

/**
 * Runs groups one after the other. Within a group cases take turns, round by round; a case that throws leaves the others alone. What a
 * chosen case is compared with runs beside it, chosen or not.
 */
export async function runTimedGroups(
  groups: readonly (readonly TimedCase[])[],
  chosen: ReadonlySet<string>,
  context: SuiteContext,
  pace: Pace = "usual",
): Promise<void> {
  const parts = groups.map((group) => chooseCases(group, chosen)).filter((group) => group.length > 0);
  const options = { effort: context.effort, pace };
  for (const [done, group] of parts.entries()) {
    if (await isInterrupted(context.signal)) return;
    await runGroup(group, { context, chosen, options, onRound: createRoundProgress(context, done, parts.length, options) });
  }
}

function chooseCases(group: readonly TimedCase[], chosen: ReadonlySet<string>): readonly TimedCase[] {
  const own = group.filter(({ name }) => chosen.has(name));
  const compared = new Set(own.map(({ ratio }) => ratio?.to));
  return group.filter(({ name }) => chosen.has(name) || compared.has(name));
}

/** Tells of each round of one of so many groups how much of the whole run is done before it. */
export function createRoundProgress(
  context: SuiteContext,
  done: number,
  groups: number,
  options: MeasureOptions = context,
): (round: number) => void {
  const rounds = roundsOf(options);
  return (round) => context.progress?.((done + round / rounds) / groups, `round ${round + 1} of ${rounds}`);
}

interface GroupRun {
  readonly context: SuiteContext;
  readonly chosen: ReadonlySet<string>;
  readonly options: MeasureOptions;
  onRound(round: number): void;
}

async function runGroup(group: readonly TimedCase[], run: GroupRun): Promise<void> {
  const { context, options, onRound } = run;
  const { signal } = context;
  const running = new Set<RunningCase>();
  for (const timed of group) {
    if (await isInterrupted(signal)) return;
    const started = attempt(timed, run, () => startCase(timed, options));
    if (started !== undefined) running.add(started);
  }
  await takeTurns({
    running,
    rounds: roundsOf(options),
    signal,
    take: ({ meter }) => meter.round(),
    fail: ({ timed }, error) => failCase(timed, run, error),
    onRound,
  });
  await recordGroup(running, run);
}

async function recordGroup(running: ReadonlySet<RunningCase>, run: GroupRun): Promise<void> {
  const { signal } = run.context;
  const measurements = new Map<string, Measurement>();
  for (const { timed, meter } of running) {
    if (await isInterrupted(signal)) return;
    const measured = attempt(timed, run, () => meter.finish());
    if (measured !== undefined) measurements.set(timed.name, measured);
  }
  for (const { timed, prepared } of running) {
    const measured = measurements.get(timed.name);
    if (measured === undefined || !run.chosen.has(timed.name)) continue;
    const result = attempt(timed, run, () => createResult(timed, prepared, measured, measurements));
    if (result !== undefined) run.context.record(result);
  }
}

function attempt<T>(timed: TimedCase, run: GroupRun, step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    failCase(timed, run, error);
    return undefined;
  }
}

function failCase({ name }: TimedCase, { chosen, context }: GroupRun, error: unknown): void {
  if (chosen.has(name)) context.fail(name, error);
}

function startCase(timed: TimedCase, options: MeasureOptions): RunningCase {
  const prepared = timed.prepare();
  return { timed, prepared, meter: createMeter(prepared.call, options) };
}

/** The ratio of each round; a case whose reference has failed fails with it. */
function createRatio(
  { ratio }: TimedCase,
  own: Measurement,
  measurements: ReadonlyMap<string, Measurement>,
): CaseResult["metrics"] {
  if (ratio === undefined) return {};
  const reference = measurements.get(ratio.to)?.ns.samples;
  if (reference === undefined) throw new Error(`${ratio.to}, which it is compared with, has no result`);
  return { [ratio.metric]: createMetric("ratio", divideRounds(own.ns.samples, reference)) };
}

function divideRounds(own: readonly number[], reference: readonly number[]): number[] {
  return own.map((ns, round) => ns / (reference[round] ?? Number.NaN));
}

function createResult(
  timed: TimedCase,
  prepared: PreparedCall,
  measured: Measurement,
  measurements: ReadonlyMap<string, Measurement>,
): CaseResult {
  const { name, parameters } = timed;
  const { contentBytes, values = 1, facts } = prepared;
  const divide = (samples: readonly number[]): number[] => samples.map((sample) => sample / values);
  const mibPerSecond = measured.ns.samples.map((ns) => ((contentBytes / BYTES_PER_MIB) * NS_PER_SECOND) / ns);
  return {
    name,
    parameters,
    metrics: {
      ...createRatio(timed, measured, measurements),
      ns: createMetric("ns", divide(measured.ns.samples)),
      mibPerSecond: createMetric("MiB/s", mibPerSecond),
      heapBytes: createMetric("B", divide(measured.heapBytes.samples)),
      externalBytes: createMetric("B", divide(measured.externalBytes.samples)),
    },
    facts,
  };
}
