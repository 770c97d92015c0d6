import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { valueCodecOf } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { rejectionOf } from "./support/failures.ts";
import { BINARY, LONG } from "./support/scripts.ts";

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

  suite(`failures of other systems: arguments through ioredis, in ${name}`, () => {
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
