import { makeCharts } from "./charts.ts";
import { type ChartSpec, drawChart } from "./drawing.ts";
import { isNumericColumn } from "./markdown.ts";
import { declareColors, replaceMarks } from "./palette.ts";
import { REPORTED_SUITES, type Section } from "./sections.ts";
import type { ReportTable } from "./tables.ts";
import type { TargetReport } from "./target-tables.ts";

const OPEN_ROWS = 12;

const STYLE = `:root{color-scheme:light dark;${declareColors("light")}}
@media (prefers-color-scheme:dark){:root{${declareColors("dark")}}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:908px;padding:24px 16px 64px;background:var(--surface);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 8px}
h2{font-size:1.3rem;margin:56px 0 4px;padding-top:16px;border-top:1px solid var(--grid)}
h3{font-size:1rem;margin:32px 0 2px}
p{margin:4px 0 12px;max-width:72ch}
nav a{display:inline-block;margin:0 14px 4px 0}
a{color:var(--zstd)}
.run,.notes,figcaption{color:var(--muted);font-size:.85rem;overflow-wrap:anywhere}
figure{margin:0}
svg{display:block;max-width:100%;height:auto}
.legend{display:flex;flex-wrap:wrap;gap:2px 16px;margin:6px 0 4px;padding:0;list-style:none;font-size:.82rem}
.legend li{display:flex;align-items:center;gap:6px}
.narrow{display:none}
@media (max-width:700px){.wide{display:none}.narrow{display:block}}
.scroll{overflow-x:auto;margin:8px 0 16px}
table{border-collapse:collapse;font-size:.82rem;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;border-bottom:1px solid var(--grid);text-align:left;white-space:nowrap}
th{color:var(--muted);font-weight:600}
.number{text-align:right}
summary{cursor:pointer;margin:8px 0}
code{display:inline-block;max-width:100%;overflow-x:auto;vertical-align:bottom;white-space:nowrap;font-size:.9em}`;

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Text with `code` in backquotes. */
function formatText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function formatChart(spec: ChartSpec): string {
  const { wide, narrow } = drawChart(spec);
  return `<figure class="chart" id="${escapeHtml(spec.id)}">
<h3>${escapeHtml(spec.title)}</h3>
<figcaption>${escapeHtml(spec.text)}</figcaption>
${formatLegend(spec)}
<div class="wide">${wide}</div>
<div class="narrow">${narrow}</div>
</figure>`;
}

const SHAPES: Readonly<Record<string, string>> = {
  circle: '<circle cx="6" cy="6" r="5"/>',
  rect: '<rect x="1" y="1" width="10" height="10"/>',
  triangle: '<path d="M6 0L12 11L0 11Z"/>',
  diamond: '<path d="M6 0L12 6L6 12L0 6Z"/>',
};

// Text of the page, not of the drawing: it wraps where the window is narrow.
function formatLegend({ series }: ChartSpec): string {
  const entries = series.map(({ name, color, symbol }) => {
    const shape = `<svg width="12" height="12" viewBox="0 0 12 12" fill="${replaceMarks(color)}" aria-hidden="true">${SHAPES[symbol] ?? ""}</svg>`;
    return `<li>${shape}${escapeHtml(name)}</li>`;
  });
  return `<ul class="legend">${entries.join("")}</ul>`;
}

function formatTable(table: ReportTable): string {
  const mark = table.head.map((_, i) => (isNumericColumn(table, i) ? ' class="number"' : ""));
  const cells = (tag: string, row: readonly string[]): string =>
    `<tr>${row.map((cell, i) => `<${tag}${mark[i] ?? ""}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  const rows = table.rows.map((row) => cells("td", row)).join("\n");
  const body = `<div class="scroll"><table><thead>${cells("th", table.head)}</thead><tbody>\n${rows}\n</tbody></table></div>`;
  const title = `${escapeHtml(table.title)} (${table.rows.length} rows)`;
  return `<details${table.rows.length <= OPEN_ROWS ? " open" : ""}><summary>${title}</summary>${body}</details>`;
}

function formatSection(section: Section): string {
  const notes = section.notes.map((note) => formatText(note)).join(" ");
  return `<section>
<h2 id="${escapeHtml(section.suite)}">${escapeHtml(section.title)}</h2>
<p>${formatText(section.text)}</p>
<p class="run">${formatText(section.run)}</p>
${makeCharts(section.file).map(formatChart).join("\n")}
${section.tables.map(formatTable).join("\n")}
<p class="notes">${notes}</p>
</section>`;
}

function formatTargets({ summary, introduction, notes, tables }: TargetReport): string {
  return `<section>
<h2 id="targets">Targets</h2>
<p><strong>${escapeHtml(summary)}</strong></p>
${introduction.map((text) => `<p>${formatText(text)}</p>`).join("\n")}
${tables.map(formatTable).join("\n")}
<p class="notes">${notes.map(formatText).join(" ")}</p>
</section>`;
}

/** The whole report as one page that needs nothing else, neither network nor script. */
export function formatPage(sections: readonly Section[], targets?: TargetReport): string {
  const place = ({ suite }: Section): number =>
    REPORTED_SUITES.includes(suite) ? REPORTED_SUITES.indexOf(suite) : REPORTED_SUITES.length;
  const sorted = [...sections].sort((a, b) => place(a) - place(b));
  const titles = [...(targets === undefined ? [] : [{ suite: "targets", title: "Targets" }]), ...sorted];
  const links = titles.map(({ suite, title }) => `<a href="#${escapeHtml(suite)}">${escapeHtml(title)}</a>`).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,">
<title>Tightwire benchmarks</title>
<style>
${STYLE}
</style>
</head>
<body>
<h1>Tightwire benchmarks</h1>
<p>What encoding costs and what it saves. Machine, versions, command, date and spread stand beside what they belong to. Point at a mark for its numbers.</p>
<nav>${links === "" ? "No results yet." : `\n${links}\n`}</nav>
${[...(targets === undefined ? [] : [formatTargets(targets)]), ...sorted.map(formatSection)].join("\n")}
</body>
</html>
`;
}
