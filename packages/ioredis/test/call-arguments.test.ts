import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { runInNewContext } from "node:vm";
import { json, msgpack, stored } from "@tightwire/codec-core";
import { encodeOne, firstKey, needsPreparing, prepareArguments } from "../src/call-arguments.ts";
import { findCommand } from "../src/commands.ts";
import { isMarkedHeld } from "../src/encode-value.ts";
import type { KeySpace } from "../src/keys.ts";
import type { Shared } from "../src/shared.ts";
import { createShared, createSpace, ruleOf } from "./support/keys.ts";

const plain = createShared({
  "a:": { compressor: stored() },
  "c:": { compressor: stored(), comparands: "encode" },
  "h:": { compressor: stored(), types: ["hash"] },
  "raw:": "raw",
});

interface CallArguments {
  readonly args: unknown[];
  readonly encoded: boolean;
}

function prepareIn(space: KeySpace, name: string, ...args: unknown[]): CallArguments {
  const row = findCommand(name, args.flat());
  assert.ok(row !== undefined);
  const prepared = prepareArguments(space, name, row, args);
  return { args: prepared, encoded: prepared.some(isMarkedHeld) };
}

function prepare(shared: Shared, name: string, ...args: unknown[]): CallArguments {
  return prepareIn({ shared, keyPrefix: undefined, prefixed: false }, name, ...args);
}

/** The arguments of a call under rules without a serializer. */
function normalize(name: string, ...args: unknown[]): unknown[] {
  const prepared = prepare(plain, name, ...args);
  assert.equal(prepared.encoded, false);
  return prepared.args;
}

const BYTES = [255, 1, 0];
const bytes = Buffer.from(BYTES);

suite("needsPreparing()", () => {
  test("holds only where an argument is an object other than a Buffer", () => {
    for (const args of [[], ["a", 1, null, undefined, true, 1n], [Buffer.from("a")], [Symbol("s")]]) {
      assert.equal(needsPreparing(plain, args), false);
    }
    for (const one of [[], {}, new Map(), new Uint8Array(1), new ArrayBuffer(1), new Date(0)]) {
      assert.equal(needsPreparing(plain, ["k", one]), true);
    }
  });

  test("holds for every call where a rule of a key or a channel has a serializer", () => {
    const rule = { serializer: json() };
    assert.equal(needsPreparing(createShared({ "a:": rule }), ["k", "v"]), true);
    assert.equal(needsPreparing(createShared({}, { channels: { "a.": rule } }), ["k", "v"]), true);
    assert.equal(needsPreparing(createShared({}, { channels: { "a.": {} } }), ["k", "v"]), false);
  });
});

suite("prepareArguments() without a serializer", () => {
  const buffer = new ArrayBuffer(8);
  new Uint8Array(buffer).set(BYTES, 2);
  const forms: readonly (readonly [name: string, value: unknown])[] = [
    ["a Uint8Array", new Uint8Array(BYTES)],
    ["a Uint8Array over a part of its memory", new Uint8Array(buffer, 2, 3)],
    ["an ArrayBuffer", new Uint8Array(BYTES).buffer],
    ["a DataView", new DataView(new Uint8Array(BYTES).buffer)],
    ["a DataView over a part of its memory", new DataView(buffer, 2, 3)],
    ["a Buffer", Buffer.from(BYTES)],
  ];
  for (const [name, value] of forms) {
    test(`takes the bytes of ${name}, copied`, () => {
      const [, held] = normalize("set", "a:1", value);
      assert.ok(held instanceof Buffer);
      assert.deepEqual(held, bytes);
      assert.notEqual(held, value);
      assert.deepEqual(normalize("hset", "a:1", "f", value, "g", value), ["a:1", "f", bytes, "g", bytes]);
      assert.deepEqual(normalize("mset", { "a:1": value }), ["a:1", bytes]);
    });
  }

  test("does not share memory with the caller", () => {
    const value = new Uint8Array(BYTES);
    const view = new DataView(value.buffer);
    const held = [value, value.buffer, view].map((one) => normalize("set", "a:1", one)[1]);
    value.fill(9);
    assert.deepEqual(held, [bytes, bytes, bytes]);
  });

  test("leaves values that are no objects to ioredis", () => {
    for (const value of ["text", 1.5, 10n, true, null, undefined]) {
      assert.deepEqual(normalize("set", "a:1", value), ["a:1", value]);
    }
  });

  const objects: readonly (readonly [name: string, value: unknown])[] = [
    ["an object", { user: "ada" }],
    ["an array in an array", [1, 2]],
    ["a Date", new Date(0)],
    ["a Map", new Map()],
    ["a boxed string", Object("text")],
    ["a Float64Array", new Float64Array(1)],
    ["an object without a prototype", Object.create(null)],
    ["an object of another realm", runInNewContext("({})")],
  ];
  for (const [name, value] of objects) {
    test(`refuses ${name} as a value under a rule`, () => {
      assert.throws(() => normalize("set", ["a:1", value]), TypeError);
      assert.throws(() => normalize("hset", "a:1", { f: value }), TypeError);
      assert.throws(() => normalize("mset", new Map([["x:1", "v"], ["a:1", value] as never])), TypeError);
    });

    test(`leaves ${name} to ioredis under no rule`, () => {
      assert.deepEqual(normalize("set", ["x:1", value]), ["x:1", value]);
      assert.deepEqual(normalize("set", ["raw:1", value]), ["raw:1", value]);
      assert.deepEqual(normalize("set", ["h:1", value]), ["h:1", value]);
      assert.deepEqual(normalize("mset", { "x:1": value }), ["x:1", value]);
    });
  }

  test("shows no value in what it refuses with", () => {
    const secret = { password: "s3cr3t" };
    assert.throws(
      () => normalize("set", "a:1", secret),
      (error: Error) => !error.message.includes("s3cr3t") && !error.message.includes("password"),
    );
  });

  test("flattens one level, as ioredis does", () => {
    assert.deepEqual(normalize("set", ["a:1", "v", "EX", 10]), ["a:1", "v", "EX", 10]);
    assert.deepEqual(normalize("set", "a:1", ["v", "EX", 10]), ["a:1", "v", "EX", 10]);
    assert.deepEqual(normalize("mset", ["a:1", "v"], ["x:1", "w"]), ["a:1", "v", "x:1", "w"]);
    assert.deepEqual(normalize("hset", "a:1", ["f", "v", "g", "w"]), ["a:1", "f", "v", "g", "w"]);
  });

  test("takes objects and Maps apart where ioredis does", () => {
    assert.deepEqual(normalize("mset", { "x:1": 1, "a:1": bytes }), ["x:1", 1, "a:1", bytes]);
    assert.deepEqual(normalize("msetnx", new Map([["a:1", "v"]])), ["a:1", "v"]);
    assert.deepEqual(normalize("hset", "a:1", { f: "v", g: bytes }), ["a:1", "f", "v", "g", bytes]);
    assert.deepEqual(normalize("hmset", "a:1", new Map([["f", "v"]])), ["a:1", "f", "v"]);
    assert.deepEqual(normalize("mset", [{ "x:1": "v" }]), ["x:1", "v"]);
    assert.deepEqual(normalize("hset", "x:1", {}), ["x:1"]);
  });

  test("takes keys and fields of a Map that are Buffers", () => {
    const key = Buffer.from("a:1");
    assert.deepEqual(normalize("mset", new Map([[key, new Uint8Array(BYTES)]])), [key, bytes]);
    assert.deepEqual(normalize("hset", key, new Map([[bytes, new Uint8Array(BYTES)]])), [key, bytes, bytes]);
  });

  test("takes an object apart only in its place", () => {
    assert.throws(() => normalize("hset", "a:1", "f", { f: "v" }), TypeError);
    const record = { f: "v" };
    assert.deepEqual(normalize("hset", "x:1", record, "g"), ["x:1", record, "g"]);
    assert.deepEqual(normalize("hsetnx", "x:1", record), ["x:1", record]);
    assert.deepEqual(normalize("set", record), [record]);
  });

  test("takes no field and no option for a value", () => {
    const moment = new Date(0);
    assert.deepEqual(normalize("hset", "a:1", "f", "v", moment, "w"), ["a:1", "f", "v", moment, "w"]);
    assert.deepEqual(normalize("set", "a:1", "v", moment), ["a:1", "v", moment]);
  });

  test("does not take bytes for a record", () => {
    assert.deepEqual(normalize("hset", "x:1", bytes), ["x:1", bytes]);
    assert.deepEqual(normalize("mset", new Uint8Array(BYTES)), [new Uint8Array(BYTES)]);
  });

  test("follows the rule of each key", () => {
    const value = new Uint8Array(BYTES);
    assert.deepEqual(normalize("mset", "a:1", value, "x:1", value), ["a:1", bytes, "x:1", value]);
  });

  test("takes a key that is a number for its text", () => {
    assert.deepEqual(normalize("set", 1, new Uint8Array(BYTES)), [1, new Uint8Array(BYTES)]);
  });

  test("leaves a command without values flat", () => {
    assert.deepEqual(normalize("mget", ["a:1", "x:1"]), ["a:1", "x:1"]);
  });

  test("leaves a command that lacks its key or its values", () => {
    assert.deepEqual(normalize("set"), []);
    assert.deepEqual(normalize("hset", "a:1"), ["a:1"]);
    assert.deepEqual(normalize("lrem", "c:1", 0), ["c:1", 0]);
    assert.deepEqual(normalize("lrem"), []);
  });

  test("takes the bytes of what is to be compared where its rule says so", () => {
    const value = new Uint8Array(BYTES);
    assert.deepEqual(normalize("lrem", "c:1", 0, value), ["c:1", 0, bytes]);
    assert.deepEqual(normalize("linsert", "c:1", "BEFORE", value, value), ["c:1", "BEFORE", bytes, bytes]);
    assert.deepEqual(normalize("set", "c:1", "v", "IFEQ", value), ["c:1", "v", "IFEQ", bytes]);
    assert.throws(() => normalize("lrem", "c:1", 0, { f: 1 }), TypeError);
    // The seam decides whether a rule holds such bytes raw; under no rule they are as ioredis takes them.
    assert.deepEqual(normalize("lrem", "a:1", 0, value), ["a:1", 0, bytes]);
    for (const key of ["x:1", "h:1"]) assert.deepEqual(normalize("lrem", key, 0, value), [key, 0, value]);
  });

  test("takes the bytes of messages by the rule of the channel", () => {
    const shared = createShared({ "x.": {} }, { channels: { "a.": {}, "raw.": "raw" } });
    const value = new Uint8Array(BYTES);
    assert.deepEqual(prepare(shared, "publish", "a.1", value).args, ["a.1", bytes]);
    assert.deepEqual(prepare(shared, "spublish", Buffer.from("a.1"), value).args, [Buffer.from("a.1"), bytes]);
    for (const channel of ["x.1", "raw.1"]) assert.deepEqual(prepare(shared, "publish", channel, value).args, [channel, value]);
  });
});

suite("prepareArguments() of a cluster's node with keyPrefix", () => {
  const prefixes = { "j:": { serializer: json(), frame: "never" }, "a:": {} } as const;
  const node = createSpace(prefixes, "app:", "node");

  test("takes keys with the prefix for the rules' keys", () => {
    for (const key of ["app:j:1", Buffer.from("app:j:1")]) {
      const { args, encoded } = prepareIn(node, "set", key, { user: "ada" });
      assert.equal(encoded, true);
      assert.equal(args[1]?.toString(), '{"user":"ada"}');
    }
    assert.throws(() => prepareIn(node, "set", "app:a:1", { user: "ada" }), TypeError);
    const typed = createSpace({ "m:": { serializer: msgpack() } }, "app:", "node");
    assert.throws(() => prepareIn(typed, "set", "app:m:1", undefined), { code: "CODEC_SERIALIZE", key: "m:1" });
  });

  test("leaves keys without the prefix, which are under no rule", () => {
    for (const key of ["j:1", "a:1"]) {
      const value = { user: "ada" };
      assert.deepEqual(prepareIn(node, "set", key, value), { args: [key, value], encoded: false });
    }
  });

  test("leaves the prefix of a client to ioredis, which is still to put it before keys", () => {
    const client = createSpace(prefixes, "app:");
    assert.equal(prepareIn(client, "set", "j:1", [1]).encoded, true);
    assert.equal(prepareIn(client, "set", "app:j:1", 1).encoded, false);
  });
});

suite("firstKey()", () => {
  for (const [name, args, key] of [
    ["set", ["a:1", "v"], "a:1"],
    ["set", [["a:1", "v"]], "a:1"],
    ["mset", [{ "a:1": 1, "a:2": 2 }], "a:1"],
    ["mset", [new Map([["a:1", 1]])], "a:1"],
    ["hset", ["a:1", { f: 1 }], "a:1"],
    ["msetex", [1, "a:1", "v"], "a:1"],
    ["himport", ["SET", "a:1", "s", "v"], "a:1"],
    ["set", [], undefined],
    ["mset", [{}], undefined],
  ] as const) {
    test(`is ${key} of ${name} with ${args.length} arguments`, () => {
      const row = findCommand(name, args.flat());
      assert.ok(row !== undefined);
      assert.equal(firstKey(row, args), key);
    });
  }
});

suite("prepareArguments() of what an own method has prepared", () => {
  test("leaves every value as it is, plain ones beside typed ones too", () => {
    const shared = createShared({ "a:": { compressor: stored() }, "m:": { compressor: stored(), serializer: msgpack() } });
    const { args } = prepare(shared, "mset", "a:1", "text", "m:1", { a: 1 });
    const again = prepare(shared, "mset", ...args).args;
    for (const [i, argument] of args.entries()) assert.equal(again[i], argument);
  });
});

suite("encodeOne()", () => {
  test("gives what Redis is to hold under a rule", () => {
    const shared = createShared({ "a:": { compressor: stored() }, "m:": { compressor: stored(), serializer: msgpack() } });
    assert.deepEqual(encodeOne(shared, "set", ruleOf(shared, "a:"), "a:1", "text"), Buffer.from("text"));
    assert.deepEqual(encodeOne(shared, "set", ruleOf(shared, "a:"), "a:1", null), Buffer.alloc(0));
    const held = encodeOne(shared, "set", ruleOf(shared, "a:"), "a:1", "once");
    assert.equal(encodeOne(shared, "set", ruleOf(shared, "a:"), "a:1", held), held);
    assert.deepEqual(encodeOne(shared, "set", ruleOf(shared, "a:"), "a:1", new Uint8Array(BYTES)), bytes);
    assert.equal(encodeOne(shared, "set", ruleOf(shared, "m:"), "m:1", 7).toString(), "7");
    assert.ok(encodeOne(shared, "set", ruleOf(shared, "m:"), "m:1", null) instanceof Buffer);
  });

  test("says which key and command had a value that has no form", () => {
    const shared = createShared({ "m:": { serializer: msgpack() } });
    const key = Buffer.from("m:1");
    assert.throws(() => encodeOne(shared, "set", ruleOf(shared, "m:"), key, undefined), {
      code: "CODEC_SERIALIZE",
      key,
      command: "set",
    });
    assert.throws(() => encodeOne(shared, "set", ruleOf(shared, "m:"), 7, undefined), { key: "7" });
    assert.deepEqual(shared.stats.of("m:").errors, { CODEC_SERIALIZE: 2 });
  });
});
