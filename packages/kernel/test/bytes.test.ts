import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { runInNewContext } from "node:vm";
import { isPlain, lengthOf, setBytes } from "../src/bytes.ts";

class Liar extends Uint8Array {
  override get length(): number {
    return 1000;
  }
  override set(): void {}
}

suite("lengthOf()", () => {
  test("is what there is, whatever the bytes say", () => {
    assert.equal(lengthOf(new Liar(7)), 7);
    assert.equal(lengthOf(Buffer.alloc(8).subarray(3)), 5);
    assert.equal(lengthOf(runInNewContext("new Uint8Array(9)")), 9);
    const bytes = new Uint8Array(10);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    assert.equal(lengthOf(bytes), 0);
  });
});

suite("setBytes()", () => {
  test("copies what there is", () => {
    const target = new Liar(5);
    setBytes(target, Buffer.from("abc"), 1);
    assert.equal(Buffer.from(target.buffer).toString("latin1"), "\0abc\0");
    assert.throws(() => setBytes(target, Buffer.from("abc"), 3), RangeError);
  });
});

suite("isPlain()", () => {
  test("holds for Buffers and Uint8Arrays alone", () => {
    for (const bytes of [
      Buffer.alloc(1),
      Buffer.allocUnsafeSlow(1),
      new Uint8Array(1),
      new Uint8Array(new SharedArrayBuffer(1)),
    ]) {
      assert.equal(isPlain(bytes), true);
    }
    for (const bytes of [
      new Liar(1),
      runInNewContext("new Uint8Array(1)"),
      Object.defineProperty(Buffer.alloc(1), "length", {}),
    ]) {
      assert.equal(isPlain(bytes), false);
    }
  });
});
