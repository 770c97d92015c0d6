import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { isCodecError, valueCodecOf } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { connectionId, loseInFlight } from "./support/connections.ts";
import { failureOf, rejectionOf } from "./support/failures.ts";
import { BINARY, LONG, MEDIUM, SHORT } from "./support/scripts.ts";

const redis = useRedis();
const RULES = { prefixes: { "r:": {}, "q:": { minFrameBytes: 0 } } };

async function isFramed(key: string): Promise<boolean> {
  const held = await redis.bare.getBuffer(key);
  return held !== null && isFrame(held);
}

for (const { name, options } of MODES) {
  const check = (title: string, use: (client: Redis) => Promise<void>, more: RedisOptions = {}): void => {
    test(title, async () => {
      const client = redis.openWrapped(RULES, { ...options, retryStrategy: () => 1, ...more });
      await client.flushall();
      await use(client);
      client.disconnect();
    });
  };

  suite(`failures of other systems: the path through ioredis, in ${name}`, () => {
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

    check("36 redis/ioredis#1714, redis/ioredis#218: values alone are framed in every shape of arguments", async (client) => {
      const calls: readonly (readonly [string, ...unknown[]])[] = [
        ["mset", new Map([["r:1", LONG]])],
        ["mset", { "r:2": LONG }],
        ["mset", ["r:3", LONG, "r:4", LONG]],
        ["msetnx", { "r:5": LONG }],
        ["set", "r:6", [LONG, "EX", 100]],
        ["call", "SET", "r:7", LONG],
        ["call", "set", ["r:8", LONG]],
        ["call", "sEt", "r:9", LONG, "EX", "100"],
      ];
      for (const [method, ...args] of calls) await invoke(client, method, args);
      await client.pipeline([["set", "r:10", LONG]]).exec();
      const keys = Array.from({ length: 10 }, (_, i) => `r:${i + 1}`);
      assert.deepStrictEqual(
        await client.mget(keys),
        keys.map(() => LONG),
      );
      assert.ok((await Promise.all(keys.map(isFramed))).every(Boolean));
      assert.deepStrictEqual(await Promise.all([client.ttl("r:6"), client.ttl("r:9"), redis.bare.dbsize()]), [100, 100, 10]);
      await client.hset("r:h", new Map([[LONG, LONG]]));
      await client.hset("r:h", { f: LONG });
      await invoke(client, "hset", ["r:h", ["g", LONG]]);
      assert.deepStrictEqual((await redis.bare.hkeys("r:h")).sort(), [LONG, "f", "g"].sort());
      assert.ok((await redis.bare.hvalsBuffer("r:h")).every(isFrame));
    });

    check("37 redis/node-redis#2139, redis/node-redis#1738: Buffers inside objects keep their bytes", async (client) => {
      const short = Buffer.from("01028182f1", "hex");
      await client.hset("r:h", { b: short, l: BINARY, s: "x", n: 5 });
      const { b, l, s, n } = await client.hgetallBuffer("r:h");
      assert.deepStrictEqual([b, l, s, n], [short, BINARY, Buffer.from("x"), Buffer.from("5")]);
    });

    check(
      "39 redis/ioredis#616, redis/ioredis#1652, eluneevermore/ioredis-cache#2: null and undefined are empty, as in ioredis",
      async (client) => {
        await invoke(client, "set", ["r:null", null]);
        await invoke(client, "set", ["r:undefined", undefined]);
        await invoke(client, "hset", ["r:h", { a: null, b: undefined }]);
        assert.deepStrictEqual(await client.mget("r:null", "r:undefined", "r:none"), ["", "", null]);
        assert.deepStrictEqual(await client.hgetall("r:h"), { a: "", b: "" });
        assert.match(String(await rejectionOf(invoke(client, "set", ["r:x", LONG, undefined, undefined]))), /syntax error/);
      },
    );

    check(
      "40 redis/ioredis#1824, redis/ioredis#2120: Uint8Array, ArrayBuffer and DataView are bytes and never text",
      async (client) => {
        const bytes = Buffer.concat([Buffer.of(255, 1), BINARY]);
        const memory = Uint8Array.from(bytes).buffer;
        for (const value of [new Uint8Array(memory), memory, new DataView(memory)]) {
          await invoke(client, "set", ["r:bytes", value]);
          assert.deepStrictEqual(await client.getBuffer("r:bytes"), bytes);
        }
        await invoke(client, "set", ["r:bytes", new Uint8Array([255, 1])]);
        assert.deepStrictEqual(await redis.bare.getBuffer("r:bytes"), Buffer.of(255, 1));
      },
    );

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
      "45 redis/ioredis#1526, redis/ioredis#381, redis/ioredis#239: rules match the key before keyPrefix, however it is sent",
      async (client) => {
        const prefixed = redis.openWrapped({ prefixes: { "user:": {} } }, { ...options, keyPrefix: "app:" });
        const key = Buffer.from("757365723aff", "hex");
        await Promise.all([prefixed.set("user:1", LONG), prefixed.set(key, LONG), prefixed.set("app:user:2", LONG)]);
        assert.deepStrictEqual(
          await Promise.all([
            prefixed.get("user:1"),
            prefixed.call("get", "user:1"),
            prefixed.get(key),
            prefixed.pipeline().get("user:1").exec(),
          ]),
          [LONG, LONG, LONG, [[null, LONG]]],
        );
        assert.deepStrictEqual(await Promise.all([isFramed("app:user:1"), isFramed("app:app:user:2")]), [true, false]);
        const held = await prefixed.callBuffer("eval", "return redis.call('GET', KEYS[1])", "1", "user:1");
        assert.deepStrictEqual(held, await redis.bare.getBuffer("app:user:1"));
        assert.equal(await client.get("app:user:2"), null);
        prefixed.disconnect();
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

    check("53 phpredis/phpredis#2373, phpredis/phpredis#1934, laravel/framework#54307: counters count", async (client) => {
      await client.set("r:k", 42);
      assert.deepStrictEqual(await Promise.all([client.incr("r:k"), client.incrby("r:k", 7), client.incrbyfloat("r:k", 0.5)]), [
        43,
        50,
        "50.5",
      ]);
      await client.hset("r:h", "f", 10);
      assert.deepStrictEqual(await Promise.all([client.hincrby("r:h", "f", 1), client.hget("r:h", "f")]), [11, "11"]);
      await client.set("r:limit", 0, "EX", 60, "NX");
      assert.deepStrictEqual(await Promise.all([client.incr("r:limit"), client.get("r:limit"), client.get("r:k")]), [
        1,
        "1",
        "50.5",
      ]);
      assert.equal(await redis.bare.object("ENCODING", "r:limit"), "int");
      await client.set("r:text", LONG);
      await assert.rejects(client.incr("r:text"), /not an integer/);
    });

    check(
      "54 laravel/framework#36337, symfony/symfony#34133, phpredis/phpredis#1938: a lock can be compared and deleted by a script",
      async (client) => {
        const release = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";
        const token = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
        await client.set("r:lock", token, "PX", 5000, "NX");
        assert.equal(await client.eval(release, 1, "r:lock", token), 1);
        const long = "a".repeat(200);
        await client.set("r:lock", long, "PX", 5000, "NX");
        assert.equal(await client.eval(release, 1, "r:lock", long), 0);
        assert.equal(await client.eval(release, 1, "r:lock", valueCodecOf(client).encode("r:lock", long)), 1);
      },
    );

    check("55 redis/redis#665: members are found by their value, whatever the settings", async (client) => {
      const other = redis.openWrapped({ prefixes: { "r:": { minFrameBytes: 0, numbers: "framed" } } }, options);
      await client.sadd("r:s", LONG);
      await client.zadd("r:z", 1, LONG);
      assert.deepStrictEqual(
        await Promise.all([other.sismember("r:s", LONG), other.zrem("r:z", LONG), other.srem("r:s", LONG)]),
        [1, 1, 1],
      );
      other.disconnect();
    });

    check(
      "56 NodeRedis/node-redis-parser#6, redis/node-redis#1082: a Buffer that a caller holds is never overwritten",
      async (client) => {
        await client.mset("r:s1", Buffer.alloc(65_527, "a"), "r:s2", Buffer.alloc(65_527, "b"), "r:tiny", "0123456789");
        const [held, tiny] = await Promise.all([client.getBuffer("r:s1"), client.getBuffer("r:tiny")]);
        await Promise.all(Array.from({ length: 100 }, () => client.getBuffer("r:s2")));
        assert.deepStrictEqual([held, tiny], [Buffer.alloc(65_527, "a"), Buffer.from("0123456789")]);
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

    check(
      "58 nekipelov/redisclient#29, redis/redis-rb#962: the value is what it was at the call, and the caller's stays as it is",
      async (client) => {
        for (const size of [4, 200, 20_000]) {
          const bytes = Buffer.alloc(size, "A");
          const args = ["r:b", bytes];
          const queue = client.pipeline().set("r:p", bytes);
          const sent = invoke(client, "set", args);
          assert.deepStrictEqual([bytes, args], [Buffer.alloc(size, "A"), ["r:b", bytes]]);
          bytes.fill("Z");
          await Promise.all([sent, queue.exec()]);
          assert.deepStrictEqual(await client.mgetBuffer("r:b", "r:p"), [Buffer.alloc(size, "A"), Buffer.alloc(size, "A")]);
        }
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
