import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { json, stored } from "@tightwire/codec-core";
import { encodeOne, prepareArguments } from "../src/call-arguments.ts";
import { findCommand } from "../src/commands.ts";
import { isMarkedHeld } from "../src/encode-value.ts";
import type { Shared } from "../src/shared.ts";
import { createShared, ruleOf } from "./support/keys.ts";

const LONG = "v".repeat(100);
const BYTES = [255, 1, 0];
const bytes = Buffer.from(BYTES);

function prepare(shared: Shared, name: string, ...args: unknown[]) {
  const row = findCommand(name, args.flat());
  assert.ok(row !== undefined);
  const prepared = prepareArguments({ shared, keyPrefix: undefined, prefixed: false }, name, row, args);
  return { args: prepared, encoded: prepared.some(isMarkedHeld) };
}

suite("prepareArguments() with a serializer", () => {
  // Everything is held raw as JSON, so that the tests can read it; numbers and text too.
  const settings = { compressor: stored(), serializer: json(), frame: "never", numbers: "framed" } as const;
  const typed = createShared(
    {
      "j:": { ...settings, comparands: "encode" },
      "n:": { compressor: stored(), serializer: json() },
      "r:": settings,
      "l:": { ...settings, types: ["list"] },
      "a:": { compressor: stored() },
      "raw:": "raw",
    },
    { channels: { "feed.": settings } },
  );
  const USER = { user: "ada" };

  /** The arguments as text; the call's values were all encoded. */
  function show(name: string, ...args: unknown[]): unknown[] {
    const prepared = prepare(typed, name, ...args);
    assert.equal(prepared.encoded, true);
    return prepared.args.map((one) => (one instanceof Buffer ? one.toString() : one));
  }

  const held: readonly (readonly [name: string, value: unknown, json: string])[] = [
    ["an object", USER, '{"user":"ada"}'],
    ["an array", [1, "two", [3]], '[1,"two",[3]]'],
    ["an empty array", [], "[]"],
    ["text", "text", '"text"'],
    ["text that is a number", "42", '"42"'],
    ["a number", 42, "42"],
    ["null", null, "null"],
    ["true", true, "true"],
    ["a Date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ["a Map, as JSON has it", new Map([["f", 1]]), "{}"],
  ];
  for (const [name, value, text] of held) {
    test(`takes ${name} in the place of one value for that value`, () => {
      assert.deepEqual(show("set", "j:1", value), ["j:1", text]);
      assert.deepEqual(show("set", "j:1", value, "EX", 10, "GET"), ["j:1", text, "EX", 10, "GET"]);
      assert.deepEqual(show("setex", "j:1", 10, value), ["j:1", 10, text]);
      assert.deepEqual(show("psetex", "j:1", 10, value), ["j:1", 10, text]);
      assert.deepEqual(show("setnx", "j:1", value), ["j:1", text]);
      assert.deepEqual(show("getset", "j:1", value), ["j:1", text]);
      assert.deepEqual(show("hset", "j:1", "f", value), ["j:1", "f", text]);
      assert.deepEqual(show("hset", "j:1", "f", value, "g", value), ["j:1", "f", text, "g", text]);
      assert.deepEqual(show("hsetnx", "j:1", "f", value), ["j:1", "f", text]);
      assert.deepEqual(show("mset", "j:1", value, "j:2", value), ["j:1", text, "j:2", text]);
      assert.deepEqual(show("lset", "j:1", 0, value), ["j:1", 0, text]);
      assert.deepEqual(show("linsert", "j:1", "BEFORE", "p", value), ["j:1", "BEFORE", '"p"', text]);
      assert.deepEqual(show("publish", "feed.1", value), ["feed.1", text]);
      assert.deepEqual(show("spublish", "feed.1", value), ["feed.1", text]);
    });

    test(`takes ${name} as a value of an object, a Map, a list of pairs and a list of elements`, () => {
      assert.deepEqual(show("mset", { "j:1": value, "j:2": value }), ["j:1", text, "j:2", text]);
      assert.deepEqual(show("msetnx", new Map([["j:1", value]])), ["j:1", text]);
      assert.deepEqual(show("mset", ["j:1", value, "j:2", value]), ["j:1", text, "j:2", text]);
      assert.deepEqual(show("hset", "j:1", { f: value, g: value }), ["j:1", "f", text, "g", text]);
      assert.deepEqual(show("hmset", "j:1", new Map([["f", value]])), ["j:1", "f", text]);
      assert.deepEqual(show("hset", "j:1", ["f", value, "g", value]), ["j:1", "f", text, "g", text]);
      assert.deepEqual(show("rpush", "j:1", [value, value]), ["j:1", text, text]);
      assert.deepEqual(show("lpush", ["j:1", value]), ["j:1", text]);
    });

    test(`takes ${name} where options decide on the place`, () => {
      assert.deepEqual(show("xadd", "j:1", "*", "f", value), ["j:1", "*", "f", text]);
      assert.deepEqual(show("xadd", "j:1", "MAXLEN", "~", 9, "LIMIT", 1, "1-1", "f", value, "g", value), [
        ...["j:1", "MAXLEN", "~", 9, "LIMIT", 1, "1-1"],
        ...["f", text, "g", text],
      ]);
      assert.deepEqual(show("hsetex", "j:1", "FNX", "EX", 9, "FIELDS", 2, "f", value, "g", value), [
        ...["j:1", "FNX", "EX", 9, "FIELDS", 2],
        ...["f", text, "g", text],
      ]);
      assert.deepEqual(show("msetex", 2, "j:1", value, "j:2", value, "EX", 9), [2, "j:1", text, "j:2", text, "EX", 9]);
      assert.deepEqual(show("himport", "SET", "j:1", "fields", value, value), ["SET", "j:1", "fields", text, text]);
    });
  }

  test("takes several elements of a list in an array for several values, one of them in an array of its own for one", () => {
    for (const name of ["lpush", "rpush", "lpushx", "rpushx"]) {
      assert.deepEqual(show(name, "j:1", ["a", "b"]), ["j:1", '"a"', '"b"']);
      assert.deepEqual(show(name, "j:1", "a", "b"), ["j:1", '"a"', '"b"']);
      assert.deepEqual(show(name, "j:1", [["a", "b"]]), ["j:1", '["a","b"]']);
      assert.deepEqual(show(name, "j:1", [USER]), ["j:1", '{"user":"ada"}']);
    }
  });

  test("never takes a record for a value, nor a value for a record", () => {
    assert.deepEqual(show("hset", "j:1", "f", { g: 1 }), ["j:1", "f", '{"g":1}']);
    assert.deepEqual(show("hset", "j:1", { f: { g: 1 } }), ["j:1", "f", '{"g":1}']);
    assert.deepEqual(show("hsetnx", "j:1", "f", { g: 1 }), ["j:1", "f", '{"g":1}']);
    assert.deepEqual(show("set", "j:1", { "j:2": 1 }), ["j:1", '{"j:2":1}']);
  });

  test("keeps keys, fields and options as they are, Buffers too", () => {
    const key = Buffer.from("j:1");
    assert.deepEqual(prepare(typed, "hset", key, new Map([[key, USER]])).args.slice(0, 2), [key, key]);
    assert.deepEqual(show("set", "j:1", USER, ["EX", 10]), ["j:1", '{"user":"ada"}', "EX", 10]);
    assert.deepEqual(show("set", ["j:1", USER, "EX", 10]), ["j:1", '{"user":"ada"}', "EX", 10]);
  });

  test("follows the rule of each key of one call", () => {
    const { args, encoded } = prepare(typed, "mset", {
      "j:1": [1],
      "a:1": LONG,
      "x:1": [1, 2],
      "raw:1": 7,
      "a:2": "short",
      "a:3": 7,
    });
    assert.equal(encoded, true);
    assert.equal(args[1]?.toString(), "[1]");
    assert.deepEqual(args[3], encodeOne(typed, "mset", ruleOf(typed, "a:"), "a:1", LONG));
    assert.deepEqual(args.slice(4), ["x:1", [1, 2], "raw:1", 7, "a:2", Buffer.from("short"), "a:3", Buffer.from("7")]);
  });

  test("makes of plain values beside a typed one what ioredis would", () => {
    const bytesOfView = new Uint8Array(BYTES);
    const { args } = prepare(typed, "mset", {
      "j:1": 1,
      "a:1": null,
      "a:2": undefined,
      "a:3": true,
      "a:4": 1.5,
      "a:5": bytesOfView,
    });
    assert.deepEqual(
      args.slice(2),
      ["a:1", "", "a:2", "", "a:3", "true", "a:4", "1.5", "a:5", bytes].map((one, i) =>
        i % 2 === 1 ? Buffer.from(one as string) : one,
      ),
    );
    assert.throws(() => prepare(typed, "mset", { "j:1": 1, "a:1": USER }), TypeError);
  });

  test("spreads an array under no rule as ioredis does, beside one that is a value", () => {
    assert.deepEqual(show("mset", "j:1", [1], ["x:1", "v"]), ["j:1", "[1]", "x:1", "v"]);
    assert.deepEqual(show("mset", "j:1", [1], "x:1", ["v"], "j:2", [2]), ["j:1", "[1]", "x:1", "v", "j:2", "[2]"]);
    assert.deepEqual(prepare(typed, "set", "x:1", ["v", "EX", 10]), { args: ["x:1", "v", "EX", 10], encoded: false });
  });

  test("leaves values under a rule that covers other types, and under none", () => {
    for (const key of ["l:1", "raw:1", "x:1"]) {
      assert.deepEqual(prepare(typed, "set", key, USER), { args: [key, USER], encoded: false });
    }
    assert.deepEqual(show("rpush", "l:1", [USER]), ["l:1", '{"user":"ada"}']);
    assert.deepEqual(prepare(typed, "publish", "j:1", USER), { args: ["j:1", USER], encoded: false });
    assert.deepEqual(prepare(typed, "set", "feed.1", USER), { args: ["feed.1", USER], encoded: false });
  });

  test("leaves plain values alone where no value of the call is typed", () => {
    assert.deepEqual(prepare(typed, "mset", "a:1", LONG, "x:1", "v"), { args: ["a:1", LONG, "x:1", "v"], encoded: false });
  });

  test("reads a value when it is called", () => {
    const value = { user: "ada" };
    const { args } = prepare(typed, "set", "j:1", value);
    value.user = "bob";
    assert.equal(args[1]?.toString(), '{"user":"ada"}');
  });

  test("never changes what it was given", () => {
    const list = ["j:1", USER];
    const record = { "j:1": USER };
    prepare(typed, "mset", list);
    prepare(typed, "mset", record);
    assert.deepEqual([list, record], [["j:1", { user: "ada" }], { "j:1": { user: "ada" } }]);
  });

  test("takes the held form of what is to be compared", () => {
    for (const value of [USER, "text", 42, null]) {
      const text = JSON.stringify(value);
      assert.deepEqual(show("lrem", "j:1", 0, value), ["j:1", 0, text]);
      assert.deepEqual(show("lpos", "j:1", value, "RANK", 1), ["j:1", text, "RANK", 1]);
      assert.deepEqual(show("linsert", "j:1", "AFTER", value, "v"), ["j:1", "AFTER", text, '"v"']);
      assert.deepEqual(show("set", "j:1", "v", "IFEQ", value), ["j:1", '"v"', "IFEQ", text]);
      assert.deepEqual(show("delex", "j:1", "IFNE", value), ["j:1", "IFNE", text]);
    }
  });

  test("takes an array that is to be compared for one value", () => {
    assert.deepEqual(show("lrem", "j:1", 0, [1]), ["j:1", 0, "[1]"]);
    assert.deepEqual(show("lpos", "j:1", [1, 2]), ["j:1", "[1,2]"]);
    assert.deepEqual(show("linsert", "j:1", "AFTER", [1, 2], [3]), ["j:1", "AFTER", "[1,2]", "[3]"]);
    assert.deepEqual(show("set", "j:1", "v", "IFEQ", [1, 2]), ["j:1", '"v"', "IFEQ", "[1,2]"]);
  });

  test("refuses what is to be compared unless its rule holds it raw", () => {
    assert.throws(() => prepare(typed, "lrem", "r:1", 0, USER), { code: "CODEC_COMMAND_UNSAFE", key: "r:1", command: "lrem" });
    assert.deepEqual(prepare(typed, "lrem", "n:1", 0, 42), { args: ["n:1", 0, Buffer.from("42")], encoded: true });
  });

  test("says under which key a value has no form", () => {
    for (const [name, ...args] of [
      ["set", "j:1", undefined],
      ["mset", { "j:1": 1n }],
      ["lrem", "j:1", 0, Symbol("none")],
    ] as const) {
      assert.throws(() => prepare(typed, name, ...args), { code: "CODEC_SERIALIZE", key: "j:1", command: name });
    }
    assert.throws(() => prepare(typed, "publish", "feed.1", 1n), { code: "CODEC_SERIALIZE", key: "feed.1", command: "publish" });
  });

  test("counts under the prefix of each key", () => {
    const shared = createShared({ "n:": { compressor: stored(), serializer: json() }, "a:": { compressor: stored() } });
    prepare(shared, "mset", { "n:1": USER, "n:2": 7, "a:1": LONG });
    const { "n:": n, "a:": a } = shared.stats.snapshot();
    assert.deepEqual([n?.encoded, n?.raw, a?.encoded], [1, 1, 1]);
  });
});
