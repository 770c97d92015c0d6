import { setImmediate } from "node:timers/promises";

/**
 * The order of a round. Over as many rounds as there are arms (twice as many if their number is odd) each arm comes at each place, and
 * after each other arm, equally often: what one leaves behind (garbage, a cold cache) does not always fall to the same one.
 */
export function orderOfRound(round: number, count: number): readonly number[] {
  // 0, 1, n − 1, 2, n − 2, …: neighbours lie at every distance.
  const zigzag = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? count - i / 2 : (i + 1) / 2) % count);
  const order = zigzag.map((place) => (place + round) % count);
  return Math.floor(round / count) % 2 === 0 ? order : order.reverse();
}

/** Whether the user interrupted. A signal is delivered when the event loop turns, which work that only computes does not do: this does. */
export async function isInterrupted(signal: AbortSignal | undefined): Promise<boolean> {
  await setImmediate();
  return signal?.aborted === true;
}

/** What takes turns, and how. */
export interface Turns<T> {
  /** Those that are left: one that throws is taken out. */
  readonly running: Set<T>;
  readonly rounds: number;
  /** Ends everything before the next turn. */
  readonly signal?: AbortSignal | undefined;
  take(item: T, round: number): Promise<void>;
  fail(item: T, error: unknown): void;
  /** Told before each round, which counts from 0. */
  onRound?(round: number): void;
}

/** Lets each take one turn in every round, so that a slow moment of the machine meets all of them. */
export async function takeTurns<T>({ running, rounds, signal, take, fail, onRound }: Turns<T>): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    onRound?.(round);
    const items = [...running];
    for (const index of orderOfRound(round, items.length)) {
      if (await isInterrupted(signal)) return;
      const item = items[index] as T;
      try {
        await take(item, round);
      } catch (error) {
        running.delete(item);
        fail(item, error);
      }
    }
  }
}

/** One of several that are compared. */
export interface Arm<Sample> {
  readonly name: string;
  takeTurn(): Promise<Sample>;
}

/** What became of an arm: a sample of each round, or what ended it. */
export interface ArmOutcome<Sample> {
  readonly samples: readonly Sample[];
  /** Set if a turn failed; the arm then had no further one. */
  readonly failure?: unknown;
}

export interface RoundSettings {
  readonly rounds: number;
  /** Turns before the first that counts. */
  readonly warmUpRounds: number;
  readonly signal?: AbortSignal;
}

/** The outcomes of arms that take turns, in their order. One that fails is left out from then on; the others go on. */
export async function runRounds<Sample>(
  arms: readonly Arm<Sample>[],
  { rounds, warmUpRounds, signal }: RoundSettings,
): Promise<ArmOutcome<Sample>[]> {
  const outcomes = new Map(arms.map((arm) => [arm, { samples: [] } as { samples: Sample[]; failure?: unknown }]));
  await takeTurns({
    running: new Set(arms),
    rounds: warmUpRounds + rounds,
    signal,
    async take(arm, round) {
      const sample = await arm.takeTurn();
      if (round >= warmUpRounds) outcomes.get(arm)?.samples.push(sample);
    },
    fail: (arm, failure) => void Object.assign(outcomes.get(arm) ?? {}, { failure }),
  });
  return [...outcomes.values()];
}
