import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { createCodecClasses } from "@tightwire/ioredis";
import {
  type ConnectionOptions,
  createIORedisClient,
  FlowProducer,
  type Job,
  Queue,
  QueueEvents,
  QueueEventsProducer,
  RedisConnection,
  Worker,
} from "bullmq";
import { waitFor } from "../support/wait.ts";
import { OWN_IOREDIS, useRedis, WAYS } from "./support/clients.ts";

const redis = useRedis();

const RULES = { prefixes: { "": {} } };
// Workers block for as long as they like.
const OPTIONS = { maxRetriesPerRequest: null };
const DATA = { lines: Array.from({ length: 200 }, (_, i) => `line ${i} of a job of ten thousand bytes and more`) };
assert.ok(JSON.stringify(DATA).length > 10_000);

interface Bench {
  readonly queue: Queue;
  readonly events: QueueEvents;
  readonly worker: Worker;
}

/** A queue with a worker; each of the library's objects has a client of its own. */
async function openBench(name: string, connect: () => ConnectionOptions, work: (job: Job) => Promise<unknown>): Promise<Bench> {
  const queue = new Queue(name, { connection: connect() });
  const events = new QueueEvents(name, { connection: connect() });
  const worker = new Worker(name, work, { connection: connect() });
  for (const part of [worker, events, queue]) redis.onEnd(() => part.close());
  await Promise.all([queue.waitUntilReady(), events.waitUntilReady(), worker.waitUntilReady()]);
  return { queue, events, worker };
}

async function assertNothingFramed(pattern: string): Promise<void> {
  const keys = await redis.bare.keys(pattern);
  assert.ok(keys.length > 0);
  for (const key of keys) {
    const type = await redis.bare.type(key);
    if (type === "string") assert.ok(!isFrame((await redis.bare.getBuffer(key)) ?? Buffer.alloc(0)), key);
    if (type !== "hash") continue;
    for (const [field, held] of Object.entries(await redis.bare.hgetallBuffer(key))) assert.ok(!isFrame(held), `${key}.${field}`);
  }
}

for (const [index, way] of WAYS.entries()) {
  suite(`bullmq on ${way.name}`, () => {
    const connect = () => redis.open(way, RULES, OPTIONS) as unknown as ConnectionOptions;

    test("runs a job of 10 kB and returns its result, progress and log", async () => {
      const work = async (job: Job) => {
        await job.updateProgress({
          done: 50,
          note: "half of it, with a remark that is longer than sixty-five bytes: ".repeat(2),
        });
        await job.log("a line in the log");
        return { lines: job.data.lines.length, echo: job.data.lines };
      };
      const { queue, events } = await openBench(`large-${index}`, connect, work);
      const progress: unknown[] = [];
      events.on("progress", ({ data }) => progress.push(data));
      const job = await queue.add("large", DATA);
      assert.deepEqual(await job.waitUntilFinished(events, 10_000), { lines: 200, echo: DATA.lines });
      const read = await queue.getJob(String(job.id));
      assert.deepEqual(read?.data, DATA);
      assert.equal(read?.returnvalue.lines, 200);
      assert.equal((progress[0] as { done: number }).done, 50);
      assert.deepEqual((await queue.getJobLogs(String(job.id))).logs, ["a line in the log"]);
      assert.equal(await job.getState(), "completed");
      // The data travels as an argument of Lua scripts, which nobody but the server understands.
      await assertNothingFramed(`bull:large-${index}:*`);
    });

    test("retries a failed job, delays, repeats and deduplicates", async () => {
      const runs: string[] = [];
      const work = async (job: Job) => {
        runs.push(job.name);
        if (job.name === "fails once" && job.attemptsMade === 0) throw new Error("once is no harm".repeat(10));
      };
      const { queue, events } = await openBench(`timed-${index}`, connect, work);
      const failing = await queue.add("fails once", DATA, { attempts: 2, backoff: { type: "fixed", delay: 20 } });
      const delayed = await queue.add("delayed", DATA, { delay: 50 });
      const doubles = [1, 2].map(() => queue.add("once", DATA, { deduplication: { id: "same", ttl: 5000 } }));
      const [one, other] = await Promise.all(doubles);
      assert.equal(one?.id, other?.id);
      await queue.upsertJobScheduler("clock", { every: 50 }, { name: "tick", data: DATA });
      await Promise.all([failing.waitUntilFinished(events, 10_000), delayed.waitUntilFinished(events, 10_000)]);
      await waitFor("the clock ticked twice", () => runs.filter((name) => name === "tick").length >= 2);
      assert.deepEqual((await queue.getJobScheduler("clock"))?.template?.data, DATA);
      assert.equal(await queue.removeJobScheduler("clock"), true);
      assert.equal(runs.filter((name) => name === "fails once").length, 2);
      assert.equal(runs.filter((name) => name === "once").length, 1);
    });

    test("pauses, counts, limits the rate and empties a queue", async () => {
      const queue = new Queue(`paused-${index}`, { connection: connect() });
      redis.onEnd(() => queue.close());
      await queue.pause();
      const jobs = await queue.addBulk(Array.from({ length: 5 }, (_, i) => ({ name: `${i}`, data: { ...DATA, i } })));
      assert.equal(await queue.isPaused(), true);
      assert.equal(await queue.getWaitingCount(), 5);
      await queue.setGlobalConcurrency(3);
      assert.equal(await queue.getGlobalConcurrency(), 3);
      await queue.rateLimit(60_000);
      assert.ok((await queue.getRateLimitTtl()) > 0);
      await queue.removeRateLimitKey();
      await jobs[0]?.updateData({ ...DATA, changed: true });
      assert.equal((await queue.getJob(String(jobs[0]?.id)))?.data.changed, true);
      await queue.drain();
      assert.equal(await queue.getWaitingCount(), 0);
      await queue.obliterate();
      assert.deepEqual(await redis.bare.keys(`bull:paused-${index}:*`), []);
    });

    test("publishes an event of one's own as a frame and hears it", async () => {
      const name = `own-events-${index}`;
      const [producer, events] = [
        new QueueEventsProducer(name, { connection: connect() }),
        new QueueEvents(name, { connection: connect() }),
      ];
      for (const part of [producer, events]) redis.onEnd(() => part.close());
      await events.waitUntilReady();
      const heard: unknown[] = [];
      events.on("news" as never, ((event: unknown) => heard.push(event)) as never);
      // Who listens hears only what is published once the listening has begun.
      await waitFor("the event is heard", async () => {
        await producer.publishEvent({ eventName: "news", text: DATA.lines.join("\n") });
        return heard.length > 0;
      });
      assert.deepEqual(heard[0], { text: DATA.lines.join("\n") });
      const [entry] = await redis.bare.xrevrangeBuffer(`bull:${name}:events`, "+", "-", "COUNT", 1);
      assert.ok(entry?.[1].some(isFrame));
    });

    test("finds jobs in lists, if the rule encodes what is compared", async () => {
      const queue = new Queue(`lists-${index}`, {
        connection: redis.open(way, { prefixes: { "": { comparands: "encode" } } }, OPTIONS) as unknown as ConnectionOptions,
      });
      redis.onEnd(() => queue.close());
      const job = await queue.add("waiting", DATA);
      assert.deepEqual([await job.isWaiting(), await job.isActive()], [true, false]);
    });

    test("finds jobs in lists", async () => {
      const queue = new Queue(`lists-${index}`, { connection: connect() });
      redis.onEnd(() => queue.close());
      const job = await queue.add("waiting", DATA);
      assert.deepEqual([await job.isWaiting(), await job.isActive()], [true, false]);
    });

    test("runs children before their parent and hands it their results", async () => {
      const name = `flow-${index}`;
      const work = async (job: Job) =>
        job.name === "child" ? { part: DATA.lines } : Object.keys(await job.getChildrenValues()).length;
      const { events } = await openBench(name, connect, work);
      const flow = new FlowProducer({ connection: connect() });
      redis.onEnd(() => flow.close());
      const child = { name: "child", queueName: name, data: DATA };
      const { job } = await flow.add({ name: "parent", queueName: name, data: DATA, children: [child, { ...child, data: {} }] });
      assert.equal(await job.waitUntilFinished(events, 10_000), 2);
    });
  });
}

suite("bullmq that constructs its clients", () => {
  test("takes them from a factory with a codec class", async (t) => {
    const { Redis: CodecRedis } = createCodecClasses({ Redis: OWN_IOREDIS.Redis }, RULES);
    let made = 0;
    RedisConnection.clientFactory = (options) => {
      made++;
      return createIORedisClient(redis.keep(new CodecRedis(options as object)) as never);
    };
    t.after(() => {
      RedisConnection.clientFactory = undefined as never;
    });
    const connect = () => ({ host: "127.0.0.1", port: redis.server.port });
    const { queue, events } = await openBench("factory", connect, async (job) => job.data.lines.length);
    const job = await queue.add("large", DATA);
    assert.equal(await job.waitUntilFinished(events, 10_000), 200);
    assert.ok(made >= 3);
  });
});
