import assert from "node:assert/strict";
import { once } from "node:events";
import { basename, delimiter, dirname } from "node:path";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { json, msgpack, type ValueCodecClientOptions } from "@tightwire/ioredis";
import { PASSED_COMMANDS } from "../../packages/ioredis/src/command-classes.ts";
import { COMMANDS } from "../../packages/ioredis/src/commands.ts";
import { AUTO_PIPELINED, invoke, STYLES, type Style } from "./support/calls.ts";
import { MODES, type TestRedis, useRedis } from "./support/clients.ts";
import { failureOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";
import { type LooseClient, loosen } from "./support/typed-clients.ts";
import { compareValues, JSON_FORM, MSGPACK_FORM, PLAIN_FORM, UNRULED_FORM } from "./support/typed-comparison.ts";
import { NEWER_VALUES } from "./support/typed-newer-scripts.ts";
import { COMPARABLE_SERVER } from "./support/typed-suites.ts";

const binary = process.env["TIGHTWIRE_REDIS8"];

if (binary === undefined) {
  test("commands newer than the distribution's server", {
    skip: "TIGHTWIRE_REDIS8 does not name the redis-server of a Redis 8; scripts/build-redis8.mjs builds one",
  });
} else {
  testNewerCommands(binary);
}

function testNewerCommands(path: string): void {
  assert.equal(basename(path), "redis-server", "TIGHTWIRE_REDIS8 is the path of a redis-server");
  process.env["PATH"] = `${dirname(path)}${delimiter}${process.env["PATH"]}`;
  const redis = useRedis({ args: COMPARABLE_SERVER });
  suite("the server", () => testServer(redis));
  for (const [name, options] of MODES.map((mode) => [mode.name, mode.options] as const)) {
    suite(`newer commands in ${name}`, () => testStyles(redis, STYLES, options));
    const auto = { ...options, enableAutoPipelining: true };
    suite(`newer commands in ${name} with auto-pipelining`, () => testStyles(redis, AUTO_PIPELINED, auto));
  }
  suite("comparands of newer commands", () => testComparands(redis));
  suite("newer commands on streams", () => testStreams(redis));
}

function testServer(redis: TestRedis): void {
  test("is a Redis 8, and the table classifies all its commands", async () => {
    const [, version] = /redis_version:(\d+)\./.exec(await redis.bare.info("server")) ?? [];
    assert.ok(Number(version) >= 8);
    const classified = new Set([...COMMANDS.keys(), ...Object.values(PASSED_COMMANDS).flat()]);
    const names = ((await redis.bare.command("LIST")) as string[]).map((name) => name.toLowerCase().split("|")[0] ?? "");
    assert.deepStrictEqual(
      names.filter((name) => !classified.has(name)),
      [],
    );
  });
}

const RULES: ValueCodecClientOptions = {
  prefixes: {
    "json:": { serializer: json(), comparands: "encode" },
    "msgpack:": { serializer: msgpack(), comparands: "encode" },
    "ruled:": { comparands: "encode" },
    "ruled:raw:": "raw",
    "refused:": {},
  },
};
const FORMS = {
  "json:": JSON_FORM,
  "msgpack:": MSGPACK_FORM,
  "ruled:": PLAIN_FORM,
  "ruled:raw:": UNRULED_FORM,
  "other:": UNRULED_FORM,
};

/** `call` is itself a call of the script, so the styles that send everything by `call` say nothing new. */
function testStyles(redis: TestRedis, styles: Readonly<Record<string, Style>>, options: object): void {
  for (const [name, style] of Object.entries(styles)) {
    if (/call\(|callBuffer|\.call|send_command/.test(name)) continue;
    // In plain ioredis callBuffer loses the command's name with auto-pipelining.
    if ("enableAutoPipelining" in options && /^(?:\*Buffer|callbacks of)/.test(name)) continue;
    test(`${name}: replies are those of a bare client, and Redis holds what the rule says`, async () => {
      const wrapped = redis.openWrapped(RULES, options);
      const plain = redis.open(options);
      await Promise.all([once(wrapped, "ready"), once(plain, "ready")]);
      for (const [prefix, form] of Object.entries(FORMS)) {
        await compareValues(redis, style, wrapped, plain, NEWER_VALUES, form, prefix);
      }
      wrapped.disconnect();
      plain.disconnect();
    });
  }
}

function testComparands(redis: TestRedis): void {
  const open = (): LooseClient => loosen(redis.openWrapped(RULES));
  const REFUSED: readonly (readonly unknown[])[] = [
    ["SET", "refused:1", "new", "IFEQ", LONG],
    ["SET", "refused:1", "new", "EX", 10, "IFNE", LONG, "GET"],
    ["DELEX", "refused:1", "IFEQ", LONG],
    ["delex", "refused:1", "IFNE", LONG],
  ];

  for (const call of REFUSED) {
    test(`${call.join(" ").replace(LONG, "LONG")} is refused by default`, async () => {
      await redis.bare.set("refused:1", "old");
      const error = await failureOf(open().call(...call));
      const command = String(call[0]).toLowerCase();
      assert.deepStrictEqual([error.code, error.key, error.command], ["CODEC_COMMAND_UNSAFE", "refused:1", command]);
      assert.equal(await redis.bare.get("refused:1"), "old");
    });
  }

  test("are compared where they are held raw", async () => {
    const client = open();
    await client.set("refused:1", "token");
    assert.equal(await client.set("refused:1", LONG, "IFEQ", "another"), null);
    assert.equal(await client.set("refused:1", "second", "IFEQ", "token"), "OK");
    assert.equal(await client.call("DELEX", "refused:1", "IFEQ", "second"), 1);
  });

  test("are no comparands where they are values or digests: SET k IFEQ, DELEX, IFDEQ of DIGEST", async () => {
    const client = open();
    assert.equal(await client.set("refused:1", "IFEQ"), "OK");
    assert.equal(await client.set("refused:1", LONG, "GET"), "IFEQ");
    assert.ok(isFrame((await redis.bare.getBuffer("refused:1")) ?? Buffer.alloc(0)));
    const digest = await client.call("DIGEST", "refused:1");
    assert.equal(await client.set("refused:1", "new", "IFDEQ", "0123456789abcdef"), null);
    assert.equal(await client.set("refused:1", "new", "IFDEQ", digest), "OK");
    assert.equal(await client.call("DELEX", "refused:1"), 1);
  });

  test("take an array as one value", async () => {
    const client = open();
    await client.set("json:1", [1, 2]);
    assert.equal(await client.set("json:1", [3], "IFEQ", [1, 2]), "OK");
    assert.equal(await client.call("DELEX", "json:1", "IFEQ", [3]), 1);
  });
}

function testStreams(redis: TestRedis): void {
  for (const { name, options } of MODES) {
    test(`XREADGROUP CLAIM gives entries with times behind their fields, in ${name}`, async () => {
      const client = redis.openWrapped(RULES, options);
      await redis.bare.del("json:s");
      await loosen(client).xadd("json:s", "1-1", "f", { text: LONG });
      await client.xgroup("CREATE", "json:s", "g", "0");
      await client.xreadgroup("GROUP", "g", "c", "STREAMS", "json:s", ">");
      const claim = ["XREADGROUP", "GROUP", "g", "d", "COUNT", 5, "CLAIM", 0, "STREAMS", "json:s", ">"];
      const reply = await (invoke(client, "call", claim) as Promise<object>);
      const leaves: unknown[] = Object.values(reply).flat(5);
      assert.deepStrictEqual(
        leaves.filter((leaf) => leaf !== "json:s").map((leaf) => (typeof leaf === "number" ? "a number" : leaf)),
        ["1-1", "f", { text: LONG }, "a number", "a number"],
      );
    });
  }

  test("XADD IDMP and IDMPAUTO find their values, and the same content is added once", async () => {
    const client = loosen(redis.openWrapped(RULES));
    await redis.bare.del("json:s");
    const value = { text: LONG };
    const first = await client.call("XADD", "json:s", "IDMP", "producer", "*", "*", "f", value);
    assert.equal(await client.call("XADD", "json:s", "IDMP", "producer", "*", "*", "f", ["other"]), first);
    const second = await client.call("XADD", "json:s", "IDMPAUTO", "IDMP", "*", "IDMPAUTO", value);
    assert.equal(await client.call("XADD", "json:s", "IDMPAUTO", "IDMP", "*", "IDMPAUTO", value), second);
    assert.deepStrictEqual(await client.xrange("json:s", "-", "+"), [
      [first, ["f", value]],
      [second, ["IDMPAUTO", value]],
    ]);
  });
}
