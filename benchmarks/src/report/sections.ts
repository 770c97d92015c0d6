import type { ResultsFile } from "../results.ts";
import { nameForReport } from "./cases.ts";
import { describeNoise, describeRun, INTERVAL } from "./format.ts";
import { formatTable } from "./markdown.ts";
import { makeLongTable, makeTables, type ReportTable } from "./tables.ts";

/** What a suite is about, for readers. */
interface SectionTitle {
  readonly title: string;
  readonly text: string;
  /** The metric whose spread tells the noise of the run. */
  readonly metric: string;
}

const CELLS = `Cells: median (its ${INTERVAL}).`;

/** In the order of the report. */
const TITLES: Readonly<Record<string, SectionTitle>> = {
  redis: {
    title: "Redis round trips",
    text: "A client, wrapped or not, and its peers against one server, in turns. × raw: throughput in relation to bare ioredis in the same round; above 1 is faster.",
    metric: "opsPerSecond",
  },
  link: {
    title: "Links",
    text: "The same through links of limited speed and distance. Break-even: on slower links, encoding and decoding take less time than sending what they save.",
    metric: "opsPerSecond",
  },
  "value-codec": {
    title: "Value codec",
    text: "Encode and decode into a given target: frame, checksum, compression. No serializer, no sockets. raw: a copy into the same target.",
    metric: "ns",
  },
  corpora: { title: "Real data", text: "What values of real data sets shrink to, and what it takes.", metric: "ns" },
  checksum: {
    title: "Checksums",
    text: "Frames of version 1 (SHA-256) and version 2 (XXH3), without compression.",
    metric: "ns",
  },
  limit: {
    title: "Distance from the machine's limit",
    text: "The same content through the C libraries, called from C.",
    metric: "ns",
  },
  hostile: {
    title: "Hostile frames",
    text: "What it takes to refuse a damaged frame, beside decoding a good one of the same size, and what refusals leave behind.",
    metric: "ns",
  },
  serializers: {
    title: "Serializers",
    text: "From value to what is sent, and back: by way of a string, or of bytes.",
    metric: "ns",
  },
  "hash-study": {
    title: "Serializers and compressors",
    text: "One hash of 10,000 random entries through each serializer and compressor.",
    metric: "ns",
  },
  overhead: {
    title: "Keys under no rule",
    text: "What a wrapped client costs for keys that no rule covers.",
    metric: "opsPerSecond",
  },
};

/** The suites of the report, in its order. */
export const REPORTED_SUITES: readonly string[] = Object.keys(TITLES);

/** One suite's part of a report. */
export interface Section {
  readonly suite: string;
  readonly title: string;
  readonly text: string;
  readonly run: string;
  /** Noise, what was skipped, what failed; a line each. */
  readonly notes: readonly string[];
  readonly tables: readonly ReportTable[];
  readonly file: ResultsFile;
}

export function createSection(results: ResultsFile): Section {
  const { suite } = results;
  const file = { ...results, cases: results.cases.map(nameForReport) };
  const { title, text, metric } = TITLES[suite] ?? { title: suite, text: "", metric: "ns" };
  const tables = makeTables(suite, file.cases).filter(({ rows }) => rows.length > 0);
  return { suite, title, text, run: describeRun(file), notes: listNotes(file, metric), tables, file };
}

function listNotes(file: ResultsFile, metric: string): readonly string[] {
  const notes = [CELLS, describeNoise(file, metric)].filter((note) => note !== undefined);
  if (file.effort === "quick") notes.unshift("A quick run: it shows that everything works, and its numbers mean little.");
  if (file.status === "partial") notes.unshift("A partial run: cases are missing.");
  notes.push(...(file.notes ?? []).map((note) => `${note}.`));
  notes.push(
    ...listReasons(
      "Skipped",
      file.skipped.map(({ name, reason }) => [name, reason]),
    ),
  );
  notes.push(
    ...listReasons(
      "Failed",
      file.failed.map(({ name, error }) => [name, error]),
    ),
  );
  return notes;
}

/** Each reason once, with how many cases have it or the one that does. */
function listReasons(outcome: string, cases: readonly (readonly [name: string, reason: string])[]): readonly string[] {
  const names = new Map<string, string[]>();
  for (const [name, reason] of cases) names.set(reason, [...(names.get(reason) ?? []), name]);
  return [...names].map(([reason, own]) => `${outcome} (${own.length === 1 ? own[0] : `${own.length} cases`}): ${reason}.`);
}

function formatSection(section: Section, tables: readonly ReportTable[]): string {
  const parts = tables.flatMap((table) =>
    tables.length > 1 ? [`**${table.title}**`, formatTable(table)] : [formatTable(table)],
  );
  return [...parts, section.run, section.notes.join(" ")].join("\n\n");
}

/** What stands between a suite's markers in documents. */
export function formatDocumentSection(section: Section): string {
  return formatSection(section, section.tables);
}

/** The suite's part of the summary: every case. */
export function formatSummarySection(section: Section): string {
  const table = makeLongTable(section.title, section.file.cases);
  return [`## ${section.title}`, section.text, formatSection(section, [table])].filter((part) => part !== "").join("\n\n");
}
