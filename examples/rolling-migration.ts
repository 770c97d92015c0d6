// A fleet switches the codec on while it runs, and back: readers first, then writers, then the way back. Two processes take turns.
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isFrame } from "@tightwire/codec-core";
import { brotli, lz4, type PrefixRule, valueCodecOf, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { makeSession } from "./support/sample-values.ts";

/** The steps of the fleet. All of them read everything that any of them writes. */
const STEPS = {
  // Reads frames and writes none: the state to deploy first, and the off switch.
  readers: { compressor: lz4(), frame: "never" },
  writers: { compressor: lz4() },
  // A frame names its compressor, so another one needs no migration: every reader accepts the built-in ones.
  stronger: { compressor: brotli() },
} satisfies Record<string, PrefixRule>;

type Step = keyof typeof STEPS;
type Order = { step: Step } | { write: string; value: string } | { read: string };

const url = process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379";
if (process.argv[2] === "service") serve();
else await migrate();

/** One process of the fleet: takes its step and its work from its parent, as it would from configuration and requests. */
function serve(): void {
  const redis = withValueCodec(new Redis(url), { prefixes: { "session:": STEPS.readers } });
  process.on("message", async (order: Order) => {
    if ("step" in order) valueCodecOf(redis).setRules({ prefixes: { "session:": STEPS[order.step] } });
    else if ("write" in order) await redis.set(order.write, order.value);
    process.send?.({ reply: "read" in order ? await redis.get(order.read) : null });
  });
  process.once("disconnect", () => redis.disconnect());
}

async function migrate(): Promise<void> {
  const bare = new Redis(url);
  const program = fileURLToPath(import.meta.url);
  const [first, second] = [fork(program, ["service"]), fork(program, ["service"])];
  const written: string[] = [];
  const phases: readonly (readonly [what: string, first: Step, second: Step, framed: boolean])[] = [
    ["readers are deployed", "readers", "readers", false],
    ["the first process writes frames, the second only reads them", "writers", "readers", true],
    ["both write frames", "writers", "writers", true],
    ["another compressor, process by process", "stronger", "writers", true],
    ["rolled back", "readers", "readers", false],
  ];
  try {
    for (const [index, [what, one, other, framed]] of phases.entries()) {
      await Promise.all([ask(first, { step: one }), ask(second, { step: other })]);
      const key = `session:rolling:${index}`;
      await ask(first, { write: key, value: makeSession(index) });
      written.push(key);
      const held = await bare.getBuffer(key);
      assert.ok(held !== null && isFrame(held) === framed);
      // Whatever the step, both read everything that was ever written.
      for (const [i, read] of written.entries()) {
        for (const process of [first, second]) assert.equal(await ask(process, { read }), makeSession(i));
      }
      console.log(`${what}: ${held.length} of ${makeSession(index).length} bytes held, ${written.length} values read by both`);
    }
  } finally {
    await bare.del(...phases.map((_, index) => `session:rolling:${index}`));
    await Promise.all([end(first), end(second), bare.quit()]);
  }
}

async function ask(process: ChildProcess, order: Order): Promise<string | null> {
  const answered = once(process, "message");
  process.send(order);
  const [{ reply }] = (await answered) as [{ reply: string | null }];
  return reply;
}

async function end(process: ChildProcess): Promise<void> {
  const ended = once(process, "exit");
  process.disconnect();
  await ended;
}
