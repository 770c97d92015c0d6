import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame, stored } from "@tightwire/codec-core";
import fc from "fast-check";
import type { CommandArgument } from "../../src/seam/ioredis.ts";
import { isPlainCommand, toWritable } from "../../src/seam/wire.ts";
import { createClient } from "../support/client.ts";
import { createCommand, type StubCommand } from "../support/commands.ts";

const MIB = 1024 * 1024;
const LONG = "v".repeat(200);

/** What ioredis writes for a command. */
function original(command: StubCommand): Buffer {
  command.stringifyArguments();
  return Buffer.from(Object.getPrototypeOf(command).toWritable.call(command, {}));
}

function assertWrittenAlike(name: string, args: readonly CommandArgument[]): void {
  const command = createCommand(name, args);
  const expected = original(command);
  const written = toWritable.call(command);
  assert.ok(expected.equals(written), `${name} with ${args.length} arguments`);
}

const ARGUMENTS: Readonly<Record<string, readonly CommandArgument[]>> = {
  "no arguments": [],
  "strings alone": ["a", "b"],
  "Buffers alone": [Buffer.from("a"), Buffer.from([0, 255, 13, 10])],
  "empty values": ["", Buffer.alloc(0), ""],
  "text that is not ASCII": ["ключ", "é".repeat(48), "😀", Buffer.from("€"), "é".repeat(500)],
  "lone surrogates": ["\ud800", "a\udc00b", `${"x".repeat(60)}\ud83d`, "\udc00\ud800", Buffer.from("a")],
  "text around the length from which it is written at once": ["a".repeat(47), "a".repeat(48), "a".repeat(49), Buffer.alloc(1)],
  "sizes around powers of ten": [9, 10, 99, 100, 999, 1000, 9999, 10_000].map((size) => Buffer.alloc(size, size)),
  "many arguments": Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? `field:${i}` : Buffer.from(`value:${i}`))),
  "more than a mebibyte": ["k", Buffer.alloc(MIB + 1, "x"), "y".repeat(MIB + 1), "я".repeat(MIB)],
};

suite("toWritable()", () => {
  for (const [name, args] of Object.entries(ARGUMENTS)) {
    test(`writes ${name} as ioredis does`, () => assertWrittenAlike("hset", args));
  }

  test("writes a name that is not ASCII as ioredis does", () => assertWrittenAlike("имя", ["k", Buffer.from("v")]));

  test("writes every mix as ioredis does", () => {
    const argument = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: fc.constantFrom("\ud800", "\udc00", "a", "ß") }),
    );
    fc.assert(fc.property(fc.array(argument, { maxLength: 12 }), (args) => assertWrittenAlike("call", args)));
  });

  test("writes commands after one another without touching those before", () => {
    const commands = Array.from({ length: 2000 }, (_, i) => createCommand("set", [`k:${i}`, Buffer.alloc(i % 300, i)]));
    const written = commands.map((command) => toWritable.call(command));
    for (const [i, command] of commands.entries()) assert.ok(original(command).equals(written[i] as Buffer));
  });

  test("refuses an argument that is neither text nor a Buffer, as ioredis does", () => {
    const command = createCommand("set", ["k", Buffer.from("v")]);
    command.args.push(5 as never);
    assert.throws(() => Object.getPrototypeOf(command).toWritable.call(command, {}), TypeError);
    assert.throws(() => toWritable.call(command), TypeError);
  });
});

suite("the seam", () => {
  const client = createClient({ "a:": { compressor: stored() } });
  const bytesOf = (command: StubCommand) => Buffer.from(command.toWritable({}));

  test("has a command with frames written in one piece, the same at each sending", async () => {
    const command = createCommand("set", ["a:1", LONG, "EX", "60"]);
    await client.sendCommand(command as never);
    assert.ok(isFrame(command.args[1] as Buffer));
    const expected = original(command);
    for (let i = 0; i < 3; i++) assert.ok(expected.equals(bytesOf(command)));
  });

  test("writes commands with several frames", async () => {
    const command = createCommand("mset", ["a:1", LONG, "a:2", `${LONG}é`, "b:1", "raw", "a:3", "1"]);
    await client.sendCommand(command as never);
    assert.ok(original(command).equals(bytesOf(command)));
  });

  test("leaves to ioredis what has no Buffer in it", async () => {
    for (const args of [
      ["a:1", "12"],
      ["b:1", LONG],
    ]) {
      const command = createCommand("set", args);
      await client.sendCommand(command as never);
      assert.ok(!Object.hasOwn(command, "toWritable"));
      assert.equal(typeof command.toWritable({}), "string");
    }
  });

  test("leaves alone a command that is written in another way", () => {
    const plain = createCommand("set", ["a:1", LONG]);
    assert.ok(isPlainCommand(plain));
    const own = createCommand("set", ["a:1", LONG]);
    own.toWritable = () => "";
    assert.ok(!isPlainCommand(own));
    const script = Object.create(Object.getPrototypeOf(plain), { toWritable: { value: () => "" } });
    assert.ok(!isPlainCommand(Object.create(script)));
  });
});
