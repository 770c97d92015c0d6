import type { CaseResult, Facts, Metric, ResultsFile } from "./results.ts";

/** What a results file of value-codec must hold. */
export interface ValueCodecExpectation {
  /** Cases of this direction alone. */
  readonly direction?: Direction;
  /** These cases alone, by name; the whole matrix without. */
  readonly cases?: readonly string[];
  /** Fresh processes whose samples must be in it. */
  readonly launches?: number;
}

type Direction = "encode" | "decode";

const DIRECTIONS: readonly Direction[] = ["encode", "decode"];
const CORPORA = ["record-text", "random"] as const;
const SIZES = { "64": 64, "1k": 1_024, "16k": 16_384 } as const;
const CODECS = ["raw", "brotli-4", "deflate-1", "lz4", "zstd-3"] as const;
const THRESHOLDS = [0, 1_024] as const;
/** Cases of one direction. */
export const CASES_OF_A_DIRECTION = 60;

/** What the parts of a name say. */
interface Expected {
  readonly operation: Direction;
  readonly corpus: string;
  readonly sizeBytes: number;
  readonly codec: string;
  readonly threshold: number;
}

const MATRIX: ReadonlyMap<string, Expected> = new Map(
  DIRECTIONS.flatMap((operation) =>
    CORPORA.flatMap((corpus) =>
      Object.entries(SIZES).flatMap(([size, sizeBytes]) =>
        CODECS.flatMap((codec) =>
          THRESHOLDS.map((threshold): [string, Expected] => [
            `value-codec/${operation}/${corpus}-${size}/${codec}/threshold-${threshold}`,
            { operation, corpus, sizeBytes, codec, threshold },
          ]),
        ),
      ),
    ),
  ),
);

/** The names of the matrix, of both directions or one. */
export function listValueCodecCases(direction?: Direction): readonly string[] {
  return [...MATRIX].filter(([, { operation }]) => direction === undefined || operation === direction).map(([name]) => name);
}

// The contents of the earlier system's published numbers, by SHA-256.
const CONTENT_DIGESTS: Readonly<Record<string, string>> = {
  "record-text/64": "c2b21e7c8af3dbcebf19bf2d8c13a1c61674aeff937ade6db6f4ca3fee5bcdf1",
  "record-text/1024": "ddde80f27854f09534dcbffca07ae4878c33ddaf4d894491d75c5b8f2b4fd760",
  "record-text/16384": "924c68ba68f270845f844f0683e73663f67cdff24f5860d7208dd91984405df6",
  "random/64": "d1ed20d11680548111d23e41c701e2fb2235d8c47f58101eed80f9664617e896",
  "random/1024": "fab0287900c70b10192d7fd4b0a07615351fb90f43d2264f6981521a5a229307",
  "random/16384": "14f7549860498b8973a3f2716a290d5cb806f95b1d1cf8b286be76a0e06237c6",
};

/** What is wrong with the results, one line a fault; none: they can be published. */
export function findValueCodecFaults(file: ResultsFile, expectation: ValueCodecExpectation = {}): readonly string[] {
  const { direction, cases = listValueCodecCases(direction), launches } = expectation;
  const faults = [...findRunFaults(file, launches), ...findExpectationFaults(expectation, cases)];
  faults.push(...findSetFaults(file, cases, direction));
  const byName = new Map(file.cases.map((one) => [one.name, one]));
  for (const one of byName.values()) {
    faults.push(...findMeaningFaults(one), ...findStatisticsFaults(one), ...findLaunchFaults(one, file.launches));
    faults.push(...findSizeFaults(one, byName));
  }
  return faults;
}

function findRunFaults(file: ResultsFile, launches: number | undefined): readonly string[] {
  const faults: string[] = [];
  if (file.suite !== "value-codec") faults.push(`results of the suite ${file.suite}, not of value-codec`);
  if (launches !== undefined && file.launches !== launches) {
    faults.push(`${file.launches} fresh processes where ${launches} were to run`);
  }
  if (file.status !== "complete" && file.failed.length === 0) faults.push("the run is partial");
  return faults;
}

function findExpectationFaults({ direction, cases }: ValueCodecExpectation, names: readonly string[]): readonly string[] {
  if (cases !== undefined) return cases.length === 0 ? ["no cases are expected"] : [];
  const count = direction === undefined ? 2 * CASES_OF_A_DIRECTION : CASES_OF_A_DIRECTION;
  return new Set(names).size === count ? [] : [`the matrix has ${names.length} cases, not ${count}`];
}

function findSetFaults(file: ResultsFile, expected: readonly string[], direction: Direction | undefined): readonly string[] {
  const wanted = new Set(expected);
  const settled = [...file.cases, ...file.failed, ...file.skipped].map(({ name }) => name);
  const present = new Set(settled);
  const isOther = (name: string): boolean =>
    direction !== undefined && MATRIX.has(name) && !name.startsWith(`value-codec/${direction}/`);
  const duplicates = settled.filter((name, i) => settled.indexOf(name) !== i);
  return [
    ...expected.filter((name) => !present.has(name)).map((name) => `${name}: missing`),
    ...[...present].filter(isOther).map((name) => `${name}: of the other direction`),
    ...[...present].filter((name) => !wanted.has(name) && !isOther(name)).map((name) => `${name}: not expected`),
    ...[...new Set(duplicates)].map((name) => `${name}: more than once`),
    ...file.failed.map(({ name, error }) => `${name}: failed: ${error}`),
    ...file.skipped.map(({ name, reason }) => `${name}: skipped: ${reason}`),
  ];
}

/** Whether the parameters say what the name says: a decode measured under an encode's name is of the wrong direction. */
function findMeaningFaults({ name, parameters }: CaseResult): readonly string[] {
  const expected = MATRIX.get(name);
  if (expected === undefined) return [];
  return Object.entries(expected)
    .filter(([key, value]) => parameters[key] !== value)
    .map(([key, value]) => `${name}: its ${key} is ${parameters[key] ?? "missing"}, not ${value}`);
}

function findStatisticsFaults({ name, metrics }: CaseResult): readonly string[] {
  const isPositive = ({ mean, median, deviation }: Metric): boolean =>
    [mean, median].every((value) => Number.isFinite(value) && value > 0) && Number.isFinite(deviation);
  const isAllocation = ({ mean, median }: Metric): boolean =>
    [mean, median].every((value) => Number.isFinite(value) && value >= 0);
  const checks = { ns: isPositive, mibPerSecond: isPositive, heapBytes: isAllocation };
  return Object.entries(checks).flatMap(([metric, accepts]) => {
    const found = metrics[metric];
    if (found === undefined || found.samples.length === 0) return [`${name}: no statistics of ${metric}`];
    return accepts(found) ? [] : [`${name}: ${metric} has the mean ${found.mean} and the median ${found.median}`];
  });
}

function findLaunchFaults({ name, facts, launchFacts }: CaseResult, launches: number): readonly string[] {
  if (launches === 1 && launchFacts === undefined) return [];
  if (launchFacts?.length !== launches) return [`${name}: facts of ${launchFacts?.length ?? 1} processes, not of ${launches}`];
  const changed = Object.keys(facts).filter((key) => launchFacts.some((own) => own[key] !== facts[key]));
  return changed.map((key) => `${name}: ${key} differs between processes: ${launchFacts.map((own) => own[key]).join(", ")}`);
}

const SIZE_FACTS = ["contentBytes", "heldBytes", "respBytes"] as const;

/** Bytes of a RESP bulk string's own: `$`, the digits, and two line ends. */
export function respBytesOf(heldBytes: number): number {
  return heldBytes + String(heldBytes).length + 5;
}

function findSizeFaults({ name, facts }: CaseResult, byName: ReadonlyMap<string, CaseResult>): readonly string[] {
  const expected = MATRIX.get(name);
  if (expected === undefined) return [];
  const missing = [...SIZE_FACTS, "sha256", "codecId"].filter((key) => facts[key] === undefined);
  if (missing.length > 0) return missing.map((key) => `${name}: no ${key}`);
  const faults: string[] = [];
  if (facts["contentBytes"] !== expected.sizeBytes) faults.push(`${name}: content of ${facts["contentBytes"]} bytes`);
  if (facts["respBytes"] !== respBytesOf(Number(facts["heldBytes"])))
    faults.push(`${name}: RESP bytes do not follow from held bytes`);
  const published = CONTENT_DIGESTS[`${expected.corpus}/${expected.sizeBytes}`];
  if (facts["sha256"] !== published) faults.push(`${name}: content with the digest ${facts["sha256"]}, not ${published}`);
  return [...faults, ...findCodecFaults(name, expected, facts, byName)];
}

function findCodecFaults(
  name: string,
  expected: Expected,
  facts: Facts,
  byName: ReadonlyMap<string, CaseResult>,
): readonly string[] {
  if (expected.codec === "raw") {
    const isRaw = facts["heldBytes"] === facts["contentBytes"] && facts["codecId"] === null;
    return isRaw ? [] : [`${name}: raw content of ${facts["contentBytes"]} bytes is held as ${facts["heldBytes"]}`];
  }
  const raw = byName.get(name.replace(`/${expected.codec}/`, "/raw/"))?.facts;
  if (raw?.["sha256"] === undefined) return [`${name}: no sizes of its raw twin`];
  return raw["sha256"] === facts["sha256"] ? [] : [`${name}: other content than its raw twin`];
}
