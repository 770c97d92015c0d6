import assert from "node:assert/strict";
import { once } from "node:events";
import { createRequire } from "node:module";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import {
  brotli,
  DEFAULT_MAX_REPLY_BYTES,
  defineCompressor,
  deflate,
  lz4,
  type ValueCodecClientOptions,
  valueCodecOf,
  withValueCodec,
  zstd,
} from "@tightwire/ioredis";
import { ioredisVersion, Redis } from "../support/ioredis-versions.ts";
import { useRedis } from "./support/clients.ts";
import { BAD } from "./support/damage.ts";
import { rejectionOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";

const redis = useRedis();
const RULES = { prefixes: { "r:": {} } };
const require = createRequire(import.meta.url);

async function assertFramed(key: string, framed = true): Promise<void> {
  const held = await redis.bare.getBuffer(key);
  assert.equal(held !== null && isFrame(held), framed, key);
}

suite("withValueCodec()", () => {
  test("returns the same object, of the same class", () => {
    const client = redis.open();
    const prototype = Object.getPrototypeOf(client);
    assert.equal(withValueCodec(client, RULES), client);
    assert.ok(client instanceof Redis);
    assert.equal(Object.getPrototypeOf(client), prototype);
    client.disconnect();
  });

  test("takes commands that were queued before, and pipelines that were opened before", async () => {
    const client = redis.open({ lazyConnect: true });
    const queue = client.pipeline().set("r:early-pipeline", LONG);
    const early = [client.set("r:early", LONG), client.get("r:early")];
    withValueCodec(client, RULES);
    assert.deepStrictEqual(await Promise.all(early), ["OK", LONG]);
    assert.deepStrictEqual(await queue.get("r:early-pipeline").exec(), [
      [null, "OK"],
      [null, LONG],
    ]);
    await assertFramed("r:early");
    await assertFramed("r:early-pipeline");
    client.disconnect();
  });

  test("attaching twice with equal rules changes nothing, with others it is a TypeError", async () => {
    const custom = defineCompressor({ id: 16, name: "copy", compress: (content) => content, decompress: (payload) => payload });
    const options: ValueCodecClientOptions = {
      prefixes: { "r:": { compressor: zstd(), types: ["hash", "string"] }, "c:": { compressor: custom }, "raw:": "raw" },
    };
    const same: ValueCodecClientOptions = {
      prefixes: [
        ["raw:", "raw"],
        ["c:", { compressor: custom, frame: "always" }],
        [
          "r:",
          {
            compressor: zstd({ level: 3 }),
            types: ["string", "hash"],
            minCompressBytes: 256,
            accept: [zstd(), brotli(), lz4(), deflate()],
          },
        ],
      ],
      maxReplyBytes: DEFAULT_MAX_REPLY_BYTES,
    };
    const client = withValueCodec(redis.open(), options);
    for (const equal of [options, same]) assert.equal(withValueCodec(client, equal), client);
    await client.set("r:once", LONG);
    assert.equal(await client.get("r:once"), LONG);
    assert.equal(valueCodecOf(client).stats()["r:"]?.encoded, 1);
    const others: ValueCodecClientOptions[] = [
      RULES,
      { prefixes: {} },
      { ...options, maxReplyBytes: 1 },
      { prefixes: { ...options.prefixes, "more:": {} } },
      { prefixes: { ...options.prefixes, "raw:": {} } },
      { prefixes: { ...options.prefixes, "r:": { types: ["hash", "string"], compressor: zstd({ level: 4 }) } } },
      { prefixes: { ...options.prefixes, "r:": { types: ["hash", "string"], unsafe: "allow" } } },
    ];
    for (const other of others) assert.throws(() => withValueCodec(client, other), TypeError);
    assert.equal(await client.get("r:once"), LONG);
    client.disconnect();
  });

  test("calls what somebody else put on the client before, and what patches the class afterwards", async () => {
    const seen: string[] = [];
    class Traced extends Redis {
      override sendCommand(...args: Parameters<Redis["sendCommand"]>): unknown {
        seen.push(`class ${args[0].name}`);
        return super.sendCommand(...args);
      }
    }
    const client = redis.keep(new Traced(redis.server.url));
    await client.ping();
    const { sendCommand } = client;
    Object.assign(client, {
      sendCommand(this: Redis, ...args: Parameters<Redis["sendCommand"]>): unknown {
        seen.push(`own ${args[0].name}`);
        return sendCommand.apply(this, args);
      },
      set(this: Redis, ...args: Parameters<Redis["set"]>): unknown {
        seen.push("own method set");
        return Redis.prototype.set.apply(this, args);
      },
    });
    withValueCodec(client, RULES);
    seen.length = 0;
    await client.set("r:traced", LONG);
    assert.equal(await client.get("r:traced"), LONG);
    assert.deepStrictEqual(seen, ["own method set", "own set", "class set", "own get", "class get"]);
    await assertFramed("r:traced");
    client.disconnect();
  });

  test("commands that a program makes itself are encoded and decoded", async () => {
    const client = redis.openWrapped(RULES);
    const name = { "6": "ioredis", "5": "ioredis-5", "5.4": "ioredis-5.4" }[ioredisVersion];
    const { Command } = require(name) as typeof import("ioredis");
    const set = new Command("set", ["r:command", LONG], { replyEncoding: "utf8" });
    const get = new Command("get", ["r:command"], { replyEncoding: "utf8" });
    client.sendCommand(set);
    client.sendCommand(get);
    assert.deepStrictEqual(await Promise.all([set.promise, get.promise]), ["OK", LONG]);
    await assertFramed("r:command");
    client.disconnect();
  });

  test("a subscriber's duplicate keeps working, and quit() ends a client as ever", async () => {
    const client = redis.openWrapped(RULES);
    const subscriber = redis.keep(client.duplicate());
    await subscriber.subscribe("r:channel");
    const message = once(subscriber, "message");
    await client.publish("r:channel", LONG);
    assert.deepStrictEqual(await message, ["r:channel", LONG]);
    assert.equal(await client.quit(), "OK");
    await assert.rejects(client.get("r:x"), /closed/i);
    subscriber.disconnect();
  });

  test("errors of ioredis pass: no offline queue, a timeout", async () => {
    const offline = redis.openWrapped(RULES, { enableOfflineQueue: false, lazyConnect: true });
    await assert.rejects(offline.get("r:x"), /writeable/);
    await assert.rejects(offline.set("r:x", Buffer.alloc(100)), /writeable/);
    const slow = redis.openWrapped(RULES, { commandTimeout: 1000 });
    await slow.ping();
    process.kill(redis.server.pid, "SIGSTOP");
    try {
      await assert.rejects(slow.get("r:x"), /timed out/);
    } finally {
      process.kill(redis.server.pid, "SIGCONT");
    }
    for (const client of [offline, slow]) client.disconnect();
  });

  test("a second copy of the package, CommonJS here, shares the rules and recognises the errors", async () => {
    const copy = require("@tightwire/ioredis") as typeof import("@tightwire/ioredis");
    const client = redis.openWrapped(RULES);
    copy.valueCodecOf(client).setRules({ prefixes: { "r:": {}, "s:": { compressor: lz4() } } });
    await client.set("s:1", LONG);
    await assertFramed("s:1");
    assert.equal(await client.get("s:1"), LONG);
    await redis.bare.set("r:bad", BAD);
    assert.ok(copy.isCodecError(await rejectionOf(client.get("r:bad"))));
    assert.throws(() => copy.withValueCodec(client, { prefixes: { "r:": { frame: "never" } } }), TypeError);
    client.disconnect();
  });
});
