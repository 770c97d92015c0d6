import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createValueCodec, defineCompressor, isFrame, lz4, stored } from "@tightwire/codec-core";
import fc from "fast-check";
import type { CommandArgument } from "../../src/seam/ioredis.ts";
import { CommandTarget, isPlainCommand, toWritable } from "../../src/seam/wire.ts";
import { createClient } from "../support/client.ts";
import { createCommand, type StubCommand } from "../support/commands.ts";

const codec = createValueCodec({ compressor: stored() });
const MIB = 1024 * 1024;
const LONG = "v".repeat(200);

/** What ioredis writes for a command. */
function original(command: StubCommand): Buffer {
  command.stringifyArguments();
  return Buffer.from(Object.getPrototypeOf(command).toWritable.call(command, {}));
}

/** What the wrapper writes: bytes, as nobody has patched ioredis. */
function write(command: StubCommand): Buffer {
  return toWritable.call(command) as Buffer;
}

function assertWrittenAlike(name: string, args: readonly CommandArgument[]): void {
  const command = createCommand(name, args);
  const expected = original(command);
  const written = write(command);
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
    const written = commands.map((command) => write(command));
    for (const [i, command] of commands.entries()) assert.ok(original(command).equals(written[i] as Buffer));
  });

  test("refuses an argument that is neither text nor a Buffer, as ioredis does", () => {
    const command = createCommand("set", ["k", Buffer.from("v")]);
    command.args.push(5 as never);
    assert.throws(() => Object.getPrototypeOf(command).toWritable.call(command, {}), TypeError);
    assert.throws(() => write(command), TypeError);
  });

  test("refuses bytes that are no Buffer, of which ioredis would send the text behind another length", () => {
    for (const bytes of [new DataView(new ArrayBuffer(5)), new ArrayBuffer(5), new Uint8Array(5), new Float64Array(5)]) {
      const command = createCommand("set", ["k", Buffer.from("v")]);
      command.args.push(bytes as never);
      assert.throws(() => write(command), TypeError);
      const { command: laid, target } = lay(["k", LONG], 1);
      laid.args.push(bytes as never);
      assert.throws(() => target.complete(laid), TypeError);
      laid.args = [bytes as never, laid.args[1] as CommandArgument];
      assert.throws(() => write(laid), TypeError);
    }
  });
});

/** A command with its argument at `index` encoded in place. */
function lay(args: readonly CommandArgument[], index: number, by = codec, name = "set") {
  const command = createCommand(name, args);
  const target = new CommandTarget(command);
  const value = command.args[index] as CommandArgument;
  target.index = index;
  const frame = target.encode(by, value);
  command.args[index] = frame;
  return { command, target, frame };
}

suite("CommandTarget", () => {
  for (const [name, args, index] of [
    ["last of two arguments", ["a:1", LONG], 1],
    ["first argument", [LONG, "EX", "60", Buffer.from("x"), ""], 0],
    ["argument among others", [Buffer.from("a:1"), "field".repeat(20), LONG, "EX", "1000"], 2],
    ["text that is not ASCII", ["a:1", "€".repeat(200)], 1],
    ["a Buffer", ["a:1", Buffer.alloc(300, 7)], 1],
    ["an empty value", ["a:1", ""], 1],
    ["lone surrogates", ["a:1", `${LONG}\ud800`], 1],
    ["a value next to what a slab takes", ["a:1", Buffer.alloc(32 * 1024 - 64)], 1],
    ["a value over what a slab takes", ["a:1", Buffer.alloc(33 * 1024, "x")], 1],
  ] as const) {
    test(`writes the command around the frame: ${name}`, () => {
      const { command, target, frame } = lay(args, index);
      const content = args[index];
      assert.deepEqual(codec.decode(frame), typeof content === "string" ? Buffer.from(content) : content);
      const written = target.complete(command);
      assert.ok(written !== undefined && original(command).equals(written));
      assert.equal(frame.buffer, written.buffer);
    });
  }

  for (const size of [100, 5000, 40_000, 300_000, 2 * MIB]) {
    test(`writes a compressed frame of ${size} bytes of content, and holds on to little more`, () => {
      const { command, target, frame } = lay(["a:1", "x".repeat(size)], 1, createValueCodec({ compressor: lz4() }));
      assert.equal(codec.decode(frame).length, size);
      const written = target.complete(command) ?? write(command);
      assert.ok(original(command).equals(written));
      assert.ok(written.buffer.byteLength <= Math.max(64 * 1024, 2 * written.length));
    });
  }

  test("gives large frames memory of which they take at least half", () => {
    lay(["a:1", "x".repeat(500_000)], 1, createValueCodec({ compressor: lz4() }));
    for (const size of [40_000, 300_000, 500_000, 40_000]) {
      const { command, target, frame } = lay(["a:1", Buffer.alloc(size, 1)], 1);
      assert.ok(frame.buffer.byteLength <= 2 * frame.length);
      assert.ok(original(command).equals(target.complete(command) as Buffer));
    }
  });

  test("writes the command that it is asked to: a copy may have other arguments", () => {
    const { command, target, frame } = lay(["a:1", LONG], 1);
    const copy = createCommand("set", ["a:2", frame, "EX", "60"]);
    assert.ok(original(copy).equals(target.complete(copy) ?? write(copy)));
    assert.equal(target.complete(command), undefined);
  });

  test("writes the first time only: what was written may still be on its way", () => {
    const { command, target } = lay(["a:1", LONG], 1);
    const first = target.complete(command) as Buffer;
    assert.equal(target.complete(command), undefined);
    const second = write(command);
    assert.deepEqual(second, first);
    assert.notEqual(second.byteOffset, first.byteOffset);
  });

  test("writes no command that has got another value since", () => {
    const { command, target } = lay(["a:1", LONG], 1);
    command.args = ["a:1"];
    assert.equal(target.complete(command), undefined);
  });

  test("writes what has changed around the frame, where it fits", () => {
    const { command, target } = lay(["a:1", LONG, "EX"], 1);
    command.name = "x";
    command.args[0] = "b";
    command.args[2] = "PX";
    assert.ok(original(command).equals(target.complete(command) as Buffer));
  });

  const setKey = (command: StubCommand, key: string) => {
    command.args[0] = key;
  };
  const setName = (command: StubCommand, name: string) => {
    command.name = name;
  };
  for (const [name, change] of [
    ["the key", (command: StubCommand) => setKey(command, "b".repeat(500))],
    ["a key of other letters", (command: StubCommand) => setKey(command, "ж".repeat(40))],
    ["the name", (command: StubCommand) => setName(command, "n".repeat(200))],
    ["what follows", (command: StubCommand) => command.args.push("c".repeat(100))],
  ] as const) {
    test(`leaves to others a command of which ${name} has grown`, () => {
      const { command, target } = lay(["a:1", LONG], 1);
      const neighbour = lay(["a:2", LONG], 1);
      change(command);
      assert.equal(target.complete(command), undefined);
      assert.ok(original(command).equals(write(command)));
      assert.ok(original(neighbour.command).equals(neighbour.target.complete(neighbour.command) as Buffer));
    });
  }

  test("writes an argument that became text after the frame was laid down", () => {
    const { command, target } = lay(["a:1", LONG, 60 as never], 1);
    command.args[2] = "60";
    assert.ok(original(command).equals(target.complete(command) ?? write(command)));
  });

  test("gives compressors that are not ours memory of their own", () => {
    const rooms: Uint8Array[] = [];
    const own = defineCompressor({
      id: 200,
      name: "own",
      compressInto: (content: Uint8Array, target: Uint8Array) => {
        rooms.push(target);
        target.set(content.subarray(0, 10));
        return 10;
      },
      decompressInto: () => {},
    } as never);
    lay(["a:1", LONG], 1, createValueCodec({ compressor: own, minCompressBytes: 0 }));
    assert.equal(rooms.length, 1);
    assert.ok((rooms[0] as Uint8Array).buffer.byteLength < 1024);
  });

  for (const [name, value] of [
    ["text", LONG],
    ["text that is not ASCII", "€".repeat(200)],
    ["a Buffer", Buffer.alloc(300, 7)],
    ["what a slab has no place for", "x".repeat(40_000)],
  ] as const) {
    test(`lays down one frame, and makes the others elsewhere: ${name}`, () => {
      const { command, target } = lay(["h", "f1", LONG, "f2", value, "f3", value], 2, codec, "hset");
      for (const index of [4, 6]) {
        target.index = index;
        const frame = target.encode(codec, value);
        assert.deepEqual(codec.decode(frame), Buffer.from(value as string));
        command.args[index] = frame;
      }
      assert.ok(original(command).equals(target.complete(command) ?? write(command)));
      for (const index of [4, 6]) assert.deepEqual(codec.decode(command.args[index] as Buffer), Buffer.from(value as string));
    });
  }
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

  test("writes a copy of a command as what it is itself", async () => {
    const command = createCommand("set", ["a:1", LONG, "EX", "60"]);
    await client.sendCommand(command as never);
    const copy: StubCommand = Object.assign(Object.create(Object.getPrototypeOf(command)), command);
    copy.args = ["a:2", command.args[1] as CommandArgument];
    assert.ok(original(copy).equals(bytesOf(copy)));
    assert.ok(original(command).equals(bytesOf(command)));
  });

  test("writes commands with several frames", async () => {
    const command = createCommand("mset", ["a:1", LONG, "a:2", `${LONG}é`, "b:1", "raw", "a:3", "1"]);
    await client.sendCommand(command as never);
    assert.ok(original(command).equals(bytesOf(command)));
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

  test("leaves commands to somebody's patch of how all are written", async () => {
    const prototype = Object.getPrototypeOf(createCommand("get", ["a"])) as StubCommand;
    const { toWritable: writing } = prototype;
    const written: string[] = [];
    prototype.toWritable = function (this: StubCommand, socket) {
      written.push((this as { bufferMode?: boolean }).bufferMode === true ? `bytes of ${this.name}` : this.name);
      return writing.call(this, socket);
    };
    try {
      const command = createCommand("set", ["a:1", LONG]);
      await client.sendCommand(command as never);
      assert.deepEqual(bytesOf(command), original(command));
      assert.equal(Object.hasOwn(command, "toWritable"), false);
      assert.ok(isFrame(command.args[1] as Buffer));
      assert.deepEqual(written, ["bytes of set", "bytes of set"]);
    } finally {
      prototype.toWritable = writing;
    }
    assert.equal(isPlainCommand(createCommand("set", ["a:1", LONG])), true);
  });

  test("leaves them to a patch that was made between encoding and sending", async () => {
    const command = createCommand("set", ["a:1", LONG]);
    await client.sendCommand(command as never);
    const made = Object.create(command) as StubCommand;
    const prototype = Object.getPrototypeOf(command) as StubCommand;
    const { toWritable: writing } = prototype;
    let patched = 0;
    prototype.toWritable = function (this: StubCommand, socket) {
      patched++;
      return writing.call(this, socket);
    };
    try {
      for (const sent of [command, made]) assert.deepEqual(sent.toWritable({}), original(sent));
      assert.equal(patched, 4);
    } finally {
      prototype.toWritable = writing;
    }
    for (const sent of [command, made]) assert.ok(original(sent).equals(bytesOf(sent)));
    assert.equal(patched, 4);
  });
});
