import type { Progress } from "./progress.ts";
import type { ResultsStore } from "./results-store.ts";
import type { Suite, SuiteContext } from "./suite.ts";

export interface RunOptions {
  readonly chosen: ReadonlySet<string>;
  readonly store: ResultsStore;
  readonly effort: "full" | "quick";
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Runs the chosen cases of a suite in this process. Every case is in the store afterwards, unless it was interrupted. */
export async function runSuite(suite: Suite, options: RunOptions): Promise<void> {
  const { chosen, store, progress, signal } = options;
  const thrown = await runToEnd(suite, options);
  if (signal.aborted) {
    if (thrown !== undefined) progress.note(`${suite.name}: while it was interrupted: ${String(thrown.error)}`);
    return;
  }
  if (thrown !== undefined) throw thrown.error;
  for (const name of chosen) {
    if (store.settled.has(name)) continue;
    store.fail(name, new Error("the suite ended without a result of it"));
    progress.settle(name, "failed: the suite ended without a result of it");
  }
}

async function runToEnd(suite: Suite, options: RunOptions): Promise<{ error: unknown } | undefined> {
  try {
    await suite.run(options.chosen, createContext(options));
    return undefined;
  } catch (error) {
    return { error };
  }
}

function createContext({ chosen, store, effort, progress, signal }: RunOptions): SuiteContext {
  const told = new Set<string>();
  // Hundreds of cases can have one reason.
  const tellOnce = (name: string, outcome: string): void => {
    progress.settle(name, told.has(outcome) ? "" : outcome);
    told.add(outcome);
  };
  const assertChosen = (name: string): void => {
    if (!chosen.has(name)) throw new Error(`${name}: a result of a case that was not asked for`);
  };
  return {
    effort,
    signal,
    record(result) {
      assertChosen(result.name);
      store.record(result);
      progress.settle(result.name, "");
    },
    skip(name, reason) {
      assertChosen(name);
      store.skip(name, reason);
      tellOnce(name, `skipped: ${reason}`);
    },
    fail(name, error) {
      assertChosen(name);
      store.fail(name, error);
      tellOnce(name, `failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    },
    note: (line) => store.note(line),
    noteVersion: (name, version) => store.noteVersion(name, version),
    progress: (share, text) => progress.advance(share, text),
  };
}
