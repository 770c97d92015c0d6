import { isInterrupted, takeTurns } from "../interleave.ts";
import { MEASURE_MS, roundsOf } from "../measure.ts";
import type { CaseResult, Metric } from "../results.ts";
import { createMetric } from "../statistics.ts";
import type { BenchCase, Suite, SuiteContext } from "../suite.ts";
import { createCSide, createOurSide, createZlibSide, LIMIT_GROUPS, type LimitPair, type LimitSide } from "./limit-pairs.ts";
import { type LimitProgram, LimitUnavailableError, startLimitProgram } from "./limit-program.ts";
import { createRoundProgress } from "./timed-groups.ts";

// How far each case is from what the machine can do: the same frame by a C program, turn by turn with ours. Brotli and Deflate run in
// the same library either way; theirs is a bare call of it.

type Side = "ours" | LimitPair["reference"];

interface RunningPair {
  readonly pair: LimitPair;
  readonly ours: LimitSide;
  readonly reference: LimitSide;
}

const SHARE_OF_C = 0.6;

function sidesOf({ reference }: LimitPair): readonly Side[] {
  return ["ours", reference];
}

function nameOf({ name }: LimitPair, side: Side): string {
  return `${name}/${side}`;
}

function listCases(): BenchCase[] {
  return LIMIT_GROUPS.flat().flatMap((pair) =>
    sidesOf(pair).map((side) => ({ name: nameOf(pair, side), estimateMs: MEASURE_MS * (side === "c" ? SHARE_OF_C : 1) })),
  );
}

async function run(chosen: ReadonlySet<string>, context: SuiteContext): Promise<void> {
  const isChosen = (pair: LimitPair): boolean => chosenSides(pair, chosen).length > 0;
  const groups = LIMIT_GROUPS.map((group) => group.filter(isChosen)).filter((group) => group.length > 0);
  const needsProgram = groups.flat().some(({ reference }) => reference === "c");
  const program = needsProgram ? await findProgram() : "not needed";
  if (typeof program === "object") for (const [name, version] of program.versions) context.noteVersion(name, version);
  try {
    for (const [done, group] of groups.entries()) {
      if (await isInterrupted(context.signal)) return;
      await runGroup(group, { program, chosen, context, onRound: createRoundProgress(context, done, groups.length) });
    }
  } finally {
    if (typeof program === "object") await program.stop();
  }
}

function chosenSides(pair: LimitPair, chosen: ReadonlySet<string>): readonly Side[] {
  return sidesOf(pair).filter((side) => chosen.has(nameOf(pair, side)));
}

/** The C program, or the reason why this machine has none. */
async function findProgram(): Promise<LimitProgram | string> {
  try {
    return await startLimitProgram();
  } catch (error) {
    if (error instanceof LimitUnavailableError) return error.message;
    throw error;
  }
}

interface Run {
  readonly program: LimitProgram | string;
  readonly chosen: ReadonlySet<string>;
  readonly context: SuiteContext;
  onRound(round: number): void;
}

async function runGroup(group: readonly LimitPair[], run: Run): Promise<void> {
  const { chosen, context, onRound } = run;
  const fail = (pair: LimitPair, error: unknown): void => {
    for (const side of chosenSides(pair, chosen)) context.fail(nameOf(pair, side), error);
  };
  const { signal } = context;
  const running = new Set<RunningPair>();
  for (const pair of group) {
    if (await isInterrupted(signal)) return;
    try {
      const started = await startPair(pair, run);
      if (started !== undefined) running.add(started);
    } catch (error) {
      fail(pair, error);
    }
  }
  await takeTurns({
    running,
    rounds: roundsOf(context),
    signal,
    take: takeTurn,
    fail: ({ pair }, error) => fail(pair, error),
    onRound,
  });
  for (const ended of running) {
    if (await isInterrupted(signal)) return;
    recordPair(ended, run);
  }
}

/** A pair whose results were found right; none if it was skipped. */
async function startPair(pair: LimitPair, { program, chosen, context }: Run): Promise<RunningPair | undefined> {
  if (pair.reference === "node-zlib") {
    return { pair, reference: createZlibSide(pair, context), ours: createOurSide(pair, context) };
  }
  if (typeof program === "object") {
    return { pair, reference: await createCSide(pair, program, context), ours: createOurSide(pair, context) };
  }
  for (const side of chosenSides(pair, chosen)) context.skip(nameOf(pair, side), program);
  return undefined;
}

function recordPair(ended: RunningPair, { chosen, context }: Run): void {
  const [ours, reference] = sumUp(ended);
  for (const side of chosenSides(ended.pair, chosen)) context.record(side === "ours" ? ours : reference);
}

async function takeTurn({ ours, reference }: RunningPair, round: number): Promise<void> {
  const [first, second] = round % 2 === 0 ? [ours, reference] : [reference, ours];
  await first.round();
  await second.round();
}

/** Both results; ours with the ratio of each round. */
function sumUp({ pair, ours, reference }: RunningPair): readonly [ours: CaseResult, reference: CaseResult] {
  const own = ours.finish();
  const theirs = reference.finish();
  const ratios = (own["ns"] ?? []).map((ns, round) => ns / (theirs["ns"]?.[round] ?? Number.NaN));
  const ratio = { [pair.reference === "c" ? "ratioToC" : "ratioToZlib"]: createMetric("ratio", ratios) };
  return [
    createResult(pair, "ours", { ...createMetrics(own), ...ratio }, ours.facts),
    createResult(pair, pair.reference, createMetrics(theirs), reference.facts),
  ];
}

function createMetrics(samples: Readonly<Record<string, readonly number[]>>): Record<string, Metric> {
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, createMetric("ns", values)]));
}

function createResult(pair: LimitPair, side: Side, metrics: CaseResult["metrics"], facts: CaseResult["facts"]): CaseResult {
  const { operation, input, codec } = pair;
  const { sizeBytes, corpus } = input;
  const parameters = { suite: "limit", operation, corpus: corpus.name, sizeBytes, codec, implementation: side };
  return { name: nameOf(pair, side), parameters, metrics, facts };
}

export const limitSuite: Suite = {
  name: "limit",
  description: "our frames against the same in C (liblz4, libzstd, libxxhash) and against bare calls of node:zlib",
  listCases,
  run,
};
