import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { runInNewContext } from "node:vm";
import * as bytes from "../src/bytes.ts";
import { assertCode } from "./support/frames.ts";

suite("assertBytes()", () => {
  test("accepts every Uint8Array, of other realms too", () => {
    const views = [new Uint8Array(), new Uint8Array(3), Buffer.from("a"), new Uint8Array(new SharedArrayBuffer(2))];
    for (const view of [...views, runInNewContext("new Uint8Array(2)")]) bytes.assertBytes("content", view);
  });

  test("throws TypeError for everything else", () => {
    for (const value of [
      "text",
      null,
      undefined,
      5,
      [1],
      new ArrayBuffer(2),
      new DataView(new ArrayBuffer(2)),
      new Uint16Array(2),
    ]) {
      assert.throws(() => bytes.assertBytes("content", value), TypeError);
    }
  });

  test("throws TypeError for a view whose buffer was transferred away", () => {
    const view = new Uint8Array(8);
    structuredClone(view.buffer, { transfer: [view.buffer] });
    assert.throws(() => bytes.assertBytes("content", view), TypeError);
  });

  test("throws TypeError for a view whose buffer shrank under it", () => {
    const buffer = new (ArrayBuffer as unknown as ResizableConstructor)(16, { maxByteLength: 16 });
    const view = new Uint8Array(buffer, 8, 8);
    buffer.resize(4);
    assert.throws(() => bytes.assertBytes("content", view), TypeError);
  });
});

type ResizableConstructor = new (
  size: number,
  options: { maxByteLength: number },
) => ArrayBuffer & { resize(size: number): void };

suite("viewOf()", () => {
  test("shares memory, offset by offset", () => {
    const whole = Buffer.from("0123456789");
    const view = bytes.viewOf(whole.subarray(2), 3, 4);
    assert.equal(Buffer.from(view).toString(), "5678");
    view[0] = 0x78;
    assert.equal(whole.toString(), "01234x6789");
  });
});

suite("copyOf()", () => {
  test("shares nothing", () => {
    const source = new Uint8Array([1, 2, 3]);
    const copy = bytes.copyOf(source);
    source[0] = 9;
    assert.deepEqual([...copy], [1, 2, 3]);
  });
});

suite("allocate()", () => {
  test("carves up to 4 KiB from slabs of 8 KiB, piece by piece", () => {
    const pieces = Array.from({ length: 5000 }, (_, index) => bytes.allocate(index % 4097));
    for (const [index, piece] of pieces.entries()) {
      assert.equal(piece.length, index % 4097);
      assert.equal(piece.buffer.byteLength, 8192);
      piece.fill(index);
    }
    for (const [index, piece] of pieces.entries()) assert.ok(piece.every((byte) => byte === (index & 0xff)));
  });

  test("gives more its own memory", () => {
    for (const size of [4097, 100_000]) assert.equal(bytes.allocate(size).buffer.byteLength, size);
  });

  test("case 97 (iTwin/imodel-native#391, napi-rs/napi-rs#1346): gives memory that no transfer can take from the other pieces", () => {
    const piece = bytes.allocate(10);
    try {
      structuredClone(piece.buffer, { transfer: [piece.buffer as ArrayBuffer] });
    } catch (error) {
      // Some releases of Node throw, others copy.
      assert.equal((error as Error).name, "DataCloneError");
    }
    assert.equal(piece.length, 10);
  });

  test("turns a failed allocation into CODEC_SIZE_LIMIT", () => {
    assertCode(() => bytes.allocate(2 ** 52), "CODEC_SIZE_LIMIT", { contentSize: 2 ** 52 });
  });
});

suite("allocateAlone()", () => {
  test("shares its buffer with nothing, however small", () => {
    for (const size of [1, 10, 5000]) assert.equal(bytes.allocateAlone(size).buffer.byteLength, size);
  });
});

suite("detachSmall()", () => {
  test("copies what holds on to more than 8 KiB beside itself", () => {
    const memory = Buffer.alloc(20_000, 7);
    const small = bytes.detachSmall(memory.subarray(5, 15));
    assert.equal(small.buffer.byteLength, 8192);
    assert.ok(small.equals(Buffer.alloc(10, 7)));
    const large = memory.subarray(0, 15_000);
    assert.equal(bytes.detachSmall(large), large);
  });
});

suite("isAllocationFailure()", () => {
  test("tells want of memory from bad input", () => {
    const failures = [
      new RangeError("Array buffer allocation failed"),
      Object.assign(new Error("init error"), { code: "Z_MEM_ERROR" }),
      Object.assign(new Error("Decompression failed"), { code: "ERR__ERROR_ALLOC_RING_BUFFER" }),
      new Error("Allocation error : not enough memory"),
    ];
    for (const failure of failures) assert.ok(bytes.isAllocationFailure(failure), failure.message);
    const others = [
      Object.assign(new RangeError("Cannot create a Buffer larger than 1 bytes"), { code: "ERR_BUFFER_TOO_LARGE" }),
      Object.assign(new Error("invalid block type"), { code: "Z_DATA_ERROR" }),
      new Error("Data corruption detected"),
      null,
      undefined,
    ];
    for (const other of others) assert.equal(bytes.isAllocationFailure(other), false);
  });
});

suite("isShared()", () => {
  test("is true of SharedArrayBuffers only", () => {
    assert.ok(bytes.isShared(new Uint8Array(new SharedArrayBuffer(4))));
    assert.equal(bytes.isShared(new Uint8Array(4)), false);
    assert.equal(bytes.isShared(Buffer.from("abc")), false);
  });
});

suite("overlaps()", () => {
  test("needs a common byte, not merely a common buffer", () => {
    const memory = new Uint8Array(20);
    const middle = memory.subarray(5, 10);
    assert.ok(bytes.overlaps(middle, memory));
    assert.ok(bytes.overlaps(middle, memory.subarray(9, 12)));
    assert.ok(bytes.overlaps(memory.subarray(0, 6), middle));
    assert.equal(bytes.overlaps(middle, memory.subarray(10, 12)), false);
    assert.equal(bytes.overlaps(memory.subarray(0, 5), middle), false);
    assert.equal(bytes.overlaps(middle, new Uint8Array(20)), false);
  });
});

suite("readUint32() and writeUint32()", () => {
  test("are little-endian and unsigned", () => {
    for (const value of [0, 1, 0x0102_0304, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]) {
      const memory = Buffer.alloc(6, 0xee);
      bytes.writeUint32(memory, 1, value);
      assert.equal(memory.readUInt32LE(1), value);
      assert.equal(bytes.readUint32(memory, 1), value);
      assert.deepEqual([memory[0], memory[5]], [0xee, 0xee]);
    }
  });
});

suite("takeScratch()", () => {
  test("lends the same memory again once it was given back", () => {
    const first = bytes.takeScratch(100);
    bytes.giveScratch(first);
    const second = bytes.takeScratch(200);
    assert.equal(second, first);
    bytes.giveScratch(second);
  });

  test("never lends memory that is in use", () => {
    const first = bytes.takeScratch(100);
    const second = bytes.takeScratch(100);
    assert.equal(bytes.overlaps(first, second), false);
    bytes.giveScratch(first);
    bytes.giveScratch(second);
  });

  test("keeps the larger of two, and nothing over 1 MiB", () => {
    const small = bytes.takeScratch(100);
    const large = bytes.takeScratch(500_000);
    assert.ok(large.length >= 500_000);
    bytes.giveScratch(large);
    bytes.giveScratch(small);
    const again = bytes.takeScratch(100);
    assert.equal(again, large);
    bytes.giveScratch(again);
    const huge = bytes.takeScratch(1024 * 1024 + 1);
    bytes.giveScratch(huge);
    const after = bytes.takeScratch(100);
    assert.notEqual(after, huge);
    bytes.giveScratch(after);
  });
});
