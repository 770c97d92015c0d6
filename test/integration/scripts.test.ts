import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { json, type ValueCodecClientOptions, valueCodecOf, withValueCodec } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import { startCluster } from "../support/cluster.ts";
import { Cluster, type Redis } from "../support/ioredis-versions.ts";
import { invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { BAD } from "./support/damage.ts";
import { failureOf, listOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";
import { loosen } from "./support/typed-clients.ts";

const SWAP = "local old = redis.call('GET', KEYS[1]) redis.call('SET', KEYS[1], ARGV[1]) return old";
const MANY = "return redis.call('MGET', unpack(KEYS))";
const ECHO = "return {KEYS[1], ARGV[1], ARGV[2]}";
const PUT_SECOND = "redis.call('SET', KEYS[2], ARGV[2]) return redis.call('GET', KEYS[2])";
const LIBRARY = `#!lua name=tightwire
redis.register_function('swap_value', function(keys, args)
  local old = redis.call('GET', keys[1]) redis.call('SET', keys[1], args[1]) return old
end)
redis.register_function{function_name='read_value', callback=function(keys) return redis.call('GET', keys[1]) end, flags={'no-writes'}}`;

const redis = useRedis({}, (bare) => bare.function("LOAD", "REPLACE", LIBRARY));

const shaOf = (text: string): string => createHash("sha1").update(text).digest("hex");

const PREFIXES = { "r:": {}, "r:raw:": "raw", "j:": { serializer: json() } } as const;
const PLAIN_RULES: ValueCodecClientOptions = { prefixes: PREFIXES };
const RULES: ValueCodecClientOptions = {
  prefixes: PREFIXES,
  scripts: {
    swap: { argv: [0], reply: "value" },
    many: { reply: "values" },
    putSecond: { argv: [1], key: 1, reply: "value" },
    swap_value: { argv: [0], reply: "value" },
    read_value: { reply: "value" },
    [shaOf(SWAP)]: { argv: [0], reply: "value" },
    [shaOf(MANY)]: { reply: "values" },
  },
};

function open(rules: ValueCodecClientOptions, options: RedisOptions = {}): Redis {
  const client = redis.openWrapped(rules, options);
  client.defineCommand("swap", { numberOfKeys: 1, lua: SWAP });
  client.defineCommand("many", { lua: MANY });
  client.defineCommand("putSecond", { numberOfKeys: 2, lua: PUT_SECOND });
  client.defineCommand("echoArguments", { numberOfKeys: 1, lua: ECHO });
  return client;
}

async function holdsFrame(key: string): Promise<boolean> {
  return isFrame((await redis.bare.getBuffer(key)) ?? Buffer.alloc(0));
}

suite("scripts without options", () => {
  test("pass untouched: the script sees ARGV as given, and its reply is what Redis holds", async () => {
    const client = open(PLAIN_RULES);
    const sha = String(await client.script("LOAD", ECHO));
    const expected = ["r:1", LONG, "7"];
    for (const reply of await Promise.all([
      invoke(client, "echoArguments", ["r:1", LONG, 7]),
      client.eval(ECHO, 1, "r:1", LONG, 7),
      client.evalsha(sha, 1, "r:1", LONG, 7),
      client.call("EVAL", ECHO, 1, "r:1", LONG, 7),
    ])) {
      assert.deepStrictEqual(reply, expected);
    }
    await client.fcall("swap_value", 1, "r:1", LONG);
    assert.equal(await redis.bare.get("r:1"), LONG);
    await client.set("r:1", LONG);
    assert.deepStrictEqual(await invoke(client, "evalBuffer", [SWAP, 1, "r:1", "raw"]), await frameOf(client, "r:1", LONG));
    assert.equal(await client.get("r:1"), "raw");
  });

  test("can use valueCodecOf() for what they read and write", async () => {
    const client = open(PLAIN_RULES);
    const codec = valueCodecOf(client);
    await client.eval(SWAP, 1, "j:1", codec.encode("j:1", { list: [LONG] }));
    assert.deepStrictEqual(await loosen(client).get("j:1"), { list: [LONG] });
    const held = (await invoke(client, "evalBuffer", [SWAP, 1, "j:1", "null"])) as Buffer;
    assert.deepStrictEqual(codec.decode("j:1", held), { list: [LONG] });
  });
});

async function frameOf(client: Redis, key: string, value: string): Promise<Buffer> {
  return valueCodecOf(client).encode(key, value);
}

/** The ways to run SWAP, each with the method's own name. */
const RUNS: Readonly<Record<string, (client: object, key: string, value: unknown) => unknown>> = {
  "a defined command": (client, key, value) => invoke(client, "swap", [key, value]),
  "a defined command's array": (client, key, value) => invoke(client, "swap", [[key, value]]),
  eval: (client, key, value) => invoke(client, "eval", [SWAP, 1, key, value]),
  "eval's array": (client, key, value) => invoke(client, "eval", [SWAP, [1, key, value]]),
  evalsha: (client, key, value) => invoke(client, "evalsha", [shaOf(SWAP), 1, key, value]),
  fcall: (client, key, value) => invoke(client, "fcall", ["swap_value", 1, key, value]),
};

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  "r:": [LONG, "short", 42],
  "j:": [{ list: [1, LONG] }, "text", 42, null, true],
};
const READ_BACK: Readonly<Record<string, readonly unknown[]>> = { ...VALUES, "r:": [LONG, "short", "42"] };

suite("scripts with options", () => {
  for (const { name: mode, options } of MODES) {
    for (const [name, run] of Object.entries(RUNS)) {
      test(`${name} encodes the ARGV named and decodes the reply, in ${mode}`, async () => {
        const client = open(RULES, options);
        await client.script("LOAD", SWAP);
        for (const [prefix, values] of Object.entries(VALUES)) {
          const key = `${prefix}swap`;
          await redis.bare.del(key);
          const replies: unknown[] = [];
          for (const value of values) replies.push(await (run(client, key, value) as Promise<unknown>));
          assert.deepStrictEqual(replies, [null, ...(READ_BACK[prefix] ?? []).slice(0, -1)]);
          assert.deepStrictEqual(await loosen(client).get(key), READ_BACK[prefix]?.at(-1));
        }
      });

      test(`${name} does the same in pipelines and transactions, in ${mode}`, async () => {
        const client = open(RULES, options);
        await client.script("LOAD", SWAP);
        for (const queue of [client.pipeline(), client.multi()]) {
          await redis.bare.del("j:swap");
          run(queue, "j:swap", { a: LONG });
          run(queue, "j:swap", { b: 2 });
          queue.get("j:swap");
          assert.deepStrictEqual(await queue.exec(), [
            [null, null],
            [null, { a: LONG }],
            [null, { b: 2 }],
          ]);
        }
      });
    }
  }

  test("encode what the rule of the key says, and nothing for a raw or unruled key", async () => {
    const client = open(RULES);
    for (const [key, framed] of [
      ["r:k", true],
      ["r:raw:k", false],
      ["other:k", false],
      ["j:k", true],
    ] as const) {
      await redis.bare.del(key);
      await invoke(client, "swap", [key, LONG]);
      assert.equal(await holdsFrame(key), framed, key);
      assert.equal(await invoke(client, "swap", [key, LONG]), LONG);
    }
  });

  test("may name another key than the first, and other ARGV than the first", async () => {
    const client = open(RULES);
    assert.deepStrictEqual(await invoke(client, "putSecond", ["other:k", "j:second", "untouched", { a: 1 }]), { a: 1 });
    assert.ok(await holdsFrame("j:second"));
  });

  test("decode a list of values, each in its place", async () => {
    const client = open(RULES);
    await loosen(client).mset({ "j:a": { a: 1 }, "j:b": [LONG] });
    await redis.bare.del("j:none");
    const expected = [{ a: 1 }, null, [LONG]];
    assert.deepStrictEqual(await invoke(client, "many", [3, "j:a", "j:none", "j:b"]), expected);
    assert.deepStrictEqual(await client.eval(MANY, 3, "j:a", "j:none", "j:b"), expected);
    await redis.bare.set("j:none", BAD);
    const error = await failureOf(invoke(client, "many", [3, "j:a", "j:none", "j:b"]));
    assert.deepStrictEqual([listOf(error)[0], listOf(error)[2]], [{ a: 1 }, [LONG]]);
    assert.equal(error.code, "CODEC_CHECKSUM_MISMATCH");
  });

  test("give *Buffer methods content bytes", async () => {
    const client = open(RULES);
    await loosen(client).set("j:1", { a: LONG });
    assert.deepStrictEqual(await invoke(client, "swapBuffer", ["j:1", [1]]), Buffer.from(JSON.stringify({ a: LONG })));
  });

  test("take an array as one value", async () => {
    const client = open(RULES);
    await client.script("LOAD", SWAP);
    for (const name of ["a defined command", "eval", "evalsha", "fcall"]) {
      await redis.bare.del("j:array");
      await RUNS[name]?.(client, "j:array", [1, [2]]);
      assert.deepStrictEqual(await loosen(client).get("j:array"), [1, [2]], name);
    }
  });

  test("survive NOSCRIPT, where ioredis sends the text: values are encoded once", async () => {
    for (const options of [{}, { enableAutoPipelining: true }, { lazyConnect: true }]) {
      const client = open(RULES, options);
      await redis.bare.script("FLUSH");
      await redis.bare.del("j:1");
      assert.deepStrictEqual(await invoke(client, "swap", ["j:1", { a: LONG }]), null);
      assert.deepStrictEqual(await loosen(client).get("j:1"), { a: LONG });
      await redis.bare.script("FLUSH");
      const pipeline = client.pipeline();
      invoke(pipeline, "swap", ["j:1", { b: 1 }]);
      // ioredis runs the script again behind the rest of the pipeline.
      assert.deepStrictEqual(await pipeline.exec(), [[null, { a: LONG }]]);
      assert.deepStrictEqual(await loosen(client).get("j:1"), { b: 1 });
    }
  });

  test("read values at call time, with keyPrefix, and on a duplicate", async () => {
    const client = open(RULES, { keyPrefix: "app:" });
    await redis.bare.del("app:j:1");
    const value = { n: 1 };
    const sent = invoke(client, "swap", ["j:1", value]);
    value.n = 2;
    await sent;
    const copy = redis.keep(client.duplicate());
    copy.defineCommand("swap", { numberOfKeys: 1, lua: SWAP });
    assert.deepStrictEqual(await invoke(copy, "swap", ["j:1", { n: 3 }]), { n: 1 });
    assert.ok(await holdsFrame("app:j:1"));
  });

  test("that cannot be encoded reject in their place, and the script does not run", async () => {
    const client = open(RULES);
    await loosen(client).set("j:1", "before");
    const error = await failureOf(invoke(client, "swap", ["j:1", undefined]));
    assert.deepStrictEqual([error.code, error.key], ["CODEC_SERIALIZE", "j:1"]);
    const pipeline = client.pipeline().get("j:1");
    invoke(pipeline, "swap", ["j:1", undefined]);
    invoke(pipeline, "eval", [SWAP, 1, "j:1", undefined]);
    const results = (await pipeline.get("j:1").exec()) ?? [];
    assert.deepStrictEqual(
      [results[0], results[3]],
      [
        [null, "before"],
        [null, "before"],
      ],
    );
    for (const [failure] of [results[1] ?? [], results[2] ?? []]) {
      assert.equal((await failureOf(Promise.reject(failure))).code, "CODEC_SERIALIZE");
    }
  });

  test("defined in the client's own options are known as well", async () => {
    const client = redis.openWrapped(RULES, { scripts: { swap: { numberOfKeys: 1, lua: SWAP } } });
    await redis.bare.del("j:1");
    await invoke(client, "swap", ["j:1", { a: LONG }]);
    assert.deepStrictEqual(await loosen(client).get("j:1"), { a: LONG });
  });

  test("run on a cluster, where the key decides the node", async () => {
    const servers = await startCluster({ nodes: 3 });
    const clusters: Cluster[] = [];
    try {
      for (const options of [{}, { enableAutoPipelining: true }, { lazyConnect: true, enableAutoPipelining: true }]) {
        const cluster = new Cluster([...servers.startupNodes], options);
        clusters.push(cluster);
        withValueCodec(cluster, RULES);
        cluster.defineCommand("swap", { numberOfKeys: 1, lua: SWAP });
        const keys = Array.from({ length: 12 }, (_, i) => `j:${i}`);
        await Promise.all(keys.map((key) => invoke(cluster, "swap", [key, { key, list: [LONG] }])));
        const replies = await Promise.all(keys.map((key) => invoke(cluster, "swap", [key, null])));
        assert.deepStrictEqual(
          replies,
          keys.map((key) => ({ key, list: [LONG] })),
        );
        await Promise.all(keys.map((key) => cluster.del(key)));
      }
    } finally {
      for (const cluster of clusters) cluster.disconnect();
      await servers.stop();
    }
  });
});
