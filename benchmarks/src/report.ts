import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { listPlaces, replaceBetween } from "./report/markdown.ts";
import { formatPage } from "./report/page.ts";
import { formatReadmeTables, NO_RESULTS } from "./report/readme-tables.ts";
import { createSection, formatDocumentSection, formatSummarySection, REPORTED_SUITES, type Section } from "./report/sections.ts";
import { createTargetReport, formatTargets } from "./report/target-tables.ts";
import type { ResultsFile } from "./results.ts";
import { formatResults, readResults, reduceCase, writeResults } from "./results-format.ts";
import { UsageError } from "./usage-error.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The result set that is committed: one file for each suite, `<suite>.json`. */
export const RESULTS_FOLDER: string = join(ROOT, "benchmarks/results");
/** Where runs are written, outside git. */
export const RUNS_FOLDER: string = join(RESULTS_FOLDER, "runs");
const README = join(ROOT, "README.md");
const DOCUMENT = join(ROOT, "docs/benchmarks.md");
const README_PLACE = "benchmarks";
const TARGETS_PLACE = "targets";

/** Results by suite. Of a suite with several files the newest complete one counts, or else the newest. */
export type ResultSet = ReadonlyMap<string, ResultsFile>;

function isBetter(one: ResultsFile, known: ResultsFile | undefined): boolean {
  if (known === undefined) return true;
  if (one.status !== known.status) return one.status === "complete";
  return one.startedAt > known.startedAt;
}

/**
 * Reads the results files of a folder.
 *
 * @throws UsageError for a file that is no results file, or of another version
 */
export function readResultSet(folder: string): ResultSet {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  const set = new Map<string, ResultsFile>();
  for (const name of names.filter((one) => !/\.launch-\d+\.json$/.test(one)).sort()) {
    const file = readResults(join(folder, name));
    if (isBetter(file, set.get(file.suite))) set.set(file.suite, file);
  }
  return new Map([...set].sort(([a], [b]) => placeOf(a) - placeOf(b)));
}

function placeOf(suite: string): number {
  const place = REPORTED_SUITES.indexOf(suite);
  return place < 0 ? REPORTED_SUITES.length : place;
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function createSections(set: ResultSet): readonly Section[] {
  return [...set.values()].map(createSection);
}

function formatSummary(sections: readonly Section[], set: ResultSet): string {
  const targets = createTargetReport(set);
  const head = targets === undefined ? [] : [`## Targets\n\n${formatTargets(targets)}`];
  const body = sections.length === 0 ? [NO_RESULTS] : [...head, ...sections.map(formatSummarySection)];
  return `${["# Benchmark results", "Made by `npm run bench:report`; every case of every suite.", ...body].join("\n\n")}\n`;
}

/** Writes `summary.md` and `index.html` of a result set into a folder. */
export function writeReport(set: ResultSet, folder: string): readonly string[] {
  const sections = createSections(set);
  const files = { "summary.md": formatSummary(sections, set), "index.html": formatPage(sections, createTargetReport(set)) };
  for (const [name, text] of Object.entries(files)) writeText(join(folder, name), text);
  return Object.keys(files).map((name) => join(folder, name));
}

/** Writes the summary of one suite as Markdown. */
export function writeSuiteSummary(file: ResultsFile, path: string): void {
  writeText(path, `# ${file.suite}\n\n${formatSummarySection(createSection(file))}\n`);
}

/** The text with the tables of the result set in its places: one for each suite, the targets, and README's. */
export function fillDocument(text: string, set: ResultSet): string {
  let filled = text;
  for (const place of listPlaces(text)) {
    if (place === README_PLACE) filled = replaceBetween(filled, place, formatReadmeTables(set));
    if (place === TARGETS_PLACE) filled = replaceBetween(filled, place, formatTargetsOf(set));
    if (!REPORTED_SUITES.includes(place)) continue;
    const file = set.get(place);
    filled = replaceBetween(filled, place, file === undefined ? NO_RESULTS : formatDocumentSection(createSection(file)));
  }
  return filled;
}

function formatTargetsOf(set: ResultSet): string {
  const targets = createTargetReport(set);
  return targets === undefined ? NO_RESULTS : formatTargets(targets);
}

/** Everything that is made of the committed results: tables in documents, summary and page. The same each time. */
export function updateReports(): readonly string[] {
  const set = readResultSet(RESULTS_FOLDER);
  for (const path of [README, DOCUMENT]) {
    const text = readFileSync(path, "utf8");
    writeText(path, fillDocument(text, set));
  }
  return [README, DOCUMENT, ...writeReport(set, RESULTS_FOLDER)];
}

// What a suite of a hundred cases takes with dozens of samples a metric; larger suites keep fewer, so that the set stays small.
const LARGEST_FILE = 200_000;
const SAMPLE_LIMITS = [128, 64, 32, 16, 8, 4];
// One more than tables show of small numbers, and finer than any run repeats itself.
const COMMITTED_DIGITS = 4;

/** The file with as many samples as fit. Their number before stays in it, and the statistics are those of all. */
export function thinResults(file: ResultsFile, largest: number = LARGEST_FILE): ResultsFile {
  const thin = (samples: number): ResultsFile => ({
    ...file,
    cases: file.cases.map((one) => reduceCase(one, { samples, digits: COMMITTED_DIGITS })),
  });
  const last = SAMPLE_LIMITS.at(-1) ?? 1;
  const limit = SAMPLE_LIMITS.find((one) => Buffer.byteLength(formatResults(thin(one))) <= largest) ?? last;
  return thin(limit);
}

/**
 * Makes a run part of the committed set.
 *
 * @throws UsageError for a run that is partial, quick, of some cases alone, or of sources that are in no commit
 */
export function adoptResults(path: string, folder: string = RESULTS_FOLDER): string {
  const file = readResults(path);
  const reasons = {
    "it is partial": file.status !== "complete",
    "it is a quick run": file.effort !== "full",
    "it holds some of the cases alone": file.filters.length > 0,
    "its sources are in no commit": file.revision.dirty,
  };
  const reason = Object.entries(reasons).find(([, holds]) => holds)?.[0];
  if (reason !== undefined) throw new UsageError(`${path}: cannot be adopted: ${reason}`);
  const target = join(folder, `${file.suite}.json`);
  writeResults(target, thinResults(file));
  return target;
}
