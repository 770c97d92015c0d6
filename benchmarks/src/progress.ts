import type { BenchCase } from "./suite.ts";

/** Shows how far a run is. On a terminal in one line that changes; elsewhere in a line now and then. */
export interface Progress {
  /** One more case is settled. */
  settle(name: string, outcome: string): void;
  /** A share (0 to 1) of the whole run is done. */
  advance(share: number, text: string): void;
  /** Prints a line of its own. */
  note(line: string): void;
  end(): void;
}

/** Where progress is shown. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly output: ProgressOutput;
  readonly title: string;
  readonly cases: readonly BenchCase[];
  /** Milliseconds of any beginning. */
  readonly now?: () => number;
}

const TICK_MS = 1_000;
const QUIET_MS = 15_000;
// Below this share, how long it took so far says less than the suite's own estimate.
const TELLING_SHARE = 0.03;
const LAST_SHARE = 0.999;

/** `1:05`, or `2:01:05`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** The time left, from what is done and, at the beginning, from the estimate. */
export function estimateLeft(elapsedMs: number, share: number, estimateMs: number): number {
  if (share < TELLING_SHARE) return Math.max(0, estimateMs - elapsedMs);
  return (elapsedMs * (1 - share)) / share;
}

export function createProgress({ output, title, cases, now = () => performance.now() }: ProgressOptions): Progress {
  const estimates = new Map(cases.map(({ name, estimateMs }) => [name, estimateMs]));
  const estimateMs = cases.reduce((sum, one) => sum + one.estimateMs, 0);
  const startedAt = now();
  let [settled, settledMs, share, shownAt] = [0, 0, 0, startedAt];
  let text = "";

  const line = (): string => {
    const elapsed = now() - startedAt;
    const done = Math.min(LAST_SHARE, Math.max(share, estimateMs > 0 ? settledMs / estimateMs : 0));
    const left = formatDuration(estimateLeft(elapsed, done, estimateMs));
    return `${title} ${settled}/${cases.length} · ${formatDuration(elapsed)}, ${left} left · ${text}`;
  };
  const clear = (): void => {
    if (output.isTTY === true) output.write("\r\u001b[K");
  };
  const show = (): void => {
    if (output.isTTY === true) output.write(`\r\u001b[K${line().slice(0, (output.columns ?? 80) - 1)}`);
    else if (now() - shownAt >= QUIET_MS) output.write(`${line()}\n`);
    else return;
    shownAt = now();
  };
  const timer = setInterval(show, TICK_MS).unref();

  return {
    settle(name, outcome) {
      settled++;
      settledMs += estimates.get(name) ?? 0;
      text = name;
      if (outcome !== "") this.note(`${name}: ${outcome}`);
      show();
    },
    advance(newShare, newText) {
      [share, text] = [newShare, newText];
      show();
    },
    note(message) {
      clear();
      output.write(`${message}\n`);
    },
    end() {
      clearInterval(timer);
      clear();
      output.write(`${title} ${settled}/${cases.length} in ${formatDuration(now() - startedAt)}\n`);
    },
  };
}
