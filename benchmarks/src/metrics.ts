/** What a metric's name means, for people. */
export interface MetricMeaning {
  readonly title: string;
  readonly better: "lower" | "higher";
}

/** The names that suites use, in the order in which tables show them. */
export const METRICS: Readonly<Record<string, MetricMeaning>> = {
  opsPerSecond: { title: "ops/s", better: "higher" },
  ratioToRaw: { title: "× raw", better: "higher" },
  ratioToC: { title: "× C", better: "lower" },
  ratioToZlib: { title: "× zlib", better: "lower" },
  ratioToGood: { title: "× a good frame", better: "lower" },
  timesSlower: { title: "× slower than the fastest", better: "lower" },
  ns: { title: "ns", better: "lower" },
  mibPerSecond: { title: "MiB/s", better: "higher" },
  heapBytes: { title: "heap B/op", better: "lower" },
  externalBytes: { title: "external B/op", better: "lower" },
  growthBytes: { title: "growth of memory B/refusal", better: "lower" },
  residentGrowthBytes: { title: "growth of the process B/refusal", better: "lower" },
  hashNs: { title: "of it hash ns", better: "lower" },
  compressNs: { title: "of it compression ns", better: "lower" },
  p50Us: { title: "p50 µs", better: "lower" },
  p99Us: { title: "p99 µs", better: "lower" },
  cpuUs: { title: "client CPU µs/op", better: "lower" },
  mainThreadUs: { title: "main thread µs/op", better: "lower" },
  breakEvenMbps: { title: "break-even Mbit/s", better: "higher" },
  encodeNs: { title: "encode ns", better: "lower" },
  decodeNs: { title: "decode ns", better: "lower" },
  breakEvenBitsPerSecond: { title: "break-even bit/s", better: "higher" },
  cpuRatioToRaw: { title: "client CPU × raw", better: "lower" },
};

/** Facts, in the same way; those that are not here stay out of tables. */
export const FACTS: Readonly<Record<string, string>> = {
  code: "error code",
  contentBytes: "content B",
  heldBytes: "held B",
  respBytes: "RESP B",
  wireBytes: "wire B",
  usedMemoryBytes: "used_memory B",
  values: "values",
  linkUse: "share of the link",
  boundBy: "bound by",
};

export function metricTitle(name: string): string {
  return METRICS[name]?.title ?? name;
}

/** Names in the order of the table above; what it does not know comes last. */
export function sortMetricNames(names: Iterable<string>): string[] {
  const known = Object.keys(METRICS);
  const place = (name: string): number => (known.includes(name) ? known.indexOf(name) : known.length);
  return [...new Set(names)].sort((a, b) => place(a) - place(b));
}
