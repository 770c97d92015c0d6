import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { type CodecError, isCodecError } from "@tightwire/ioredis";
import { invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { BAD, DAMAGED_TEXT, DAMAGES } from "./support/damage.ts";
import { failureOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";

// Hash tables from the first field on: their order depends on the fields alone, so the same hash on a bare client is comparable.
const redis = useRedis({ args: ["--hash-max-listpack-entries", "0"] });
const RULES = { prefixes: { "r:": {} } };

suite("one bad value hurts only itself: replies of one value", () => {
  const READS: readonly (readonly [command: string, ...rest: unknown[]])[] = [
    ["get"],
    ["getBuffer"],
    ["getex", "EX", 100],
    ["getset", "new"],
    ["set", "new", "GET"],
    ["getdel"],
    ["getdelBuffer"],
    ["hget", "bad"],
    ["hgetBuffer", "bad"],
  ];
  for (const { name, frame, code } of DAMAGES) {
    test(`${name} rejects its command with ${code}, which says key, command and facts; the next commands work`, async () => {
      const client = redis.openWrapped(RULES);
      await client.set("r:good", LONG);
      for (const [method, ...rest] of READS) {
        const key = `r:${method}`;
        if (method.startsWith("hget")) await redis.bare.hset(key, "bad", frame);
        else await redis.bare.set(key, frame);
        const [error, pong, good] = await Promise.all([
          failureOf(invoke(client, method, [key, ...rest])),
          client.ping(),
          client.get("r:good"),
        ]);
        assert.deepStrictEqual([error.code, error.key, error.command], [code, key, method.replace("Buffer", "")]);
        assert.equal(error.field?.toString(), method.startsWith("hget") ? "bad" : undefined);
        assert.deepStrictEqual(error.frame, frame);
        assert.ok(!Object.keys(error).includes("frame") && !("reply" in error));
        assert.ok(!`${error.message}${JSON.stringify(error)}`.includes(DAMAGED_TEXT));
        assert.doesNotMatch(error.message, /^(?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN|Connection is closed)/);
        assert.deepStrictEqual([pong, good], ["PONG", LONG]);
      }
      client.disconnect();
    });
  }

  test("getdel loses nothing: the error holds what the key held", async () => {
    const client = redis.openWrapped(RULES);
    await redis.bare.set("r:gone", BAD);
    const error = await failureOf(client.getdel("r:gone"));
    assert.equal(await redis.bare.exists("r:gone"), 0);
    assert.deepStrictEqual(error.frame, BAD);
  });
});

/** Reads of many values, of which the one at `index` or of `field` is bad. */
const MANY: readonly (readonly [command: string, ...args: unknown[]])[] = [
  ["mget", "r:a", "r:bad", "r:c", "r:none"],
  ["hmget", "r:h", "a", "bad", "c", "none"],
  ["hvals", "r:h"],
  ["hgetall", "r:h"],
  ["hscan", "r:h", 0],
  ["hrandfield", "r:h", 10, "WITHVALUES"],
];

/** The same reply with an error in each place of the bad value. */
function withError(reply: unknown, bad: string | Buffer, error: CodecError): unknown {
  if (typeof reply === "string" || reply instanceof Buffer) return reply.toString() === bad.toString() ? error : reply;
  if (Array.isArray(reply)) return reply.map((element) => withError(element, bad, error));
  if (typeof reply !== "object" || reply === null) return reply;
  return Object.fromEntries(Object.entries(reply).map(([field, value]) => [field, withError(value, bad, error)]));
}

function findError(reply: unknown): CodecError | undefined {
  if (isCodecError(reply)) return reply;
  if (typeof reply !== "object" || reply === null || reply instanceof Buffer) return undefined;
  return Object.values(reply).map(findError).find(Boolean);
}

suite("one bad value hurts only itself: replies of many values", () => {
  const MARK = "the bad value";
  before(async () => {
    for (const prefix of ["r:", "plain:"]) {
      const bad = prefix === "r:" ? BAD : MARK;
      await redis.bare.mset(`${prefix}a`, LONG, `${prefix}bad`, bad, `${prefix}c`, "short");
      await redis.bare.hset(`${prefix}h`, "a", LONG, "bad", bad, "c", "short");
    }
  });
  for (const mode of MODES) {
    for (const [command, ...args] of MANY) {
      for (const method of [command, `${command}Buffer`]) {
        test(`${method} in ${mode.name} carries the reply in its shape with the bad value's own error in its place`, async () => {
          const client = redis.openWrapped(RULES, mode.options);
          const plain = redis.open(mode.options);
          const expected = await (invoke(
            plain,
            method,
            args.map((arg) => String(arg).replace("r:", "plain:")),
          ) as Promise<unknown>);
          const error = await failureOf(invoke(client, method, args));
          const own = findError(error.reply);
          assert.ok(own !== undefined);
          assert.deepStrictEqual(error.reply, withError(expected, MARK, own));
          const place = command === "mget" ? { key: "r:bad", index: 1 } : { key: "r:h" };
          const bytes = method !== command;
          const field = ["hgetall", "hscan", "hrandfield"].includes(command) ? (bytes ? Buffer.from("bad") : "bad") : undefined;
          assert.equal(error.code, "CODEC_CHECKSUM_MISMATCH");
          assert.deepStrictEqual([own.code, own.key, own.command], ["CODEC_CHECKSUM_MISMATCH", place.key, command]);
          assert.deepStrictEqual(own.field?.toString(), field?.toString());
          if (command === "mget" || command === "hmget") assert.equal(own.index, 1);
          if (command === "hvals") assert.equal(typeof own.index, "number");
          assert.deepStrictEqual(own.frame, BAD);
          assert.ok(!Object.keys(own).includes("frame") && !Object.keys(error).includes("reply"));
          assert.ok(!JSON.stringify(error).includes("repeats"));
          assert.deepStrictEqual([await client.ping(), await client.get("r:a")], ["PONG", LONG]);
          client.disconnect();
          plain.disconnect();
        });
      }
    }
  }
});
