import { sizeName } from "../../src/names.ts";
import type { CaseResult, Facts, ResultsFile } from "../../src/results.ts";
import { createMetric, createRandom } from "../../src/statistics.ts";
import { makeFile } from "./stub-files.ts";

// Results of the shape that suites have, with invented numbers: what tests of reports read.

const random = createRandom(20_200_220);
const CODECS = ["raw", "stored", "brotli-4", "deflate-1", "lz4", "zstd-3"];
const SPEEDS = [9_000, 4_000, 60, 180, 700, 400];
const SHARES = [1, 1.01, 0.32, 0.38, 0.48, 0.35];
const PEERS = [
  "raw",
  "tightwire-zstd-3",
  "tightwire-lz4",
  "tightwire-brotli-4",
  "tightwire-deflate-1",
  "glide",
  "glide-lz4",
  "keyv-gzip",
];
const SIZES = [100, 1_024, 16_384, 262_144, 1_048_576];
const MIB = 1_048_576;

function sample(unit: string, middle: number, spread = 0.06, count = 21) {
  const samples = Array.from({ length: count }, () => middle * (1 + spread * (random() - 0.5)));
  return createMetric(unit, samples);
}

type Parameters = Readonly<Record<string, string | number>>;

function craftCase(suite: string, parameters: Parameters, metrics: CaseResult["metrics"], facts: Facts = {}): CaseResult {
  const parts = Object.entries(parameters).map(([key, value]) => (key === "sizeBytes" ? sizeName(Number(value)) : value));
  return { name: [suite, ...parts].join("/"), parameters: { suite, ...parameters }, metrics, facts };
}

function combine(axes: Readonly<Record<string, readonly (string | number)[]>>): readonly Parameters[] {
  return Object.entries(axes).reduce<Parameters[]>(
    (rows, [key, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [key]: value }))),
    [{}],
  );
}

function craftCodecCase(suite: string, parameters: Parameters): CaseResult {
  const place = CODECS.indexOf(String(parameters["codec"]));
  const sizeBytes = Number(parameters["sizeBytes"]);
  const mib = (SPEEDS[place] ?? 1) * (parameters["operation"] === "decode" ? 2 : 1) * Math.min(1, sizeBytes / 20_000 + 0.02);
  const heldBytes = Math.round(sizeBytes * (SHARES[place] ?? 1)) + (place === 0 ? 0 : 18);
  return craftCase(
    suite,
    parameters,
    {
      ns: sample("ns", (sizeBytes / MIB / mib) * 1e9),
      mibPerSecond: sample("MiB/s", mib),
      heapBytes: sample("B", 120 * random()),
    },
    { contentBytes: sizeBytes, heldBytes, respBytes: heldBytes + 9, sha256: "00", codecId: place === 0 ? null : place },
  );
}

function craftRedisCase(suite: string, parameters: Parameters): CaseResult {
  const place = PEERS.indexOf(String(parameters["peer"]));
  const sizeBytes = Number(parameters["sizeBytes"]);
  const ratio = place === 0 ? 1 : 0.6 + 0.25 * Math.log10(sizeBytes / 60) + 0.1 * random() - 0.04 * place;
  const rate = (ratio * 60_000) / (1 + sizeBytes / 20_000);
  const held = Math.round(sizeBytes * (place === 0 ? 1 : 0.4));
  return craftCase(
    suite,
    parameters,
    {
      opsPerSecond: sample("ops/s", rate),
      ratioToRaw: sample("ratio", ratio, place === 0 ? 0 : 0.1),
      p50Us: sample("µs", 1e6 / rate),
      p99Us: sample("µs", 3e6 / rate),
      cpuUs: sample("µs", 8e5 / rate),
      mainThreadUs: sample("µs", 7e5 / rate),
    },
    { contentBytes: sizeBytes, heldBytes: held, wireBytes: held + 40, usedMemoryBytes: held + 64 },
  );
}

function craftBreakEven(parameters: Parameters): CaseResult {
  const middle = parameters["codec"] === "stored" ? 0 : (200 + 900 * random()) * Math.log10(Number(parameters["sizeBytes"]));
  return craftCase("link", parameters, { breakEvenMbps: sample("Mbit/s", middle) });
}

const directions = ["encode", "decode"];
const codecSizes = [64, 1_024, 16_384];
const links = ["100mbit-2ms", "440mbit-2ms", "1gbit-200us", "10gbit-200us"];

/** One invented run of every suite. */
export function craftResults(): readonly ResultsFile[] {
  const make = (rows: readonly Parameters[], craft: (row: Parameters) => CaseResult): CaseResult[] =>
    rows.map((row) => (row["operation"] === "break-even" ? craftBreakEven(row) : craft(row)));
  const codecRows = combine({
    operation: directions,
    corpus: ["record-text", "random"],
    sizeBytes: codecSizes,
    codec: CODECS.filter((name) => name !== "stored"),
    threshold: [0, 1_024],
  });
  const redisRows = combine({
    operation: ["set", "get"],
    corpus: ["json-documents", "random"],
    sizeBytes: SIZES,
    inFlight: [1, 64],
    style: ["direct", "pipelined"],
    peer: PEERS,
  });
  const linkRows = combine({
    operation: ["set", "get"],
    corpus: ["json-documents"],
    sizeBytes: [16_384, 262_144],
    link: links,
    peer: PEERS.slice(0, 4),
  });
  const breakRows = combine({
    operation: ["break-even"],
    corpus: ["json-documents", "half-compressible"],
    sizeBytes: SIZES,
    codec: CODECS.slice(1),
  });
  const corporaRows = combine({
    operation: directions,
    corpus: ["browser-compat-documents", "mime-sessions", "country-feeds"],
    sizeBytes: [700, 9_000, 130_000],
    codec: CODECS,
  });
  const limitRows = combine({
    operation: directions,
    corpus: ["record-text", "random"],
    sizeBytes: codecSizes,
    codec: ["lz4", "zstd-3"],
  });
  const limit = (row: Parameters): CaseResult =>
    craftCase("limit", { ...row, implementation: "ours" }, { ns: sample("ns", 900), ratioToC: sample("ratio", 1.1 + random()) });
  const serializerRows = combine({
    operation: ["serialize", "deserialize"],
    corpus: ["small", "large"],
    serializer: ["json"],
    path: ["string", "bytes"],
  });
  const serializer = (row: Parameters): CaseResult =>
    craftCase("serializers", row, { ns: sample("ns", 4_000), heapBytes: sample("B", 2_000) });
  return [
    {
      ...makeFile(
        "value-codec",
        make(codecRows, (row) => craftCodecCase("value-codec", row)),
      ),
      launches: 2,
    },
    makeFile(
      "redis",
      make(redisRows, (row) => craftRedisCase("redis", row)),
    ),
    {
      ...makeFile(
        "link",
        make([...linkRows, ...breakRows], (row) => craftRedisCase("link", row)),
      ),
      skipped: [{ name: "link/set/glide", reason: "@valkey/valkey-glide is not installed" }],
    },
    makeFile(
      "corpora",
      make(corporaRows, (row) => craftCodecCase("corpora", row)),
    ),
    makeFile("limit", make(limitRows, limit)),
    makeFile("serializers", make(serializerRows, serializer)),
  ];
}
