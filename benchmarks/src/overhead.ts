import { parseArgs } from "node:util";
import { json, lz4, type ValueCodecClientOptions, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { startRedis } from "../../scripts/redis-server.mjs";

// What a wrapped client costs for keys under no rule, against the same client unwrapped:
//
//     node --import tsx benchmarks/src/overhead.ts --max 2
//
// Ends with 1 if some cost is above --max percent of the throughput. All clients live in one process and talk to one server in its
// own; each round runs them one after the other, in an order that changes, so that a slow moment of the machine hits all of them.
// Many short rounds tell more than few long ones: on a busy machine clients are then compared within the same few milliseconds.

const IN_FLIGHT = 64;
const VALUE = "v".repeat(100);
const KEYS: readonly string[] = Array.from({ length: 1_000 }, (_, i) => `other:${i}`);
const WARM_UP_ROUNDS = 3;

interface Settings {
  /** In percent. */
  readonly max: number;
  readonly rounds: number;
  /** Commands of one client in one round. */
  readonly commands: number;
}

/** Commands of one kind through a client, all of them answered at the end. */
type Run = (client: Redis, commands: number) => Promise<unknown>;

const OTHERS: ValueCodecClientOptions = { prefixes: { "page:": { compressor: lz4() }, "session:": {}, "hits:": "raw" } };
const WITH_SERIALIZER: ValueCodecClientOptions = { prefixes: { ...OTHERS.prefixes, "doc:": { serializer: json() } } };

/** The first is what the others are compared with; the second is the same, so its cost is the noise of this machine. */
const ARMS: readonly (readonly [name: string, rules: ValueCodecClientOptions | undefined])[] = [
  ["raw", undefined],
  ["raw again", undefined],
  ["rules for other prefixes", OTHERS],
  ["rules, one with a serializer", WITH_SERIALIZER],
];

function keyAt(index: number): string {
  return KEYS[index % KEYS.length] ?? "other:";
}

/** Direct calls: as soon as one is answered, its place is taken by the next. */
function callDirectly(send: (client: Redis, key: string) => Promise<unknown>): Run {
  return async (client, commands) => {
    let sent = 0;
    const work = async (): Promise<void> => {
      while (sent < commands) await send(client, keyAt(sent++));
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  };
}

function callInPipelines(add: (pipeline: ReturnType<Redis["pipeline"]>, key: string) => unknown): Run {
  return async (client, commands) => {
    for (let sent = 0; sent < commands; sent += IN_FLIGHT) {
      const pipeline = client.pipeline();
      for (let i = 0; i < IN_FLIGHT; i++) add(pipeline, keyAt(sent + i));
      await pipeline.exec();
    }
  };
}

const CASES: readonly (readonly [name: string, run: Run])[] = [
  ["set, direct", callDirectly((client, key) => client.set(key, VALUE))],
  ["get, direct", callDirectly((client, key) => client.get(key))],
  ["set, pipelined", callInPipelines((pipeline, key) => pipeline.set(key, VALUE))],
  ["get, pipelined", callInPipelines((pipeline, key) => pipeline.get(key))],
];

/** What one client took for one round, in microseconds a command. */
interface Sample {
  readonly wall: number;
  readonly cpu: number;
}

async function measure(client: Redis, run: Run, commands: number): Promise<Sample> {
  const cpuBefore = process.cpuUsage();
  const before = process.hrtime.bigint();
  await run(client, commands);
  const wall = Number(process.hrtime.bigint() - before) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall: wall / commands, cpu: (user + system) / commands };
}

/** One sample of each client for each round. */
async function measureRounds(clients: readonly Redis[], run: Run, { rounds, commands }: Settings): Promise<Sample[][]> {
  const samples: Sample[][] = clients.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (let turn = 0; turn < clients.length; turn++) {
      // In a different place each round, and in both directions.
      const place = (turn + Math.abs(round)) % clients.length;
      const index = round % 2 === 0 ? place : clients.length - 1 - place;
      const client = clients[index];
      if (client === undefined) continue;
      const sample = await measure(client, run, commands);
      if (round >= 0) samples[index]?.push(sample);
    }
  }
  return samples;
}

function sortNumbers(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

function median(values: readonly number[]): number {
  const sorted = sortNumbers(values);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Bounds that hold the median of what was sampled in 95 of 100 runs, whatever its distribution: by ranks. */
function medianInterval(values: readonly number[]): readonly [number, number] {
  const sorted = sortNumbers(values);
  const rank = Math.max(0, Math.floor(sorted.length / 2 - 0.98 * Math.sqrt(sorted.length)));
  return [sorted[rank] ?? Number.NaN, sorted[sorted.length - 1 - rank] ?? Number.NaN];
}

/** Percent of the throughput that is lost in each round: 1 − raw time ÷ time. */
function costs(samples: readonly Sample[], raw: readonly Sample[], by: keyof Sample): number[] {
  return samples.map((sample, round) => 100 * (1 - (raw[round]?.[by] ?? Number.NaN) / sample[by]));
}

function percent(value: number): string {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(1)} %`;
}

/** Prints a case, one line for each client. */
function report(name: string, samples: readonly (readonly Sample[])[]): number {
  const [raw = []] = samples;
  let worst = Number.NEGATIVE_INFINITY;
  for (const [i, [arm]] of ARMS.entries()) {
    const own = samples[i] ?? [];
    const rate = Math.round(1_000_000 / median(own.map(({ wall }) => wall)));
    const line = `${name.padEnd(15)} ${arm.padEnd(29)} ${String(rate).padStart(7)} ops/s`;
    if (i === 0) {
      console.log(line);
      continue;
    }
    const [wall, cpu] = (["wall", "cpu"] as const).map((by) => costs(own, raw, by));
    const [low, high] = medianInterval(wall ?? []);
    const cost = median(wall ?? []);
    console.log(
      `${line}  cost ${percent(cost)} (${percent(low)} to ${percent(high)}), of CPU time ${percent(median(cpu ?? []))}`,
    );
    if (ARMS[i]?.[1] !== undefined) worst = Math.max(worst, cost);
  }
  return worst;
}

function readSettings(): Settings {
  const { values } = parseArgs({
    options: {
      max: { type: "string", default: "2" },
      rounds: { type: "string", default: "301" },
      commands: { type: "string", default: "1280" },
    },
  });
  const settings = { max: Number(values.max), rounds: Number(values.rounds), commands: Number(values.commands) };
  for (const [name, value] of Object.entries(settings)) {
    if (!Number.isFinite(value)) throw new RangeError(`--${name} must be a number`);
  }
  if (settings.rounds < 15) throw new RangeError("--rounds must be 15 or more");
  return settings;
}

async function assertUntouched(clients: readonly Redis[]): Promise<void> {
  for (const client of clients) {
    await client.set(keyAt(0), VALUE);
    const held = await client.getBuffer(keyAt(0));
    if (held?.toString() !== VALUE) throw new Error("a key under no rule must be held as it is");
  }
}

async function main(settings: Settings): Promise<number> {
  const server = await startRedis();
  const clients = ARMS.map(() => new Redis(server.url));
  for (const [i, [, rules]] of ARMS.entries()) {
    const client = clients[i];
    if (rules !== undefined && client !== undefined) withValueCodec(client, rules);
  }
  try {
    await assertUntouched(clients);
    let worst = Number.NEGATIVE_INFINITY;
    for (const [name, run] of CASES) worst = Math.max(worst, report(name, await measureRounds(clients, run, settings)));
    console.log(`highest cost of a wrapped client: ${percent(worst)} of throughput; at most ${settings.max} % is allowed`);
    return worst > settings.max ? 1 : 0;
  } finally {
    for (const client of clients) client.disconnect();
    await server.stop();
  }
}

process.exitCode = await main(readSettings());
