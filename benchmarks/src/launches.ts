import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../scripts/run-command.mjs";
import { mergeLaunches } from "./merge.ts";
import { describeCommand } from "./options.ts";
import type { ResultsFile } from "./results.ts";
import { prepareFolder, readResults, writeResults } from "./results-format.ts";

export interface LaunchOptions {
  readonly suite: string;
  readonly effort: "full" | "quick";
  /** How many fresh processes, one after the other. */
  readonly launches: number;
  /** As --filter; all cases without. */
  readonly filters?: readonly string[];
  /** Where the merged results go. */
  readonly file: string;
  readonly signal?: AbortSignal;
  /**
   * The command line that each process runs.
   *
   * @default that of the benchmarks
   */
  readonly program?: string;
  /** Said before each process starts. */
  onLaunch?(launch: number): void;
}

/** The command line of the benchmarks, for fresh processes. */
export const CLI_PROGRAM: string = fileURLToPath(new URL("./cli.ts", import.meta.url));

// What a child's exit code says: all cases went well, or some failed, which its file tells. 130: it was interrupted.
const TOLD_CODES: readonly (number | null)[] = [0, 1];
const INTERRUPTED = 130;

/** Where the results of one launch are until they are merged. */
export function launchFile(file: string, launch: number): string {
  return `${file.replace(/\.json$/, "")}.launch-${launch}.json`;
}

/**
 * Runs a suite in several fresh processes and merges what they measured. What is there of an interrupted run is completed; the
 * files of the single launches go once all of them are whole.
 *
 * @throws Error when a process ends without telling how
 */
export async function runLaunches(options: LaunchOptions): Promise<ResultsFile> {
  prepareFolder(options.file);
  const files = Array.from({ length: options.launches }, (_, i) => launchFile(options.file, i + 1));
  for (const [i, file] of files.entries()) {
    if (options.signal?.aborted === true) break;
    if (isWhole(file)) continue;
    options.onLaunch?.(i + 1);
    await runLaunch(file, options);
  }
  return finishLaunches(files, options);
}

function isWhole(file: string): boolean {
  return existsSync(file) && readResults(file).status === "complete";
}

async function runLaunch(
  file: string,
  { suite, effort, filters = [], signal, program = CLI_PROGRAM }: LaunchOptions,
): Promise<void> {
  const chosen = filters.flatMap((filter) => ["--filter", filter]);
  const target = existsSync(file) ? ["--resume", file] : ["--suite", suite, ...chosen, "--file", file];
  const mode = ["--launches", "1", ...(effort === "quick" ? ["--quick"] : [])];
  const child = spawn(process.execPath, ["--expose-gc", "--import", "tsx", program, ...target, ...mode], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  // A terminal sends Ctrl-C to both; a second one tells the child nothing new.
  const interrupt = (): void => void child.kill("SIGINT");
  signal?.addEventListener("abort", interrupt, { once: true });
  const [code, killed] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  signal?.removeEventListener("abort", interrupt);
  if (TOLD_CODES.includes(code) || (code === INTERRUPTED && signal?.aborted === true)) return;
  throw new Error(`the process that measures ${suite} ended with ${code ?? killed}`);
}

function finishLaunches(files: readonly string[], options: LaunchOptions): ResultsFile {
  const { suite, effort, launches, file, filters = [] } = options;
  const made = files.filter((name) => existsSync(name));
  if (made.length === 0) throw new Error(`${suite}: interrupted before the first process began`);
  const merged = mergeLaunches(made.map((name) => readResults(name)));
  const isWholeRun = made.length === launches && merged.status === "complete";
  const command = describeCommand(suite, { filters, effort, launches });
  const results: ResultsFile = { ...merged, command, status: isWholeRun ? "complete" : "partial", launches };
  writeResults(file, results);
  if (isWholeRun) for (const name of made) rmSync(name);
  return results;
}
