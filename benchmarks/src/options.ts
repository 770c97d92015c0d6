import { parseCommandLine } from "./command-line.ts";
import { UsageError } from "./usage-error.ts";

/** What the command line of a run asks for. */
export interface BenchOptions {
  readonly list: boolean;
  readonly help: boolean;
  readonly suites: readonly string[];
  readonly filters: readonly string[];
  readonly effort: "full" | "quick";
  /** Whether --quick was said: a resumed run takes its effort from the file otherwise. */
  readonly saysQuick: boolean;
  /** Fresh processes; undefined: as the suite says. */
  readonly launches: number | undefined;
  /** Folder of the results. */
  readonly out: string;
  /** The very file to write, for one suite. */
  readonly file: string | undefined;
  readonly resume: boolean;
  /** The file to resume; without one, the newest partial file of each suite in `out`. */
  readonly resumeFile: string | undefined;
}

export const HELP = `npm run bench -- [options]

  --list              the cases and how long they take, without running them
  --suite NAME        one suite (can be repeated); all of them without
  --filter PATTERN    cases whose name contains PATTERN, or matches it where it has a * (can be repeated)
  --quick             every chosen case once, briefly, with all its checks; numbers to look at, not to publish
  --launches N        fresh processes, whose samples are merged; as the suite says without
  --out DIR           folder of the results (benchmarks/results/runs)
  --file FILE         the results file itself, for one suite
  --resume [FILE]     goes on with a partial file: the named one, or the newest of each suite in DIR`;

const MAX_LAUNCHES = 100;

/**
 * Reads the command line.
 *
 * @throws UsageError for what it does not know
 */
export function parseOptions(args: readonly string[], defaultOut: string): BenchOptions {
  const { values, positionals } = parse(args);
  const resume = values.resume ?? false;
  if (positionals.length > (resume ? 1 : 0)) throw new UsageError(`unexpected argument: ${positionals.at(-1)}`);
  const saysQuick = values.quick ?? false;
  return {
    list: values.list ?? false,
    help: values.help ?? false,
    suites: values.suite ?? [],
    filters: values.filter ?? [],
    effort: saysQuick ? "quick" : "full",
    saysQuick,
    launches: parseLaunches(values.launches),
    out: values.out ?? defaultOut,
    file: values.file,
    resume,
    resumeFile: positionals[0],
  };
}

function parse(args: readonly string[]) {
  return parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      list: { type: "boolean" },
      help: { type: "boolean", short: "h" },
      suite: { type: "string", multiple: true },
      filter: { type: "string", multiple: true },
      quick: { type: "boolean" },
      launches: { type: "string" },
      out: { type: "string" },
      file: { type: "string" },
      resume: { type: "boolean" },
    },
  });
}

function parseLaunches(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MAX_LAUNCHES) {
    throw new UsageError(`--launches takes a whole number from 1 to ${MAX_LAUNCHES}, not ${text}`);
  }
  return count;
}

/** The command that makes the same run. */
export function describeCommand(suite: string, options: Pick<BenchOptions, "filters" | "effort" | "launches">): string {
  const quote = (text: string): string => (/^[\w./,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const filters = options.filters.map((filter) => ` --filter ${quote(filter)}`).join("");
  const launches = options.launches === undefined ? "" : ` --launches ${options.launches}`;
  return `npm run bench -- --suite ${suite}${filters}${options.effort === "quick" ? " --quick" : ""}${launches}`;
}
