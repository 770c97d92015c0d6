import { describeRevision } from "../machine.ts";
import type { ResultsFile } from "../results.ts";
import { describeContents } from "./contents-note.ts";
import { INTERVAL } from "./format.ts";
import {
  type AsideReading,
  CONTROL_TOLERANCE,
  indexCases,
  type Judgement,
  judgeTarget,
  type Quantity,
  type Verdict,
} from "./judgement.ts";
import { formatTable } from "./markdown.ts";
import type { ReportTable } from "./tables.ts";
import { TARGETS, type TargetArea } from "./targets.ts";

/** What the report says of the project's targets. */
export interface TargetReport {
  readonly summary: string;
  /** What a reader must know before the tables. */
  readonly introduction: readonly string[];
  readonly notes: readonly string[];
  readonly tables: readonly ReportTable[];
}

const DIGITS = 4;

// One digit more than elsewhere: 0.9799 would read as if it met 0.98.
function formatValue(value: number): string {
  return Number(value.toPrecision(DIGITS)).toLocaleString("en-US", { maximumSignificantDigits: DIGITS });
}

function formatQuantity(quantity: Quantity | undefined): string {
  if (quantity === undefined) return "";
  const {
    value,
    interval: [low, high],
  } = quantity;
  return low === high ? formatValue(value) : `${formatValue(value)} (${formatValue(low)}–${formatValue(high)})`;
}

/** The row of a target, and below it those that no target is about. */
function formatRows(judgement: Judgement): readonly (readonly string[])[] {
  const asides = judgement.also.flatMap((aside) => (aside.reading === undefined ? [] : [formatAside(judgement, aside)]));
  return [formatRow(judgement), ...asides];
}

function formatAside({ target }: Judgement, { what, name, reading }: AsideReading): readonly string[] {
  return [what, `no target, ${target.unit}`, "", formatQuantity(reading), formatQuantity(reading?.control), "", name];
}

function formatRow({ target, verdict, worst, missed, undecided, absent }: Judgement): readonly string[] {
  const { what, sign, limit, unit, cases, beside } = target;
  const besides = worst?.beside === undefined ? "" : `, where ${beside?.text} ${formatValue(worst.beside)}`;
  return [
    what,
    `${sign} ${limit} ${unit}`,
    verdict,
    formatQuantity(worst),
    formatQuantity(worst?.control),
    describeMisses(missed, undecided, absent.length, cases.length),
    worst === undefined ? "" : `${worst.name}${besides}`,
  ];
}

function describeMisses(missed: number, undecided: number, absent: number, all: number): string {
  if (absent === all) return `${all} of ${all} absent`;
  const others = Object.entries({ undecided, absent }).filter(([, count]) => count > 0);
  return [`${missed} of ${all}`, ...others.map(([name, count]) => `${count} ${name}`)].join(", ");
}

const HEAD = ["what", "target", "result", "worst case measured", "the same client again", "cases that miss", "the worst"];
const CONTROL_COLUMN = HEAD.indexOf("the same client again");

function makeAreaTable(title: string, judgements: readonly Judgement[]): ReportTable {
  const table = { title, head: HEAD, rows: judgements.flatMap(formatRows) };
  if (judgements.some(({ target }) => target.control !== undefined)) return table;
  const drop = (row: readonly string[]): readonly string[] => row.filter((_, i) => i !== CONTROL_COLUMN);
  return { title, head: drop(HEAD), rows: table.rows.map(drop) };
}

function describeCounts(judgements: readonly Judgement[]): string {
  const count = (verdict: Verdict): number => judgements.filter((one) => one.verdict === verdict).length;
  const [met, missed, undecided, absent] = [count("met"), count("missed"), count("undecided"), count("not measured")];
  return `Of ${judgements.length} targets ${met} are met, ${missed} missed, ${undecided} undecided and ${absent} not measured.`;
}

const HOW_TO_READ = [
  `A case is judged by its median, in brackets its ${INTERVAL}.`,
  "It is undecided where the limit lies inside that interval, and where the machine disturbed what was measured together with it (the same operation, content and load):",
  `where bare ioredis, measured there twice as if it were two clients, differs from itself by more than ${100 * CONTROL_TOLERANCE} % and the interval of that excludes 1.`,
  "A target is missed where one decided case misses it, and met where every case is decided and meets it; else it is undecided, or not measured where a case is absent.",
  "The worst case named is among those that make the result.",
].join(" ");

const WHERE_NOISE_STANDS = "Machine, versions and noise of each suite stand under its own tables.";

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
  const contents = describeContents(find);
  const judged = areas.map(({ title, targets }) => ({ title, judgements: targets.map((one) => judgeTarget(one, find)) }));
  return {
    summary: describeCounts(judged.flatMap(({ judgements }) => judgements)),
    introduction: [HOW_TO_READ, ...(contents === undefined ? [] : [contents])],
    notes: [WHERE_NOISE_STANDS, ...listRunNotes(files)],
    tables: judged.map(({ title, judgements }) => makeAreaTable(title, judgements)),
  };
}

/** What stands between the markers of the targets, and in the summary. */
export function formatTargets({ summary, introduction, notes, tables }: TargetReport): string {
  const parts = tables.flatMap((table) => [`**${table.title}**`, formatTable(table)]);
  return [`**${summary}**`, ...introduction, ...parts, notes.join(" ")].join("\n\n");
}
