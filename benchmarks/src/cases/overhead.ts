import { json, lz4, type ValueCodecClientOptions, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { startRedis } from "../../../scripts/redis-server.mjs";
import { type LoopWork, runClosedLoop, type Style } from "../driver/closed-loop.ts";
import { readUsage, subtractUsage } from "../driver/usage.ts";
import { runRounds } from "../interleave.ts";
import type { CaseResult } from "../results.ts";
import { createMetric } from "../statistics.ts";
import type { Suite, SuiteContext } from "../suite.ts";

// What a wrapped client costs for keys under no rule, against the same client unwrapped. All clients live in one process and talk to
// one server in its own. Many short rounds tell more than few long ones: on a busy machine clients are then compared within the same
// few milliseconds.

const IN_FLIGHT = 64;
const VALUE = "v".repeat(100);
const KEYS: readonly string[] = Array.from({ length: 1_000 }, (_, i) => `other:${i}`);
const WARM_UP_ROUNDS = 3;

/** How much is measured. */
export interface OverheadSettings {
  readonly rounds: number;
  /** Commands of one client in one round. */
  readonly commands: number;
  readonly signal?: AbortSignal;
}

export const OVERHEAD_DEFAULTS: Readonly<OverheadSettings> = { rounds: 301, commands: 1_280 };
const QUICK: OverheadSettings = { rounds: 15, commands: 128 };

const OTHERS: ValueCodecClientOptions = { prefixes: { "page:": { compressor: lz4() }, "session:": {}, "hits:": "raw" } };
const WITH_SERIALIZER: ValueCodecClientOptions = { prefixes: { ...OTHERS.prefixes, "doc:": { serializer: json() } } };

interface Client {
  /** The last part of its cases' names. */
  readonly name: string;
  readonly title: string;
  readonly rules?: ValueCodecClientOptions;
}

/** The first is what the others are compared with; the second is the same, so its cost is the noise of this machine. */
const CLIENTS: readonly Client[] = [
  { name: "raw", title: "raw" },
  { name: "raw-again", title: "raw again" },
  { name: "other-rules", title: "rules for other prefixes", rules: OTHERS },
  { name: "other-rules-serializer", title: "rules, one with a serializer", rules: WITH_SERIALIZER },
];

interface Commands {
  readonly operation: "set" | "get";
  readonly style: Style;
}

const COMMANDS: readonly Commands[] = (["direct", "pipelined"] as const).flatMap((style) =>
  (["set", "get"] as const).map((operation) => ({ operation, style })),
);

/** What one client took for one round, in microseconds a command. */
interface Sample {
  readonly wallUs: number;
  readonly cpuUs: number;
}

/** One client in one kind of commands. */
export interface OverheadMeasurement extends Commands {
  readonly client: Client;
  readonly samples: readonly Sample[];
  /** Percent of the throughput, and of the processor time, that is lost in each round: 1 − raw time ÷ time. */
  readonly costs: readonly number[];
  readonly cpuCosts: readonly number[];
}

/**
 * Measures what wrapped clients cost, one kind of commands after the other.
 *
 * @throws the first failure of a command; an Error if a key under no rule is not held as it is
 */
export async function measureOverhead(
  settings: OverheadSettings,
  onMeasured: (measurements: readonly OverheadMeasurement[]) => void,
): Promise<void> {
  const server = await startRedis();
  const clients = CLIENTS.map(({ rules }) => {
    // A server that is gone fails the calls that wait for it, at once.
    const client = new Redis(server.url, { retryStrategy: () => null }).on("error", () => {});
    if (rules !== undefined) withValueCodec(client, rules);
    return client;
  });
  try {
    await assertUntouched(clients);
    for (const commands of COMMANDS) {
      if (settings.signal?.aborted === true) return;
      onMeasured(await measureCommands(clients, commands, settings));
    }
  } finally {
    for (const client of clients) client.disconnect();
    await server.stop();
  }
}

async function assertUntouched(clients: readonly Redis[]): Promise<void> {
  for (const client of clients) {
    for (const key of KEYS) await client.set(key, VALUE);
    const held = await client.getBuffer(keyAt(0));
    if (held?.toString() !== VALUE) throw new Error("a key under no rule must be held as it is");
  }
}

async function measureCommands(
  clients: readonly Redis[],
  commands: Commands,
  settings: OverheadSettings,
): Promise<OverheadMeasurement[]> {
  const arms = clients.map((client, index) => {
    const work = createWork(client, commands.operation);
    const size = { operations: settings.commands, inFlight: IN_FLIGHT, style: commands.style };
    return { name: CLIENTS[index]?.name ?? "", takeTurn: () => takeTurn(work, size) };
  });
  const outcomes = await runRounds(arms, { ...settings, warmUpRounds: WARM_UP_ROUNDS });
  const failed = outcomes.find(({ failure }) => failure !== undefined);
  if (failed !== undefined) throw failed.failure;
  const raw = outcomes[0]?.samples ?? [];
  return CLIENTS.map((client, index) => {
    const samples = outcomes[index]?.samples ?? [];
    return { ...commands, client, samples, costs: costsOf(samples, raw, "wallUs"), cpuCosts: costsOf(samples, raw, "cpuUs") };
  });
}

async function takeTurn(work: LoopWork, size: { operations: number; inFlight: number; style: Style }): Promise<Sample> {
  const before = readUsage();
  // Latencies are not timed: that would add the same to every client and make each cost look smaller.
  await runClosedLoop(work, size);
  const { wallUs, cpuUs } = subtractUsage(readUsage(), before);
  return { wallUs: wallUs / size.operations, cpuUs: cpuUs / size.operations };
}

function createWork(client: Redis, operation: Commands["operation"]): LoopWork {
  const expected = operation === "set" ? "OK" : VALUE;
  const isSet = operation === "set";
  return {
    send: isSet ? (index) => client.set(keyAt(index), VALUE) : (index) => client.get(keyAt(index)),
    async sendMany(first, count) {
      const pipeline = client.pipeline();
      for (let index = first; index < first + count; index++) {
        if (isSet) pipeline.set(keyAt(index), VALUE);
        else pipeline.get(keyAt(index));
      }
      const replies = (await pipeline.exec()) ?? [];
      return replies.map(([error, reply]) => error ?? reply);
    },
    checkReply(reply) {
      if (reply !== expected) throw reply instanceof Error ? reply : new Error(`${operation} had an unexpected reply`);
    },
  };
}

function keyAt(index: number): string {
  return KEYS[index % KEYS.length] ?? "other:";
}

function costsOf(samples: readonly Sample[], raw: readonly Sample[], by: keyof Sample): number[] {
  return samples.map((sample, round) => 100 * (1 - (raw[round]?.[by] ?? Number.NaN) / sample[by]));
}

/** What wrapped clients cost for keys under no rule. */
export const overheadSuite: Suite = {
  name: "overhead",
  needsServer: true,
  description: "What a wrapped client costs for keys under no rule, against the same client unwrapped",
  listCases: () =>
    COMMANDS.flatMap((commands) => CLIENTS.map((client) => ({ name: caseNameOf(commands, client), estimateMs: 14_000 }))),
  run,
};

function caseNameOf({ operation, style }: Commands, { name }: Client): string {
  return `overhead/${operation}/text-${VALUE.length}/${IN_FLIGHT}-${style}/${name}`;
}

/** Every client runs for any case: they are compared. */
async function run(chosen: ReadonlySet<string>, context: SuiteContext): Promise<void> {
  const left = new Set(chosen);
  try {
    const effort = context.effort === "quick" ? QUICK : OVERHEAD_DEFAULTS;
    await measureOverhead({ ...effort, signal: context.signal }, (measurements) => {
      if (context.signal.aborted) return;
      for (const measurement of measurements) {
        const name = caseNameOf(measurement, measurement.client);
        if (left.delete(name)) context.record(createResult(name, measurement));
      }
    });
  } catch (error) {
    for (const name of left) context.fail(name, error);
  }
}

function createResult(name: string, { operation, style, client, samples, costs, cpuCosts }: OverheadMeasurement): CaseResult {
  return {
    name,
    parameters: {
      suite: "overhead",
      operation,
      style,
      corpus: "text",
      sizeBytes: VALUE.length,
      inFlight: IN_FLIGHT,
      peer: client.name,
    },
    metrics: {
      opsPerSecond: createMetric(
        "ops/s",
        samples.map(({ wallUs }) => 1_000_000 / wallUs),
      ),
      cpuUs: createMetric(
        "µs",
        samples.map(({ cpuUs }) => cpuUs),
      ),
      ratioToRaw: createMetric(
        "ratio",
        costs.map((cost) => 1 - cost / 100),
      ),
      cpuRatioToRaw: createMetric(
        "ratio",
        cpuCosts.map((cost) => 1 / (1 - cost / 100)),
      ),
    },
    facts: { wrapped: client.rules !== undefined, title: client.title },
  };
}
