import assert from "node:assert/strict";
import { once } from "node:events";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { valueCodecOf } from "@tightwire/ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { BAD } from "./support/damage.ts";
import { asCodecError, hashOf } from "./support/failures.ts";
import { LONG, MEDIUM, SHORT } from "./support/scripts.ts";

const redis = useRedis();
const RULES = { prefixes: { "r:": {} } };

const SCRIPTS = {
  readOne: { numberOfKeys: 1, lua: "return redis.call('GET', KEYS[1])" },
  writeOne: { numberOfKeys: 1, lua: "return redis.call('SET', KEYS[1], ARGV[1])" },
  echoAll: { lua: "return { KEYS[1], ARGV[1], ARGV[2] }" },
  // A script may be called like a command of the wrapper's.
  getset: { numberOfKeys: 1, lua: "return { KEYS[1], ARGV[1] }" },
};

function withScripts(client: Redis): Redis {
  for (const [name, definition] of Object.entries(SCRIPTS)) client.defineCommand(name, definition);
  return client;
}

for (const { name: mode, options } of MODES) {
  suite(`scripts in ${mode}`, () => {
    const sends: Readonly<Record<string, (client: Redis, name: string, args: unknown[]) => Promise<unknown>>> = {
      "a direct call": (client, name, args) => invoke(client, name, args) as Promise<unknown>,
      "a pipeline": async (client, name, args) =>
        (await (invoke(client.pipeline(), name, args) as ReturnType<Redis["pipeline"]>).exec())?.[0]?.[1],
      "a transaction": async (client, name, args) =>
        (await (invoke(client.multi(), name, args) as ReturnType<Redis["multi"]>).exec())?.[0]?.[1],
    };
    for (const [how, send] of Object.entries(sends)) {
      for (const enableAutoPipelining of [false, true]) {
        test(`${how}${enableAutoPipelining ? " with auto-pipelining" : ""}: KEYS, ARGV and replies pass untouched`, async () => {
          const client = withScripts(redis.openWrapped(RULES, { ...options, enableAutoPipelining }));
          await client.script("FLUSH");
          await client.set("r:framed", LONG);
          const held = await redis.bare.getBuffer("r:framed");
          assert.deepStrictEqual(await send(client, "readOneBuffer", ["r:framed"]), held);
          assert.equal(await send(client, "writeOne", ["r:raw", LONG]), "OK");
          assert.equal(await redis.bare.get("r:raw"), LONG);
          assert.equal(await client.get("r:raw"), LONG);
          assert.deepStrictEqual(await send(client, "echoAll", [1, "r:key", LONG, SHORT]), ["r:key", LONG, SHORT]);
          assert.deepStrictEqual(await send(client, "getset", ["r:key", LONG]), ["r:key", LONG]);
          client.disconnect();
        });
      }
    }

    test("eval and evalsha take frames made by encode(), and decode() reads what they return", async () => {
      const client = redis.openWrapped(RULES, options);
      const codec = valueCodecOf(client);
      const sha = (await client.script("LOAD", SCRIPTS.writeOne.lua)) as string;
      await client.eval(SCRIPTS.writeOne.lua, 1, "r:eval", codec.encode("r:eval", LONG));
      await client.evalsha(sha, 1, "r:evalsha", codec.encode("r:evalsha", MEDIUM));
      assert.deepStrictEqual(await client.mget("r:eval", "r:evalsha"), [LONG, MEDIUM]);
      const held = (await client.callBuffer("EVAL", SCRIPTS.readOne.lua, 1, "r:eval")) as Buffer;
      assert.equal(codec.decode("r:eval", held).toString(), LONG);
      client.disconnect();
    });
  });

  suite(`scan streams in ${mode}`, () => {
    const COUNT = 300;
    const fill = async (client: Redis, key: string): Promise<Map<string, string>> => {
      const fields = new Map(
        Array.from({ length: COUNT }, (_, i) => [`field${i}`, i % 3 === 0 ? LONG : i % 3 === 1 ? `${i}` : `${i}${MEDIUM}`]),
      );
      await client.del(key);
      await client.hset(key, fields);
      return fields;
    };

    test("hscanStream and hscanBufferStream give fields and decoded values", async () => {
      const client = redis.openWrapped(RULES, options);
      const fields = await fill(client, "r:scan");
      for (const buffers of [false, true]) {
        const seen = new Map<string, string>();
        const stream = buffers
          ? client.hscanBufferStream("r:scan", { count: 50 })
          : client.hscanStream("r:scan", { match: "field*", count: 50 });
        for await (const batch of stream) {
          for (let i = 0; i < batch.length; i += 2) {
            assert.equal(batch[i + 1] instanceof Buffer, buffers);
            seen.set(String(batch[i]), String(batch[i + 1]));
          }
        }
        assert.deepStrictEqual(new Map([...seen].sort()), new Map([...fields].sort()));
      }
      client.disconnect();
    });

    test("a bad value ends the stream with an error that carries the batch", async () => {
      const client = redis.openWrapped(RULES, options);
      await redis.bare.del("r:bad");
      await redis.bare.hset("r:bad", "good", SHORT, "bad", BAD);
      const stream = client.hscanStream("r:bad");
      stream.resume();
      const [error] = await once(stream, "error");
      const [cursor, batch] = Object.values(hashOf(error)) as [string, unknown[]];
      assert.equal(cursor, "0");
      assert.equal(batch[batch.indexOf("good") + 1], SHORT);
      assert.equal(asCodecError(batch[batch.indexOf("bad") + 1]).field, "bad");
      client.disconnect();
    });

    test("scanStream, sscanStream and zscanStream give keys and members as they are", async () => {
      const client = redis.openWrapped(RULES, options);
      await client.sadd("r:set", LONG, SHORT);
      await client.zadd("r:zset", 1, LONG);
      const read = async (stream: AsyncIterable<string[]>): Promise<string[]> => {
        const all: string[] = [];
        for await (const batch of stream) all.push(...batch);
        return all.sort();
      };
      assert.deepStrictEqual(await read(client.sscanStream("r:set")), [LONG, SHORT].sort());
      assert.ok((await read(client.zscanStream("r:zset"))).includes(LONG));
      assert.ok((await read(client.scanStream({ match: "r:*set" }))).includes("r:zset"));
      client.disconnect();
    });
  });

  suite(`monitor() in ${mode}`, () => {
    test("shows frames, and neither it nor its client is disturbed", async () => {
      const client = redis.openWrapped(RULES, options);
      const monitor = redis.keep(await client.monitor());
      const seen = once(monitor, "monitor");
      const value = "x".repeat(1000);
      await client.set("r:monitored", value);
      const [, args] = (await seen) as [string, string[]];
      assert.deepStrictEqual(args.slice(0, 2), ["set", "r:monitored"]);
      assert.ok(args[2]?.startsWith("RVC"));
      assert.equal(await client.get("r:monitored"), value);
      monitor.disconnect();
      assert.equal(await client.get("r:monitored"), value);
      client.disconnect();
    });
  });
}

suite("names and members are identities", () => {
  const frame = async (): Promise<Buffer> => {
    const held = await redis.bare.getBuffer("r:identity");
    assert.ok(held !== null && isFrame(held));
    return held;
  };

  test("set, sorted-set, geo and HyperLogLog members and hash fields are never encoded nor decoded, not even frames", async () => {
    const client = redis.openWrapped(RULES);
    await client.set("r:identity", LONG);
    const like = await frame();
    for (const member of [LONG, like]) {
      const bytes = Buffer.from(member as string);
      await client.del("r:s", "r:z", "r:g", "r:hf");
      await client.sadd("r:s", member);
      await client.zadd("r:z", 1.5, member);
      await client.geoadd("r:g", "13.3", "38.1", member);
      await client.hset("r:hf", member, LONG);
      assert.deepStrictEqual(await redis.bare.smembersBuffer("r:s"), [bytes]);
      assert.deepStrictEqual(await client.smembersBuffer("r:s"), [bytes]);
      assert.equal(await client.sismember("r:s", member), 1);
      assert.deepStrictEqual(await client.spopBuffer("r:s"), bytes);
      assert.deepStrictEqual((await client.zrangeBuffer("r:z", "0", "-1"))[0], bytes);
      assert.equal(Number(await client.zscore("r:z", member)), 1.5);
      assert.deepStrictEqual(await client.callBuffer("GEOSEARCH", "r:g", "FROMLONLAT", "13", "38", "BYRADIUS", "200", "km"), [
        bytes,
      ]);
      assert.deepStrictEqual(await redis.bare.hkeysBuffer("r:hf"), [bytes]);
      assert.deepStrictEqual(await client.hkeysBuffer("r:hf"), [bytes]);
      assert.deepStrictEqual(await client.hrandfieldBuffer("r:hf"), bytes);
      assert.equal(await client.hexists("r:hf", member), 1);
      assert.equal(await client.hget("r:hf", member), LONG);
      const [, scanned] = (await client.hscanBuffer("r:hf", 0)) as [unknown, Buffer[]];
      assert.deepStrictEqual(scanned, [bytes, Buffer.from(LONG)]);
    }
    client.disconnect();
  });
});
