/** In which order `count` of them take turns: each pair of rounds begins with another one, every other round goes backwards. */
export function orderOfRound(count: number, round: number): readonly number[] {
  const order = Array.from({ length: count }, (_, turn) => (turn + Math.floor(round / 2)) % count);
  return round % 2 === 0 ? order : order.reverse();
}

/** What takes turns, and how. */
export interface Turns<T> {
  /** Those that are left: one that throws is taken out. */
  readonly running: Set<T>;
  readonly rounds: number;
  /** Ends everything before the next turn. */
  readonly signal: AbortSignal;
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
    for (const index of orderOfRound(items.length, round)) {
      if (signal.aborted) return;
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
