import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { valueCodecOf } from "@tightwire/ioredis";
import { invoke } from "./support/calls.ts";
import { useRedis } from "./support/clients.ts";
import { failureOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";

const redis = useRedis();

const UNSAFE = "CODEC_COMMAND_UNSAFE";
const RULES = { prefixes: { "r:": {}, "r:raw:": "raw", "strings:": { types: ["string"] } } } as const;

/** A command on keys made by `k`, and the types of value that it must be refused for. */
interface UnsafeCall {
  readonly name: string;
  readonly type: "string" | "hash" | "list";
  readonly args: (k: (name: string) => string) => unknown[];
}

const CALLS: readonly UnsafeCall[] = [
  { name: "append", type: "string", args: (k) => [k("s"), "tail"] },
  { name: "setrange", type: "string", args: (k) => [k("s"), 0, "ZZ"] },
  { name: "setbit", type: "string", args: (k) => [k("s"), 7, 1] },
  { name: "bitfield", type: "string", args: (k) => [k("s"), "SET", "u8", 0, 1] },
  { name: "bitop", type: "string", args: (k) => ["NOT", k("s2"), k("s")] },
  { name: "pfadd", type: "string", args: (k) => [k("hll"), "element"] },
  { name: "pfmerge", type: "string", args: (k) => [k("hll2"), k("hll")] },
  { name: "getrange", type: "string", args: (k) => [k("s"), 0, 1] },
  { name: "substr", type: "string", args: (k) => [k("s"), 0, 1] },
  { name: "getbit", type: "string", args: (k) => [k("s"), 0] },
  { name: "bitcount", type: "string", args: (k) => [k("s")] },
  { name: "bitpos", type: "string", args: (k) => [k("s"), 1] },
  { name: "bitfield_ro", type: "string", args: (k) => [k("s"), "GET", "u8", 0] },
  { name: "lcs", type: "string", args: (k) => [k("s"), k("s2"), "LEN"] },
  { name: "pfcount", type: "string", args: (k) => [k("hll")] },
  { name: "strlen", type: "string", args: (k) => [k("s")] },
  { name: "hstrlen", type: "hash", args: (k) => [k("h"), "f"] },
  { name: "sort", type: "list", args: (k) => [k("l"), "ALPHA"] },
  { name: "sort_ro", type: "list", args: (k) => [k("l"), "ALPHA"] },
];

async function fill(prefix: string): Promise<void> {
  const key = (name: string): string => prefix + name;
  const old = await redis.bare.keys(`${prefix}*`);
  if (old.length > 0) await redis.bare.del(old);
  await redis.bare.mset(key("s"), LONG, key("s2"), LONG);
  await redis.bare.hset(key("h"), "f", LONG);
  await redis.bare.rpush(key("l"), "b", "a");
  await redis.bare.pfadd(key("hll"), "one");
}

async function snapshot(prefix: string): Promise<unknown> {
  const keys = (await redis.bare.keys(`${prefix}*`)).sort();
  return Promise.all(keys.map((key) => redis.bare.dumpBuffer(key)));
}

suite("commands that would read or change the bytes of a frame", () => {
  for (const { name, type, args } of CALLS) {
    test(`${name} is refused for keys under a rule, in every call form, and changes nothing`, async () => {
      const client = redis.openWrapped(RULES);
      await fill("r:");
      const before = await snapshot("r:");
      const own = args((key) => `r:${key}`);
      const forms = [
        () => invoke(client, name, own),
        () => invoke(client, `${name}Buffer`, own),
        () => client.call(name, own as string[]),
        () => client.call(name.toUpperCase(), own as string[]),
        () => client.callBuffer(`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, own as string[]),
      ];
      for (const form of forms) {
        const error = await failureOf(form());
        assert.deepStrictEqual([error.code, error.command], [UNSAFE, name]);
        assert.match(String(error.key), /^r:/);
      }
      assert.deepStrictEqual(await snapshot("r:"), before);
      client.disconnect();
    });

    test(`${name} runs as on a bare client where no rule covers its keys, is raw, or allows it`, async () => {
      const client = redis.openWrapped(RULES);
      const allowing = redis.openWrapped({ prefixes: { "allowed:": { unsafe: "allow", frame: "never" } } });
      const prefixes = ["r:raw:", "other:", "allowed:", ...(type === "string" ? [] : ["strings:"])];
      for (const prefix of prefixes) {
        await Promise.all([fill("plain:"), fill(prefix)]);
        const target = prefix === "allowed:" ? allowing : client;
        const expected = await invoke(
          redis.bare,
          name,
          args((key) => `plain:${key}`),
        );
        assert.deepStrictEqual(
          await invoke(
            target,
            name,
            args((key) => prefix + key),
          ),
          expected,
          prefix,
        );
        assert.deepStrictEqual(await snapshot(prefix), await snapshot("plain:"), prefix);
      }
      client.disconnect();
      allowing.disconnect();
    });
  }

  test("what is refused is counted under the rule that refuses it", async () => {
    const client = redis.openWrapped({ prefixes: { "counted:": { minFrameBytes: 0 }, "target:": { maxContentBytes: 1 } } });
    const refused: readonly (readonly [string, ...string[]])[] = [
      ["strlen", "counted:s"],
      ["lrem", "counted:l", "0", LONG],
      ["rename", "counted:s", "other:s"],
    ];
    for (const [name, ...args] of refused) await failureOf(invoke(client, name, args));
    await client
      .multi()
      .append("counted:s", "x")
      .exec()
      .catch(() => {});
    const { "counted:": counters } = valueCodecOf(client).stats();
    assert.deepStrictEqual(counters?.errors, { [UNSAFE]: 4 });
    client.disconnect();
  });

  test("any key of a command counts, not only its first", async () => {
    const client = redis.openWrapped(RULES);
    const refused: readonly (readonly [string, ...string[]])[] = [
      ["bitop", "AND", "other:dest", "other:a", "r:b"],
      ["bitop", "AND", "r:dest", "other:a", "other:b"],
      ["pfmerge", "other:dest", "other:a", "r:b"],
      ["pfcount", "other:a", "other:b", "r:c"],
      ["lcs", "other:a", "r:b"],
    ];
    for (const [name, ...args] of refused) assert.equal((await failureOf(invoke(client, name, args))).code, UNSAFE, name);
    assert.equal(await client.bitop("AND", "other:AND", "other:a", "other:b"), 0);
    client.disconnect();
  });

  test("arguments that look like ruled keys do not count", async () => {
    const client = redis.openWrapped(RULES);
    assert.equal(await client.append("other:append", "r:value"), 7);
    assert.equal(await client.pfcount("other:pf"), 0);
    assert.equal(await client.hstrlen("other:hash", "r:field"), 0);
    client.disconnect();
  });

  test("SORT is refused for a GET pattern that may name framed values, whatever it sorts", async () => {
    const client = redis.openWrapped(RULES);
    await redis.bare.del("other:ids");
    await redis.bare.rpush("other:ids", "2", "1");
    const patterns: readonly (readonly [string, boolean])[] = [
      ["r:*", true],
      ["r:item:*", true],
      ["*", true],
      ["r:*->field", true],
      ["strings:*->field", false],
      ["strings:*", true],
      ["r:raw:*", false],
      ["other:*", false],
      ["#", false],
    ];
    for (const [pattern, refused] of patterns) {
      for (const args of [
        ["other:ids", "GET", pattern],
        ["other:ids", "BY", "nosort", "GET", "#", "get", pattern, "LIMIT", 0, 5],
      ]) {
        const [settled] = await Promise.allSettled([invoke(client, "sort", args)]);
        assert.equal(settled?.status, refused ? "rejected" : "fulfilled", `${pattern} in ${args.join(" ")}`);
      }
    }
    assert.deepStrictEqual(await client.sort("other:ids", "BY", "r:weight:*"), ["1", "2"]);
    client.disconnect();
  });

  test("counters work on what the wrapper wrote, for numbers are held raw", async () => {
    const client = redis.openWrapped(RULES);
    await client.mset("r:n", 42, "r:f", "1.5");
    await client.hset("r:hn", "n", 42, "f", "1.5");
    assert.deepStrictEqual(await Promise.all([client.incr("r:n"), client.incrbyfloat("r:f", 1)]), [43, "2.5"]);
    assert.deepStrictEqual(await Promise.all([client.hincrby("r:hn", "n", -2), client.hincrbyfloat("r:hn", "f", 0.25)]), [
      40,
      "1.75",
    ]);
    assert.deepStrictEqual(await client.mget("r:n", "r:f"), ["43", "2.5"]);
    assert.deepStrictEqual(await client.hvals("r:hn"), ["40", "1.75"]);
    client.disconnect();
  });
});
