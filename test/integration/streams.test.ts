import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type CodecError, isCodecError, json, type ValueCodecClientOptions } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import { invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { BAD } from "./support/damage.ts";
import { failureOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";
import { type LooseClient, loosen } from "./support/typed-clients.ts";

const redis = useRedis();
const RULES: ValueCodecClientOptions = { prefixes: { "r:": {}, "r:raw:": "raw", "j:": { serializer: json() } } };
const BAD_CODE = "CODEC_CHECKSUM_MISMATCH";

function open(rules: ValueCodecClientOptions = RULES, options: RedisOptions = {}): LooseClient {
  return loosen(redis.openWrapped(rules, options));
}

/** A stream of three entries, the second with a bad value, and the group "g" on it. */
async function fill(key: string): Promise<void> {
  await redis.bare.del(key);
  await redis.bare.xadd(key, "1-1", "f", LONG);
  await redis.bare.xadd(key, "1-2", "good", "short", "bad", BAD);
  await redis.bare.xadd(key, "1-3", "f", "last");
  await redis.bare.xgroup("CREATE", key, "g", "0");
}

/** Every CodecError in a reply, at whatever depth. */
function errorsIn(reply: unknown): CodecError[] {
  if (isCodecError(reply)) return [reply];
  if (typeof reply !== "object" || reply === null || reply instanceof Buffer) return [];
  return Object.values(reply).flatMap(errorsIn);
}

/** Reads of such a stream, and their reply with the bad value's error in its place. */
interface BadRead {
  readonly call: readonly [string, ...unknown[]];
  readonly reply: (entries: unknown[]) => unknown;
  /** In the mapping of RESP3, if another. */
  readonly mapped?: (entries: unknown[]) => unknown;
}

const READS: readonly BadRead[] = [
  { call: ["xrange", "r:s", "-", "+"], reply: (entries) => entries },
  { call: ["xrevrange", "r:s", "+", "-"], reply: (entries) => [...entries].reverse() },
  {
    call: ["xread", "STREAMS", "r:s", "r:none", "0", "0"],
    reply: (entries) => [["r:s", entries]],
    mapped: (entries) => ({ "r:s": entries }),
  },
  {
    call: ["xreadgroup", "GROUP", "g", "c", "COUNT", 3, "STREAMS", "r:s", ">"],
    reply: (entries) => [["r:s", entries]],
    mapped: (entries) => ({ "r:s": entries }),
  },
  {
    call: ["xreadgroup", "GROUP", "g", "c", "STREAMS", "r:s", "0"],
    reply: (entries) => [["r:s", entries]],
    mapped: (entries) => ({ "r:s": entries }),
  },
  { call: ["xclaim", "r:s", "g", "d", 0, "1-1", "1-2", "1-3"], reply: (entries) => entries },
  { call: ["xautoclaim", "r:s", "g", "e", 0, "0"], reply: (entries) => ["0-0", entries, []] },
];

suite("a bad value in a stream", () => {
  for (const { name: mode, options } of MODES) {
    test(`is in its place in the reply that the error carries, with the entry's id, in ${mode}`, async () => {
      const client = open(RULES, options);
      await fill("r:s");
      for (const { call, reply, mapped } of READS) {
        const [name, ...args] = call;
        const error = await failureOf(invoke(client, name, args));
        const [own, ...others] = errorsIn(error.reply);
        assert.ok(own !== undefined && others.length === 0);
        const entries = [
          ["1-1", ["f", LONG]],
          ["1-2", ["good", "short", "bad", own]],
          ["1-3", ["f", "last"]],
        ];
        assert.deepStrictEqual(error.reply, (options.replyMapping === "resp3" ? (mapped ?? reply) : reply)(entries), name);
        assert.deepStrictEqual(
          [own.code, own.key, own.command, own.id, own.field, own.frame],
          [BAD_CODE, "r:s", name, "1-2", "bad", BAD],
        );
      }
    });

    test(`is shown by XINFO STREAM with the entry's id, in ${mode}`, async () => {
      const client = redis.openWrapped(RULES, options);
      await redis.bare.del("r:s");
      await redis.bare.xadd("r:s", "1-2", "bad", BAD);
      for (const args of [
        ["STREAM", "r:s"],
        ["stream", "r:s", "FULL"],
      ] as const) {
        const error = await failureOf(invoke(client, "xinfo", args));
        const own = errorsIn(error.reply);
        assert.equal(own.length, args.length === 2 ? 2 : 1, "first and last entry, or the list of entries");
        for (const { code, key, id, field } of own)
          assert.deepStrictEqual([code, key, id, field], [BAD_CODE, "r:s", "1-2", "bad"]);
      }
    });
  }

  test("does not wedge its consumer: the entry is acknowledged by its id and the next read goes on", async () => {
    const client = redis.openWrapped(RULES);
    await fill("r:s");
    const seen: unknown[] = [];
    const read = (): Promise<unknown> => client.xreadgroup("GROUP", "g", "c", "COUNT", 1, "STREAMS", "r:s", ">");
    for (let reply = await read().catch((error) => error); reply !== null; reply = await read().catch((error) => error)) {
      if (!isCodecError(reply)) {
        seen.push(reply);
        continue;
      }
      const [own] = errorsIn(reply.reply);
      assert.equal(await client.xack("r:s", "g", own?.id ?? ""), 1);
    }
    assert.equal(seen.length, 2);
    assert.deepStrictEqual((await client.xpending("r:s", "g"))[0], 2);
  });

  test('onDecodeError: "miss" puts null in its place', async () => {
    const client = open({ prefixes: { "r:": { onDecodeError: "miss" } } });
    await fill("r:s");
    assert.deepStrictEqual(await client.xrange("r:s", "1-2", "1-2"), [["1-2", ["good", "short", "bad", null]]]);
  });
});

suite("replies of several streams", () => {
  for (const { name: mode, options } of MODES) {
    for (const keyPrefix of ["", "app:"]) {
      test(`decode each by the rule of its key, in ${mode}${keyPrefix === "" ? "" : " with keyPrefix"}`, async () => {
        const client = open(RULES, { ...options, keyPrefix });
        await redis.bare.flushall();
        const values = { "r:s": LONG, "j:s": { list: [1, LONG] }, "r:raw:s": "raw", "other:s": "none" };
        for (const [key, value] of Object.entries(values)) await client.xadd(key, "1-1", "f", value);
        const keys = Object.keys(values);
        const reply = await client.xread("STREAMS", ...keys, ...keys.map(() => "0"));
        const expected = keys.map((key) => [keyPrefix + key, [["1-1", ["f", values[key as keyof typeof values]]]]]);
        assert.deepStrictEqual(reply, options.replyMapping === "resp3" ? Object.fromEntries(expected) : expected);
      });
    }
  }
});

suite("XADD", () => {
  test("finds its values behind every option, and in no other argument", async () => {
    const client = open();
    const OPTIONS: readonly (readonly (string | number)[])[] = [
      [],
      ["NOMKSTREAM"],
      ["MAXLEN", 10],
      ["MAXLEN", "=", 10],
      ["maxlen", "~", 10],
      ["MAXLEN", "~", 10, "LIMIT", 5],
      ["MINID", "0-1"],
      ["MINID", "=", "0-1"],
      ["MINID", "~", "0-1", "LIMIT", 5],
      ["NOMKSTREAM", "MAXLEN", "~", 10, "limit", 5],
    ];
    for (const [i, given] of OPTIONS.entries()) {
      const key = `j:${i}`;
      await redis.bare.del(key);
      await redis.bare.xadd(key, "0-1", "first", "1");
      await client.xadd(key, ...given, "1-1", "MAXLEN", { i }, "LIMIT", [LONG]);
      assert.deepStrictEqual(await client.xrange(key, "1-1", "+"), [["1-1", ["MAXLEN", { i }, "LIMIT", [LONG]]]]);
      await client.xadd(key, ...given, "*", "*", "MAXLEN");
      assert.deepStrictEqual(((await client.xrange(key, "-", "+")) as unknown[]).length, 3);
    }
  });

  test("is left to the server where it is wrong", async () => {
    const client = open();
    for (const args of [
      [],
      ["*"],
      ["MAXLEN"],
      ["MAXLEN", "~"],
      ["MAXLEN", "many", "*", "f", "v"],
      ["*", "f"],
      ["*", "f", "v", "g"],
    ]) {
      const [actual, expected] = await Promise.allSettled([
        client.xadd("j:wrong", ...args),
        invoke(redis.bare, "xadd", ["p:wrong", ...args]),
      ]);
      assert.ok(actual?.status === "rejected" && expected?.status === "rejected");
      assert.equal(String(actual.reason), String(expected.reason));
    }
  });
});

suite("streams under other rules", () => {
  test('types: ["hash"] leaves them alone', async () => {
    const client = open({ prefixes: { "h:": { types: ["hash"] } } });
    await redis.bare.del("h:s");
    await client.xadd("h:s", "1-1", "f", LONG);
    assert.deepStrictEqual(await redis.bare.xrange("h:s", "-", "+"), [["1-1", ["f", LONG]]]);
  });

  test("maxReplyBytes bounds what the entries of one reply decompress to", async () => {
    const client = open({ ...RULES, maxReplyBytes: Buffer.byteLength(LONG) });
    await redis.bare.del("r:s");
    await client.xadd("r:s", "1-1", "f", LONG);
    await client.xadd("r:s", "1-2", "f", LONG, "g", "short");
    const error = await failureOf(client.xrange("r:s", "-", "+"));
    assert.equal(error.code, "CODEC_SIZE_LIMIT");
    assert.deepStrictEqual(
      errorsIn(error.reply).map(({ id }) => id),
      ["1-2"],
    );
  });
});
