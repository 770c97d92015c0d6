import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { AUTO_PIPELINED, type Call, STYLES } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { assertSameContents } from "./support/held.ts";
import { BINARY, LONG, MEDIUM, SHORT } from "./support/scripts.ts";

// Hash tables from the first field on: a listpack keeps its fields in another order, and frames decide which of the two a hash is.
const redis = useRedis({ args: ["--hash-max-listpack-entries", "0"] });
const RULES = { prefixes: { "r:": {} } };
const RUNS = 60;

const STRING_KEYS = ["a", "b", "c"];
const HASH_KEYS = ["h", "i"];
const KEYS = [...STRING_KEYS, ...HASH_KEYS];

const value = fc.oneof(
  fc.constantFrom<unknown>(
    "",
    "0",
    42,
    -7,
    "1.5",
    "QUEUED",
    "GET",
    SHORT,
    MEDIUM,
    LONG,
    BINARY,
    Buffer.alloc(64, "x"),
    Buffer.alloc(65, "x"),
  ),
  fc.string({ unit: "grapheme", maxLength: 90 }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);
const field = fc.constantFrom("f", "g", "GET", "__proto__", "WITHVALUES");
// One key in ten is of the other type: errors have their places too.
const key = (own: string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...own) }, fc.constantFrom(...KEYS));
const stringKey = key(STRING_KEYS).map((name) => `key ${name}`);
const hashKey = key(HASH_KEYS).map((name) => `key ${name}`);

/** A call whose keys are still to be prefixed: they begin with "key ". */
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(fc.constantFrom("get", "getdel", "getex", "incr", "ttl", "del", "type"), stringKey),
  fc.tuple(fc.constantFrom("set", "setnx", "getset"), stringKey, value),
  fc.tuple(fc.constant("set"), stringKey, value, fc.constantFrom("GET", "NX", "XX", "KEEPTTL")),
  fc.tuple(fc.constant("set"), stringKey, value, fc.constant("EX"), fc.constant(100), fc.constant("GET")),
  fc.tuple(fc.constant("setex"), stringKey, fc.constant(100), value),
  fc.tuple(fc.constantFrom("mset", "msetnx"), stringKey, value, stringKey, value),
  fc.array(stringKey, { minLength: 1, maxLength: 4 }).map((keys): Call => ["mget", ...keys]),
  fc.tuple(fc.constantFrom("rename", "renamenx", "copy"), stringKey, stringKey),
  fc.tuple(fc.constantFrom("hset", "hmset"), hashKey, field, value, field, value),
  fc.tuple(fc.constant("hsetnx"), hashKey, field, value),
  fc.tuple(fc.constantFrom("hget", "hdel", "hexists"), hashKey, field),
  fc.tuple(fc.constant("hmget"), hashKey, field, field),
  fc.tuple(fc.constantFrom("hgetall", "hvals", "hkeys", "hlen"), hashKey),
  fc.tuple(fc.constant("hscan"), hashKey, fc.constant(0)),
  fc.tuple(fc.constant("hrandfield"), hashKey, fc.constant(100), fc.constant("WITHVALUES")),
  fc.tuple(fc.constant("hincrby"), hashKey, field, fc.constant(1)),
);

function withKeys(calls: readonly Call[], prefix: string): Call[] {
  return calls.map(([name, ...args]) => [
    name,
    ...args.map((arg) => (typeof arg === "string" && arg.startsWith("key ") ? prefix + arg.slice(4) : arg)),
  ]);
}

for (const { name: mode, options } of MODES) {
  for (const enableAutoPipelining of [false, true]) {
    suite(`random scripts in ${mode}${enableAutoPipelining ? " with auto-pipelining" : ""}`, () => {
      test("reply as on a bare client in every style, and leave the same contents behind", async () => {
        const wrapped = redis.openWrapped(RULES, { ...options, enableAutoPipelining });
        const plain = redis.open({ ...options, enableAutoPipelining });
        await Promise.all([wrapped.ping(), plain.ping()]);
        const styles = Object.entries(enableAutoPipelining ? AUTO_PIPELINED : STYLES);
        const property = fc.asyncProperty(
          fc.array(call, { minLength: 1, maxLength: 25 }),
          fc.constantFrom(...styles),
          async (calls, [, style]) => {
            await redis.bare.flushall();
            const expected = await style(plain, withKeys(calls, "p:"));
            assert.deepStrictEqual(await style(wrapped, withKeys(calls, "r:")), expected);
            for (const name of KEYS) await assertSameContents(redis.bare, `r:${name}`, `p:${name}`);
          },
        );
        await fc.assert(property, { numRuns: RUNS });
        wrapped.disconnect();
        plain.disconnect();
      });
    });
  }
}
