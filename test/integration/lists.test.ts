import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { isCodecError, json, type ValueCodecClientOptions, zstd } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import { invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { BAD } from "./support/damage.ts";
import { asCodecError, failureOf, listOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";
import { type LooseClient, loosen } from "./support/typed-clients.ts";

const redis = useRedis();
const RULES: ValueCodecClientOptions = {
  prefixes: { "r:": {}, "r:raw:": "raw", "j:": { serializer: json() }, "c:": { serializer: json(), comparands: "encode" } },
};
const BAD_CODE = "CODEC_CHECKSUM_MISMATCH";

function open(rules: ValueCodecClientOptions = RULES, options: RedisOptions = {}): LooseClient {
  return loosen(redis.openWrapped(rules, options));
}

async function fill(key: string, ...elements: (string | Buffer)[]): Promise<void> {
  await redis.bare.del(key);
  await redis.bare.rpush(key, ...elements);
}

suite("replies that name the key of their values", () => {
  for (const { name, options } of MODES) {
    for (const keyPrefix of ["", "app:"]) {
      test(`follow the rule of that key, in ${name}${keyPrefix === "" ? "" : " with keyPrefix"}`, async () => {
        const client = open(RULES, { ...options, keyPrefix });
        await redis.bare.flushall();
        const pops: readonly (readonly [string, ...unknown[]])[] = [
          ["blpop", "none", "r:l", "j:l", 1],
          ["brpop", "j:l", "r:l", 1],
          ["blpop", "r:raw:l", 1],
          ["lmpop", 2, "none", "j:l", "LEFT"],
          ["lmpop", 2, "r:l", "j:l", "RIGHT", "COUNT", 2],
          ["blmpop", 1, 1, "r:raw:l", "LEFT"],
        ];
        const expected = [
          ["r:l", LONG],
          ["j:l", [1, "last"]],
          ["r:raw:l", "one"],
          ["j:l", [{ first: LONG }]],
          ["r:l", ["x", LONG]],
          ["r:raw:l", ["two"]],
        ];
        await client.rpush("r:l", LONG, LONG, "x");
        await client.rpush("j:l", [{ first: LONG }, [1, "last"]]);
        await client.rpush("r:raw:l", "one", "two");
        const replies = [];
        for (const [method, ...args] of pops) replies.push(await (invoke(client, method, args) as Promise<unknown>));
        assert.deepStrictEqual(
          replies,
          expected.map(([key, value]) => [keyPrefix + key, value]),
        );
      });
    }
  }
});

suite("a bad element", () => {
  const READS: readonly (readonly [name: string, args: readonly unknown[], reply: (bad: unknown) => unknown, index?: number])[] =
    [
      ["lrange", ["r:l", 0, -1], (bad) => [LONG, bad, "short"], 1],
      ["lpop", ["r:l", 3], (bad) => [LONG, bad, "short"], 1],
      ["rpop", ["r:l", 2], (bad) => ["short", bad], 1],
      ["lmpop", [1, "r:l", "LEFT", "COUNT", 3], (bad) => ["r:l", [LONG, bad, "short"]], 1],
      ["blmpop", [1, 1, "r:l", "RIGHT", "COUNT", 2], (bad) => ["r:l", ["short", bad]], 1],
    ];
  for (const { name: mode, options } of MODES) {
    for (const [name, args, reply, index] of READS) {
      test(`of ${name} in ${mode} carries the reply with its own error in its place`, async () => {
        const client = open(RULES, options);
        await fill("r:l", LONG, BAD, "short");
        const error = await failureOf(invoke(client, name, args));
        const own = listOf(error).flat().find(isCodecError);
        assert.deepStrictEqual(error.reply, reply(own));
        assert.deepStrictEqual([own?.code, own?.key, own?.command, own?.index], [BAD_CODE, "r:l", name, index]);
        assert.deepStrictEqual(own?.frame, BAD);
      });
    }
  }

  test("of a read that removes it is in the error, so nothing is lost", async () => {
    const client = open();
    for (const [name, ...rest] of [["lpop"], ["rpop"], ["blpop", 1], ["brpop", 1]] as const) {
      await fill("r:one", BAD);
      const error = await failureOf(invoke(client, name, ["r:one", ...rest]));
      assert.equal(await redis.bare.exists("r:one"), 0);
      const own = name.startsWith("b") ? asCodecError(listOf(error)[1]) : error;
      assert.deepStrictEqual([own.code, own.key, own.frame], [BAD_CODE, "r:one", BAD]);
    }
  });

  test("that is moved stays what it is, and the move's reply rejects", async () => {
    const client = open();
    for (const [name, ...rest] of [["rpoplpush"], ["lmove", "LEFT", "LEFT"], ["blmove", "LEFT", "LEFT", 1]] as const) {
      await fill("r:from", BAD);
      await redis.bare.del("r:to");
      const error = await failureOf(invoke(client, name, ["r:from", "r:to", ...rest]));
      assert.deepStrictEqual([error.code, error.key], [BAD_CODE, "r:from"]);
      assert.deepStrictEqual(await redis.bare.lrangeBuffer("r:to", 0, -1), [BAD]);
    }
  });
});

suite("elements that the server compares", () => {
  const COMPARISONS: readonly (readonly [name: string, args: (element: unknown) => unknown[]])[] = [
    ["lrem", (element) => [0, element]],
    ["lpos", (element) => [element]],
    ["linsert", (element) => ["BEFORE", element, "new"]],
  ];

  test("are refused by default where they would be framed, under a rule only", async () => {
    const client = open();
    for (const [name, args] of COMPARISONS) {
      await fill("r:l", LONG);
      await fill("r:raw:l", LONG);
      const error = await failureOf(invoke(client, name, ["r:l", ...args(LONG)]));
      assert.deepStrictEqual([error.code, error.key, error.command], ["CODEC_COMMAND_UNSAFE", "r:l", name]);
      assert.deepStrictEqual(await redis.bare.lrange("r:l", 0, -1), [LONG]);
      assert.equal(typeof (await invoke(client, name, ["r:raw:l", ...args(LONG)])), "number");
      const typed = await failureOf(invoke(client, name, ["j:l", ...args("short")]));
      assert.deepStrictEqual([typed.code, typed.key], ["CODEC_COMMAND_UNSAFE", "j:l"]);
    }
  });

  test("are compared where they are held raw: job ids, lock tokens, numbers", async () => {
    const client = open();
    await fill("r:l", "job-1", "42", "job-2");
    assert.equal(await client.lpos("r:l", "42"), 1);
    assert.equal(await client.lrem("r:l", 0, "job-1"), 1);
    assert.equal(await client.linsert("r:l", "BEFORE", "job-2", LONG), 3);
    await fill("j:l", "41", "42");
    assert.equal(await client.lpos("j:l", 42), 1);
    assert.deepStrictEqual(await client.lrange("r:l", 0, -1), ["42", LONG, "job-2"]);
  });

  test('comparands: "encode" finds values that were written with the same settings', async () => {
    const client = open();
    await redis.bare.del("c:l");
    await client.rpush("c:l", { a: LONG }, "b", null, 5, { a: LONG });
    assert.equal(await client.lpos("c:l", null), 2);
    assert.equal(await client.linsert("c:l", "AFTER", "b", { c: 1 }), 6);
    assert.equal(await client.lrem("c:l", -1, { a: LONG }), 1);
    assert.equal(await client.lrem("c:l", 0, 5), 1);
    assert.deepStrictEqual(await client.lrange("c:l", 0, -1), [{ a: LONG }, "b", { c: 1 }, null]);
  });

  test('comparands: "encode" takes an array as one value', async () => {
    const client = open();
    await redis.bare.del("c:l");
    await client.rpush("c:l", [[1, 2]]);
    assert.equal(await client.lpos("c:l", [1, 2]), 0);
    assert.equal(await client.linsert("c:l", "BEFORE", [1, 2], [3, 4]), 2);
    assert.equal(await client.lrem("c:l", 0, [1, 2]), 1);
    assert.deepStrictEqual(await client.lrange("c:l", 0, -1), [[3, 4]]);
  });

  test('comparands: "encode" does not find what other settings wrote', async () => {
    const client = open({ prefixes: { "c:": { compressor: zstd({ level: 1 }), comparands: "encode" } } });
    const other = open({ prefixes: { "c:": { compressor: zstd({ level: 19 }), comparands: "encode" } } });
    await redis.bare.del("c:l");
    await client.rpush("c:l", LONG);
    assert.deepStrictEqual([await client.lpos("c:l", LONG), await other.lpos("c:l", LONG)], [0, null]);
  });
});

suite("lists under other rules", () => {
  test('types: ["string"] leaves them alone', async () => {
    const client = open({ prefixes: { "s:": { types: ["string"] } } });
    await redis.bare.del("s:l");
    await client.rpush("s:l", LONG);
    assert.equal(await redis.bare.lindex("s:l", 0), LONG);
    assert.equal(await client.lrem("s:l", 0, LONG), 1);
  });

  test('onDecodeError: "miss" puts null in the place of a bad element', async () => {
    const client = open({ prefixes: { "r:": { onDecodeError: "miss" } } });
    await fill("r:l", "a", BAD, "c", BAD);
    assert.deepStrictEqual(await client.lrange("r:l", 0, -1), ["a", null, "c", null]);
    assert.deepStrictEqual(await client.lpop("r:l", 2), ["a", null]);
    assert.deepStrictEqual(await client.blpop("r:l", 1), ["r:l", "c"]);
    assert.deepStrictEqual(await client.blpop("r:l", 1), ["r:l", null]);
  });

  test("maxReplyBytes bounds what the elements of one reply decompress to", async () => {
    const client = open({ ...RULES, maxReplyBytes: 2 * Buffer.byteLength(LONG) });
    await redis.bare.del("r:l");
    await client.rpush("r:l", LONG, LONG, LONG, "short");
    const error = await failureOf(client.lrange("r:l", 0, -1));
    assert.equal(error.code, "CODEC_SIZE_LIMIT");
    assert.deepStrictEqual(
      listOf(error).map((element) => typeof element),
      ["string", "string", "object", "string"],
    );
    assert.deepStrictEqual(await client.lrange("r:l", 0, 0), [LONG]);
    assert.ok(isFrame(await redis.bare.lindexBuffer("r:l", 2).then((held) => held ?? Buffer.alloc(0))));
  });
});
