import { join, resolve } from "node:path";
import { EXIT } from "./bench.ts";
import { parseCommandLine } from "./command-line.ts";
import { runLaunches } from "./launches.ts";
import { PHASES, type Phase, runPhases } from "./phase-steps.ts";
import { RUNS_FOLDER, writeSuiteSummary } from "./report.ts";
import { describeError, UsageError } from "./usage-error.ts";

const HELP = `npm run bench:phases -- [options]

  (none)              the suites value-codec and checksum in three phases, each with all checks of its results:
${PHASES.map(({ name, description }) => `                        ${name.padEnd(16)}${description}`).join("\n")}
  --phase NAME        one of them (can be repeated)
  --out DIR           folder of the results and summaries (benchmarks/results/runs/phases)`;

interface PhaseOptions {
  readonly help: boolean;
  readonly phases: readonly Phase[];
  readonly out: string;
}

function parse(args: readonly string[]) {
  return parseCommandLine({
    args: [...args],
    options: {
      phase: { type: "string", multiple: true },
      out: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  }).values;
}

function parseOptions(args: readonly string[]): PhaseOptions {
  const { phase: names = [], out = join(RUNS_FOLDER, "phases"), help = false } = parse(args);
  const unknown = names.find((name) => !PHASES.some((phase) => phase.name === name));
  if (unknown !== undefined) throw new UsageError(`no phase ${unknown}; there are ${PHASES.map(({ name }) => name).join(", ")}`);
  return { help, phases: PHASES.filter(({ name }) => names.length === 0 || names.includes(name)), out: resolve(out) };
}

async function run(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { help, phases, out } = parseOptions(args);
  if (help) console.log(HELP);
  if (help) return EXIT.done;
  const print = (line: string): void => console.log(line);
  const isGood = await runPhases(phases, { out, signal, runLaunches, writeSummary: writeSuiteSummary, print });
  if (signal.aborted) return EXIT.interrupted;
  return isGood ? EXIT.done : EXIT.failed;
}

const interruption = new AbortController();
// The process that measures gets the signal too, and ends after what it is at; a second one ends this process as well.
process.once("SIGINT", () => interruption.abort());
try {
  process.exitCode = await run(process.argv.slice(2), interruption.signal);
} catch (error) {
  console.error(describeError(error));
  process.exitCode = error instanceof UsageError ? EXIT.usage : interruption.signal.aborted ? EXIT.interrupted : EXIT.failed;
}
