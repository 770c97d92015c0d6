import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { FIRST_SCRIPT_KEY, resolveScripts } from "../src/scripts.ts";

const resolve = (options: unknown) => resolveScripts({ script: options }).get("script");

suite("resolveScripts()", () => {
  test("gives none where none is given", () => {
    assert.equal(resolveScripts(undefined).size, 0);
    assert.equal(resolveScripts({}).size, 0);
  });

  test("fills in the defaults", () => {
    assert.deepEqual(resolve({}), { argv: [], key: 0, row: undefined });
  });

  test("takes undefined for an option that is not given", () => {
    assert.deepEqual(resolve({ argv: undefined, key: undefined, reply: undefined }), resolve({}));
  });

  for (const reply of ["value", "values"] as const) {
    test(`decodes a reply that is ${reply} by the key that is named`, () => {
      assert.deepEqual(resolve({ reply })?.row, { home: "script", key: FIRST_SCRIPT_KEY, reply });
      assert.deepEqual(resolve({ reply, key: 2 })?.row, { home: "script", key: FIRST_SCRIPT_KEY + 2, reply });
    });
  }

  test("counts keys from the place where EVAL has them", () => {
    assert.equal(FIRST_SCRIPT_KEY, ["script", "numkeys", "key"].indexOf("key"));
  });

  test("keeps names as they are, and names of an object's own", () => {
    const scripts = resolveScripts(JSON.parse('{"__proto__":{},"constructor":{},"Save":{}}'));
    assert.deepEqual([...scripts.keys()], ["__proto__", "constructor", "Save"]);
  });

  test("keeps what it was given when the caller's object changes", () => {
    const argv = [0];
    const resolved = resolve({ argv });
    argv.push(1);
    assert.deepEqual(resolved?.argv, [0]);
    assert.ok(Object.isFrozen(resolved) && Object.isFrozen(resolved?.argv));
    assert.ok(Object.isFrozen(resolve({ reply: "value" })?.row));
  });

  test("refuses what is no object", () => {
    for (const scripts of [null, "save", 1, true, () => {}, [], new Map([["save", {}]])])
      assert.throws(() => resolveScripts(scripts), TypeError);
    for (const one of [null, undefined, "value", 1, true, () => {}]) assert.throws(() => resolve(one), TypeError);
  });

  test("refuses unknown options", () => {
    for (const name of ["args", "Argv", "keys", "sha", "toString"])
      assert.throws(() => resolve({ [name]: undefined }), TypeError);
  });

  test("refuses argv of another kind", () => {
    for (const argv of [null, 0, "0", { 0: 0 }, new Set([0])]) assert.throws(() => resolve({ argv }), TypeError);
  });

  test("refuses what is no index", () => {
    for (const index of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "0", null, 0n]) {
      assert.throws(() => resolve({ argv: [0, index] }), RangeError, String(index));
      assert.throws(() => resolve({ key: index }), RangeError, String(index));
    }
    assert.deepEqual(resolve({ argv: [7, 0], key: 3 })?.argv, [7, 0]);
  });

  test("refuses a reply that is none", () => {
    for (const reply of ["Value", "", "fields", null, true, 0]) assert.throws(() => resolve({ reply }), RangeError);
  });
});
