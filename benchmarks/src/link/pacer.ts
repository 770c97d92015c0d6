import { writeFileSync } from "node:fs";

// Timers of Node have milliseconds, half of a round trip of 0.2 ms has a tenth of one. While bytes are on the link, the proxy therefore
// sleeps for microseconds at a time between looks at its sockets. It does so in a process of its own: whoever is measured never waits.

/** Something with work that is due at times. */
export interface PacedWork {
  /** Does what is due; returns when the next is, or infinity. */
  run(nowNs: number): number;
}

export interface Pacer {
  /** Says that new work may be due. */
  wake(): void;
}

const NS_PER_MS = 1_000_000;
const SLICE_NS = 40_000;
// What waking up costs: less than that is not worth sleeping for.
const LEAST_SLEEP_NS = 15_000;
// Further away than this, a timer wakes us early enough, and sockets are served meanwhile as usual.
const TIMER_NS = 3 * NS_PER_MS;

/** The monotonic clock, in nanoseconds. */
export function readClockNs(): number {
  return performance.now() * NS_PER_MS;
}

/** Runs work when it is due, to some ten microseconds. */
export function createPacer(work: PacedWork): Pacer {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  let timer: NodeJS.Timeout | undefined;
  let scheduled = false;
  const turn = (): void => {
    scheduled = false;
    const waitNs = work.run(readClockNs()) - readClockNs();
    if (waitNs === Number.POSITIVE_INFINITY) return;
    if (waitNs > TIMER_NS) {
      timer = setTimeout(schedule, Math.floor(waitNs / NS_PER_MS) - 2);
      return;
    }
    if (waitNs > LEAST_SLEEP_NS) Atomics.wait(cell, 0, 0, Math.min(waitNs - LEAST_SLEEP_NS / 2, SLICE_NS) / NS_PER_MS);
    schedule();
  };
  // Sockets are looked at between two turns.
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    clearTimeout(timer);
    setImmediate(turn);
  };
  return { wake: schedule };
}

/**
 * Asks Linux to wake this process to the microsecond; by default it may come 50 µs late, to save power.
 *
 * @returns whether that was possible
 */
export function sharpenSleep(): boolean {
  try {
    writeFileSync("/proc/self/timerslack_ns", "1");
    return true;
  } catch {
    // Another system: delays are then longer by what it rounds, which calibration shows.
    return false;
  }
}
