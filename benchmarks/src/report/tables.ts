import { FACTS, metricTitle, sortMetricNames } from "../metrics.ts";
import type { CaseResult, Metric } from "../results.ts";
import { listValues, listVarying, prefer, readFact, where } from "./cases.ts";
import { formatBytes, formatMean, formatMedian, formatNumber } from "./format.ts";

/** A table of text. Columns that hold numbers are aligned to the right. */
export interface ReportTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A column: its head, and its text of a case. */
type Column = readonly [head: string, cell: (one: CaseResult) => string];

const PARAMETER_TITLES: Readonly<Record<string, string>> = {
  sizeBytes: "size",
  corpus: "content",
  inFlight: "in flight",
  frameVersion: "frame version",
  peer: "client",
};
// What another column says already.
const HIDDEN_PARAMETERS = ["weight"];

function showParameter(name: string, value: string | number | undefined): string {
  if (value === undefined) return "";
  return name === "sizeBytes" ? formatBytes(Number(value)) : String(value);
}

function parameterColumn(name: string): Column {
  return [PARAMETER_TITLES[name] ?? name, ({ parameters }) => showParameter(name, parameters[name])];
}

function metricColumn(name: string, show: (metric: Metric) => string = formatMedian, title: string = metricTitle(name)): Column {
  return [
    title,
    ({ metrics }) => {
      const metric = metrics[name];
      return metric === undefined ? "" : show(metric);
    },
  ];
}

function factColumn(name: string): Column {
  return [
    FACTS[name] ?? name,
    (one) => {
      const value = one.facts[name];
      return typeof value === "number" ? formatNumber(value) : String(value ?? "");
    },
  ];
}

function makeTable(title: string, cases: readonly CaseResult[], columns: readonly Column[]): ReportTable {
  const rows = cases.map((one) => columns.map(([, cell]) => cell(one)));
  const isFilled = columns.map((_, i) => rows.some((row) => row[i] !== ""));
  const keep = (cells: readonly string[]): readonly string[] => cells.filter((_, i) => isFilled[i]);
  return { title, head: keep(columns.map(([head]) => head)), rows: rows.map(keep) };
}

/** Every case in a row: what tells it apart, medians with their intervals, sizes. */
export function makeLongTable(title: string, cases: readonly CaseResult[]): ReportTable {
  const parameters = listVarying(cases).filter((name) => !HIDDEN_PARAMETERS.includes(name));
  const metrics = sortMetricNames(cases.flatMap((one) => Object.keys(one.metrics)));
  const facts = Object.keys(FACTS);
  return makeTable(title, cases, [
    ...(parameters.length > 0 ? parameters.map(parameterColumn) : [["case", ({ name }: CaseResult) => name] as const]),
    ...metrics.map((name) => metricColumn(name)),
    ...facts.map(factColumn),
  ]);
}

/** The values of one parameter side by side, one row for each combination of the others. */
export function makePivot(
  title: string,
  cases: readonly CaseResult[],
  across: string,
  show: (one: CaseResult) => string,
): ReportTable {
  const rows = listVarying(cases).filter((name) => name !== across && !HIDDEN_PARAMETERS.includes(name));
  const heads = listValues(cases, across);
  const groups = new Map<string, readonly CaseResult[]>();
  for (const one of cases) {
    const key = JSON.stringify(rows.map((name) => one.parameters[name]));
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const columns = rows.map(parameterColumn);
  return {
    title,
    head: [...columns.map(([head]) => head), ...heads.map((value) => showParameter(across, value))],
    rows: [...groups.values()].map((group) => [
      ...columns.map(([, cell]) => (group[0] === undefined ? "" : cell(group[0]))),
      ...heads.map((value) =>
        where(group, { [across]: value })
          .map(show)
          .join(" / "),
      ),
    ]),
  };
}

/** A median in a cell of its own. */
export function showMetric(name: string): (one: CaseResult) => string {
  return ({ metrics }) => {
    const metric = metrics[name];
    return metric === undefined ? "" : formatMedian(metric);
  };
}

function makeValueCodecTable(title: string, cases: readonly CaseResult[]): ReportTable {
  return makeTable(title, cases, [
    ...["corpus", "sizeBytes", "threshold", "codec"].map(parameterColumn),
    metricColumn("ns", formatMean, "ns, mean ± deviation"),
    metricColumn("ns", formatMedian, "ns, median (95 %)"),
    metricColumn("mibPerSecond", ({ median }) => formatNumber(median)),
    metricColumn("heapBytes", ({ median }) => formatNumber(median)),
    ...["heldBytes", "respBytes"].map(factColumn),
  ]);
}

/** The cases of redis that the short tables and charts show: direct calls, 64 in flight, and of each operation the content with the most sizes. */
export function chooseRedisCases(cases: readonly CaseResult[]): readonly CaseResult[] {
  const usual = prefer(prefer(cases, "inFlight", [64]), "style", ["direct"]);
  return listValues(usual, "operation").flatMap((operation) => {
    const own = where(usual, { operation });
    const contents = [...listValues(own, "corpus")].sort((a, b) => countSizes(own, b) - countSizes(own, a));
    const most = contents.filter((corpus) => countSizes(own, corpus) === countSizes(own, contents[0]));
    return where(own, { corpus: most.includes("json-documents") ? "json-documents" : most[0] });
  });
}

function countSizes(cases: readonly CaseResult[], corpus: string | number | undefined): number {
  return listValues(where(cases, { corpus }), "sizeBytes").length;
}

function showThroughput({ metrics }: CaseResult): string {
  const { opsPerSecond, ratioToRaw } = metrics;
  const rate = opsPerSecond === undefined ? "" : formatNumber(opsPerSecond.median);
  return ratioToRaw === undefined ? rate : `${rate}; × ${formatMedian(ratioToRaw)}`;
}

const LONGEST_TABLE = 160;

/** What documents and the page show of a suite. */
export function makeTables(suite: string, cases: readonly CaseResult[]): readonly ReportTable[] {
  const operations = listValues(cases, "operation");
  if (suite === "value-codec") {
    return operations.map((operation) => makeValueCodecTable(String(operation), where(cases, { operation })));
  }
  if (suite === "redis") {
    const chosen = chooseRedisCases(cases);
    return operations.map((operation) =>
      makePivot(
        describeRedis(String(operation), where(chosen, { operation })),
        where(chosen, { operation }),
        "sizeBytes",
        showThroughput,
      ),
    );
  }
  if (suite === "link") return makeLinkTables(cases);
  if (suite === "hostile") return makeHostileTables(cases);
  if (suite === "hash-study")
    return [makeSizesTable(cases), ...operations.map((operation) => makeOperationTable(cases, operation))];
  if (operations.length > 1 && cases.length > LONGEST_TABLE / 4) {
    return operations.map((operation) => makeOperationTable(cases, operation));
  }
  return [makeLongTable(suite, cases)];
}

function makeOperationTable(cases: readonly CaseResult[], operation: string | number): ReportTable {
  return makeLongTable(String(operation), where(cases, { operation }));
}

/** What each cell of the grid holds; serializing alone holds nothing. */
function makeSizesTable(cases: readonly CaseResult[]): ReportTable {
  const holding = cases.filter((one) => readFact(one, "heldBytes") !== undefined);
  const cells = prefer(holding, "operation", ["set", "get"]);
  return makePivot("bytes held", cells, "codec", (one) => formatNumber(readFact(one, "heldBytes") ?? Number.NaN));
}

function describeRedis(operation: string, [first]: readonly CaseResult[]): string {
  const { corpus, inFlight, style } = first?.parameters ?? {};
  return `${operation}, ${corpus}, ${inFlight} in flight, ${style}: ops/s; × raw in the same round`;
}

function makeHostileTables(cases: readonly CaseResult[]): readonly ReportTable[] {
  const of = (operation: string): readonly CaseResult[] => where(cases, { operation });
  return [
    makePivot("refuse: × the time of decoding a good frame in the same round", of("refuse"), "codec", showMetric("ratioToGood")),
    makePivot("decode: ns of the good frame", of("decode"), "codec", showMetric("ns")),
    makePivot("throw: ns of a bare Error of V8, thrown and caught", of("throw"), "operation", showMetric("ns")),
    makeLongTable("growth: what every refusal leaves behind", of("growth")),
  ];
}

const BY_PROXY = "†";

function makeLinkTables(cases: readonly CaseResult[]): readonly ReportTable[] {
  const measured = cases.filter(({ metrics }) => metrics["breakEvenMbps"] === undefined);
  const breakEven = cases.filter(({ metrics }) => metrics["breakEvenMbps"] !== undefined);
  const tables = listValues(measured, "operation").map((operation) =>
    makePivot(
      `${operation}: ops/s; × raw in the same round; ${BY_PROXY} bound by the simulation, not by the link`,
      where(measured, { operation }),
      "link",
      (one) => `${showThroughput(one)}${one.facts["boundBy"] === "proxy" ? ` ${BY_PROXY}` : ""}`,
    ),
  );
  if (breakEven.length === 0) return tables;
  return [
    ...tables,
    makePivot("link speed below which encoding and decoding pay, Mbit/s", breakEven, "codec", showMetric("breakEvenMbps")),
  ];
}
