/** A colour of the page: how it looks on a light and on a dark ground. */
interface PageColor {
  readonly light: string;
  readonly dark: string;
}

// Charts are drawn once for both grounds: each colour is drawn as a mark of its own, `#00f0` and its place here, which becomes
// the variable of that colour.
const COLORS: Readonly<Record<string, PageColor>> = {
  surface: { light: "#ffffff", dark: "#17181a" },
  ink: { light: "#1c1d1f", dark: "#e9e9ea" },
  muted: { light: "#5c6067", dark: "#a3a7ae" },
  grid: { light: "#e3e5e8", dark: "#34373b" },
  raw: { light: "#6f757d", dark: "#9aa0a8" },
  zstd: { light: "#2a78d6", dark: "#4a93ec" },
  lz4: { light: "#d98e00", dark: "#d59412" },
  brotli: { light: "#5b49b8", dark: "#9b90f0" },
  deflate: { light: "#12966a", dark: "#22ad7d" },
  glide: { light: "#d93f3e", dark: "#ec7070" },
  keyv: { light: "#cf5a8c", dark: "#df6c99" },
  other: { light: "#7a5c1e", dark: "#b7985a" },
};
const NAMES = Object.keys(COLORS);
const MARK = /#00f0([0-9a-f]{2})/g;

/** The mark of a colour, for charts. */
export function colorMark(name: string): string {
  return `#00f0${NAMES.indexOf(name).toString(16).padStart(2, "0")}`;
}

/** Puts the page's variables in place of marks. */
export function replaceMarks(text: string): string {
  return text.replace(MARK, (_, place: string) => `var(--${NAMES[Number.parseInt(place, 16)] ?? "ink"})`);
}

/** The variables, as declarations. */
export function declareColors(ground: keyof PageColor): string {
  return Object.entries(COLORS)
    .map(([name, color]) => `--${name}:${color[ground]}`)
    .join(";");
}

/** One colour for a codec or client wherever it occurs. */
export function seriesColor(name: string): string {
  const own = ["glide", "keyv", "zstd", "lz4", "brotli", "deflate", "raw", "ioredis"].find((part) => name.includes(part));
  return colorMark(own === "ioredis" ? "raw" : (own ?? "other"));
}

const SYMBOLS = ["circle", "rect", "triangle", "diamond"] as const;

/** A shape for each series, other ones where several have one colour. */
export function seriesSymbols(names: readonly string[]): readonly string[] {
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((other) => seriesColor(other) === seriesColor(name)).length;
    return SYMBOLS[before % SYMBOLS.length] ?? "circle";
  });
}
