import { GCProfiler, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { measure } from "mitata";
import type { Metric } from "./results.ts";
import { createMetric } from "./statistics.ts";

// mitata takes the time. It does not take the memory: it drops every batch in which the collector ran, so that calls that allocate
// much seem to allocate next to nothing (16 KiB on the heap reads as 1.1 KiB), and it leaves out memory of buffers.

/** What one call costs. */
export interface Measurement {
  /** One sample a round: the mean of its calls, collections included, since what a call allocates has to be collected. */
  readonly ns: Metric;
  /** Bytes that a call takes on V8's heap, whether it is collected soon or not. */
  readonly heapBytes: Metric;
  /** Bytes of buffers that a call takes outside that heap. */
  readonly externalBytes: Metric;
}

/** How long each case is measured at full effort: "brisk" is for suites of hundreds of cases. */
export type Pace = "usual" | "brisk";

export interface MeasureOptions {
  readonly effort: "full" | "quick";
  /** @default "usual" */
  readonly pace?: Pace;
}

/** Measures one call in rounds, so that others can be measured between them. */
export interface Meter {
  /** Takes one more sample of the time. */
  round(): Promise<void>;
  /** Takes the memory and sums everything up, after at least one round. */
  finish(): Measurement;
}

interface Effort {
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
  /** Clock reads cost what a hundred copies of 64 bytes do: one sample holds as many calls as take so long. */
  readonly sampleMs: number;
  readonly heapBatches: number;
}

const EFFORTS: Readonly<Record<MeasureOptions["effort"], Effort>> = {
  full: { rounds: 20, roundMs: 80, warmUpMs: 100, sampleMs: 1, heapBatches: 7 },
  quick: { rounds: 3, roundMs: 2, warmUpMs: 2, sampleMs: 0.2, heapBatches: 3 },
};

const BRISK_EFFORTS: typeof EFFORTS = {
  full: { rounds: 8, roundMs: 20, warmUpMs: 30, sampleMs: 1, heapBatches: 3 },
  quick: { ...EFFORTS.quick, heapBatches: 1 },
};

function effortOf({ effort, pace }: MeasureOptions): Effort {
  return (pace === "brisk" ? BRISK_EFFORTS : EFFORTS)[effort];
}

const NS_PER_MS = 1_000_000;
const MAX_SAMPLE_CALLS = 1_000_000;
const MAX_HEAP_CALLS = 1_024;
const MAX_HEAP_BATCH_MS = 10;

/** Rounds that make up a measurement at this effort. */
export function roundsOf(options: MeasureOptions): number {
  return effortOf(options).rounds;
}

// Two collections' worth, and the slow sample that each round ends with.
const ROUND_EXTRA_MS = 20;

function estimateMs({ rounds, roundMs, warmUpMs }: Effort): number {
  return rounds * (roundMs + ROUND_EXTRA_MS) + 2 * warmUpMs;
}

/** Roughly how long one call is measured at full effort. */
export const MEASURE_MS: number = estimateMs(EFFORTS.full);
/** The same at a brisk pace. */
export const BRISK_MEASURE_MS: number = estimateMs(BRISK_EFFORTS.full);

const collectGarbage: () => void = globalThis.gc ?? exposeCollector();

/** Collects, and waits for buffers: they are given back by another thread, for which the next collection waits. */
export function settleMemory(): void {
  collectGarbage();
  collectGarbage();
}

/** The collector of a process that was started without --expose-gc. */
function exposeCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

/** Makes so many calls, one after the other. */
type Loop = (calls: number) => void;

let loops = 0;

// A loop of its own for each call: one that all share would reach them through a slow, indirect call, and cost more than the copy of a
// small value does. V8 knows a source again and shares what it learnt about it, hence the number. What a call returns is kept, or V8
// could leave out making it.
function createLoop(call: () => unknown): Loop {
  const body = `return (calls) => { for (let i = 0; i < calls; i++) kept.value = call(); }; // ${loops++}`;
  return new Function("call", "kept", body)(call, { value: undefined }) as Loop;
}

function timeLoop(loop: Loop, calls: number): number {
  const before = performance.now();
  loop(calls);
  return performance.now() - before;
}

/** How many calls take `ms`, found by doubling; at least one. */
function calibrate(loop: Loop, ms: number): number {
  let calls = 1;
  while (calls < MAX_SAMPLE_CALLS && timeLoop(loop, calls) < ms) calls *= 2;
  return calls;
}

function warmUp(loop: Loop, ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end) loop(calibrate(loop, 1));
}

/**
 * Makes a meter. What the call throws, `createMeter`, `round` and `finish` throw.
 *
 * @param call synchronous; its result is kept until the next one
 */
export function createMeter(call: () => unknown, options: MeasureOptions): Meter {
  const effort = effortOf(options);
  const loop = createLoop(call);
  warmUp(loop, effort.warmUpMs);
  const calls = calibrate(loop, effort.sampleMs);
  const samples: number[] = [];
  const round = async (): Promise<void> => {
    samples.push((await measureRound(() => loop(calls), effort)) / calls);
  };
  const finish = (): Measurement => ({ ns: createMetric("ns", samples), ...measureMemory(loop, effort) });
  return { round, finish };
}

/** Mean nanoseconds of one run of `batch`. */
async function measureRound(batch: () => void, { roundMs }: Effort): Promise<number> {
  const { avg } = await measure(batch, {
    gc: collectGarbage,
    min_samples: 2,
    min_cpu_time: roundMs * NS_PER_MS,
    // The loop is the batch; and a slow sample is a sample: none is left out.
    batch_threshold: -1,
    samples_threshold: Number.POSITIVE_INFINITY,
  });
  return avg;
}

interface Memory {
  readonly heap: number;
  readonly external: number;
  readonly collections: number;
}

/** Memory that so many calls take. What a collection in between gave back is added. */
function takeMemory(loop: Loop, calls: number): Memory {
  const profiler = new GCProfiler();
  profiler.start();
  const before = getHeapStatistics();
  loop(calls);
  const after = getHeapStatistics();
  const { statistics } = profiler.stop();
  let heap = after.used_heap_size - before.used_heap_size;
  let external = after.external_memory - before.external_memory;
  for (const { beforeGC, afterGC } of statistics) {
    heap += beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize;
    external += beforeGC.heapStatistics.externalMemory - afterGC.heapStatistics.externalMemory;
  }
  return { heap, external, collections: statistics.length };
}

/** As many calls as take no collection, if even one does not: buffers are given back some time after theirs. */
function findHeapCalls(loop: Loop): number {
  let calls = Math.min(MAX_HEAP_CALLS, calibrate(loop, MAX_HEAP_BATCH_MS));
  for (; calls > 1; calls = Math.ceil(calls / 2)) {
    settleMemory();
    if (takeMemory(loop, calls).collections === 0) break;
  }
  return calls;
}

function measureMemory(loop: Loop, { heapBatches }: Effort): Pick<Measurement, "heapBytes" | "externalBytes"> {
  const calls = findHeapCalls(loop);
  const heap: number[] = [];
  const external: number[] = [];
  for (let batch = 0; batch < heapBatches; batch++) {
    settleMemory();
    // The statistics take memory themselves, the first time more than after.
    takeMemory(loop, 0);
    const empty = takeMemory(loop, 0);
    const taken = takeMemory(loop, calls);
    // V8 may give something back in between, such as code it has replaced.
    heap.push(Math.max(0, (taken.heap - empty.heap) / calls));
    external.push(Math.max(0, (taken.external - empty.external) / calls));
  }
  return { heapBytes: createMetric("B", heap), externalBytes: createMetric("B", external) };
}

/** Measures one call by itself. Calls that are compared take turns: see {@link createMeter}. */
export async function measureCall(call: () => unknown, options: MeasureOptions): Promise<Measurement> {
  const meter = createMeter(call, options);
  for (let round = 0; round < roundsOf(options); round++) await meter.round();
  return meter.finish();
}
