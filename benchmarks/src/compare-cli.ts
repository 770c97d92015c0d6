import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "./bench.ts";
import { parseCommandLine } from "./command-line.ts";
import { compareResults, formatComparison } from "./compare.ts";
import { chooseNames } from "./names.ts";
import type { ResultsFile } from "./results.ts";
import { readResults } from "./results-format.ts";
import { describeError, UsageError } from "./usage-error.ts";

const USAGE = "npm run bench:compare -- A B [--filter PATTERN]: two results files, or two folders of them";

/** Results by suite: of a folder the newest of each. */
function readRuns(path: string): ReadonlyMap<string, ResultsFile> {
  if (!existsSync(path)) throw new UsageError(`${path}: no such file`);
  const isFolder = statSync(path).isDirectory();
  const names = isFolder ? readdirSync(path).filter((name) => name.endsWith(".json") && !/\.launch-\d+\./.test(name)) : [];
  const files = isFolder ? names.map((name) => join(path, name)) : [path];
  const runs = new Map<string, ResultsFile>();
  for (const run of files.map(readResults)) {
    const known = runs.get(run.suite);
    if (known === undefined || known.startedAt < run.startedAt) runs.set(run.suite, run);
  }
  return runs;
}

function pair(base: ReadonlyMap<string, ResultsFile>, head: ReadonlyMap<string, ResultsFile>): [ResultsFile, ResultsFile][] {
  const [[onlyBase] = [], [onlyHead] = []] = [[...base.values()], [...head.values()]];
  // Two files are what the person means, and are refused where they are of two suites.
  if (base.size === 1 && head.size === 1 && onlyBase !== undefined && onlyHead !== undefined) return [[onlyBase, onlyHead]];
  const pairs = [...base.values()].flatMap((one): [ResultsFile, ResultsFile][] => {
    const other = head.get(one.suite);
    return other === undefined ? [] : [[one, other]];
  });
  if (pairs.length === 0) throw new UsageError("the two have no suite in common");
  return pairs;
}

function filterCases(file: ResultsFile, filters: readonly string[]): ResultsFile {
  const names = new Set(
    chooseNames(
      file.cases.map(({ name }) => name),
      filters,
    ),
  );
  if (names.size === 0) throw new UsageError(`no case of ${file.suite} matches ${filters.join(", ")}`);
  return { ...file, cases: file.cases.filter(({ name }) => names.has(name)) };
}

function parse(args: readonly string[]) {
  return parseCommandLine({ args: [...args], allowPositionals: true, options: { filter: { type: "string", multiple: true } } });
}

function run(args: readonly string[]): void {
  const { positionals, values } = parse(args);
  const [a, b] = positionals;
  if (a === undefined || b === undefined || positionals.length > 2) throw new UsageError(USAGE);
  for (const pairOfRuns of pair(readRuns(a), readRuns(b))) {
    const [base, head] = pairOfRuns.map((file) => filterCases(file, values.filter ?? [])) as [ResultsFile, ResultsFile];
    for (const line of formatComparison(compareResults(base, head), base, head)) console.log(line);
  }
}

try {
  run(process.argv.slice(2));
} catch (error) {
  console.error(describeError(error));
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
