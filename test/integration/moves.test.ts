import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { deflate, lz4, type RuleOptions, zstd } from "@tightwire/ioredis";
import { invoke } from "./support/calls.ts";
import { useRedis } from "./support/clients.ts";
import { failureOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";

const redis = useRedis();

const source: Partial<RuleOptions> = {};
const MOVES: readonly (readonly [command: string, ...rest: string[]])[] = [
  ["rename"],
  ["renamenx"],
  ["copy"],
  ["copy", "REPLACE"],
];

/** Target prefixes, and whether a value of "from:" could not be read there. */
const TARGETS: readonly (readonly [prefix: string, rule: Partial<RuleOptions> | "raw" | undefined, refused: boolean])[] = [
  ["from:too:", undefined, false],
  ["same:", {}, false],
  ["lz4:", { compressor: lz4() }, false],
  ["off:", { frame: "never" }, false],
  ["version:", { frameVersion: 1, minFrameBytes: 0, numbers: "framed" }, false],
  ["larger:", { maxContentBytes: 16 * 1024 * 1024 }, false],
  ["unruled:", undefined, true],
  ["raw:", "raw", true],
  ["hashes:", { types: ["hash", "list", "stream"] }, true],
  ["narrow:", { compressor: deflate(), accept: [deflate(), lz4()] }, true],
  ["smaller:", { maxContentBytes: 1024 * 1024 }, true],
  ["strict:", { unframed: "reject", minFrameBytes: 0, numbers: "framed" }, true],
];

const prefixes = Object.fromEntries([
  ["from:", source],
  ...TARGETS.flatMap(([prefix, rule]) => (rule === undefined ? [] : [[prefix, rule] as const])),
]);

suite("moves between keys", () => {
  for (const [prefix, , refused] of TARGETS) {
    for (const [command, ...rest] of MOVES) {
      const title = `${[command, ...rest].join(" ")} from:a ${prefix}b`;
      test(`${title} ${refused ? "is refused: the value could not be read there" : "moves the value, which reads the same there"}`, async () => {
        const client = redis.openWrapped({ prefixes });
        await redis.bare.del(`${prefix}b`);
        await client.set("from:a", LONG);
        const promise = invoke(client, command, ["from:a", `${prefix}b`, ...rest]);
        if (refused) {
          const error = await failureOf(promise);
          assert.deepStrictEqual([error.code, error.key, error.command], ["CODEC_COMMAND_UNSAFE", "from:a", command]);
          assert.equal(await redis.bare.exists(`${prefix}b`), 0);
          assert.equal(await client.get("from:a"), LONG);
        } else {
          await promise;
          assert.equal(await client.get(`${prefix}b`), LONG);
        }
        client.disconnect();
      });
    }
  }

  test("a raw value may be brought under a rule: it reads as it is", async () => {
    const client = redis.openWrapped({ prefixes });
    await redis.bare.set("unruled:a", LONG);
    assert.equal(await client.rename("unruled:a", "from:raw"), "OK");
    assert.equal(await client.get("from:raw"), LONG);
    client.disconnect();
  });

  test('"allow" on the source lets every move through', async () => {
    const client = redis.openWrapped({ prefixes: { "from:": { unsafe: "allow" } } });
    await client.set("from:a", LONG);
    assert.equal(await client.copy("from:a", "unruled:c", "REPLACE"), 1);
    assert.deepStrictEqual(await redis.bare.getBuffer("unruled:c"), await redis.bare.getBuffer("from:a"));
    client.disconnect();
  });

  test("a list may not leave its rule by LMOVE and RPOPLPUSH, and may stay under it", async () => {
    const client = redis.openWrapped({ prefixes });
    await redis.bare.rpush("from:list", "1", "2", "3", "4");
    for (const [command, ...rest] of [
      ["rpoplpush"],
      ["lmove", "LEFT", "RIGHT"],
      ["brpoplpush", 1],
      ["blmove", "LEFT", "LEFT", 1],
    ] as const) {
      const error = await failureOf(invoke(client, command, ["from:list", "unruled:list", ...rest]));
      assert.deepStrictEqual([error.code, error.command], ["CODEC_COMMAND_UNSAFE", command]);
      assert.ok(await invoke(client, command, ["from:list", "from:too:list", ...rest]));
    }
    client.disconnect();
  });

  test("a narrower accept of the source than of the target is no reason to refuse", async () => {
    const client = redis.openWrapped({ prefixes: { "a:": { accept: [zstd()] }, "b:": {} } });
    await client.set("a:1", LONG);
    assert.equal(await client.rename("a:1", "b:1"), "OK");
    assert.equal(await client.get("b:1"), LONG);
    assert.equal((await failureOf(client.rename("b:1", "a:1"))).code, "CODEC_COMMAND_UNSAFE");
    client.disconnect();
  });
});
