import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  createCodecClasses,
  isCodecError,
  json,
  lz4,
  type ValueCodecClientOptions,
  valueCodecOf,
  withValueCodec,
} from "@tightwire/ioredis";
import { Redis as Valkey } from "iovalkey";
import { waitFor } from "../support/wait.ts";
import { useRedis } from "./support/clients.ts";
import { contentOf } from "./support/held.ts";

const redis = useRedis();

const RULES: ValueCodecClientOptions = {
  prefixes: { "page:": { compressor: lz4() }, "typed:": { serializer: json() }, "hits:": "raw" },
  channels: { "news.": {} },
};
const PAGE = "<li>the same line</li>\n".repeat(100);

/** The two ways to wrap a client of iovalkey; one key of the tests has values that are no strings, so the types are given up. */
const WAYS = {
  "a wrapped client": () => withValueCodec(new Valkey(redis.server.url), RULES) as unknown as Valkey,
  "a codec class": () => new (createCodecClasses({ Redis: Valkey }, RULES).Redis)(redis.server.url) as unknown as Valkey,
};

for (const [name, make] of Object.entries(WAYS)) {
  suite(`iovalkey with ${name}`, () => {
    const open = (): Valkey => redis.keep(make());

    test("frames and decodes strings, hashes, lists and streams", async () => {
      await redis.bare.flushdb();
      const client = open();
      await client.set("page:1", PAGE);
      await client.mset({ "page:2": PAGE, "page:3": Buffer.from(PAGE) });
      await client.hset("page:h", { body: PAGE });
      await client.rpush("page:l", PAGE, "short");
      const id = await client.xadd("page:x", "*", "body", PAGE);
      for (const key of ["page:1", "page:2", "page:3"]) assert.equal(contentOf(await redis.bare.getBuffer(key)).toString(), PAGE);
      contentOf(await redis.bare.hgetBuffer("page:h", "body"));
      contentOf(await redis.bare.lindexBuffer("page:l", 0));
      contentOf((await redis.bare.xrangeBuffer("page:x", "-", "+"))[0]?.[1][1]);
      assert.deepEqual(await client.mget("page:1", "page:2", "page:3", "page:none"), [PAGE, PAGE, PAGE, null]);
      assert.deepEqual(await client.getBuffer("page:1"), Buffer.from(PAGE));
      assert.deepEqual(await client.hgetall("page:h"), { body: PAGE });
      assert.deepEqual(await client.lrange("page:l", 0, -1), [PAGE, "short"]);
      assert.deepEqual(await client.xrange("page:x", "-", "+"), [[id, ["body", PAGE]]]);
    });

    test("decodes in pipelines, transactions, callbacks, generic calls and auto-pipelines", async () => {
      const client = open();
      await client.set("page:1", PAGE);
      const both = [
        [null, "OK"],
        [null, PAGE],
      ];
      assert.deepEqual(await client.pipeline().set("page:1", PAGE).get("page:1").exec(), both);
      assert.deepEqual(await client.multi().set("page:1", PAGE).get("page:1").exec(), both);
      await client.multi({ pipeline: false });
      await client.get("page:1");
      assert.deepEqual(await client.exec(), [[null, PAGE]]);
      assert.equal(await new Promise((resolve) => client.get("page:1", (_error, value) => resolve(value))), PAGE);
      assert.equal(await client.call("GET", "page:1"), PAGE);
      client.options.enableAutoPipelining = true;
      assert.deepEqual(await Promise.all([client.set("page:1", PAGE), client.get("page:1")]), ["OK", PAGE]);
    });

    test("takes values of a serializer and leaves raw keys alone", async () => {
      const client = open();
      const value = { title: "typed", lines: PAGE };
      await client.set("typed:1", value as never);
      assert.deepEqual(await client.get("typed:1"), value);
      contentOf(await redis.bare.getBuffer("typed:1"));
      await client.set("hits:1", 41);
      assert.equal(await client.incr("hits:1"), 42);
      assert.equal(await redis.bare.get("hits:1"), "42");
    });

    test("frames messages and decodes them, on a duplicate too", async () => {
      const [publisher, text, bytes] = [open(), open(), redis.keep(open().duplicate())];
      const texts: string[] = [];
      const buffers: Buffer[] = [];
      const held: Buffer[] = [];
      text.on("message", (_channel, message) => texts.push(message));
      bytes.on("pmessageBuffer", (_pattern, _channel, message) => buffers.push(message));
      const listener = redis.keep(redis.bare.duplicate());
      listener.on("messageBuffer", (_channel, message: Buffer) => held.push(message));
      await Promise.all([text.subscribe("news.1"), bytes.psubscribe("news.*"), listener.subscribe("news.1")]);
      await publisher.publish("news.1", PAGE);
      await waitFor("all have heard", () => texts.length + buffers.length + held.length === 3);
      assert.deepEqual([texts, buffers], [[PAGE], [Buffer.from(PAGE)]]);
      assert.equal(contentOf(held[0]).toString(), PAGE);
    });

    test("refuses what works on stored bytes, and reads what a script wrote", async () => {
      const client = open();
      await client.set("page:1", PAGE);
      await assert.rejects(client.append("page:1", "x"), (error) => isCodecError(error) && error.code === "CODEC_COMMAND_UNSAFE");
      client.defineCommand("keep", { numberOfKeys: 1, lua: "return redis.call('set', KEYS[1], ARGV[1])" });
      const frame = valueCodecOf(client).encode("page:2", PAGE);
      await (client as unknown as { keep(key: string, value: Buffer): Promise<string> }).keep("page:2", frame);
      assert.equal(await client.get("page:2"), PAGE);
    });
  });
}
