import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { suite, test } from "node:test";
import { PASSED_COMMANDS } from "../src/command-classes.ts";
import { COMMANDS } from "../src/commands.ts";

const passed = Object.values(PASSED_COMMANDS).flat();
const known = [...COMMANDS.keys(), ...passed];

/** The commands that a version of ioredis makes methods of. */
function listCommands(version: string): readonly string[] {
  const fromHere = createRequire(import.meta.url);
  const fromIoredis = createRequire(fromHere.resolve(version));
  return (fromIoredis("@ioredis/commands") as { list: string[] }).list;
}

suite("PASSED_COMMANDS", () => {
  test("name each command once, and none that has a row", () => {
    const seen = new Set<string>();
    const repeated = known.filter((name) => seen.size === seen.add(name).size);
    assert.deepEqual(repeated, []);
  });

  test("are names as findCommand() looks them up", () => {
    for (const name of passed) assert.match(name, /^[a-z][a-z_-]*$/);
  });

  for (const version of ["ioredis", "ioredis-5", "ioredis-5.4"]) {
    test(`are, with the rows, every command of ${version}`, () => {
      const list = listCommands(version);
      assert.ok(list.length > 200);
      assert.deepEqual(
        list.filter((name) => !known.includes(name)),
        [],
      );
    });
  }

  test("have a reason for each class", () => {
    assert.deepEqual(Object.keys(PASSED_COMMANDS).sort(), [
      "array",
      "member",
      "metadata",
      "none",
      "numeric",
      "opaque",
      "sameKey",
    ]);
    for (const names of Object.values(PASSED_COMMANDS)) assert.ok(names.length > 0);
  });

  for (const [name, type] of [
    ["incr", "numeric"],
    ["hincrbyfloat", "numeric"],
    ["sadd", "member"],
    ["zrange", "member"],
    ["hdel", "member"],
    ["eval", "opaque"],
    ["restore", "opaque"],
    ["arget", "array"],
    ["move", "sameKey"],
    ["object", "metadata"],
    ["del", "none"],
    ["hlen", "none"],
  ] as const) {
    test(`count ${name} among ${type}`, () => {
      assert.ok(PASSED_COMMANDS[type].includes(name));
    });
  }

  test("cannot be changed", () => {
    assert.ok(Object.isFrozen(PASSED_COMMANDS));
    for (const names of Object.values(PASSED_COMMANDS)) assert.ok(Object.isFrozen(names));
  });
});
