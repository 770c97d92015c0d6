import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ensureRedisBinary, findRedisBinary, INSTALL_HINT } from "../../scripts/redis-binary.mjs";
import { ROOT } from "../../scripts/run-command.mjs";
import { runLaunches } from "./launches.ts";
import { readMachine, readVersions } from "./machine.ts";
import { chooseNames } from "./names.ts";
import { type BenchOptions, describeCommand, HELP, parseOptions } from "./options.ts";
import { createProgress, formatDuration, type ProgressOutput } from "./progress.ts";
import type { ResultsFile, Revision } from "./results.ts";
import { readResults } from "./results-format.ts";
import { assertResumable, openResultsStore, type RunHeader } from "./results-store.ts";
import { runSuite } from "./run-suite.ts";
import type { BenchCase, Suite } from "./suite.ts";
import { loadSuites, type SuiteRegistry } from "./suites.ts";
import { describeError, UsageError } from "./usage-error.ts";

/** What a run of the command line needs of the world around it. */
export interface BenchEnvironment {
  readonly suites: SuiteRegistry;
  /** The command line itself, for fresh processes. */
  readonly program: string;
  /** Folder of the results unless --out names another. */
  readonly out: string;
  /** The state of the sources. */
  readRevision(): Revision;
  /** What was asked for: lists and names of files. */
  print(line: string): void;
  /** Progress and errors. */
  readonly output: ProgressOutput;
  readonly signal: AbortSignal;
}

export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** One suite's part of a run. */
interface Plan {
  readonly suite: Suite;
  readonly cases: readonly BenchCase[];
  readonly options: BenchOptions;
  readonly file: string;
  readonly previous: ResultsFile | undefined;
  readonly launches: number;
}

/** Runs the command line of the benchmarks. Returns its exit code; writes errors, one line each. */
export async function runBench(args: readonly string[], environment: BenchEnvironment): Promise<number> {
  try {
    return await runCommandLine(args, environment);
  } catch (error) {
    environment.output.write(`${describeError(error)}\n`);
    if (error instanceof UsageError) return EXIT.usage;
    return environment.signal.aborted ? EXIT.interrupted : EXIT.failed;
  }
}

async function runCommandLine(args: readonly string[], environment: BenchEnvironment): Promise<number> {
  const options = parseOptions(args, environment.out);
  if (options.help) environment.print(HELP);
  if (options.help) return EXIT.done;
  const plans = options.resume ? await planResumption(options, environment) : await planRun(options, environment);
  if (options.list) {
    listCases(plans, environment);
    return EXIT.done;
  }
  await ensureServer(plans);
  let code: number = EXIT.done;
  for (const plan of plans) {
    // A signal is delivered when the event loop turns, which a suite that only computes does not do.
    await setImmediate();
    if (environment.signal.aborted) return EXIT.interrupted;
    const results = await runPlan(plan, environment);
    environment.print(`${showPath(plan.file)}: ${describeOutcome(results)}`);
    if (results.failed.length > 0) code = EXIT.failed;
    if (environment.signal.aborted) return EXIT.interrupted;
  }
  return code;
}

/** Finds a Redis server, or installs one where that needs nobody's password, before anything is measured. */
async function ensureServer(plans: readonly Plan[]): Promise<void> {
  if (!plans.some(({ suite }) => suite.needsServer === true)) return;
  try {
    await ensureRedisBinary();
  } catch (error) {
    if (findRedisBinary() !== undefined) throw error;
    throw new UsageError(`no redis-server or valkey-server on PATH: ${INSTALL_HINT}`);
  }
}

async function planRun(options: BenchOptions, environment: BenchEnvironment): Promise<readonly Plan[]> {
  const suites = await loadSuites(environment.suites, options.suites);
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const plans = suites.map((suite): Plan => {
    const file = options.file ?? join(options.out, `${suite.name}-${options.effort}-${stamp}.json`);
    const launches = options.launches ?? (options.effort === "full" ? (suite.launches ?? 1) : 1);
    return { suite, cases: chooseCases(suite, options.filters), options, file, previous: undefined, launches };
  });
  assertMatches(plans, options.filters);
  const chosen = plans.filter(({ cases }) => cases.length > 0);
  if (options.file !== undefined && chosen.length > 1) throw new UsageError("--file takes the results of one suite: name it");
  return chosen;
}

function chooseCases(suite: Suite, filters: readonly string[]): readonly BenchCase[] {
  const cases = suite.listCases();
  const chosen = new Set(
    chooseNames(
      cases.map(({ name }) => name),
      filters,
    ),
  );
  return cases.filter(({ name }) => chosen.has(name));
}

function assertMatches(plans: readonly Plan[], filters: readonly string[]): void {
  const names = plans.flatMap(({ suite }) => suite.listCases().map(({ name }) => name));
  const futile = filters.find((filter) => chooseNames(names, [filter]).length === 0);
  if (futile !== undefined) throw new UsageError(`no case matches ${futile}; npm run bench -- --list shows all`);
  if (plans.every(({ cases }) => cases.length === 0)) throw new UsageError("there are no cases");
}

async function planResumption(options: BenchOptions, environment: BenchEnvironment): Promise<readonly Plan[]> {
  if (options.filters.length > 0) throw new UsageError("--resume goes on with the cases of the file: leave --filter out");
  const files = options.resumeFile === undefined ? findPartialFiles(options) : [options.resumeFile];
  if (files.length === 0) throw new UsageError(`${showPath(options.out)} holds no partial results to resume`);
  return Promise.all(files.map((file) => planResumedFile(file, options, environment)));
}

async function planResumedFile(file: string, options: BenchOptions, environment: BenchEnvironment): Promise<Plan> {
  const previous = readResults(file);
  const [suite] = await loadSuites(environment.suites, [previous.suite]);
  if (suite === undefined) throw new UsageError(`${file}: its suite ${previous.suite} is gone`);
  const resumed = { ...options, effort: options.saysQuick ? "quick" : previous.effort, filters: previous.filters } as const;
  const plan = { suite, cases: chooseCases(suite, previous.filters), options: resumed, file, previous };
  const names = new Set(plan.cases.map(({ name }) => name));
  const foreign = previous.cases.find(({ name }) => !names.has(name));
  if (foreign !== undefined) throw new UsageError(`${file}: cannot be resumed: ${suite.name} has no case ${foreign.name}`);
  assertResumable(file, previous, createHeader({ ...plan, launches: previous.launches }, environment));
  return { ...plan, launches: options.launches ?? previous.launches };
}

/** The newest partial file of each suite. Those of single launches belong to another file. */
function findPartialFiles({ out, suites }: BenchOptions): readonly string[] {
  if (!existsSync(out)) return [];
  const names = readdirSync(out).filter((name) => name.endsWith(".json") && !/\.launch-\d+\.json$/.test(name));
  const newest = new Map<string, { path: string; startedAt: string }>();
  for (const path of names.map((name) => join(out, name))) {
    const { suite, status, startedAt } = readResults(path);
    const known = newest.get(suite);
    if (status !== "partial" || (suites.length > 0 && !suites.includes(suite))) continue;
    if (known === undefined || known.startedAt < startedAt) newest.set(suite, { path, startedAt });
  }
  return [...newest.values()].map(({ path }) => path);
}

function listCases(plans: readonly Plan[], environment: BenchEnvironment): void {
  for (const { suite, cases } of plans) {
    const time = formatDuration(cases.reduce((sum, { estimateMs }) => sum + estimateMs, 0) * (suite.launches ?? 1));
    environment.print(`${suite.name}: ${suite.description} (${cases.length} cases, about ${time} at full effort)`);
    for (const { name } of cases) environment.print(`  ${name}`);
  }
}

function createHeader(
  { suite, options, launches }: Pick<Plan, "suite" | "options" | "launches">,
  environment: BenchEnvironment,
): RunHeader {
  return {
    suite: suite.name,
    command: describeCommand(suite.name, options),
    effort: options.effort,
    filters: options.filters,
    launches,
    revision: environment.readRevision(),
    machine: readMachine(),
    versions: readVersions(),
  };
}

function runPlan(plan: Plan, environment: BenchEnvironment): Promise<ResultsFile> {
  return plan.launches > 1 ? runInProcesses(plan, environment) : runHere(plan, environment);
}

function runInProcesses({ suite, options, file, launches }: Plan, environment: BenchEnvironment): Promise<ResultsFile> {
  return runLaunches({
    suite: suite.name,
    effort: options.effort,
    launches,
    filters: options.filters,
    file,
    signal: environment.signal,
    program: environment.program,
    onLaunch: (launch) => environment.output.write(`${suite.name}: process ${launch} of ${launches}\n`),
  });
}

async function runHere(plan: Plan, environment: BenchEnvironment): Promise<ResultsFile> {
  const { suite, cases, options, file, previous } = plan;
  const store = openResultsStore(file, createHeader(plan, environment), previous);
  const missing = cases.filter(({ name }) => !store.settled.has(name));
  const progress = createProgress({ output: environment.output, title: suite.name, cases: missing });
  const chosen = new Set(missing.map(({ name }) => name));
  try {
    await runSuite(suite, { chosen, store, effort: options.effort, progress, signal: environment.signal });
  } catch (error) {
    environment.output.write(`${showPath(file)}: ${store.settled.size} of ${cases.length} cases, marked partial\n`);
    throw error;
  } finally {
    progress.end();
  }
  return store.finish(cases.map(({ name }) => name));
}

function describeOutcome({ status, cases, skipped, failed, filters }: ResultsFile): string {
  const parts = [`${cases.length} cases`];
  if (skipped.length > 0) parts.push(`${skipped.length} skipped`);
  if (failed.length > 0) parts.push(`${failed.length} failed`);
  return `${filters.length > 0 ? `${status} for its filter` : status}, ${parts.join(", ")}`;
}

function showPath(path: string): string {
  const shown = relative(ROOT, path);
  return shown === "" || shown.startsWith("..") ? path : shown;
}
