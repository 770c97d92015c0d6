import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { withValueCodec } from "@tightwire/ioredis";
import { redisInsStore, redisStore } from "cache-manager-ioredis-yet";
import type { Redis } from "ioredis";
import { useRedis, WAYS } from "./support/clients.ts";
import { assertHeldRaw, contentOf } from "./support/held.ts";

const redis = useRedis();

/** A store as the library makes it; its own type rests on one that later releases of cache-manager no longer have. */
interface CacheStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown, ttlMs?: number): Promise<void>;
  del(key: string): Promise<void>;
  mset(values: [string, unknown][], ttlMs?: number): Promise<void>;
  mget(...keys: string[]): Promise<unknown[]>;
  mdel(...keys: string[]): Promise<void>;
  ttl(key: string): Promise<number>;
  keys(pattern: string): Promise<string[]>;
}

function openStore(client: Redis): CacheStore {
  return redisInsStore(client) as unknown as CacheStore;
}

const RULES = { prefixes: { "": {} } };
const REPORT = {
  title: "Report",
  made: new Date(0),
  rows: Array.from({ length: 50 }, (_, i) => ({ id: i, state: "as expected" })),
};
const TTL_MS = 60_000;

for (const way of WAYS) {
  suite(`cache-manager-ioredis-yet on ${way.name}`, () => {
    test("holds a value as a frame and reads it", async () => {
      const store = openStore(redis.open(way, RULES));
      await store.set("report", REPORT);
      const held = contentOf(await redis.bare.getBuffer("report"));
      assert.match(held.toString(), /^\{"title":"Report"/);
      assert.deepEqual(await store.get("report"), REPORT);
      await store.del("report");
      assert.equal(await store.get("report"), undefined);
    });

    test("holds many values as frames, with MSET and in a transaction with times to live", async () => {
      const store = openStore(redis.open(way, RULES));
      const values = Array.from({ length: 5 }, (_, i): [string, unknown] => [`many:${i}`, { ...REPORT, i }]);
      for (const ttl of [undefined, TTL_MS]) {
        await store.mset(values, ttl);
        for (const [key, value] of values) {
          contentOf(await redis.bare.getBuffer(key), key);
          assert.deepEqual(await store.get(key), value);
          assert.equal((await store.ttl(key)) > 0, ttl !== undefined);
        }
        const read = await store.mget(...values.map(([key]) => key), "missing");
        assert.deepEqual(read, [...values.map(([, value]) => value), undefined]);
      }
      assert.deepEqual((await store.keys("many:*")).sort(), values.map(([key]) => key).sort());
      await store.mdel(...values.map(([key]) => key));
      assert.deepEqual(await store.keys("many:*"), []);
    });

    test("holds short values raw and reads every kind of them", async () => {
      const store = openStore(redis.open(way, RULES));
      for (const value of [0, 1.5, true, "text", "42", [], {}]) {
        await store.set("short", value);
        assertHeldRaw(await redis.bare.getBuffer("short"));
        assert.deepEqual(await store.get("short"), value);
      }
    });

    test("reads values that were held before it was wrapped", async () => {
      await openStore(redis.keep(new way.ioredis.Redis(redis.server.url))).set("old", REPORT);
      assertHeldRaw(await redis.bare.getBuffer("old"));
      assert.deepEqual(await openStore(redis.open(way, RULES)).get("old"), REPORT);
    });
  });
}

suite("cache-manager-ioredis-yet with a client that it constructs", () => {
  test("holds frames once store.client is wrapped", async () => {
    const constructed = await redisStore({ host: "127.0.0.1", port: redis.server.port });
    const store = constructed as unknown as CacheStore;
    const client = withValueCodec(redis.keep(constructed.client), RULES);
    assert.equal(client, constructed.client);
    await store.set("constructed", REPORT, TTL_MS);
    contentOf(await redis.bare.getBuffer("constructed"));
    assert.deepEqual(await store.get("constructed"), REPORT);
  });
});
