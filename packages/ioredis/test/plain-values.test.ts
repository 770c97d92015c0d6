import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { runInNewContext } from "node:vm";
import { stored } from "@tightwire/codec-core";
import { findCommand } from "../src/commands.ts";
import { needsNormalizing, normalizeArguments } from "../src/plain-values.ts";
import { createRuleSet } from "../src/rules.ts";

const rules = createRuleSet([
  ["a:", { compressor: stored() }],
  ["h:", { compressor: stored(), types: ["hash"] }],
  ["raw:", "raw"],
]);

function normalize(name: string, ...args: unknown[]): unknown[] {
  const row = findCommand(name);
  assert.ok(row !== undefined);
  return normalizeArguments(name, row, args, (key) => rules.match(key, 0));
}

const BYTES = [255, 1, 0];
const bytes = Buffer.from(BYTES);

suite("needsNormalizing()", () => {
  test("holds only where an argument is an object other than a Buffer", () => {
    for (const args of [[], ["a", 1, null, undefined, true, 1n], [Buffer.from("a")], [Symbol("s")]]) {
      assert.equal(needsNormalizing(args), false);
    }
    for (const one of [[], {}, new Map(), new Uint8Array(1), new ArrayBuffer(1), new Date(0)]) {
      assert.equal(needsNormalizing(["k", one]), true);
    }
  });
});

suite("normalizeArguments()", () => {
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
});
