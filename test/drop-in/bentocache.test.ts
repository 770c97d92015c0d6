import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { json, lz4, type ValueCodecClientOptions, zstd } from "@tightwire/ioredis";
import { BentoCache, bentostore } from "bentocache";
import { memoryDriver } from "bentocache/drivers/memory";
import { redisBusDriver, redisDriver } from "bentocache/drivers/redis";
import type { Redis } from "ioredis";
import { waitFor } from "../support/wait.ts";
import { OWN_IOREDIS, useRedis, waysToWrap } from "./support/clients.ts";
import { assertHeldRaw, contentOf } from "./support/held.ts";

const redis = useRedis();

const RULES: ValueCodecClientOptions = {
  prefixes: { "": { compressor: zstd() } },
  channels: { "": { compressor: lz4(), minFrameBytes: 0 } },
};
const ARTICLE = { title: "On frames", paragraphs: Array.from({ length: 40 }, (_, i) => `paragraph ${i} says the same`) };

function openCache(connection: Redis, prefix: string) {
  const store = bentostore().useL2Layer(redisDriver({ connection, prefix }));
  const cache = new BentoCache({ default: "redis", stores: { redis: store } });
  redis.onEnd(() => cache.disconnectAll());
  return cache;
}

/** A cache with a first layer in memory, which hears over a bus what others change. */
function openLayered(connection: Redis, prefix: string) {
  const store = bentostore()
    .useL1Layer(memoryDriver({ maxItems: 100 }))
    .useL2Layer(redisDriver({ connection, prefix }))
    .useBus(redisBusDriver({ connection }));
  const cache = new BentoCache({ default: "layered", stores: { layered: store } });
  redis.onEnd(() => cache.disconnectAll());
  return cache;
}

// Asks `instanceof` its own ioredis; another copy's client is taken for options, wrapped or not.
for (const [index, way] of waysToWrap(OWN_IOREDIS).entries()) {
  suite(`bentocache on ${way.name}`, () => {
    const prefix = `bento${index}`;

    test("holds a value as a frame and reads it", async () => {
      const cache = openCache(redis.open(way, RULES), prefix);
      await cache.set({ key: "article", value: ARTICLE, ttl: "1m" });
      const held = await redis.bare.getBuffer(`${prefix}:article`);
      assert.deepEqual(JSON.parse(contentOf(held).toString()).value, ARTICLE);
      assert.ok((held?.length ?? 0) < JSON.stringify(ARTICLE).length / 4, "a quarter of its size");
      assert.deepEqual(await cache.get({ key: "article" }), ARTICLE);
      assert.equal(await cache.has({ key: "article" }), true);
    });

    test("makes a value once and finds the frame from then on", async () => {
      const [first, second] = [openCache(redis.open(way, RULES), prefix), openCache(redis.open(way, RULES), prefix)];
      let made = 0;
      const factory = async () => ({ ...ARTICLE, made: ++made });
      const options = { key: "made", factory, ttl: "1m", tags: ["articles"] };
      assert.deepEqual(await first.getOrSet(options), { ...ARTICLE, made: 1 });
      assert.deepEqual(await second.getOrSet(options), { ...ARTICLE, made: 1 });
      contentOf(await redis.bare.getBuffer(`${prefix}:made`));
      await first.deleteByTag({ tags: ["articles"] });
      assert.equal(await second.get({ key: "made" }), undefined);
    });

    test("pulls, deletes and clears what is held as frames", async () => {
      const cache = openCache(redis.open(way, RULES), prefix);
      const articles = cache.namespace("articles");
      for (const key of ["a", "b", "c", "d"]) await articles.set({ key, value: { ...ARTICLE, key } });
      contentOf(await redis.bare.getBuffer(`${prefix}:articles:a`));
      assert.deepEqual(await articles.pull("a"), { ...ARTICLE, key: "a" });
      assert.equal(await articles.get({ key: "a" }), undefined);
      await articles.delete({ key: "b" });
      await articles.deleteMany({ keys: ["c"] });
      assert.equal(await redis.bare.exists(`${prefix}:articles:b`, `${prefix}:articles:c`), 0);
      await articles.clear();
      assert.equal(await articles.get({ key: "d" }), undefined);
    });

    test("returns a value past its time within the grace period", async () => {
      const cache = openCache(redis.open(way, RULES), prefix);
      await cache.set({ key: "old", value: ARTICLE, ttl: 1, grace: "1m" });
      const failing = async (): Promise<typeof ARTICLE> => {
        throw new Error("the source is down");
      };
      await waitFor("the value is past its time", async () => (await cache.get({ key: "old", grace: false })) === undefined);
      assert.deepEqual(await cache.getOrSet({ key: "old", factory: failing, grace: "1m" }), ARTICLE);
    });

    test("reads values that were held before it was wrapped", async () => {
      const earlier = openCache(redis.keep(new OWN_IOREDIS.Redis(redis.server.url)), prefix);
      await earlier.set({ key: "earlier", value: ARTICLE });
      assertHeldRaw(await redis.bare.getBuffer(`${prefix}:earlier`));
      const cache = openCache(redis.open(way, RULES), prefix);
      assert.deepEqual(await cache.get({ key: "earlier" }), ARTICLE);
    });

    test("tells another process of a change in a framed message", async () => {
      const [first, second] = [openLayered(redis.open(way, RULES), prefix), openLayered(redis.open(way, RULES), prefix)];
      const listener = redis.keep(redis.bare.duplicate());
      const messages: Buffer[] = [];
      listener.on("pmessageBuffer", (_pattern, _channel, message: Buffer) => messages.push(message));
      await listener.psubscribe("*");
      await first.set({ key: "shared", value: { version: 1 } });
      assert.deepEqual(await second.get({ key: "shared" }), { version: 1 });
      await waitFor("the other process has the new version", async () => {
        await first.set({ key: "shared", value: { version: 2 } });
        return (await second.get<{ version: number }>({ key: "shared" }))?.version === 2;
      });
      await waitFor("a message was seen", () => messages.length > 0);
      assert.ok(messages.every(isFrame), "every message is a frame");
    });
  });
}

test("a rule with a serializer takes the text that bentocache made for a value", async () => {
  const [way] = waysToWrap(OWN_IOREDIS);
  assert.ok(way);
  const cache = openCache(redis.open(way, { prefixes: { "": { serializer: json() } } }), "typed");
  await cache.set({ key: "article", value: ARTICLE });
  assert.deepEqual(await cache.get({ key: "article" }), ARTICLE);
});
