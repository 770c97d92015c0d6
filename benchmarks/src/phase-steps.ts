import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findChecksumFaults } from "./checksum-check.ts";
import type { LaunchOptions } from "./launches.ts";
import type { ResultsFile } from "./results.ts";
import { findValueCodecFaults } from "./value-codec-check.ts";

// The codec is measured in three phases, each with all checks of the results: what is wrong shows before an hour of measuring is spent,
// and only a complete matrix is summed up.

/** The case that the second phase measures first, and what it is read against. */
export const REPRESENTATIVE_CASES: readonly string[] = ["encode", "decode"].flatMap((operation) =>
  ["brotli-4", "raw"].map((codec) => `value-codec/${operation}/record-text-16k/${codec}/threshold-1024`),
);

export type PhaseName = "validation" | "representative" | "measurement";

interface PhasePart extends Pick<LaunchOptions, "suite" | "effort" | "launches" | "filters"> {
  /** Name of its results file. */
  readonly file: string;
  findFaults(results: ResultsFile): readonly string[];
}

export interface Phase {
  readonly name: PhaseName;
  readonly description: string;
  readonly parts: readonly PhasePart[];
}

function createMatrixParts(name: PhaseName, effort: "full" | "quick", launches: number): readonly PhasePart[] {
  return [
    { suite: "value-codec", effort, launches, file: name, findFaults: (results) => findValueCodecFaults(results, { launches }) },
    {
      suite: "checksum",
      effort,
      launches,
      file: `${name}-checksum`,
      findFaults: (results) => findChecksumFaults(results, launches),
    },
  ];
}

/** In order. */
export const PHASES: readonly Phase[] = [
  {
    name: "validation",
    description: "every case once, briefly, with all its checks",
    parts: createMatrixParts("validation", "quick", 1),
  },
  {
    name: "representative",
    description: "one case and its raw twin at full effort",
    parts: [
      {
        suite: "value-codec",
        effort: "full",
        launches: 1,
        filters: REPRESENTATIVE_CASES,
        file: "representative",
        findFaults: (results) => findValueCodecFaults(results, { launches: 1, cases: REPRESENTATIVE_CASES }),
      },
    ],
  },
  {
    name: "measurement",
    description: "every case at full effort in two fresh processes",
    parts: createMatrixParts("measurement", "full", 2),
  },
];

/** What a phase needs of the world around it. */
export interface PhaseEnvironment {
  /** Folder of the results and summaries. */
  readonly out: string;
  readonly signal: AbortSignal;
  runLaunches(options: LaunchOptions): Promise<ResultsFile>;
  writeSummary(results: ResultsFile, path: string): void;
  print(line: string): void;
}

/**
 * Runs phases until one has faults. The results of every part are kept, whole or not; a summary is there for those without faults.
 *
 * @returns whether all phases ran, without a fault
 */
export async function runPhases(phases: readonly Phase[], environment: PhaseEnvironment): Promise<boolean> {
  mkdirSync(environment.out, { recursive: true });
  for (const phase of phases) {
    environment.print(`${phase.name}: ${phase.description}`);
    if (!(await runPhase(phase, environment))) return false;
  }
  return true;
}

async function runPhase(phase: Phase, environment: PhaseEnvironment): Promise<boolean> {
  const { out, signal, print, runLaunches, writeSummary } = environment;
  const summaryOf = ({ file }: PhasePart): string => join(out, `${file}-summary.md`);
  // What an earlier run summed up must not pass for a result of this one.
  for (const part of phase.parts) rmSync(summaryOf(part), { force: true });
  const measured: ResultsFile[] = [];
  let faults = 0;
  for (const part of phase.parts) {
    const { suite, effort, launches, filters, file, findFaults } = part;
    const options: LaunchOptions = { suite, effort, launches, file: join(out, `${file}.json`), signal };
    const results = await runLaunches(filters === undefined ? options : { ...options, filters });
    if (signal.aborted) return false;
    const own = findFaults(results);
    for (const fault of own) print(fault);
    faults += own.length;
    measured.push(results);
  }
  if (faults > 0) {
    print(`${phase.name}: ${faults} faults, no summary`);
    return false;
  }
  for (const [i, part] of phase.parts.entries()) writeSummary(measured[i] as ResultsFile, summaryOf(part));
  if (phase.name === "validation") writeFileSync(join(out, "representative-cases.txt"), `${REPRESENTATIVE_CASES.join("\n")}\n`);
  return true;
}
