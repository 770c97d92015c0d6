import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Redis } from "ioredis";
import { LostLockError, MultiSemaphore, Mutex, RedlockMutex, RedlockSemaphore, Semaphore, TimeoutError } from "redis-semaphore";
import Redlock from "redlock";
import { waitFor } from "../support/wait.ts";
import { useRedis, WAYS } from "./support/clients.ts";
import { assertHeldRaw, contentOf } from "./support/held.ts";

const redis = useRedis();

const RULES = { prefixes: { "": {} } };
const OPTIONS = { lockTimeout: 5000, acquireTimeout: 100, retryInterval: 10, refreshInterval: 20 };
// Longer than the shortest content that is framed: nobody makes such identifiers, but they may.
const LONG_SUFFIX = "of-a-host-with-a-long-name".repeat(4);

/** Asserts that a lock is refreshed by its holder: the time that was taken from it comes back. */
async function assertRefreshed(key: string): Promise<void> {
  await redis.bare.pexpire(key, 1000);
  await waitFor("the lock is refreshed", async () => (await redis.bare.pttl(key)) > 1000);
}

for (const [index, way] of WAYS.entries()) {
  suite(`redis-semaphore on ${way.name}`, () => {
    const open = () => redis.open(way, RULES) as never;
    const name = (what: string) => `${what}-${index}`;

    test("a mutex is acquired by one, refreshed, and released to the next", async () => {
      const [mine, yours] = [new Mutex(open(), name("door"), OPTIONS), new Mutex(open(), name("door"), OPTIONS)];
      await mine.acquire();
      assertHeldRaw(await redis.bare.getBuffer(`mutex:${name("door")}`));
      await assert.rejects(yours.acquire(), TimeoutError);
      assert.equal(await yours.tryAcquire(), false);
      await assertRefreshed(`mutex:${name("door")}`);
      await mine.release();
      assert.equal(await yours.tryAcquire(), true);
      await yours.release();
      assert.equal(await redis.bare.exists(`mutex:${name("door")}`), 0);
    });

    test("a mutex that was taken away is reported as lost", async () => {
      let lost: unknown;
      const mutex = new Mutex(open(), name("taken"), {
        ...OPTIONS,
        onLockLost: (error) => {
          lost = error;
        },
      });
      await mutex.acquire();
      await redis.bare.set(`mutex:${name("taken")}`, "somebody else");
      await waitFor("the loss is noticed", () => lost !== undefined);
      assert.ok(lost instanceof LostLockError);
    });

    test("a semaphore lets in as many as its limit", async () => {
      const guests = [1, 2, 3].map(() => new Semaphore(open(), name("room"), 2, OPTIONS));
      const [first, second, third] = guests;
      await first?.acquire();
      await second?.acquire();
      await assert.rejects(third?.acquire() ?? Promise.resolve(), TimeoutError);
      await first?.release();
      await third?.acquire();
      assert.equal(await redis.bare.zcard(`semaphore:${name("room")}`), 2);
      await Promise.all([second?.release(), third?.release()]);
    });

    test("a permit for several and locks of several servers are acquired and released", async () => {
      const multi = new MultiSemaphore(open(), name("several"), 3, 2, OPTIONS);
      await multi.acquire();
      const more = new MultiSemaphore(open(), name("several"), 3, 2, OPTIONS);
      assert.equal(await more.tryAcquire(), false);
      await multi.release();
      for (const lock of [
        new RedlockMutex([open()], name("servers"), OPTIONS),
        new RedlockSemaphore([open()], name("servers"), 1, OPTIONS),
      ]) {
        await lock.acquire();
        assert.equal(lock.isAcquired, true);
        await lock.release();
      }
    });

    test("a mutex with a long identifier is kept, if its prefix is raw", async () => {
      const client = redis.open(way, { prefixes: { "": {}, "mutex:": "raw" } }) as never;
      const mutex = new Mutex(client, name("long"), { ...OPTIONS, identifierSuffix: LONG_SUFFIX });
      await mutex.acquire();
      await assertRefreshed(`mutex:${name("long")}`);
      await mutex.release();
      assert.equal(await redis.bare.exists(`mutex:${name("long")}`), 0);
    });

    const FRAMED = {
      "an identifier of 65 bytes or more": { rules: RULES, identifierSuffix: LONG_SUFFIX },
      "any identifier, if everything is framed": { rules: { prefixes: { "": { minFrameBytes: 0 } } }, identifierSuffix: "" },
    };
    for (const [what, { rules, identifierSuffix }] of Object.entries(FRAMED)) {
      test(`a mutex is lost with ${what}: its script compares the frame`, async () => {
        let lost = false;
        const onLockLost = () => {
          lost = true;
        };
        const client = redis.open(way, rules) as never;
        const mutex = new Mutex(client, name("framed"), { ...OPTIONS, identifierSuffix, onLockLost });
        await mutex.acquire();
        contentOf(await redis.bare.getBuffer(`mutex:${name("framed")}`));
        await waitFor("the script finds another identifier", () => lost);
        await redis.bare.del(`mutex:${name("framed")}`);
      });
    }
  });

  suite(`redlock on ${way.name}`, () => {
    const open = (): Redis => redis.open(way, RULES);
    const resource = (what: string) => `lock:${what}-${index}`;

    test("a lock keeps others out until it is released", async () => {
      const [mine, yours] = [new Redlock([open()]), new Redlock([open()], { retryCount: 0 })];
      const lock = await mine.lock(resource("door"), 5000);
      assertHeldRaw(await redis.bare.getBuffer(resource("door")));
      await assert.rejects(yours.lock(resource("door"), 5000), Redlock.LockError);
      await lock.unlock();
      const next = await yours.lock(resource("door"), 5000);
      await next.unlock();
      assert.equal(await redis.bare.exists(resource("door")), 0);
    });

    test("a lock of several resources is extended by its holder alone", async () => {
      const redlock = new Redlock([open()], { retryCount: 0 });
      const names = [resource("a"), resource("b")];
      const lock = await redlock.lock(names, 1000);
      await lock.extend(60_000);
      for (const name of names) assert.ok((await redis.bare.pttl(name)) > 1000);
      await redis.bare.set(names[0] ?? "", "somebody else");
      await assert.rejects(lock.extend(60_000), Redlock.LockError);
      await assert.rejects(lock.unlock(), Redlock.LockError);
    });

    test("a holder waits until a lock has run out", async () => {
      const redlock = new Redlock([open()], { retryCount: 50, retryDelay: 10 });
      await redlock.lock(resource("brief"), 50);
      const lock = await redlock.lock(resource("brief"), 5000);
      assert.equal(await redis.bare.get(resource("brief")), lock.value);
      await lock.unlock();
    });
  });
}
