import { orderOfRound } from "../measure.ts";
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
  /** Called after each round. */
  onRound(round: number): void;
}

/**
 * Measures cases round by round, so that a slow moment of the machine hits all of them. A case that throws is reported as failed and takes
 * part no more.
 *
 * @returns what the others gave, in the order of the cases; undefined if the user interrupted
 */
export async function measureInRounds(
  { cases, rounds, onRound }: Rounds,
  context: SuiteContext,
): Promise<ReadonlyMap<string, Metrics> | undefined> {
  const present = new Set(cases);
  for (let round = 0; round < rounds; round++) {
    const turns = [...present];
    for (const place of orderOfRound(turns.length, round)) {
      if (context.signal.aborted) return undefined;
      const turn = turns[place];
      if (turn !== undefined && !(await succeeds(turn, () => turn.round(), context))) present.delete(turn);
    }
    onRound(round + 1);
  }
  const results = new Map<string, Metrics>();
  for (const turn of present) await succeeds(turn, () => results.set(turn.name, turn.finish()), context);
  return results;
}

async function succeeds({ name }: RoundCase, work: () => unknown, context: SuiteContext): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    reportFailure(name, error, context);
    return false;
  }
}

/** An interrupt also ends the server of a run: what fails then has not failed by itself. */
export function reportFailure(name: string, error: unknown, context: SuiteContext): void {
  if (!context.signal.aborted) context.fail(name, error);
}
