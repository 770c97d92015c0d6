import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { BULK_BYTES, commandSize, NO_ROOM, prependBulk, writeBulk, writeCommand } from "../../src/seam/resp.ts";
import { createCommand } from "../support/commands.ts";

suite("writeCommand()", () => {
  for (const [name, args, expected] of [
    ["ping", [], "*1\r\n$4\r\nping\r\n"],
    ["set", ["k", Buffer.from("v")], "*3\r\n$3\r\nset\r\n$1\r\nk\r\n$1\r\nv\r\n"],
    ["set", ["é", ""], "*3\r\n$3\r\nset\r\n$2\r\né\r\n$0\r\n\r\n"],
    ["echo", ["x".repeat(100)], `*2\r\n$4\r\necho\r\n$100\r\n${"x".repeat(100)}\r\n`],
  ] as const) {
    test(`writes ${JSON.stringify(expected.slice(0, 40))} and nothing around it`, () => {
      const command = createCommand(name, args);
      const target = Buffer.alloc(300, 0xee);
      const end = writeCommand(target, 7, command);
      assert.equal(target.toString("utf8", 7, end), expected);
      assert.equal(end - 7, commandSize(command));
      assert.ok(target.subarray(0, 7).every((byte) => byte === 0xee));
      assert.ok(target.subarray(end).every((byte) => byte === 0xee));
    });
  }
});

suite("prependBulk()", () => {
  for (const argument of [
    "",
    "key",
    "é",
    "\ud800",
    "x".repeat(48),
    "x".repeat(49),
    "ж".repeat(60),
    Buffer.alloc(0),
    Buffer.from("b"),
  ]) {
    const size = Buffer.byteLength(argument);
    test(`writes an argument of ${size} bytes as writeBulk() does, so that it ends where it is told`, () => {
      const expected = Buffer.alloc(200);
      const length = writeBulk(expected, 0, argument);
      const target = Buffer.alloc(300, 0xee);
      const at = prependBulk(target, 0, 250, argument);
      assert.equal(250 - at, length);
      assert.deepEqual(target.subarray(at, 250), expected.subarray(0, length));
      assert.ok(target.subarray(250).every((byte) => byte === 0xee));
      assert.ok(target.subarray(0, at).every((byte) => byte === 0xee));
    });

    test(`writes nothing of ${size} bytes before its room`, () => {
      const target = Buffer.alloc(300, 0xee);
      assert.equal(prependBulk(target, 100, 100 + BULK_BYTES + size - 1, argument), NO_ROOM);
      assert.ok(target.subarray(0, 100).every((byte) => byte === 0xee));
    });
  }

  test("writes nothing before its room of what is neither text nor a Buffer", () => {
    for (let room = 0; room < BULK_BYTES; room++) {
      const target = Buffer.alloc(300, 0xee);
      assert.equal(prependBulk(target, 100, 100 + room, 5 as never), NO_ROOM);
      assert.ok(target.subarray(0, 100).every((byte) => byte === 0xee));
    }
  });
});
