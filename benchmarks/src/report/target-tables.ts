import { describeRevision } from "../machine.ts";
import type { ResultsFile } from "../results.ts";
import { indexCases, type Judgement, judgeTarget, type Reading, type Verdict } from "./judgement.ts";
import { formatTable } from "./markdown.ts";
import type { ReportTable } from "./tables.ts";
import { TARGETS, type TargetArea } from "./targets.ts";

/** What the report says of the project's targets. */
export interface TargetReport {
  readonly summary: string;
  readonly notes: readonly string[];
  readonly tables: readonly ReportTable[];
}

const DIGITS = 4;

// One digit more than elsewhere: 0.9799 would read as if it met 0.98.
function formatValue(value: number): string {
  return Number(value.toPrecision(DIGITS)).toLocaleString("en-US", { maximumSignificantDigits: DIGITS });
}

function formatReading({ value, interval: [low, high] }: Reading): string {
  return low === high ? formatValue(value) : `${formatValue(value)} (${formatValue(low)}–${formatValue(high)})`;
}

function formatRow({ target, verdict, worst, missed, absent }: Judgement): readonly string[] {
  const { what, sign, limit, unit, cases, beside } = target;
  const besides = worst?.beside === undefined ? "" : `, where ${beside?.text} ${formatValue(worst.beside)}`;
  return [
    what,
    `${sign} ${limit} ${unit}`,
    verdict,
    worst === undefined ? "" : formatReading(worst),
    describeMisses(missed, absent.length, cases.length),
    worst === undefined ? "" : `${worst.name}${besides}`,
  ];
}

function describeMisses(missed: number, absent: number, all: number): string {
  if (absent === all) return `${all} of ${all} absent`;
  return `${missed} of ${all}${absent === 0 ? "" : `, ${absent} absent`}`;
}

const HEAD = ["what", "target", "result", "worst case measured", "cases that miss", "the worst"];

function describeCounts(judgements: readonly Judgement[]): string {
  const count = (verdict: Verdict): number => judgements.filter((one) => one.verdict === verdict).length;
  return `Of ${judgements.length} targets ${count("met")} are met, ${count("missed")} missed and ${count("not measured")} not measured.`;
}

const HOW_TO_READ =
  "A target is judged by the median of its worst case, in brackets what holds it in 95 of 100 runs; where a case is absent it is not met. Machine, versions and noise of each suite stand under its own tables.";

/** From which runs the numbers are, and which of them prove little. */
function listRunNotes(files: readonly ResultsFile[]): readonly string[] {
  const runs = new Map<string, string[]>();
  for (const { suite, revision, startedAt } of files) {
    const run = `revision ${describeRevision(revision)}, ${startedAt.slice(0, 10)}`;
    runs.set(run, [...(runs.get(run) ?? []), suite]);
  }
  const quick = files.filter(({ effort }) => effort === "quick").map(({ suite }) => suite);
  const quickNote = `Quick runs, whose numbers mean little: ${quick.join(", ")}.`;
  return [
    ...[...runs].map(([run, suites]) => `Measured in ${suites.join(", ")}: ${run}.`),
    ...(quick.length === 0 ? [] : [quickNote]),
  ];
}

function suitesOf(areas: readonly TargetArea[]): ReadonlySet<string> {
  const names = areas.flatMap(({ targets }) => targets.flatMap(({ cases }) => cases));
  return new Set(names.map((name) => name.slice(0, name.indexOf("/"))));
}

/** Judges all targets by a set of results; undefined where no suite that they need has any. */
export function createTargetReport(
  results: ReadonlyMap<string, ResultsFile>,
  areas: readonly TargetArea[] = TARGETS,
): TargetReport | undefined {
  const suites = suitesOf(areas);
  const files = [...results.values()].filter(({ suite }) => suites.has(suite));
  if (files.length === 0) return undefined;
  const find = indexCases(results);
  const judged = areas.map(({ title, targets }) => ({ title, judgements: targets.map((one) => judgeTarget(one, find)) }));
  return {
    summary: describeCounts(judged.flatMap(({ judgements }) => judgements)),
    notes: [HOW_TO_READ, ...listRunNotes(files)],
    tables: judged.map(({ title, judgements }) => ({ title, head: HEAD, rows: judgements.map(formatRow) })),
  };
}

/** What stands between the markers of the targets, and in the summary. */
export function formatTargets({ summary, notes, tables }: TargetReport): string {
  const parts = tables.flatMap((table) => [`**${table.title}**`, formatTable(table)]);
  return [`**${summary}**`, ...parts, notes.join(" ")].join("\n\n");
}
