import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { valueCodecOf } from "@tightwire/ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { STYLES } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { compareWithBare, scriptsFor } from "./support/comparison.ts";
import { BAD } from "./support/damage.ts";
import { failureOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";

// Hash tables from the first field on: a listpack keeps its fields in another order, and frames decide which of the two a hash is.
const redis = useRedis({ args: ["--hash-max-listpack-entries", "0"] });
const KEY_PREFIX = "app:é:";
const RULES = { prefixes: { "user:": {}, "app:": "raw" } } as const;

async function assertFramed(wireKey: string | Buffer, framed = true): Promise<void> {
  const held = await redis.bare.getBuffer(wireKey);
  assert.equal(held !== null && isFrame(held), framed, String(wireKey));
}

for (const { name, options } of MODES) {
  suite(`a client with a keyPrefix, in ${name}`, () => {
    const open = (): Redis => redis.openWrapped(RULES, { ...options, keyPrefix: KEY_PREFIX });

    for (const [style, run] of Object.entries(STYLES)) {
      test(`${style}: rules match the logical key`, async () => {
        const wrapped = open();
        const plain = redis.open({ ...options, keyPrefix: KEY_PREFIX });
        for (const script of scriptsFor(style)) {
          const prefixes = { "user:": "frames", "app:": "bytes", "other:": "bytes" } as const;
          await compareWithBare(redis, run, wrapped, plain, script, { keyPrefix: KEY_PREFIX, prefixes });
        }
        wrapped.disconnect();
        plain.disconnect();
      });
    }

    test("keys that are Buffers match as strings do, also where they are no UTF-8", async () => {
      const client = open();
      const key = Buffer.from("757365723aff00", "hex");
      await client.mset(key, LONG, Buffer.from("other:ff"), LONG);
      assert.deepStrictEqual(await client.mget(key, Buffer.from("other:ff")), [LONG, LONG]);
      await assertFramed(Buffer.concat([Buffer.from(KEY_PREFIX), key]));
      await assertFramed(`${KEY_PREFIX}other:ff`, false);
      client.disconnect();
    });

    test("errors name the logical key", async () => {
      const client = open();
      await redis.bare.set(`${KEY_PREFIX}user:bad`, BAD);
      assert.equal((await failureOf(client.get("user:bad"))).key, "user:bad");
      assert.equal((await failureOf(client.append("user:bad", "x"))).key, "user:bad");
      assert.equal((await failureOf(client.rename("user:bad", "other:bad"))).key, "user:bad");
      const bytes = (await failureOf(client.getBuffer(Buffer.from("user:bad")))).key;
      assert.deepStrictEqual(bytes, Buffer.from("user:bad"));
      client.disconnect();
    });

    test("SORT patterns and the keys of BITOP, PFMERGE and COPY count without the keyPrefix", async () => {
      const client = open();
      await client.del("other:ids");
      await client.rpush("other:ids", "1", "2");
      assert.equal((await failureOf(client.sort("other:ids", "GET", "user:*"))).code, "CODEC_COMMAND_UNSAFE");
      assert.deepStrictEqual(await client.sort("other:ids", "GET", "app:*"), [null, null]);
      assert.equal((await failureOf(client.bitop("AND", "other:d", "other:a", "user:b"))).code, "CODEC_COMMAND_UNSAFE");
      assert.equal(await client.bitop("AND", "app:d", "app:user:a"), 0);
      await client.set("user:copied", LONG);
      assert.equal(await client.copy("user:copied", "user:copy", "REPLACE"), 1);
      assert.equal((await failureOf(client.copy("user:copied", "app:copy"))).code, "CODEC_COMMAND_UNSAFE");
      client.disconnect();
    });

    test("a script sees what Redis holds under its KEYS, and encode() makes its ARGV", async () => {
      const client = open();
      await client.set("user:lua", LONG);
      const held = (await client.callBuffer("eval", "return redis.call('GET', KEYS[1])", 1, "user:lua")) as Buffer;
      assert.ok(isFrame(held));
      assert.equal(valueCodecOf(client).decode("user:lua", held).toString(), LONG);
      const frame = valueCodecOf(client).encode("user:lua2", LONG);
      await client.eval("return redis.call('SET', KEYS[1], ARGV[1])", 1, "user:lua2", frame);
      assert.equal(await client.get("user:lua2"), LONG);
      client.disconnect();
    });

    test("a duplicate with another keyPrefix uses its own", async () => {
      const client = redis.keep(open().duplicate({ keyPrefix: "elsewhere:" }));
      await client.mset("user:dup", LONG, "other:dup", LONG);
      assert.deepStrictEqual(await client.mget("user:dup", "other:dup"), [LONG, LONG]);
      await assertFramed("elsewhere:user:dup");
      await assertFramed("elsewhere:other:dup", false);
      client.disconnect();
    });
  });
}

suite("a keyPrefix that is itself under a rule, or looks like a value", () => {
  test("the rule of the wire key does not count", async () => {
    const client = redis.openWrapped({ prefixes: { "user:": {} } }, { keyPrefix: "user:" });
    await client.set("other:1", LONG);
    await assertFramed("user:other:1", false);
    await client.set("user:1", LONG);
    await assertFramed("user:user:1");
    client.disconnect();
  });

  test("a value that equals a key is a value", async () => {
    const client = redis.openWrapped({ prefixes: { "": { minFrameBytes: 0, numbers: "framed" } } }, { keyPrefix: "p:" });
    await client.mset("a", "p:a", "p:a", "a", "b", "p:b");
    assert.deepStrictEqual(await client.mget("a", "p:a", "b"), ["p:a", "a", "p:b"]);
    await assertFramed("p:a");
    await assertFramed("p:p:a");
    client.disconnect();
  });
});
