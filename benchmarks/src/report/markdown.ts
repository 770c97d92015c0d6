import type { ReportTable } from "./tables.ts";

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

const NUMERIC = /^[-−×\d(]/;

/** Whether a column holds numbers, which are aligned to the right. */
export function isNumericColumn({ rows }: ReportTable, column: number): boolean {
  const cells = rows.map((row) => row[column] ?? "").filter((cell) => cell !== "");
  return cells.length > 0 && cells.every((cell) => NUMERIC.test(cell));
}

/** A Markdown table. */
export function formatTable(table: ReportTable): string {
  const rule = table.head.map((_, i) => (isNumericColumn(table, i) ? "--:" : "---"));
  return [formatRow(table.head), `|${rule.join("|")}|`, ...table.rows.map(formatRow)].join("\n");
}

const PLACE = /<!-- table:([\w-]+) -->/g;

/** The names of the places for tables in a text, in their order. */
export function listPlaces(text: string): readonly string[] {
  return [...text.matchAll(PLACE)].map(([, name]) => name ?? "");
}

/**
 * Puts content between two markers.
 *
 * @throws Error where the text has no such place
 */
export function replaceBetween(text: string, name: string, content: string): string {
  const [open, close] = [`<!-- table:${name} -->`, `<!-- /table:${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`no place for the table ${name}`);
  return `${text.slice(0, start + open.length)}\n${content}\n${text.slice(end)}`;
}
