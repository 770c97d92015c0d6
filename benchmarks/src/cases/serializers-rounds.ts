import { isInterrupted, takeTurns } from "../interleave.ts";
import type { CaseResult } from "../results.ts";
import type { SuiteContext } from "../suite.ts";

/** A context that may also show how far a run is, where cases are recorded together at the end of many rounds. */
export type ProgressContext = SuiteContext & { progress?(share: number, text: string): void };

export type Metrics = CaseResult["metrics"];

/** A case that takes turns with others. */
export interface RoundCase {
  readonly name: string;
  /** Measures once. */
  round(): Promise<void>;
  /** Sums up, after at least one round. */
  finish(): Metrics;
}

/** Rounds that some of a run's cases take together. */
export interface Rounds {
  readonly cases: readonly RoundCase[];
  readonly rounds: number;
  /** Called with how many rounds are done, at the end with all of them. */
  onRound(done: number): void;
}

/**
 * Measures cases round by round. A case that throws is reported as failed and takes part no more.
 *
 * @returns what the others gave, in the order of the cases; undefined if the user interrupted
 */
export async function measureInRounds(
  { cases, rounds, onRound }: Rounds,
  context: SuiteContext,
): Promise<ReadonlyMap<string, Metrics> | undefined> {
  const { signal } = context;
  const running = new Set(cases);
  let done = 0;
  const take = async (turn: RoundCase, round: number): Promise<void> => {
    if (round > done) onRound(round);
    done = round;
    await turn.round();
  };
  const fail = ({ name }: RoundCase, error: unknown): void => reportFailure(name, error, context);
  await takeTurns({ running, rounds, signal, take, fail });
  if (signal.aborted) return undefined;
  onRound(rounds);
  return await finishAll(running, context);
}

async function finishAll(cases: Iterable<RoundCase>, context: SuiteContext): Promise<ReadonlyMap<string, Metrics> | undefined> {
  const results = new Map<string, Metrics>();
  for (const { name, finish } of cases) {
    if (await isInterrupted(context.signal)) return undefined;
    try {
      results.set(name, finish());
    } catch (error) {
      reportFailure(name, error, context);
    }
  }
  return results;
}

/** An interrupt also ends the server of a run: what fails then has not failed by itself. */
export function reportFailure(name: string, error: unknown, context: SuiteContext): void {
  if (!context.signal.aborted) context.fail(name, error);
}
