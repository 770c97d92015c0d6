import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type CaseResult, type Metric, RESULTS_VERSION, type ResultsFile } from "./results.ts";
import { thinSamples } from "./statistics.ts";
import { UsageError } from "./usage-error.ts";

/** Samples of one metric that a file keeps of a run. */
export const KEPT_SAMPLES = 256;
const DIGITS = 6;

/** How much of each metric a file keeps. */
export interface Reduction {
  /** Samples, at most. */
  readonly samples: number;
  /** Significant digits. */
  readonly digits: number;
}

function reduceMetric(metric: Metric, { samples: limit, digits }: Reduction): Metric {
  const roundNumber = (value: number): number => Number(value.toPrecision(digits));
  const count = metric.sampleCount ?? metric.samples.length;
  const samples = thinSamples(metric.samples, limit).map(roundNumber);
  return {
    unit: metric.unit,
    median: roundNumber(metric.median),
    interval: [roundNumber(metric.interval[0]), roundNumber(metric.interval[1])],
    mean: roundNumber(metric.mean),
    deviation: roundNumber(metric.deviation),
    ...(count === samples.length ? {} : { sampleCount: count }),
    samples,
  };
}

const OF_A_RUN: Reduction = { samples: KEPT_SAMPLES, digits: DIGITS };

/** The case as files hold it: numbers of so many digits, so many samples a metric. The statistics stay those of all samples. */
export function reduceCase(result: CaseResult, reduction: Reduction = OF_A_RUN): CaseResult {
  const metrics = Object.entries(result.metrics).map(([name, metric]) => [name, reduceMetric(metric, reduction)] as const);
  return { ...result, metrics: Object.fromEntries(metrics) };
}

// The file is written anew after each case, among the measurements: text that was made once is kept.
const formatted = new WeakMap<object, string>();

function formatOnce(element: object): string {
  const known = formatted.get(element);
  if (known !== undefined) return known;
  const text = JSON.stringify(element);
  formatted.set(element, text);
  return text;
}

/** JSON with one case a line, so that two runs can be compared by eye and by git. */
export function formatResults({ cases, skipped, failed, ...header }: ResultsFile): string {
  const lines = (list: readonly object[]): string => (list.length === 0 ? "[]" : `[\n${list.map(formatOnce).join(",\n")}\n]`);
  const head = JSON.stringify(header, undefined, 2).slice(0, -2);
  return `${head},\n  "cases": ${lines(cases)},\n  "skipped": ${lines(skipped)},\n  "failed": ${lines(failed)}\n}\n`;
}

/**
 * Writes beside the file and renames: whoever reads it, or interrupts, finds a whole one.
 *
 * @throws UsageError where nothing can be written
 */
export function writeResults(path: string, file: ResultsFile): void {
  prepareFolder(path);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, formatResults(file));
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`${path}: cannot be written (${errorCode(error)})`, { cause: error });
  }
}

/**
 * Makes the folder of a file that will be written later.
 *
 * @throws UsageError where that cannot be
 */
export function prepareFolder(path: string): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UsageError(`${path}: cannot be written (${errorCode(error)})`, { cause: error });
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) throw new UsageError(`${path}: is a folder`);
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : error;
}

/**
 * Reads a file that {@link writeResults} wrote.
 *
 * @throws UsageError when it is missing, no JSON, of another version, or not of this shape
 */
export function readResults(path: string): ResultsFile {
  const content = parseJson(path);
  if (!isObject(content)) throw new UsageError(`${path}: not a results file`);
  const version = content["resultsVersion"];
  if (version === undefined) throw new UsageError(`${path}: not a results file`);
  if (version !== RESULTS_VERSION) {
    throw new UsageError(`${path}: results of version ${JSON.stringify(version)}; this program reads version ${RESULTS_VERSION}`);
  }
  const fault = findFault(content);
  if (fault !== undefined) throw new UsageError(`${path}: a damaged results file: ${fault}`);
  return content as unknown as ResultsFile;
}

function parseJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = errorCode(error);
    throw new UsageError(`${path}: ${code === "ENOENT" ? "no such file" : `cannot be read (${code})`}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path}: not JSON`);
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isPair = (value: unknown): boolean => Array.isArray(value) && value.length === 2 && value.every(isNumber);
const isOneOf =
  (...choices: readonly unknown[]) =>
  (value: unknown): boolean =>
    choices.includes(value);

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

const HEADER: Checks = {
  suite: isText,
  status: isOneOf("partial", "complete"),
  command: isText,
  startedAt: isText,
  finishedAt: isText,
  effort: isOneOf("full", "quick"),
  filters: isTexts,
  launches: isNumber,
  revision: (value) => isObject(value) && isText(value["commit"]) && typeof value["dirty"] === "boolean",
  machine: (value) => isObject(value) && isText(value["cpu"]) && isNumber(value["cores"]) && isPair(value["load"]),
  versions: (value) => isObject(value) && Object.values(value).every(isText),
  notes: (value) => value === undefined || isTexts(value),
  cases: Array.isArray,
  skipped: (value) => Array.isArray(value) && value.every((one) => isObject(one) && isText(one["name"]) && isText(one["reason"])),
  failed: (value) => Array.isArray(value) && value.every((one) => isObject(one) && isText(one["name"]) && isText(one["error"])),
};

const METRIC: Checks = {
  unit: isText,
  samples: (value) => Array.isArray(value) && value.length > 0 && value.every(isNumber),
  median: isNumber,
  interval: isPair,
  mean: isNumber,
  deviation: isNumber,
};

function findFailedCheck(value: JsonObject, checks: Checks): string | undefined {
  return Object.keys(checks).find((key) => checks[key]?.(value[key]) !== true);
}

function findFault(content: JsonObject): string | undefined {
  const key = findFailedCheck(content, HEADER);
  if (key !== undefined) return key;
  const cases = content["cases"] as readonly unknown[];
  for (const [index, one] of cases.entries()) {
    const fault = findCaseFault(one);
    if (fault !== undefined) return `case ${index + 1}: ${fault}`;
  }
  return undefined;
}

function findCaseFault(one: unknown): string | undefined {
  if (!isObject(one) || !isText(one["name"])) return "name";
  for (const key of ["parameters", "metrics", "facts"]) if (!isObject(one[key])) return key;
  for (const [name, metric] of Object.entries(one["metrics"] as JsonObject)) {
    const key = isObject(metric) ? findFailedCheck(metric, METRIC) : "";
    if (key !== undefined) return `metric ${name} ${key}`.trimEnd();
  }
  return undefined;
}
