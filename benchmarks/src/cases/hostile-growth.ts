import { setImmediate } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { isInterrupted } from "../interleave.ts";
import { settleMemory } from "../measure.ts";
import type { CaseResult } from "../results.ts";
import { createMetric } from "../statistics.ts";
import type { SuiteContext } from "../suite.ts";

interface GrowthEffort {
  /** By then what V8 compiles and learns, and what the libraries keep for themselves, is there. */
  readonly warmUp: number;
  /** Of each sample. */
  readonly refusals: number;
  readonly samples: number;
}

// A page that V8 takes or gives back is 256 KiB: the median of a few samples is free of that.
const EFFORTS: Readonly<Record<SuiteContext["effort"], GrowthEffort>> = {
  full: { warmUp: 20_000, refusals: 100_000, samples: 5 },
  quick: { warmUp: 2_000, refusals: 5_000, samples: 2 },
};

interface Memory {
  readonly held: number;
  readonly resident: number;
}

async function readMemory(): Promise<Memory> {
  // zlib's handles give their memory back when the event loop turns.
  await setImmediate();
  settleMemory();
  await setImmediate();
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return { held: heap + external, resident: process.memoryUsage.rss() };
}

function refuseMany(calls: readonly (() => unknown)[], refusals: number): void {
  for (let i = 0; i < refusals; i++) calls[i % calls.length]?.();
}

/** What hostile frames leave behind, when all garbage is collected: bytes for each refusal. Undefined if it was interrupted. */
export async function measureGrowth(
  calls: readonly (() => unknown)[],
  { effort, signal }: Pick<SuiteContext, "effort" | "signal">,
): Promise<CaseResult["metrics"] | undefined> {
  const { warmUp, refusals, samples } = EFFORTS[effort];
  const held: number[] = [];
  const resident: number[] = [];
  refuseMany(calls, warmUp);
  for (let sample = 0; sample < samples; sample++) {
    if (await isInterrupted(signal)) return undefined;
    const before = await readMemory();
    refuseMany(calls, refusals);
    const after = await readMemory();
    held.push((after.held - before.held) / refusals);
    resident.push((after.resident - before.resident) / refusals);
  }
  return { growthBytes: createMetric("B", held), residentGrowthBytes: createMetric("B", resident) };
}

/** All refusals of one measurement at full effort. */
export const GROWTH_REFUSALS: number = EFFORTS.full.warmUp + EFFORTS.full.refusals * EFFORTS.full.samples;
