import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { EXIT } from "./bench.ts";
import { parseCommandLine } from "./command-line.ts";
import { adoptResults, RUNS_FOLDER, readResultSet, updateReports, writeReport } from "./report.ts";
import { readResults } from "./results-format.ts";
import { describeError, UsageError } from "./usage-error.ts";

const HELP = `npm run bench:report -- [options]

  (none)              tables in README and docs, summary and page of the committed results
  --adopt [FILE…]     makes runs part of the committed results first: the named ones, or the newest full run of each suite
  --from DIR          summary and page of other results, beside them
  --out DIR           with --from: where they go instead`;

function parse(args: readonly string[]) {
  return parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      adopt: { type: "boolean" },
      from: { type: "string" },
      out: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
}

/** The newest whole full run of each suite. */
function findRuns(): readonly string[] {
  const names = existsSync(RUNS_FOLDER) ? readdirSync(RUNS_FOLDER).filter((name) => /-full-\w+\.json$/.test(name)) : [];
  const newest = new Map<string, { path: string; startedAt: string }>();
  for (const path of names.map((name) => join(RUNS_FOLDER, name))) {
    const { suite, status, filters, startedAt } = readResults(path);
    if (status !== "complete" || filters.length > 0 || startedAt < (newest.get(suite)?.startedAt ?? "")) continue;
    newest.set(suite, { path, startedAt });
  }
  if (newest.size === 0) throw new UsageError("benchmarks/results/runs holds no complete full run to adopt");
  return [...newest.values()].map(({ path }) => path);
}

function run(args: readonly string[]): readonly string[] {
  const { values, positionals } = parse(args);
  if (values.help === true) return [HELP];
  if (values.adopt !== true && positionals.length > 0) throw new UsageError(`unexpected argument: ${positionals[0]}`);
  if (values.from !== undefined) return reportOthers(values.from, values.out ?? values.from, values.adopt === true);
  if (values.out !== undefined) throw new UsageError("--out belongs to --from");
  const adopted =
    values.adopt === true ? (positionals.length > 0 ? positionals : findRuns()).map((path) => adoptResults(path)) : [];
  return [...adopted, ...updateReports()].map((path) => relative(process.cwd(), path));
}

function reportOthers(from: string, out: string, adopts: boolean): readonly string[] {
  if (adopts) throw new UsageError("--adopt and --from exclude each other");
  if (!existsSync(from) || !statSync(from).isDirectory()) throw new UsageError(`${from}: no such folder`);
  const set = readResultSet(from);
  if (set.size === 0) throw new UsageError(`${from}: no results in it`);
  return writeReport(set, resolve(out));
}

try {
  for (const line of run(process.argv.slice(2))) console.log(line);
} catch (error) {
  console.error(describeError(error));
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
