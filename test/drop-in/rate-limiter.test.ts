import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  BurstyRateLimiter,
  type IRateLimiterRedisOptions,
  RateLimiterQueue,
  RateLimiterRedis,
  RateLimiterRedisNonAtomic,
  RateLimiterRes,
  RateLimiterUnion,
} from "rate-limiter-flexible";
import { useRedis, WAYS } from "./support/clients.ts";
import { assertHeldRaw } from "./support/held.ts";

const redis = useRedis();

const RULES = { prefixes: { "": {} } };
const LIMITERS = { RateLimiterRedis, RateLimiterRedisNonAtomic };

async function rejectionOf(promise: Promise<unknown>): Promise<RateLimiterRes> {
  const rejection = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(rejection instanceof RateLimiterRes, `the limiter's own answer, not ${rejection}`);
  return rejection;
}

for (const [index, way] of WAYS.entries()) {
  suite(`rate-limiter-flexible on ${way.name}`, () => {
    const options = (keyPrefix: string): IRateLimiterRedisOptions => ({
      storeClient: redis.open(way, RULES),
      keyPrefix: `${keyPrefix}-${index}`,
      points: 3,
      duration: 60,
    });

    for (const [name, Limiter] of Object.entries(LIMITERS)) {
      test(`${name} rejects once the points are consumed`, async () => {
        const limiter = new Limiter(options(name));
        for (const remaining of [2, 1, 0]) assert.equal((await limiter.consume("ada")).remainingPoints, remaining);
        const rejection = await rejectionOf(limiter.consume("ada"));
        assert.equal(rejection.consumedPoints, 4);
        assert.ok(rejection.msBeforeNext > 0 && rejection.msBeforeNext <= 60_000);
        assert.equal((await limiter.get("ada"))?.consumedPoints, 4);
        assert.equal(await redis.bare.get(limiter.getKey("ada")), "4");
        assertHeldRaw(await redis.bare.getBuffer(limiter.getKey("ada")));
      });

      test(`${name} takes what another has set, rewarded, punished and blocked`, async () => {
        const [limiter, other] = [new Limiter(options(`${name}-shared`)), new Limiter(options(`${name}-shared`))];
        await limiter.set("ada", 2, 60);
        assert.equal((await other.consume("ada")).remainingPoints, 0);
        await limiter.reward("ada", 2);
        assert.equal((await other.penalty("ada", 1)).consumedPoints, 2);
        await limiter.block("ada", 30);
        assert.ok((await rejectionOf(other.consume("ada"))).msBeforeNext <= 30_000);
        assert.equal(await limiter.delete("ada"), true);
        assert.equal(await other.get("ada"), null);
      });

      test(`${name} counts without an end`, async () => {
        const limiter = new Limiter({ ...options(`${name}-endless`), duration: 0 });
        for (const consumed of [1, 2, 3]) assert.equal((await limiter.consume("ada")).consumedPoints, consumed);
        await rejectionOf(limiter.consume("ada"));
        assert.equal(await redis.bare.pttl(limiter.getKey("ada")), -1);
      });
    }

    test("allows bursts, joins limits and queues", async () => {
      const bursty = new BurstyRateLimiter(new RateLimiterRedis(options("steady")), new RateLimiterRedis(options("burst")));
      for (let i = 0; i < 6; i++) await bursty.consume("ada");
      await rejectionOf(bursty.consume("ada"));
      const union = new RateLimiterUnion(
        new RateLimiterRedis(options("narrow")),
        new RateLimiterRedis({ ...options("wide"), points: 9 }),
      );
      await union.consume("ada", 3);
      await assert.rejects(union.consume("ada"), (reason: Record<string, RateLimiterRes>) => {
        return Object.keys(reason).join() === `narrow-${index}`;
      });
      const queue = new RateLimiterQueue(new RateLimiterRedis(options("queue")));
      assert.deepEqual([await queue.removeTokens(1), await queue.removeTokens(2)], [2, 0]);
    });

    test("works with ioredis' keyPrefix", async () => {
      const limiter = new RateLimiterRedis({ ...options("logical"), storeClient: redis.open(way, RULES, { keyPrefix: "app:" }) });
      await limiter.consume("ada", 3);
      await rejectionOf(limiter.consume("ada"));
      assert.equal(await redis.bare.get(`app:logical-${index}:ada`), "4");
    });
  });
}

test("a limiter whose counters are framed cannot count, which is why numbers are held raw", async () => {
  const [way] = WAYS;
  assert.ok(way);
  const framed = redis.open(way, { prefixes: { "": { numbers: "framed", minFrameBytes: 0 } } });
  const limiter = new RateLimiterRedis({ storeClient: framed, points: 3, duration: 60, keyPrefix: "framed" });
  await limiter.set("ada", 2, 60);
  await assert.rejects(limiter.consume("ada"), { name: "ReplyError" });
});
