import type { CaseResult, ResultsFile } from "../results.ts";
import { listValues, nameForReport, prefer, readFact, where } from "./cases.ts";
import { describeRun, formatBytes, formatMean, formatMedian, formatNumber, INTERVAL } from "./format.ts";
import { formatTable } from "./markdown.ts";
import { chooseRedisCases, type ReportTable } from "./tables.ts";
import { createTargetReport } from "./target-tables.ts";

const SIZES = [1_024, 16_384, 262_144];
const OPERATIONS = ["set", "get"];
const AGAIN = "ioredis-again";

/** What stands in README: throughput in relation to bare ioredis, and what the codecs cost. */
export function formatReadmeTables(results: ReadonlyMap<string, ResultsFile>): string {
  const parts = [
    formatPart(results.get("redis"), makeRedisTable),
    formatPart(results.get("value-codec"), makeCodecTable),
    formatTargetsLine(results),
  ];
  const found = parts.filter((part) => part !== undefined);
  return found.length === 0 ? NO_RESULTS : found.join("\n\n");
}

/** How many of the targets are met, and where they are. */
function formatTargetsLine(results: ReadonlyMap<string, ResultsFile>): string | undefined {
  const targets = createTargetReport(results);
  return targets === undefined ? undefined : `${targets.summary} [All of them](docs/benchmarks.md#targets).`;
}

/** What stands where results will be. */
export const NO_RESULTS = "No results yet: `npm run bench` makes them.";

function formatPart(file: ResultsFile | undefined, make: (file: ResultsFile) => ReportTable): string | undefined {
  if (file === undefined) return undefined;
  const table = make(file);
  if (table.rows.length === 0) return undefined;
  return [table.title, formatTable(table), noteOf(table), describeRun(file)].filter((part) => part !== undefined).join("\n\n");
}

function noteOf({ rows }: ReportTable): string | undefined {
  if (!rows.some(([client]) => client === AGAIN)) return undefined;
  return `\`${AGAIN}\` is bare ioredis once more: how far it is from 1 is this machine's noise.`;
}

function makeRedisTable({ cases }: ResultsFile): ReportTable {
  const chosen = chooseRedisCases(cases.map(nameForReport));
  const columns = OPERATIONS.flatMap((operation) => SIZES.map((sizeBytes) => ({ operation, sizeBytes })));
  const present = columns.filter((column) => where(chosen, column).length > 0);
  const size = listValues(chosen, "sizeBytes").find((bytes) => bytes === SIZES[1]);
  const showMemory = (peer: string | number): string => {
    const values = where(chosen, { peer, sizeBytes: size }).flatMap((one) => readFact(one, "usedMemoryBytes") ?? []);
    return values[0] === undefined ? "" : formatNumber(values[0]);
  };
  return {
    title: `Throughput in relation to bare ioredis in the same round: ${describeContext(chosen)}. Above 1 is faster: the median, in brackets its ${INTERVAL}.`,
    head: [
      "client",
      ...present.map(({ operation, sizeBytes }) => `${operation.toUpperCase()} ${formatBytes(sizeBytes)}`),
      `bytes in Redis of ${formatBytes(SIZES[1] ?? 0)}`,
    ],
    rows: listValues(chosen, "peer").map((peer) => [
      String(peer),
      ...present.map((column) =>
        where(chosen, { ...column, peer })
          .map(showRatio)
          .join(""),
      ),
      showMemory(peer),
    ]),
  };
}

function describeContext(cases: readonly CaseResult[]): string {
  const { corpus, inFlight, style } = cases[0]?.parameters ?? {};
  return [corpus, inFlight === undefined ? undefined : `${inFlight} in flight`, style]
    .filter((part) => part !== undefined)
    .join(", ");
}

function showRatio({ metrics }: CaseResult): string {
  const metric = metrics["ratioToRaw"];
  return metric === undefined ? "" : formatMedian(metric);
}

function makeCodecTable({ cases }: ResultsFile): ReportTable {
  const text = prefer(prefer(cases, "threshold", [1_024]), "sizeBytes", [16_384]);
  const contents = listValues(text, "corpus");
  const show = (one: CaseResult): string => {
    const metric = one.metrics["ns"];
    return metric === undefined ? "" : formatMean(metric);
  };
  const cell = (wanted: Readonly<Record<string, string | number>>): string => where(text, wanted).map(show).join("");
  return {
    title: "Encode and decode of 16 KiB into a given target: ns, mean ± standard deviation, and bytes held.",
    head: ["codec", ...contents.flatMap((corpus) => [`encode ${corpus}`, `decode ${corpus}`, "held B"])],
    rows: listValues(text, "codec").map((codec) => [
      String(codec),
      ...contents.flatMap((corpus) => [
        cell({ codec, corpus, operation: "encode" }),
        cell({ codec, corpus, operation: "decode" }),
        formatNumber(readHeld(where(text, { codec, corpus }))),
      ]),
    ]),
  };
}

function readHeld([first]: readonly CaseResult[]): number {
  return (first === undefined ? undefined : readFact(first, "heldBytes")) ?? Number.NaN;
}
