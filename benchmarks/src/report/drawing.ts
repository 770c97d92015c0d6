import { type EChartsOption, init, type SeriesOption } from "echarts";
import { colorMark, replaceMarks } from "./palette.ts";

/** A chart, before it is drawn. */
export interface ChartSpec {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** How to read it, one sentence. */
  readonly text: string;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly series: readonly DrawnSeries[];
}

export interface AxisSpec {
  readonly name: string;
  readonly type: "category" | "percent" | "log";
  /**
   * Of a logarithmic axis: what lies between two ticks.
   *
   * @default 10
   */
  readonly base?: number;
  readonly categories?: readonly string[];
  /** Values with a line and a name of their own. */
  readonly lines?: readonly (readonly [value: number, name: string])[];
}

/** A series as echarts takes it, and what each of its marks says when it is pointed at. */
export interface DrawnSeries {
  readonly name: string;
  readonly color: string;
  readonly symbol: string;
  readonly option: SeriesOption;
  readonly titles: readonly string[];
}

/** One chart as SVG, for wide and for narrow windows: text of one drawing would be too small in the other. */
export interface Drawing {
  readonly wide: string;
  readonly narrow: string;
}

const WIDE = { width: 860, height: 400 };
const NARROW = { width: 340, height: 380 };
const FONT = "system-ui, sans-serif";
const LETTER = 7;
const AXIS_SPACE = 60;
const ROTATION = 35;
const NAME_GAP = 28;
const ROTATED_NAME_GAP = 58;

type Size = typeof WIDE;

export function drawChart(spec: ChartSpec): Drawing {
  return { wide: draw(spec, WIDE, "wide"), narrow: draw(spec, NARROW, "narrow") };
}

function draw(spec: ChartSpec, size: Size, variant: string): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, ...size });
  chart.setOption(createOption(spec, size));
  const svg = chart.renderToSVGString();
  chart.dispose();
  return finishSvg(svg, spec, `${spec.id}-${variant}`);
}

function createOption({ x, y, series }: ChartSpec, { width }: Size): EChartsOption {
  const rotates = LETTER * (x.categories ?? []).join("  ").length > width - AXIS_SPACE;
  const nameGap = rotates ? ROTATED_NAME_GAP : NAME_GAP;
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: FONT, color: colorMark("ink") },
    // Widths of labels are estimated where nothing is drawn on: a little more room than that.
    grid: { left: 14, right: 16, top: 28, bottom: nameGap - 2, containLabel: !rotates, ...(rotates ? { left: 52 } : {}) },
    xAxis: { ...createAxis(x, rotates), nameLocation: "middle", nameGap },
    yAxis: { ...createAxis(y, false), nameLocation: "end", nameGap: 12 },
    series: [...series.map(({ option }) => option), ...createReferenceLines(y)],
  };
}

// One and the same for every kind of axis; echarts' types tell them apart by `type`.
function createAxis({ name, type, categories, base = 10 }: AxisSpec, rotates: boolean) {
  const line = { lineStyle: { color: colorMark("grid") } };
  const common = {
    name,
    nameTextStyle: {
      color: colorMark("muted"),
      fontSize: 12,
      align: categories === undefined ? ("left" as const) : ("center" as const),
    },
    axisLine: line,
    axisTick: line,
    splitLine: { show: type !== "category", ...line },
  };
  const label = { color: colorMark("muted"), fontSize: 12, hideOverlap: true };
  if (type === "category") {
    return {
      ...common,
      type,
      data: [...(categories ?? [])],
      axisLabel: { ...label, interval: 0, rotate: rotates ? ROTATION : 0 },
    };
  }
  const ticks = { ...label, formatter: formatTick };
  if (type === "percent") return { ...common, type: "value" as const, axisLabel: ticks, min: 0, max: roundUpToTen };
  return { ...common, type, logBase: base, axisLabel: ticks };
}

function roundUpToTen({ max }: { max: number }): number {
  return 10 * Math.ceil((max + 5) / 10);
}

function formatTick(value: number): string {
  return value >= 1 ? value.toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}

function createReferenceLines({ lines = [] }: AxisSpec): SeriesOption[] {
  if (lines.length === 0) return [];
  const label = { color: colorMark("muted"), fontSize: 11, position: "insideEndTop" as const, formatter: "{b}" };
  const lineStyle = { color: colorMark("muted"), width: 1, type: "dashed" as const };
  const data = lines.map(([value, name]) => ({ yAxis: value, name }));
  return [{ type: "line", data: [], markLine: { silent: true, symbol: "none", animation: false, label, lineStyle, data } }];
}

const UNUSED =
  /<style[\s\S]*?<\/style>| class="[^"]*"| ecmeta_silent="\w+"| xmlns(?::\w+)?="[^"]*"| pointer-events="\w+"| baseProfile="\w+"/g;
const CHART_MARK = /<(\w+)([^>]*?) ecmeta_series_index="(\d+)" ecmeta_data_index="(\d+)" ecmeta_ssr_type="chart"([^>]*?)><\/\1>/g;
const OTHER_META = / ecmeta_\w+="[^"]*"/g;

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function finishSvg(svg: string, { title, series }: ChartSpec, id: string): string {
  const titleOf = (seriesIndex: string, dataIndex: string): string => {
    const one = series[Number(seriesIndex)];
    return escapeText(one?.titles[Number(dataIndex)] ?? one?.name ?? "");
  };
  const marked = svg
    .replace(UNUSED, "")
    .replace(CHART_MARK, (_, tag, before, seriesIndex, dataIndex, after) => {
      return `<${tag} class="mark"${before}${after}><title>${titleOf(seriesIndex, dataIndex)}</title></${tag}>`;
    })
    .replace(OTHER_META, "")
    // Ids that count up through the process would differ from one run to the next.
    .replace(/\bzr\d+-/g, `${id}-`)
    .replace(/\n+/g, "\n");
  return replaceMarks(marked).replace("<svg ", `<svg role="img" aria-label="${escapeText(title).replaceAll('"', "&quot;")}" `);
}
