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

/**
 * Gives every arm one turn in every round, one after the other, in an order that changes: a slow moment of the machine hits all of
 * them. An arm that fails is left out from then on; the others go on.
 */
export async function runRounds<Sample>(
  arms: readonly Arm<Sample>[],
  { rounds, warmUpRounds, signal }: RoundSettings,
): Promise<ArmOutcome<Sample>[]> {
  const outcomes = arms.map(() => ({ samples: [] as Sample[] }) as { samples: Sample[]; failure?: unknown });
  for (let round = -warmUpRounds; round < rounds && signal?.aborted !== true; round++) {
    for (const index of orderOfRound(round + warmUpRounds, arms.length)) {
      const arm = arms[index];
      const outcome = outcomes[index];
      if (arm === undefined || outcome === undefined || "failure" in outcome) continue;
      try {
        const sample = await arm.takeTurn();
        if (round >= 0) outcome.samples.push(sample);
      } catch (error) {
        outcome.failure = error;
      }
    }
  }
  return outcomes;
}
