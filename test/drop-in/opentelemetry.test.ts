import assert from "node:assert/strict";
import { tracingChannel } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import { after, afterEach, before, suite, test } from "node:test";
import { IORedisInstrumentation } from "@opentelemetry/instrumentation-ioredis";
import { InMemorySpanExporter, NodeTracerProvider, type ReadableSpan, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { isFrame } from "@tightwire/codec-core";
import { isCodecError } from "@tightwire/ioredis";
import type { Redis } from "ioredis";
import { OWN_IOREDIS, useRedis, WAYS, type Way, waysToWrap } from "./support/clients.ts";
import { contentOf } from "./support/held.ts";

const redis = useRedis();

const RULES = { prefixes: { "": {} } };
const PAGE = "<li>the same line</li>\n".repeat(100);

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const seen: { readonly name: string; readonly args: unknown[]; readonly reply: unknown }[] = [];
const instrumentation = new IORedisInstrumentation({
  enabled: false,
  requireParentSpan: false,
  responseHook: (_span, name, args, reply) => seen.push({ name, args: [...args], reply }),
});
instrumentation.setTracerProvider(provider);

/** Patches the prototypes of ioredis: modules are patched as they are required. */
function attachTracing(): void {
  instrumentation.enable();
  createRequire(import.meta.url)("ioredis");
}

function spansOf(name: string): ReadableSpan[] {
  return exporter.getFinishedSpans().filter((span) => span.name === name);
}

/** When OpenTelemetry patches ioredis, and when the client is wrapped. */
const ORDERS: Readonly<Record<string, (way: Way) => Redis>> = {
  "attached before the client is wrapped": (way) => {
    attachTracing();
    return redis.open(way, RULES);
  },
  "attached after the client is wrapped": (way) => {
    const client = redis.open(way, RULES);
    attachTracing();
    return client;
  },
};

for (const way of waysToWrap(OWN_IOREDIS)) {
  for (const [order, open] of Object.entries(ORDERS)) {
    suite(`OpenTelemetry ${order}, on ${way.name}`, () => {
      let client: Redis;
      before(async () => {
        instrumentation.disable();
        assert.ok(!("__wrapped" in OWN_IOREDIS.Redis.prototype.sendCommand), "nothing is patched yet");
        client = open(way);
        await client.ping();
        exporter.reset();
        seen.length = 0;
      });
      afterEach(() => {
        exporter.reset();
        seen.length = 0;
      });
      after(() => instrumentation.disable());

      test("makes one span for each command, and values are framed and decoded", async () => {
        await client.set("page", PAGE);
        await client.hset("hash", { body: PAGE });
        assert.equal(await client.get("page"), PAGE);
        assert.deepEqual(await client.hgetall("hash"), { body: PAGE });
        assert.equal(contentOf(await redis.bare.getBuffer("page")).toString(), PAGE);
        assert.equal(contentOf(await redis.bare.hgetBuffer("hash", "body")).toString(), PAGE);
        const names = exporter.getFinishedSpans().map(({ name }) => name);
        assert.deepEqual(names, ["set", "hset", "get", "hgetall"]);
        const [span] = spansOf("set");
        assert.equal(span?.attributes["db.system"], "redis");
        assert.equal(span?.attributes["db.statement"], "set page [1 other arguments]");
      });

      test("makes spans for pipelines and transactions, whose replies are decoded", async () => {
        const replies = await client.pipeline().set("piped", PAGE).get("piped").exec();
        assert.deepEqual(replies, [
          [null, "OK"],
          [null, PAGE],
        ]);
        assert.deepEqual(await client.multi().set("queued", PAGE).get("queued").exec(), [
          [null, "OK"],
          [null, PAGE],
        ]);
        contentOf(await redis.bare.getBuffer("queued"));
        assert.deepEqual([spansOf("set").length, spansOf("multi").length, spansOf("exec").length], [2, 1, 1]);
      });

      test("shows its response hook what travels: frames", async () => {
        await client.set("hooked", PAGE);
        await client.getBuffer("hooked");
        const get = seen.find(({ name }) => name === "get");
        assert.ok(get?.reply instanceof Buffer && isFrame(get.reply));
        const set = seen.find(({ name }) => name === "set");
        assert.ok(set?.args[1] instanceof Buffer && isFrame(set.args[1]));
      });

      test("ends the span of a refused command and of one whose value is damaged", async () => {
        await assert.rejects(client.append("page", "x"), (error) => isCodecError(error) && error.code === "CODEC_COMMAND_UNSAFE");
        const frame = await redis.bare.getBuffer("page");
        assert.ok(frame);
        frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 1;
        await redis.bare.set("damaged", frame);
        await assert.rejects(client.get("damaged"), (error) => isCodecError(error) && error.code === "CODEC_CHECKSUM_MISMATCH");
        // In the place of a refused command TYPE is sent, so that is what is traced.
        assert.deepEqual([spansOf("type").length, spansOf("get").length], [1, 1]);
        assert.equal(await client.get("page"), PAGE);
      });

      test("traces and decodes on a duplicate", async () => {
        const copy = redis.keep(client.duplicate());
        // What waits for the connection is traced twice, with or without a codec.
        await copy.ping();
        await copy.set("copied", PAGE);
        assert.equal(await copy.get("copied"), PAGE);
        assert.equal(spansOf("set").length, 1);
        contentOf(await redis.bare.getBuffer("copied"));
      });
    });
  }
}

interface CommandTrace {
  readonly command: string;
  readonly args: readonly string[];
  readonly result?: unknown;
  readonly error?: unknown;
}

// ioredis 6 is not patched by this instrumentation; it publishes its commands itself, as the last releases of ioredis 5 do.
for (const way of WAYS) {
  const skip = way.ioredis.name === "ioredis 5.4" && "it has no tracing channel";
  test(`the tracing channel of ioredis tells of decoded results, on ${way.name}`, { skip }, async (t) => {
    const traces: CommandTrace[] = [];
    const listener = { asyncEnd: (trace: unknown) => traces.push(trace as CommandTrace) };
    const channel = tracingChannel("ioredis:command");
    const client = redis.open(way, RULES);
    await client.ping();
    channel.subscribe(listener as never);
    t.after(() => channel.unsubscribe(listener as never));
    await client.set("traced", PAGE);
    await client.get("traced");
    await assert.rejects(client.append("traced", "x"));
    assert.deepEqual(
      traces.map(({ command, args, result }) => [command, args, result]),
      [
        ["set", ["traced", "?"], "OK"],
        ["get", ["traced"], PAGE],
        ["type", ["?"], undefined],
      ],
    );
    assert.ok(isCodecError(traces[2]?.error));
    contentOf(await redis.bare.getBuffer("traced"));
  });
}
