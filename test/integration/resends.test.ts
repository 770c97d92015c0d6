import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createValueCodec } from "@tightwire/codec-core";
import { isCodecError, type PrefixStats, valueCodecOf } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { connectionId, loseInFlight } from "./support/connections.ts";
import { LONG } from "./support/scripts.ts";

const redis = useRedis();
const RULES = { prefixes: { "r:": {} } };
const FAST: RedisOptions = { retryStrategy: () => 1 };
const codec = createValueCodec();

function countersOf(client: Redis): PrefixStats {
  return (
    valueCodecOf(client).stats()["r:"] ?? {
      encoded: 0,
      decoded: 0,
      raw: 0,
      unframed: 0,
      contentBytes: 0,
      heldBytes: 0,
      errors: {},
    }
  );
}

async function assertFramedOnce(key: string): Promise<void> {
  const held = await redis.bare.getBuffer(key);
  assert.ok(held !== null);
  assert.equal(codec.decode(held).toString(), LONG, key);
}

/** How a promise stands now: ioredis leaves a lost command pending for ever when it may not resend it. */
function stateOf(promise: Promise<unknown>): Promise<string> {
  const settled = promise.then(
    () => "fulfilled",
    () => "rejected",
  );
  return Promise.race([settled, new Promise<string>((resolve) => setTimeout(resolve, 50, "pending"))]);
}

for (const { name, options } of MODES) {
  suite(`a command is encoded once however often it is sent, in ${name}`, () => {
    test("in flight when the connection is lost, and resent", async () => {
      const client = redis.openWrapped(RULES, { ...options, ...FAST });
      const replies = await loseInFlight(redis.server, client, () => [
        client.set("r:1", LONG),
        client.get("r:1"),
        client.mset("r:2", LONG, "other:2", LONG),
        client.hset("r:3", "f", LONG),
        client.hgetall("r:3"),
        client.mgetBuffer("r:2", "other:2"),
      ]);
      assert.deepStrictEqual((await Promise.all(replies)).slice(0, 3), ["OK", LONG, "OK"]);
      assert.deepStrictEqual(await replies[4], { f: LONG });
      assert.deepStrictEqual(await replies[5], [Buffer.from(LONG), Buffer.from(LONG)]);
      await Promise.all([assertFramedOnce("r:1"), assertFramedOnce("r:2")]);
      assert.deepStrictEqual([countersOf(client).encoded, countersOf(client).decoded], [3, 3]);
      client.disconnect();
    });

    test("issued while the connection is down, then sent from the offline queue, then resent", async () => {
      const client = redis.openWrapped(RULES, { ...options, ...FAST, lazyConnect: true });
      const early = client.set("r:offline", LONG);
      await client.connect().catch(() => undefined);
      await early;
      const again = await loseInFlight(redis.server, client, () => [client.set("r:offline", LONG), client.get("r:offline")]);
      assert.deepStrictEqual(await Promise.all(again), ["OK", LONG]);
      await assertFramedOnce("r:offline");
      assert.deepStrictEqual([countersOf(client).encoded, countersOf(client).decoded], [2, 1]);
      client.disconnect();
    });

    test("sent again because reconnectOnError returned 2", async () => {
      await redis.bare.set("r:string", "a string, on which HSET fails");
      let failures = 0;
      const reconnectOnError = (): 2 => {
        // The second attempt fails too, the third finds the key gone: the pause before each is far longer than DEL takes.
        if (++failures === 2) redis.bare.del("r:string").catch(assert.fail);
        return 2;
      };
      const client = redis.openWrapped(RULES, { ...options, retryStrategy: () => 50, reconnectOnError });
      assert.equal(await client.hset("r:string", "f", LONG), 1);
      assert.equal(failures, 2);
      assert.equal(countersOf(client).encoded, 1);
      const { f: held } = await redis.bare.hgetallBuffer("r:string");
      assert.ok(held !== undefined);
      assert.equal(codec.decode(held).toString(), LONG);
      client.disconnect();
    });

    test("with autoResendUnfulfilledCommands: false a lost command ends as on a bare client, and later ones get their own replies", async () => {
      const settings = { ...options, ...FAST, autoResendUnfulfilledCommands: false };
      const wrapped = redis.openWrapped(RULES, settings);
      const plain = redis.open(settings);
      await Promise.all([wrapped.set("r:old", LONG), plain.set("plain:old", LONG)]);
      const ends: unknown[] = [];
      for (const client of [wrapped, plain]) {
        const prefix = client === wrapped ? "r:" : "plain:";
        const lost = await loseInFlight(redis.server, client, () => [
          client.get(`${prefix}old`),
          client.set(`${prefix}lost`, LONG),
        ]);
        const after = await Promise.all([
          client.get(`${prefix}old`),
          client.strlen("other:none"),
          client.getBuffer(`${prefix}old`),
        ]);
        assert.deepStrictEqual(after, [LONG, 0, Buffer.from(LONG)]);
        ends.push(await Promise.all(lost.map(stateOf)));
        client.disconnect();
      }
      assert.deepStrictEqual(ends[0], ends[1]);
    });

    test("a whole pipeline in flight is resent, with its refusals in their places", async () => {
      const client = redis.openWrapped(RULES, { ...options, ...FAST });
      const sent = await loseInFlight(redis.server, client, () => ({
        exec: client.pipeline().set("r:p", LONG).append("r:p", "x").get("r:p").getBuffer("r:p").exec(),
      }));
      const results = (await sent.exec) ?? [];
      assert.deepStrictEqual(results[0], [null, "OK"]);
      assert.ok(isCodecError(results[1]?.[0]));
      assert.deepStrictEqual(results.slice(2), [
        [null, LONG],
        [null, Buffer.from(LONG)],
      ]);
      await assertFramedOnce("r:p");
      assert.equal(countersOf(client).encoded, 1);
      client.disconnect();
    });

    test("a whole transaction in flight is resent", async () => {
      const client = redis.openWrapped(RULES, { ...options, ...FAST });
      const sent = await loseInFlight(redis.server, client, () => ({
        exec: client.multi().set("r:t", LONG).get("r:t").hset("r:th", "f", LONG).hgetall("r:th").exec(),
      }));
      const results = (await sent.exec) ?? [];
      assert.deepStrictEqual(
        [results[0], results[1], results[3]],
        [
          [null, "OK"],
          [null, LONG],
          [null, { f: LONG }],
        ],
      );
      await assertFramedOnce("r:t");
      client.disconnect();
    });

    test("a transaction without a pipeline in flight is resent, and its elements are decoded", async () => {
      const client = redis.openWrapped(RULES, { ...options, ...FAST });
      const sent = await loseInFlight(redis.server, client, () => [
        client.multi({ pipeline: false }),
        client.set("r:np", LONG),
        client.get("r:np"),
        client.exec(),
      ]);
      assert.deepStrictEqual(await Promise.all(sent), [
        "OK",
        "QUEUED",
        "QUEUED",
        [
          [null, "OK"],
          [null, LONG],
        ],
      ]);
      await assertFramedOnce("r:np");
      client.disconnect();
    });
  });

  suite(`a connection that is cut in the middle of a pipeline, in ${name}`, () => {
    test("every result is its own command's reply or an error, and the next commands work", async () => {
      const client = redis.openWrapped(RULES, { ...options, ...FAST });
      const plain = redis.open({ ...options, ...FAST });
      const runs = [client, plain].map(async (one) => {
        const prefix = one === client ? "r:" : "plain:";
        const id = await connectionId(one);
        const queue = one.pipeline().set(`${prefix}a`, LONG).get(`${prefix}a`).hset(`${prefix}h`, "f", LONG);
        if (one === client) queue.append("r:a", "refused");
        else queue.type("plain:a");
        queue.hgetall(`${prefix}h`).call("CLIENT", "KILL", "ID", id).get(`${prefix}a`).hgetall(`${prefix}h`);
        const results = (await queue.exec()) ?? [];
        assert.equal(await one.get(`${prefix}a`), LONG);
        return { fourth: results[3]?.[0], others: results.toSpliced(3, 1).map(([error, reply]) => error?.message ?? reply) };
      });
      const [actual, expected] = await Promise.all(runs);
      assert.ok(isCodecError(actual?.fourth));
      assert.deepStrictEqual(actual?.others, expected?.others);
      client.disconnect();
      plain.disconnect();
    });

    test("a refusal after the cut settles too", async () => {
      const client = redis.openWrapped(RULES, { ...options, ...FAST });
      const id = await connectionId(client);
      await client.set("r:a", LONG);
      const results = await client.pipeline().get("r:a").call("CLIENT", "KILL", "ID", id).append("r:a", "x").get("r:a").exec();
      assert.deepStrictEqual(results?.[0], [null, LONG]);
      assert.ok(results?.[2]?.[0] instanceof Error);
      assert.equal(results?.length, 4);
      assert.equal(await client.get("r:a"), LONG);
      client.disconnect();
    });

    test("a transaction with a refusal that is cut rejects, and the next commands work", async () => {
      const client = redis.openWrapped(RULES, { ...options, ...FAST });
      await client.set("r:a", LONG);
      const sent = await loseInFlight(redis.server, client, () => ({
        exec: client.multi().set("r:a", "must not be written").append("r:a", "x").get("r:a").exec(),
      }));
      await assert.rejects(sent.exec, /EXECABORT/);
      assert.equal(await client.get("r:a"), LONG);
      client.disconnect();
    });
  });
}
