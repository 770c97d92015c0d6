const UNITS: readonly (readonly [name: string, bytes: number])[] = [
  ["m", 1_048_576],
  ["k", 1_024],
];

/** A size as in case names: `100`, `1k`, `16k`, `1m`. */
export function sizeName(bytes: number): string {
  for (const [unit, size] of UNITS) {
    if (bytes >= size && bytes % size === 0) return `${bytes / size}${unit}`;
  }
  return String(bytes);
}

/** `*` is any text; a pattern without one is a whole name, or else a part of names. */
function createTest(pattern: string): (name: string) => boolean {
  if (!pattern.includes("*")) return (name) => name.includes(pattern);
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const expression = new RegExp(`^${parts.join(".*")}$`);
  return (name) => expression.test(name);
}

/** The names that the patterns choose. A pattern that is exactly a name chooses that one alone. */
export function chooseNames(names: readonly string[], patterns: readonly string[]): readonly string[] {
  const all = new Set(names);
  const accept = patterns.map((pattern) => (all.has(pattern) ? (name: string) => name === pattern : createTest(pattern)));
  return accept.length === 0 ? names : names.filter((name) => accept.some((test) => test(name)));
}
