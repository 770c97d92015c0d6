import { quantile } from "../statistics.ts";
import { type LoopSize, type LoopWork, runClosedLoop } from "./closed-loop.ts";
import { readUsage, subtractUsage } from "./usage.ts";

/** What one turn of one client came to. */
export interface TurnSample {
  readonly opsPerSecond: number;
  /** Microseconds of one call, from the call to its reply. */
  readonly p50Us: number;
  readonly p99Us: number;
  /** Microseconds of processor time of this whole process, per operation. */
  readonly cpuUs: number;
  /** Microseconds of the main thread, per operation. */
  readonly mainThreadUs: number;
  /** Microseconds that the whole turn took. */
  readonly wallUs: number;
  /** What else was measured meanwhile: shares of 1. */
  readonly shares?: Readonly<Record<string, number>>;
}

/**
 * Runs one closed loop and measures it.
 *
 * @throws the loop's first failure
 */
export async function measureTurn(work: LoopWork, size: LoopSize): Promise<TurnSample> {
  const latencies = new Float64Array(size.operations);
  const before = readUsage();
  await runClosedLoop(work, size, latencies);
  const { wallUs, cpuUs, mainThreadUs } = subtractUsage(readUsage(), before);
  const sorted = Array.from(latencies.sort());
  return {
    opsPerSecond: (size.operations / wallUs) * 1_000_000,
    p50Us: quantile(sorted, 0.5),
    p99Us: quantile(sorted, 0.99),
    cpuUs: cpuUs / size.operations,
    mainThreadUs: mainThreadUs / size.operations,
    wallUs,
  };
}

const GROWTH = 4;

/**
 * How many operations fill a turn of a given length: the turn of a slow client has fewer of them, so that it takes no more of a run than
 * a fast one. At least `minWindows` times what is in flight, and always a multiple of it; exactly that for a turn of 0 ms.
 */
export async function chooseOperations(
  work: LoopWork,
  { inFlight, style }: Omit<LoopSize, "operations">,
  { turnMs, minWindows, maxOperations }: { turnMs: number; minWindows: number; maxOperations: number },
): Promise<number> {
  let operations = inFlight * minWindows;
  if (turnMs === 0) return operations;
  for (;;) {
    const begin = performance.now();
    await runClosedLoop(work, { operations, inFlight, style });
    const tookMs = performance.now() - begin;
    // What a short loop took tells little: code is not compiled yet, and timers are coarse.
    if (tookMs * GROWTH >= turnMs || operations >= maxOperations) {
      const windows = Math.round((operations / inFlight) * (turnMs / tookMs));
      return inFlight * Math.max(minWindows, Math.min(windows, Math.floor(maxOperations / inFlight)));
    }
    operations *= GROWTH;
  }
}
