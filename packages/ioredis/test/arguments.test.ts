import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type CodecError, isFrame, json, stored } from "@tightwire/codec-core";
import { encodeArguments, encodeComparands } from "../src/arguments.ts";
import { findCommand } from "../src/commands.ts";
import { markHeld } from "../src/encode-value.ts";
import type { KeySpace } from "../src/keys.ts";
import { createCommand, type StubCommand } from "./support/commands.ts";
import { createSpace } from "./support/keys.ts";

const LONG = "v".repeat(100);
const SECRET = "secret".repeat(20);
const PREFIXES = {
  "a:": { compressor: stored() },
  "b:": { compressor: stored(), maxContentBytes: 50 },
  "h:": { compressor: stored(), types: ["hash"] },
  "raw:": "raw",
} as const;

function encode(space: KeySpace, command: StubCommand): boolean {
  const row = findCommand(command.name, command.args);
  assert.ok(row !== undefined);
  return encodeArguments(space, row, command);
}

function shapeOf(command: StubCommand): string[] {
  return command.args.map((argument) => (argument instanceof Buffer && isFrame(argument) ? "frame" : argument.toString()));
}

suite("encodeArguments()", () => {
  test("leaves a command without values, and keys without a rule", () => {
    const space = createSpace(PREFIXES);
    for (const [name, ...args] of [
      ["get", "a:1"],
      ["set", "x:1", LONG],
      ["set", "raw:1", LONG],
      ["set", "h:1", LONG],
      ["hset", "x:1", "f", LONG],
      ["set", "a:1"],
      ["set"],
      ["mset", "a:1"],
    ]) {
      const command = createCommand(name as string, args);
      assert.equal(encode(space, command), false);
      assert.deepEqual(command.args, args);
    }
  });

  test("encodes each value by the rule of its own key", () => {
    const space = createSpace(PREFIXES);
    const command = createCommand("mset", ["a:1", LONG, "x:1", LONG, "raw:1", LONG, "a:2", LONG]);
    assert.equal(encode(space, command), true);
    assert.deepEqual(shapeOf(command), ["a:1", "frame", "x:1", LONG, "raw:1", LONG, "a:2", "frame"]);
  });

  test("encodes hash values and leaves fields", () => {
    const command = createCommand("hset", ["h:1", LONG, LONG, Buffer.from(LONG), Buffer.from(LONG)]);
    assert.equal(encode(createSpace(PREFIXES), command), true);
    assert.deepEqual(shapeOf(command), ["h:1", LONG, "frame", LONG, "frame"]);
  });

  test("says that it replaced a value also where that stays raw, as a copy", () => {
    const value = Buffer.from("short");
    const command = createCommand("set", ["a:1", value]);
    assert.equal(encode(createSpace(PREFIXES), command), true);
    assert.deepEqual(command.args[1], value);
    assert.notEqual(command.args[1], value);
  });

  test("makes a command that ioredis sends as bytes once its arguments are looked at again", () => {
    const command = createCommand("set", ["a:1", LONG]);
    encode(createSpace(PREFIXES), command);
    command.stringifyArguments();
    const written = command.toWritable({});
    assert.ok(written instanceof Buffer && written.includes(command.args[1] as Buffer));
  });

  test("matches keys without the keyPrefix", () => {
    const space = createSpace(PREFIXES, "app:");
    const command = createCommand("mset", ["a:1", LONG, "b", LONG], { keyPrefix: "app:" });
    assert.equal(encode(space, command), true);
    assert.deepEqual(shapeOf(command), ["app:a:1", "frame", "app:b", LONG]);
  });

  test("counts under the prefix of each key", () => {
    const space = createSpace(PREFIXES);
    encode(space, createCommand("mset", ["a:1", LONG, "b:1", "short"]));
    assert.equal(space.shared.stats.of("a:").encoded, 1);
    assert.equal(space.shared.stats.of("b:").raw, 1);
  });

  test("counts a value that could not be written", () => {
    const space = createSpace(PREFIXES);
    assert.throws(() => encode(space, createCommand("mset", ["a:1", LONG, "b:1", LONG])), { code: "CODEC_SIZE_LIMIT" });
    assert.deepEqual(space.shared.stats.of("b:").errors, { CODEC_SIZE_LIMIT: 1 });
    assert.deepEqual(space.shared.stats.of("a:").errors, {});
  });

  const tooLarge: readonly (readonly [name: string, args: readonly unknown[], keyPrefix: string | undefined])[] = [
    ["set", ["b:1", LONG], undefined],
    ["SET", ["b:1", LONG], undefined],
    ["mset", ["a:1", LONG, "b:1", LONG], undefined],
    ["hset", ["b:1", "f", "1", "g", LONG], undefined],
    ["set", ["b:1", LONG], "app:"],
    ["set", [Buffer.from("b:1"), LONG], "app:"],
  ];
  for (const [name, args, keyPrefix] of tooLarge) {
    test(`says in which key of ${name} a value is too large${keyPrefix === undefined ? "" : ", without keyPrefix"}`, () => {
      const command = createCommand(name, args, keyPrefix === undefined ? {} : { keyPrefix });
      assert.throws(
        () => encode(createSpace(PREFIXES, keyPrefix), command),
        (error: CodecError) => {
          assert.equal(error.code, "CODEC_SIZE_LIMIT");
          assert.equal(error.key?.toString(), "b:1");
          assert.equal(error.command, name.toLowerCase());
          assert.equal(error.limit, 50);
          return !error.message.includes(LONG);
        },
      );
    });
  }
});

suite("encodeComparands()", () => {
  const COMPARING = {
    "a:": { compressor: stored(), comparands: "encode" },
    "refused:": { compressor: stored() },
    "h:": { compressor: stored(), types: ["hash"] },
    "j:": { compressor: stored(), comparands: "encode", serializer: json() },
    "raw:": "raw",
  } as const;

  function compare(command: StubCommand, { keyPrefix }: { keyPrefix?: string } = {}) {
    const row = findCommand(command.name, command.args);
    assert.ok(row !== undefined);
    return encodeComparands(createSpace(COMPARING, keyPrefix), row, command);
  }

  test("takes the held form of a value that the server is to compare, and of nothing else", () => {
    for (const [call, expected] of [
      [
        ["set", "a:1", LONG, "IFEQ", LONG],
        ["a:1", LONG, "IFEQ", "frame"],
      ],
      [
        ["delex", "a:1", "ifne", LONG],
        ["a:1", "ifne", "frame"],
      ],
      [
        ["lrem", "a:1", "0", LONG],
        ["a:1", "0", "frame"],
      ],
      [
        ["lpos", "a:1", LONG, "RANK", "1"],
        ["a:1", "frame", "RANK", "1"],
      ],
      [
        ["linsert", "a:1", "BEFORE", LONG, LONG],
        ["a:1", "BEFORE", "frame", LONG],
      ],
    ] as const) {
      const command = createCommand(call[0], call.slice(1));
      assert.equal(compare(command), true);
      assert.deepEqual(shapeOf(command), expected);
    }
  });

  test("is what is held for the value that is written", () => {
    const written = createCommand("set", ["a:1", LONG]);
    encode(createSpace(COMPARING), written);
    const compared = createCommand("set", ["a:1", "other", "IFEQ", LONG]);
    compare(compared);
    assert.deepEqual(compared.args[3], written.args[1]);
  });

  test("leaves what was encoded when the command was called", () => {
    const held = markHeld(LONG);
    const command = createCommand("lrem", ["a:1", "0", held]);
    assert.equal(compare(command), true);
    assert.equal(command.args[2], held);
  });

  test("leaves commands that compare nothing, and keys under no rule", () => {
    for (const [name, ...args] of [
      ["set", "a:1", LONG],
      ["set", "refused:1", LONG, "IFEQ"],
      ["set", "refused:1", LONG, "IFDEQ", "0123456789abcdef"],
      ["lrem", "refused:1", "0"],
      ["get", "refused:1"],
      ["lrem", "x:1", "0", LONG],
      ["lrem", "raw:1", "0", LONG],
      ["lrem", "h:1", "0", LONG],
    ] as const) {
      const command = createCommand(name, args);
      assert.equal(compare(command), false);
      assert.deepEqual(command.args, args);
    }
  });

  for (const [name, ...args] of [
    ["SET", "refused:1", LONG, "IFEQ", SECRET],
    ["delex", "refused:1", "IFEQ", SECRET],
    ["lrem", "refused:1", "0", SECRET],
    ["lpos", "refused:1", SECRET],
    ["linsert", "refused:1", "AFTER", SECRET, LONG],
  ] as const) {
    test(`refuses ${name} where its rule does not say that comparands are encoded`, () => {
      for (const keyPrefix of ["", "app:"]) {
        const command = createCommand(name, args, { keyPrefix });
        assert.throws(
          () => compare(command, { keyPrefix }),
          (error: CodecError) => {
            assert.equal(error.code, "CODEC_COMMAND_UNSAFE");
            assert.equal(error.command, name.toLowerCase());
            assert.equal(error.key, "refused:1");
            return !error.message.includes("secret") && /^[a-z]/.test(error.message);
          },
        );
      }
    });
  }

  test("leaves what its rule holds raw, which compares as it is", () => {
    for (const value of ["token", "", "42", Buffer.from("token"), "9".repeat(17)]) {
      const command = createCommand("lrem", ["refused:1", "0", value]);
      assert.equal(compare(command), false);
      assert.deepEqual(command.args[2], value);
    }
  });

  test("refuses what its rule holds raw or not, as compression has it", () => {
    const space = createSpace({ "a:": { compressor: stored(), frame: "when-smaller" } });
    const command = createCommand("lrem", ["a:1", "0", LONG]);
    const row = findCommand("lrem", command.args);
    assert.ok(row !== undefined);
    assert.throws(() => encodeComparands(space, row, command), { code: "CODEC_COMMAND_UNSAFE" });
  });

  test("says under which key a comparand has no held form", () => {
    const command = createCommand("lrem", ["j:1", "0", "x"]);
    command.args[2] = Symbol("no JSON") as never;
    assert.throws(() => compare(command), { code: "CODEC_SERIALIZE", key: "j:1", command: "lrem" });
  });
});
