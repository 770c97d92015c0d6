import { openSync, readSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** How the time of the main thread is told. */
export interface ThreadClock {
  /**
   * - `thread-cpu`: what the thread ran on a processor. The work of other threads (of GLIDE, of a thread pool) and of other programs on
   *   this machine does not count.
   * - `event-loop`: what the event loop was not waiting, which also counts when the thread was ready but had no processor.
   */
  readonly name: "thread-cpu" | "event-loop";
  /** Microseconds since some moment. */
  readUs(): number;
}

/** The best clock that this machine has: what a thread ran on a processor, where it can be told. */
export function createThreadClock(): ThreadClock {
  return createNodeClock() ?? createLinuxClock() ?? createLoopClock();
}

/** Node 23.9 and newer. */
function createNodeClock(): ThreadClock | undefined {
  if (!("threadCpuUsage" in process)) return undefined;
  const read = process.threadCpuUsage as () => { user: number; system: number };
  const readUs = (): number => {
    const { user, system } = read();
    return user + system;
  };
  return { name: "thread-cpu", readUs };
}

function createLinuxClock(): ThreadClock | undefined {
  const file = openThreadStatistics();
  if (file === undefined) return undefined;
  const text = Buffer.alloc(64);
  const readUs = (): number => {
    // The kernel writes down what a running thread has used only now and then; asking for the process' usage makes it do so.
    process.cpuUsage();
    return Number.parseInt(text.toString("latin1", 0, readSync(file, text, 0, text.length, 0)), 10) / 1_000;
  };
  return { name: "thread-cpu", readUs };
}

/** On Linux the id of the main thread is that of the process. */
function openThreadStatistics(): number | undefined {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  } catch {
    // Another system, or a kernel without these statistics: there is another clock for that.
    return undefined;
  }
}

function createLoopClock(): ThreadClock {
  return { name: "event-loop", readUs: () => performance.eventLoopUtilization().active * 1_000 };
}

/** Totals since some moment, in microseconds. */
export interface Usage {
  readonly wallUs: number;
  /** Of all threads of this process, in user and kernel mode. */
  readonly cpuUs: number;
  readonly mainThreadUs: number;
}

let clock: ThreadClock | undefined;

/** The clock that {@link readUsage} tells the main thread's time by. */
export function mainThreadClock(): ThreadClock["name"] {
  clock ??= createThreadClock();
  return clock.name;
}

/** What this process has used until now. */
export function readUsage(): Usage {
  clock ??= createThreadClock();
  const { user, system } = process.cpuUsage();
  return { wallUs: performance.now() * 1_000, cpuUs: user + system, mainThreadUs: clock.readUs() };
}

/** What was used between two readings. */
export function subtractUsage(after: Usage, before: Usage): Usage {
  return {
    wallUs: after.wallUs - before.wallUs,
    cpuUs: after.cpuUs - before.cpuUs,
    mainThreadUs: after.mainThreadUs - before.mainThreadUs,
  };
}
