import { parseArgs } from "node:util";
import { measureOverhead, OVERHEAD_DEFAULTS, type OverheadMeasurement } from "./cases/overhead.ts";
import { median, medianInterval } from "./statistics.ts";

// The suite "overhead" as a command with a bar:
//
//     node --import tsx benchmarks/src/overhead.ts --max 2
//
// Ends with 1 if some wrapped client costs more than --max percent of the throughput.

const MIN_ROUNDS = 15;

interface Settings {
  /** In percent. */
  readonly max: number;
  readonly rounds: number;
  readonly commands: number;
}

/** @throws RangeError */
function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      max: { type: "string", default: "2" },
      rounds: { type: "string", default: String(OVERHEAD_DEFAULTS.rounds) },
      commands: { type: "string", default: String(OVERHEAD_DEFAULTS.commands) },
    },
  });
  const settings = { max: Number(values.max), rounds: Number(values.rounds), commands: Number(values.commands) };
  for (const [name, value] of Object.entries(settings)) {
    if (!Number.isFinite(value)) throw new RangeError(`--${name} must be a number`);
  }
  if (settings.rounds < MIN_ROUNDS) throw new RangeError(`--rounds must be ${MIN_ROUNDS} or more`);
  return settings;
}

/** Prints one kind of commands, one line for each client. */
function print(measurements: readonly OverheadMeasurement[]): void {
  for (const [index, { operation, style, client, samples, costs, cpuCosts }] of measurements.entries()) {
    const rate = Math.round(1_000_000 / median(samples.map(({ wallUs }) => wallUs)));
    const line = `${`${operation}, ${style}`.padEnd(15)} ${client.title.padEnd(29)} ${String(rate).padStart(7)} ops/s`;
    const [low, high] = medianInterval(costs);
    const cost = `cost ${percent(median(costs))} (${percent(low)} to ${percent(high)})`;
    console.log(index === 0 ? line : `${line}  ${cost}, of CPU time ${percent(median(cpuCosts))}`);
  }
}

function percent(value: number): string {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(1)} %`;
}

/** @returns the exit code */
async function main({ max, ...settings }: Settings): Promise<number> {
  const wrapped: number[] = [];
  await measureOverhead(settings, (measurements) => {
    print(measurements);
    wrapped.push(...measurements.filter(({ client }) => client.rules !== undefined).map(({ costs }) => median(costs)));
  });
  const worst = Math.max(...wrapped);
  console.log(`highest cost of a wrapped client: ${percent(worst)} of throughput; at most ${max} % is allowed`);
  return worst > max ? 1 : 0;
}

process.exitCode = await main(readSettings());
