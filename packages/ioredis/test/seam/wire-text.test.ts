import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { Command } from "ioredis";
import { Command as LastCommand5 } from "ioredis-5";
import { Command as OldCommand } from "ioredis-5.4";
import type { CommandLike } from "../../src/seam/ioredis.ts";
import { isWrittenByIoredis, writeAsText } from "../../src/seam/wire-text.ts";
import { createClient } from "../support/client.ts";
import { createCommand, type StubCommand } from "../support/commands.ts";

/** What ioredis writes for a command. */
function original(command: StubCommand): string | Buffer {
  return Object.getPrototypeOf(command).toWritable.call(command, {});
}

function createText(name: string, args: readonly unknown[]): StubCommand {
  const command = createCommand(name, args);
  assert.equal(isWrittenByIoredis(command), true);
  writeAsText(command);
  return command;
}

function assertWrittenAlike(name: string, args: readonly string[]): void {
  const command = createText(name, args);
  const written = command.toWritable({});
  assert.equal(typeof written, "string");
  assert.equal(written, original(command), `${name} with ${args.length} arguments`);
}

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  "no arguments": [],
  "empty arguments": ["", ""],
  "line ends": ["a\r\nb", "\r\n", "$3\r\nabc\r\n"],
  "text that is not ASCII": ["ключ", "é", "😀", "€".repeat(400)],
  "lone surrogates": ["\ud800", "a\udc00b", `x\ud83d`, "\udc00\ud800", "\ud83d", "\ude00"],
  "sizes around the longest known one": [1023, 1024, 1025].flatMap((size) => ["x".repeat(size), "é".repeat(size / 2)]),
  "sizes around powers of ten": [9, 10, 99, 100, 999, 1000, 9999, 10_000].map((size) => "x".repeat(size)),
  "many arguments": Array.from({ length: 20_000 }, (_, i) => `argument:${i}`),
  "a mebibyte": ["k", "y".repeat(1024 * 1024), "я".repeat(1024 * 1024)],
};

suite("commands of text", () => {
  for (const [title, args] of Object.entries(ARGUMENTS)) {
    test(`are written as by ioredis: ${title}`, () => assertWrittenAlike("set", args));
  }

  test("are written as by ioredis, whatever they are called", () => {
    for (const name of ["get", "SET", "bitfield_ro", "client", "x".repeat(300), "имя", "", "\ud800"]) {
      for (const count of [0, 1, 9, 10]) assertWrittenAlike(name, Array.from({ length: count }, String));
    }
  });

  test("are written as by ioredis when many names have one place in the table", () => {
    // Turn about, so that each is driven out and comes again.
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 300; i++) assertWrittenAlike(`name${i}`, ["a", "b"].slice(0, i % 3));
    }
  });

  test("are written as by ioredis: anything", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme-ascii", maxLength: 2000 }));
    fc.assert(fc.property(text, fc.array(text, { maxLength: 6 }), assertWrittenAlike), { numRuns: 300 });
  });

  test("are written as what they are at each sending", () => {
    const command = createText("set", ["a", "1"]);
    assert.equal(command.toWritable({}), "*3\r\n$3\r\nset\r\n$1\r\na\r\n$1\r\n1\r\n");
    command.name = "type";
    command.args = ["ab"];
    assert.equal(command.toWritable({}), "*2\r\n$4\r\ntype\r\n$2\r\nab\r\n");
    assert.equal(command.toWritable({}), original(command));
  });

  test("are left to ioredis once there are Buffers among their arguments", () => {
    const command = createText("set", ["a", "1"]);
    command.args[1] = Buffer.from([255, 0]);
    command.stringifyArguments();
    assert.deepEqual(command.toWritable({}), Buffer.from("*3\r\n$3\r\nset\r\n$1\r\na\r\n$2\r\n\xff\0\r\n", "latin1"));
    assert.deepEqual(command.toWritable({}), original(command));
  });

  test("are left to whoever patches ioredis' own before they are sent", () => {
    const command = createText("set", ["a", "1"]);
    const prototype = Object.getPrototypeOf(command) as StubCommand;
    const { toWritable: writing } = prototype;
    prototype.toWritable = function (this: StubCommand, socket) {
      return `patched ${writing.call(this, socket)}`;
    };
    try {
      assert.equal(command.toWritable({}), "patched *3\r\n$3\r\nset\r\n$1\r\na\r\n$1\r\n1\r\n");
    } finally {
      prototype.toWritable = writing;
    }
    assert.equal(command.toWritable({}), "*3\r\n$3\r\nset\r\n$1\r\na\r\n$1\r\n1\r\n");
  });

  test("are written as what they are if they have one of them as their prototype", () => {
    const made = Object.create(Object.create(createText("set", ["a", "1"]))) as StubCommand;
    made.args = ["b", "2"];
    assert.equal(made.toWritable({}), "*3\r\n$3\r\nset\r\n$1\r\nb\r\n$1\r\n2\r\n");
    made.args = ["b", Buffer.from([255])];
    made.stringifyArguments();
    assert.deepEqual(made.toWritable({}), Buffer.from("*3\r\n$3\r\nset\r\n$1\r\nb\r\n$1\r\n\xff\r\n", "latin1"));
  });

  test("are written without ioredis' prototype, too", () => {
    const command = createText("set", ["a", "1"]);
    const copy = Object.assign({} as StubCommand, command);
    assert.equal(copy.toWritable({}), original(command));
  });

  test("fail as in ioredis if somebody has put something else there", () => {
    for (const odd of [5, undefined, null, new Uint8Array(2)]) {
      const command = createText("set", ["a", "1"]);
      command.args[1] = odd as never;
      const expected = outcomeOf(() => original(command));
      assert.deepEqual(
        outcomeOf(() => command.toWritable({})),
        expected,
      );
    }
    const command = createText("set", ["a"]);
    command.name = 5 as never;
    assert.throws(() => command.toWritable({}), { name: "TypeError", code: "ERR_INVALID_ARG_TYPE" });
  });

  function outcomeOf(write: () => string | Buffer): unknown {
    try {
      return write();
    } catch (error) {
      return String(error);
    }
  }
});

suite("isWrittenByIoredis()", () => {
  test("knows every release of ioredis", () => {
    for (const Release of [Command, LastCommand5, OldCommand]) {
      const made = new Release("get", ["a"], {}, () => {});
      assert.equal(isWrittenByIoredis(made as unknown as CommandLike), true);
    }
  });

  test("takes nothing else for it", () => {
    const command = createCommand("get", ["a"]);
    const { toWritable } = command;
    for (const other of [() => "", toWritable.bind(command), undefined]) {
      assert.equal(isWrittenByIoredis({ toWritable: other } as unknown as CommandLike), false);
    }
    writeAsText(command);
    assert.equal(isWrittenByIoredis(command), false);
  });
});

suite("the seam", () => {
  const client = createClient({ "a:": {} });

  test("has commands under no rule written as text, in all call styles", async () => {
    const sent = createCommand("get", ["b:1"]);
    await client.sendCommand(sent as never);
    const queued = client.pipeline().get("b:1").incr("b:2") as unknown as { readonly _queue: StubCommand[] };
    for (const command of [sent, ...queued._queue]) {
      assert.ok(Object.hasOwn(command, "toWritable"), command.name);
      assert.equal(command.toWritable({}), original(command));
    }
  });

  test("has commands under a rule written so, too, where they hold no frame", async () => {
    for (const command of [
      createCommand("get", ["a:1"]),
      createCommand("set", ["a:1", "12"]),
      createCommand("append", ["a:1", "1"]),
    ]) {
      await client.sendCommand(command as never).catch(() => {});
      assert.ok(Object.hasOwn(command, "toWritable"), command.name);
      assert.equal(command.toWritable({}), original(command));
    }
  });

  test("leaves commands to somebody's patch of how all are written", async () => {
    const prototype = Object.getPrototypeOf(createCommand("get", ["a"])) as StubCommand;
    const { toWritable: writing } = prototype;
    prototype.toWritable = function (this: StubCommand, socket) {
      return writing.call(this, socket);
    };
    try {
      const command = createCommand("get", ["b:1"]);
      await client.sendCommand(command as never);
      assert.equal(Object.hasOwn(command, "toWritable"), false);
    } finally {
      prototype.toWritable = writing;
    }
  });
});
