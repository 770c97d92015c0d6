import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isCodecError } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { connectionId, loseInFlight } from "./support/connections.ts";
import { failureOf } from "./support/failures.ts";
import { BINARY, LONG, MEDIUM, SHORT } from "./support/scripts.ts";

const redis = useRedis();
const RULES = { prefixes: { "r:": {}, "q:": { minFrameBytes: 0 } } };

for (const { name, options } of MODES) {
  const check = (title: string, use: (client: Redis) => Promise<void>, more: RedisOptions = {}): void => {
    test(title, async () => {
      const client = redis.openWrapped(RULES, { ...options, retryStrategy: () => 1, ...more });
      await client.flushall();
      await use(client);
      client.disconnect();
    });
  };

  suite(`failures of other systems: replies through ioredis, in ${name}`, () => {
    check(
      "33 redis/ioredis#1228, redis/ioredis#1356: getBuffer, get and hgetallBuffer in one auto-pipelined turn",
      async (client) => {
        const bytes = Buffer.from("ff00c32880", "hex");
        const content = Buffer.concat(Array(50).fill(bytes));
        await Promise.all([client.set("r:a", bytes), client.set("r:b", content), client.hset("r:h", "f", content, "g", bytes)]);
        const [short, long, text, hash] = await Promise.all([
          client.getBuffer("r:a"),
          client.getBuffer("r:b"),
          client.get("r:b"),
          client.hgetallBuffer("r:h"),
        ]);
        assert.deepStrictEqual([short, long, text], [bytes, content, content.toString()]);
        assert.deepStrictEqual({ ...hash }, { f: content, g: bytes });
      },
      { enableAutoPipelining: true },
    );

    check("35 redis/ioredis#158, redis/ioredis#226: hgetall has one shape per style, that of ioredis", async (client) => {
      const plain = redis.open(options);
      await Promise.all([client.hset("r:h", "a", LONG), plain.hset("plain:h", "a", LONG)]);
      const shapes = async (one: Redis, key: string): Promise<unknown> => {
        const transaction = [one.multi({ pipeline: false }), one.hgetall(key), one.hgetallBuffer(key), one.exec()];
        return [
          await one.pipeline().hgetall(key).hgetallBuffer(key).exec(),
          await one.multi().hgetall(key).hgetallBuffer(key).exec(),
          await Promise.all(transaction),
        ];
      };
      assert.deepStrictEqual(await shapes(client, "r:h"), await shapes(plain, "plain:h"));
      plain.disconnect();
    });

    check(
      "43 redis/ioredis#800, redis/ioredis#1084: after a connection lost in a pipeline no reply is another command's",
      async (client) => {
        await client.mset("r:a", LONG, "q:a", SHORT);
        await client.hset("r:h", { f: LONG });
        const id = await connectionId(client);
        const results = await client
          .pipeline()
          .get("r:a")
          .get("q:a")
          .call("CLIENT", "KILL", "ID", id)
          .hgetall("r:h")
          .get("q:a")
          .set("r:b", MEDIUM)
          .get("r:b")
          .exec();
        assert.deepStrictEqual(results?.slice(0, 2), [
          [null, LONG],
          [null, SHORT],
        ]);
        const rest = [{ f: LONG }, SHORT, "OK", MEDIUM];
        for (const [i, [error, reply]] of (results ?? []).slice(3).entries())
          assert.ok(error instanceof Error || equals(reply, rest[i]));
        const lost = await loseInFlight(redis.server, client, () => ({
          exec: client.multi().get("r:a").hgetall("r:h").get("q:a").exec(),
        }));
        assert.deepStrictEqual(await lost.exec, [
          [null, LONG],
          [null, { f: LONG }],
          [null, SHORT],
        ]);
      },
    );

    check(
      "47 felixmosh/bull-board#1309, lokalise/node-service-template#1722: replies decode by their shape in every protocol",
      async (client) => {
        const plain = redis.open(options);
        const read = async (one: Redis, key: string): Promise<unknown> => {
          await one.hset(key, "f", LONG);
          return Promise.all([
            one.call("HGETALL", key),
            one.callBuffer("HGETALL", key),
            one.call("hgetall", key),
            one.hrandfield(key, 1, "WITHVALUES"),
            one.hrandfieldBuffer(key, -2, "WITHVALUES"),
            one.call("HRANDFIELD", key, "1", "withvalues"),
            one.hscan(key, 0),
          ]);
        };
        assert.deepStrictEqual(await read(client, "r:h"), await read(plain, "plain:h"));
        plain.disconnect();
      },
    );

    check("49 phpredis/phpredis#2791: scores are no values", async (client) => {
      const plain = redis.open(options);
      const read = async (one: Redis, key: string): Promise<unknown> => {
        await one.zadd(key, "1.5", LONG, "inf", MEDIUM);
        return Promise.all([
          one.zrange(key, "0", "-1", "WITHSCORES"),
          one.zrangebyscore(key, "-inf", "inf", "WITHSCORES"),
          one.zpopmin(key),
        ]);
      };
      assert.deepStrictEqual(await read(client, "r:z"), await read(plain, "plain:z"));
      plain.disconnect();
    });

    check("51 valkey-io/valkey-glide#5895: SET with GET, GETSET, GETDEL and GETEX give the old value decoded", async (client) => {
      await client.set("r:a", LONG);
      assert.equal(await client.set("r:a", MEDIUM, "GET"), LONG);
      assert.deepStrictEqual(await client.setBuffer("r:a", BINARY, "GET"), Buffer.from(MEDIUM));
      assert.deepStrictEqual(await client.getsetBuffer("r:a", LONG), BINARY);
      assert.equal(await client.set("r:a", SHORT, "NX", "GET"), LONG);
      assert.deepStrictEqual(await Promise.all([client.getex("r:a", "EX", 10), client.getdel("r:a")]), [LONG, LONG]);
      assert.equal(await client.set("r:a", SHORT, "NX", "GET"), null);
    });

    check(
      "52 valkey-io/valkey-glide#5420, valkey-io/valkey-glide-php#186: commands on bytes are refused in every style",
      async (client) => {
        await client.set("r:a", LONG);
        const unsafe: readonly (readonly [string, ...(string | number)[]])[] = [
          ["append", "r:a", "x"],
          ["setrange", "r:a", 0, "ZZ"],
          ["getrange", "r:a", 0, 1],
          ["strlen", "r:a"],
          ["getbit", "r:a", 0],
          ["bitcount", "r:a"],
          ["lcs", "r:a", "r:a"],
          ["pfadd", "r:a", "x"],
        ];
        for (const [command, ...args] of unsafe) {
          assert.equal((await failureOf(invoke(client, command, args))).code, "CODEC_COMMAND_UNSAFE");
          assert.equal((await failureOf(client.call(command.toUpperCase(), args))).code, "CODEC_COMMAND_UNSAFE");
        }
        const results = await client
          .pipeline(unsafe.map((call) => [...call]))
          .get("r:a")
          .exec();
        assert.ok(results?.slice(0, -1).every(([error]) => isCodecError(error)));
        assert.deepStrictEqual(results?.at(-1), [null, LONG]);
        for (const call of unsafe) await assert.rejects(client.multi([[...call]]).exec(), /EXECABORT/);
        assert.equal(await client.get("r:a"), LONG);
      },
    );

    check(
      "56 NodeRedis/node-redis-parser#6, redis/node-redis#1082: a Buffer that a caller holds is never overwritten",
      async (client) => {
        await client.mset("r:s1", Buffer.alloc(65_527, "a"), "r:s2", Buffer.alloc(65_527, "b"), "r:tiny", "0123456789");
        const [held, tiny] = await Promise.all([client.getBuffer("r:s1"), client.getBuffer("r:tiny")]);
        await Promise.all(Array.from({ length: 100 }, () => client.getBuffer("r:s2")));
        assert.deepStrictEqual([held, tiny], [Buffer.alloc(65_527, "a"), Buffer.from("0123456789")]);
        for (const one of [held, tiny]) assert.ok(one !== null && one.buffer.byteLength <= 2 * one.length);
      },
    );

    check(
      "57 SOHU-Co/kafka-node#301, SOHU-Co/kafka-node#667, commontoolsinc/labs#6474: large values are not overtaken",
      async (client) => {
        const big = "big ".repeat(750_000);
        assert.deepStrictEqual(await Promise.all([client.set("r:k", big), client.del("r:k"), client.get("r:k")]), [
          "OK",
          1,
          null,
        ]);
        assert.deepStrictEqual(await client.multi().set("r:k", big).get("r:k").exec(), [
          [null, "OK"],
          [null, big],
        ]);
        const turns = Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? `${big}${i}` : `short ${i}`));
        const replies = await Promise.all(turns.flatMap((value) => [client.set("r:k", value), client.get("r:k")]));
        assert.ok(replies.every((reply, i) => reply === (i % 2 === 0 ? "OK" : turns[(i - 1) / 2])));
      },
    );
  });
}

function equals(actual: unknown, expected: unknown): boolean {
  assert.deepStrictEqual(actual, expected);
  return true;
}

test("44 redis/ioredis#2194: with resending off a lost command ends when ioredis ends it, and adds no unhandled rejection", async () => {
  const client = redis.openWrapped(RULES, { autoResendUnfulfilledCommands: false, retryStrategy: () => 1 });
  await client.set("r:a", LONG);
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  await loseInFlight(redis.server, client, () => [client.get("r:a"), client.get("r:a")]);
  assert.equal(await client.get("r:a"), LONG);
  client.disconnect();
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("unhandledRejection", listen);
  assert.deepStrictEqual(unhandled, []);
});
