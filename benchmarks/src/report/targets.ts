import { damagesOf, HOSTILE_CODECS } from "../cases/hostile-damages.ts";

/** What the project wants of a number. It is judged by the worst of its cases. */
export interface Target {
  readonly what: string;
  readonly sign: "≤" | "≥" | ">";
  readonly limit: number;
  readonly unit: string;
  readonly metric: string;
  /** Names of all cases that count; without one of them the target is not measured. */
  readonly cases: readonly string[];
  /** The case of the same run whose median each is divided by, where the metric itself is no ratio. */
  readonly dividedBy?: (name: string) => string;
  /** A case of which the same metric is told beside, for a limit that is no ratio. */
  readonly beside?: { readonly text: string; readonly of: (name: string) => string };
  /** What tells the noise of a case's cell. */
  readonly control?: Control;
  /** Cases that are told below the target and judged by nothing. */
  readonly also?: readonly Aside[];
}

/** The bare client measured twice in the cell of a case, as if it were two: what they differ by is noise. */
export interface Control {
  readonly of: (name: string) => string;
  readonly metric: string;
  /** As of a target: where the metric itself is no ratio. */
  readonly dividedBy?: (name: string) => string;
}

/** A case that no target is about. */
export interface Aside {
  readonly what: string;
  readonly name: string;
}

/** Targets of one kind. */
export interface TargetArea {
  readonly title: string;
  readonly targets: readonly Target[];
}

type Limits = Pick<Target, "sign" | "limit" | "unit" | "metric">;

type More = Pick<Target, "dividedBy" | "beside" | "control" | "also">;

function target(what: string, limits: Limits, cases: readonly string[], more: More = {}): Target {
  return { what, ...limits, cases, ...more };
}

/** Every name with one of each list in its place. */
function combine(...places: readonly (readonly string[])[]): readonly string[] {
  return places.reduce<readonly string[]>(
    (names, place) => names.flatMap((name) => place.map((part) => (name === "" ? part : `${name}/${part}`))),
    [""],
  );
}

const DIRECTIONS = ["encode", "decode"];
const CONTENTS = ["record-text", "random"];
const C_CODECS = ["stored", "lz4", "zstd-3"];

function withSize(contents: readonly string[], size: string): readonly string[] {
  return contents.map((content) => `${content}-${size}`);
}

function listLimits(operation: string, contents: readonly string[], codecs: readonly string[]): readonly string[] {
  return combine(["limit"], [operation], contents, codecs, ["ours"]);
}

function againstC(limit: number): Limits {
  return { sign: "≤", limit, unit: "× C", metric: "ratioToC" };
}

// Random bytes do not compress: by any codec their frames are stored ones, of which C needs 25 ns to read 1 KiB.
const STORED_1K = [...listLimits("decode", ["record-text-1k"], ["stored"]), ...listLimits("decode", ["random-1k"], C_CODECS)];

const C_TARGETS: readonly Target[] = [
  ...DIRECTIONS.map((operation) =>
    target(`${operation} 16 KiB: stored, LZ4, zstd`, againstC(2.5), listLimits(operation, withSize(CONTENTS, "16k"), C_CODECS)),
  ),
  target("encode 1 KiB: stored, LZ4, zstd", againstC(4), listLimits("encode", withSize(CONTENTS, "1k"), C_CODECS)),
  target("decode 1 KiB: LZ4, zstd", againstC(4), listLimits("decode", ["record-text-1k"], ["lz4", "zstd-3"])),
  target("decode 1 KiB: stored frames", againstC(6), STORED_1K),
];

const ZLIB_CODECS = ["brotli-4", "deflate-1"];
const AGAINST_ZLIB: Limits = { sign: "≤", limit: 1.15, unit: "× zlib", metric: "ratioToZlib" };

const ZLIB_TARGETS: readonly Target[] = ["1k", "16k"].flatMap((size) => [
  target(
    `encode ${size === "1k" ? "1 KiB" : "16 KiB"}: Brotli, Deflate`,
    AGAINST_ZLIB,
    listLimits("encode", withSize(CONTENTS, size), ZLIB_CODECS),
  ),
  target(
    `decode ${size === "1k" ? "1 KiB" : "16 KiB"}: Brotli, Deflate`,
    AGAINST_ZLIB,
    listLimits("decode", [`record-text-${size}`], ZLIB_CODECS),
  ),
]);

const SMALL: Limits = { sign: "≤", limit: 150, unit: "ns", metric: "ns" };
const RAW_COPY = { text: "a raw copy takes", of: (name: string): string => name.replace("/stored/", "/raw/") };

const SMALL_TARGETS: readonly Target[] = DIRECTIONS.map((operation) =>
  target(`${operation} 64 B, stored`, SMALL, listLimits(operation, withSize(CONTENTS, "64"), ["stored"]), { beside: RAW_COPY }),
);

const NO_HEAP: Limits = { sign: "≤", limit: 0, unit: "heap B/op", metric: "heapBytes" };
const CODEC_CONTENTS = ["64", "1k", "16k"].flatMap((size) => withSize(CONTENTS, size));

const HEAP_TARGETS: readonly Target[] = [
  target(
    "into a target: stored",
    NO_HEAP,
    combine(["checksum"], DIRECTIONS, withSize(["random-981"], "64"), ["version-2"]).concat(
      combine(["checksum"], DIRECTIONS, withSize(["random-981"], "16k"), ["version-2"]),
    ),
  ),
  ...[
    ["LZ4", "lz4"],
    ["zstd", "zstd-3"],
  ].map(([title, codec]) =>
    target(
      `into a target: ${title}`,
      NO_HEAP,
      combine(["value-codec"], DIRECTIONS, CODEC_CONTENTS, [`${codec}`], ["threshold-0", "threshold-1024"]),
    ),
  ),
];

const OURS = ["tightwire-lz4", "tightwire-zstd-3"];

/** The case of another client in the same cell. */
function ofClient(client: string): (name: string) => string {
  return (name) => `${name.slice(0, name.lastIndexOf("/") + 1)}${client}`;
}

// For quotients of other clients, too: taken within rounds, it tells a disturbed cell from medians that happen to differ.
const AGAIN: Control = { of: ofClient("ioredis-again"), metric: "ratioToRaw" };

function listRedis(operations: readonly string[], contents: readonly string[], load: string, peers: readonly string[]) {
  return combine(["redis"], operations, contents, [load], peers);
}

function againstRaw(limit: number): Limits {
  return { sign: "≥", limit, unit: "× raw", metric: "ratioToRaw" };
}

const CODEC_TITLES: Readonly<Record<string, string>> = { "tightwire-lz4": "LZ4", "tightwire-zstd-3": "zstd" };
// Shorter values are below the threshold whatever they hold.
const JSON_SIZES = ["1k", "16k"];

function redisTarget(operation: string, size: string, codecs: string, limit: number, peers: readonly string[]): Target {
  const [title, name] = [`${operation.toUpperCase()} ${size}`, size.replace(" B", "").replace(" KiB", "k")];
  const list = (corpus: string, clients: readonly string[]) =>
    listRedis([operation], [`${corpus}-${name}`], "64-direct", clients);
  const also = (JSON_SIZES.includes(name) ? peers : []).flatMap((peer) =>
    list("json-documents", [peer]).map((one) => ({ what: `${title} of JSON documents: ${CODEC_TITLES[peer]}`, name: one })),
  );
  return target(`${title}${codecs}`, againstRaw(limit), list("record-text", peers), { control: AGAIN, also });
}

const RANDOM = withSize(["random"], "100").concat(["1k", "16k", "256k"].flatMap((size) => withSize(["random"], size)));

const REDIS_TARGETS: readonly Target[] = [
  redisTarget("set", "100 B", ", below the threshold", 0.95, OURS),
  redisTarget("get", "100 B", ", below the threshold", 0.95, OURS),
  redisTarget("set", "1 KiB", ": LZ4", 0.9, ["tightwire-lz4"]),
  redisTarget("get", "1 KiB", ": LZ4", 0.95, ["tightwire-lz4"]),
  redisTarget("set", "1 KiB", ": zstd", 0.8, ["tightwire-zstd-3"]),
  redisTarget("get", "1 KiB", ": zstd", 0.93, ["tightwire-zstd-3"]),
  redisTarget("set", "16 KiB", ": LZ4, zstd", 0.95, OURS),
  redisTarget("get", "16 KiB", ": LZ4, zstd", 1, OURS),
  redisTarget("set", "256 KiB", ": LZ4, zstd", 1.3, OURS),
  redisTarget("get", "256 KiB", ": LZ4, zstd", 1.3, OURS),
  ...["set", "get"].map((operation) =>
    target(
      `${operation.toUpperCase()} of random bytes, 100 B to 256 KiB: LZ4, zstd`,
      againstRaw(0.85),
      listRedis([operation], RANDOM, "64-direct", OURS),
      { control: AGAIN },
    ),
  ),
];

const STRINGS = ["set", "get"];
const AGAINST_GLIDE: Limits = { sign: ">", limit: 1, unit: "× GLIDE", metric: "opsPerSecond" };
const UP_TO_16K = ["100", "1k", "16k"].flatMap((size) => withSize(["record-text", "random", "json-documents"], size));

/** What Tightwire and GLIDE are both measured in, up to 16 KiB. */
const GLIDE_CELLS: Readonly<Record<string, (peers: readonly string[]) => readonly string[]>> = {
  "SET and GET, 64 in flight": (peers) => listRedis(STRINGS, UP_TO_16K, "64-direct", peers),
  "MGET, 64 in flight": (peers) =>
    listRedis(
      ["mget"],
      ["record-text-100", "record-text-1k", "record-text-16k", "json-documents-1k", "random-1k"],
      "64-direct",
      peers,
    ),
  "1 and 256 in flight, pipelines": (peers) => [
    ...["1-direct", "256-direct", "64-pipelined", "256-pipelined"].flatMap((load) =>
      listRedis(STRINGS, ["record-text-1k", "record-text-16k"], load, peers),
    ),
    ...["1-direct", "256-direct", "64-pipelined"].flatMap((load) => listRedis(STRINGS, ["json-documents-1k"], load, peers)),
    ...listRedis(STRINGS, ["record-text-100", "random-1k", "random-16k"], "64-pipelined", peers),
    ...["1-direct", "64-pipelined"].flatMap((load) => listRedis(["mget"], ["record-text-1k"], load, peers)),
  ],
};

const GLIDE_TARGETS: readonly Target[] = Object.entries(GLIDE_CELLS).flatMap(([what, list]) =>
  [
    ["LZ4", "tightwire-lz4"],
    ["zstd", "tightwire-zstd-3"],
  ].map(([title, peer]) =>
    target(`${what}: ${title}`, AGAINST_GLIDE, list([`${peer}`]), {
      dividedBy: (name) => name.replace("/tightwire-", "/glide-"),
      control: AGAIN,
    }),
  ),
);

function mainThreadTarget(title: string, peer: string, limit: number): Target {
  const limits: Limits = { sign: "≤", limit, unit: "× raw", metric: "mainThreadUs" };
  return target(`SET and GET 1 KiB: ${title}`, limits, listRedis(STRINGS, ["record-text-1k"], "64-direct", [peer]), {
    dividedBy: ofClient("ioredis-raw"),
    control: { ...AGAIN, metric: limits.metric, dividedBy: ofClient("ioredis-raw") },
  });
}

const AGAINST_GOOD: Limits = { sign: "≤", limit: 2, unit: "× a good frame", metric: "ratioToGood" };
// Less than what one kept pointer takes: memory that is not given back grows by more.
const NO_GROWTH: Limits = { sign: "≤", limit: 1, unit: "B/refusal", metric: "growthBytes" };

const HOSTILE_TARGETS: readonly Target[] = [
  ...["64", "1k", "16k", "256k"].map((size) =>
    target(
      `refuse ${size.endsWith("k") ? `${size.slice(0, -1)} KiB` : `${size} B`}, any damage, any codec`,
      AGAINST_GOOD,
      HOSTILE_CODECS.flatMap((codec) =>
        combine(
          ["hostile/refuse"],
          [`half-compressible-${size}`],
          [codec],
          damagesOf(codec).map(({ name }) => name),
        ),
      ),
    ),
  ),
  target("growth of memory by 100,000 refusals", NO_GROWTH, combine(["hostile/growth/half-compressible-1k"], HOSTILE_CODECS)),
];

const OVERHEAD_TARGETS: readonly Target[] = ["direct", "pipelined"].map((style) =>
  target(
    `SET and GET 100 B, 64 in flight, ${style}`,
    againstRaw(0.98),
    combine(["overhead"], STRINGS, ["text-100"], [`64-${style}`], ["other-rules", "other-rules-serializer"]),
    { control: { ...AGAIN, of: ofClient("raw-again") } },
  ),
);

/** Every target of the project, by what it is about. */
export const TARGETS: readonly TargetArea[] = [
  { title: "Frames, against the same in C and bare calls of zlib", targets: [...C_TARGETS, ...ZLIB_TARGETS] },
  { title: "Small frames and memory", targets: [...SMALL_TARGETS, ...HEAP_TARGETS] },
  {
    title: "Throughput with Redis, 64 in flight, record text unless another content is named, against bare ioredis",
    targets: REDIS_TARGETS,
  },
  { title: "Throughput up to 16 KiB, against Valkey GLIDE with the same algorithm", targets: GLIDE_TARGETS },
  {
    title: "Main thread, against bare ioredis",
    targets: [mainThreadTarget("LZ4", "tightwire-lz4", 1.15), mainThreadTarget("zstd", "tightwire-zstd-3", 1.3)],
  },
  { title: "Hostile frames", targets: HOSTILE_TARGETS },
  { title: "Keys under no rule, against bare ioredis", targets: OVERHEAD_TARGETS },
];
