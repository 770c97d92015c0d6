import { performance } from "node:perf_hooks";

/** How commands reach a client: each by a call of its own, or many in a pipeline. */
export type Style = "direct" | "pipelined";

/** What a loop does again and again. Both parts throw what they find wrong. */
export interface LoopWork {
  /** One call, direct. */
  send(index: number): Promise<unknown>;
  /** Several calls with the indices from `first` on, in one pipeline; resolves to their replies. */
  sendMany(first: number, count: number): Promise<readonly unknown[]>;
  /** Looks at a reply without reading all of it: a call that failed must not count as a fast one. */
  checkReply(reply: unknown): void;
}

/** How much a loop does. */
export interface LoopSize {
  readonly operations: number;
  readonly inFlight: number;
  readonly style: Style;
}

/**
 * Keeps a number of calls in flight until all are answered: as soon as one is, its place is taken by the next. Pipelined, one pipeline
 * of that many commands follows the other.
 *
 * @param latencies takes what each call took, in microseconds: of a pipelined command, what its pipeline took. Without it nothing is
 *   timed
 * @throws the first failure, once no call is in flight any more
 */
export async function runClosedLoop(work: LoopWork, size: LoopSize, latencies?: Float64Array): Promise<void> {
  if (size.style === "pipelined") {
    await runPipelines(work, size, latencies);
    return;
  }
  let sent = 0;
  const state = { next: () => (sent < size.operations ? sent++ : -1), stop: () => (sent = size.operations) };
  const lanes = Array.from({ length: Math.min(size.inFlight, size.operations) }, () =>
    latencies === undefined ? runLane(work, state) : runTimedLane(work, state, latencies),
  );
  const outcomes = await Promise.allSettled(lanes);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

interface LaneState {
  /** The index of the next call, or −1. */
  next(): number;
  stop(): void;
}

async function runLane(work: LoopWork, state: LaneState): Promise<void> {
  try {
    for (let index = state.next(); index >= 0; index = state.next()) work.checkReply(await work.send(index));
  } catch (error) {
    state.stop();
    throw error;
  }
}

async function runTimedLane(work: LoopWork, state: LaneState, latencies: Float64Array): Promise<void> {
  try {
    for (let index = state.next(); index >= 0; index = state.next()) {
      const begin = performance.now();
      const reply = await work.send(index);
      latencies[index] = (performance.now() - begin) * 1_000;
      work.checkReply(reply);
    }
  } catch (error) {
    state.stop();
    throw error;
  }
}

async function runPipelines(work: LoopWork, size: LoopSize, latencies: Float64Array | undefined): Promise<void> {
  for (let first = 0; first < size.operations; first += size.inFlight) {
    const count = Math.min(size.inFlight, size.operations - first);
    const begin = performance.now();
    const replies = await work.sendMany(first, count);
    latencies?.fill((performance.now() - begin) * 1_000, first, first + count);
    if (replies.length !== count) throw new Error(`a pipeline of ${count} commands had ${replies.length} replies`);
    for (const reply of replies) work.checkReply(reply);
  }
}
