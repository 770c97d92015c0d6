import type { CustomSeriesRenderItem } from "echarts";
import type { Metric } from "../results.ts";
import type { DrawnSeries } from "./drawing.ts";
import { formatMedian } from "./format.ts";
import { colorMark, seriesColor, seriesSymbols } from "./palette.ts";

/** What a chart shows of one case. */
export interface ChartPoint {
  readonly x: string | number;
  readonly metric: Metric;
  readonly title: string;
  /** Where the height is not the metric's median. */
  readonly y?: number;
}

export interface ChartLine {
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

const LINE_WIDTH = 2;
const SYMBOL_SIZE = 8;

function describePoint(name: string, { title, metric }: ChartPoint): string {
  return `${name}, ${title}: ${formatMedian(metric)} ${metric.unit}`;
}

function makeSeries(
  lines: readonly ChartLine[],
  createOption: (line: ChartLine, look: Look, place: number) => DrawnSeries["option"],
): DrawnSeries[] {
  const symbols = seriesSymbols(lines.map(({ name }) => name));
  return lines.map((line, place) => {
    const look = { color: seriesColor(line.name), symbol: symbols[place] ?? "circle" };
    const titles = line.points.map((point) => describePoint(line.name, point));
    return { name: line.name, ...look, titles, option: createOption(line, look, place) };
  });
}

interface Look {
  readonly color: string;
  readonly symbol: string;
}

/** Points that are joined: the same codec or client at growing sizes. */
export function makeLines(lines: readonly ChartLine[]): DrawnSeries[] {
  return makeSeries(lines, ({ name, points }, { color, symbol }) => ({
    name,
    type: "line",
    data: points.map(({ x, y, metric }) => [x, y ?? metric.median]),
    symbol,
    symbolSize: SYMBOL_SIZE,
    lineStyle: { color, width: LINE_WIDTH, type: symbol === "circle" ? "solid" : "dashed" },
    itemStyle: { color, borderColor: color },
  }));
}

/** Points by themselves. */
export function makeScatter(lines: readonly ChartLine[]): DrawnSeries[] {
  return makeSeries(lines, ({ name, points }, { color, symbol }) => ({
    name,
    type: "scatter",
    data: points.map(({ x, y, metric }) => [x, y ?? metric.median]),
    symbol,
    symbolSize: SYMBOL_SIZE + 2,
    itemStyle: { color, opacity: 0.85, borderColor: colorMark("surface"), borderWidth: 1 },
  }));
}

const STEP_SHARE = 0.8;
const LARGEST_STEP = 22;

/** Medians with the bounds that hold them, side by side in each category. */
export function makeIntervals(lines: readonly ChartLine[]): DrawnSeries[] {
  return makeSeries(lines, ({ name, points }, { color, symbol }, place) => ({
    name,
    type: "custom",
    renderItem: createIntervalRenderer(color, symbol, place, lines.length),
    clip: true,
    // All three are on the axis.
    encode: { x: 0, y: [1, 2, 3] },
    data: points.map(({ x, metric }) => [x, metric.median, ...boundsOf(metric)]),
  }));
}

// A logarithmic axis has no place for 0.
const LOWEST_SHARE = 0.01;

function boundsOf({ median, interval: [low, high] }: Metric): readonly [number, number] {
  return [Math.max(low, median * LOWEST_SHARE), high];
}

function createIntervalRenderer(color: string, symbol: string, place: number, count: number): CustomSeriesRenderItem {
  return (_, api) => {
    const category = api.value(0);
    const [middle = 0, y = 0] = api.coord([category, api.value(1)]);
    const [, low = 0] = api.coord([category, api.value(2)]);
    const [, high = 0] = api.coord([category, api.value(3)]);
    const band = api.size?.([1, 0]);
    const width = Array.isArray(band) ? (band[0] ?? 0) : (band ?? 0);
    const x = middle + (place - (count - 1) / 2) * Math.min(LARGEST_STEP, (width * STEP_SHARE) / count);
    return {
      type: "group",
      children: [
        { type: "line", shape: { x1: x, y1: low, x2: x, y2: high }, style: { stroke: color, lineWidth: LINE_WIDTH } },
        createPoint(symbol, x, y, color),
      ],
    };
  };
}

function createPoint(symbol: string, x: number, y: number, color: string) {
  const style = { fill: color };
  const half = SYMBOL_SIZE / 2;
  if (symbol === "rect")
    return { type: "rect" as const, shape: { x: x - half, y: y - half, width: SYMBOL_SIZE, height: SYMBOL_SIZE }, style };
  if (symbol === "circle") return { type: "circle" as const, shape: { cx: x, cy: y, r: half }, style };
  const corners =
    symbol === "triangle"
      ? [
          [0, -1.2],
          [1.2, 1],
          [-1.2, 1],
        ]
      : [
          [0, -1.3],
          [1.3, 0],
          [0, 1.3],
          [-1.3, 0],
        ];
  const points = corners.map(([dx = 0, dy = 0]) => [x + dx * half, y + dy * half]);
  return { type: "polygon" as const, shape: { points }, style };
}
