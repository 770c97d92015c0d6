import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { currentSlab, MAX_CARVED_BYTES, release, reserve, Scratch } from "../../src/seam/wire-memory.ts";

/** What has been carved, with the memory that it is in. */
function carve(size: number): Buffer {
  const start = reserve(size);
  return currentSlab().bytes.subarray(start, start + size);
}

suite("reserve()", () => {
  test("never carves the same bytes twice", () => {
    const carved = Array.from({ length: 500 }, (_, i) => carve((i * 37) % 1000).fill(i));
    for (const [i, bytes] of carved.entries()) assert.ok(bytes.every((byte) => byte === i % 256));
  });

  test("has room for the most that is carved, wherever the slab stands", () => {
    for (let i = 0; i < 10; i++) {
      assert.equal(carve(1000 * i).length, 1000 * i);
      assert.equal(carve(MAX_CARVED_BYTES).length, MAX_CARVED_BYTES);
    }
  });

  test("carves from memory that no other thread can take away", () => {
    const { buffer } = carve(10);
    const { port1 } = new MessageChannel();
    try {
      // Node 20 takes no notice of the transfer, later ones throw.
      port1.postMessage("", [buffer as ArrayBuffer]);
    } catch {}
    port1.close();
    assert.notEqual(buffer.byteLength, 0);
  });
});

suite("release()", () => {
  test("gives back what was reserved last", () => {
    reserve(MAX_CARVED_BYTES);
    const start = reserve(1000);
    release(currentSlab(), start + 1000, start + 10);
    assert.ok(reserve(8) - start < 24);
  });

  test("gives back nothing after which more was reserved", () => {
    reserve(MAX_CARVED_BYTES);
    const start = reserve(1000);
    const next = reserve(8);
    release(currentSlab(), start + 1000, start + 10);
    assert.ok(reserve(8) >= next + 8);
  });

  test("gives back nothing of another slab", () => {
    const old = currentSlab();
    const start = reserve(8);
    while (currentSlab() === old) reserve(MAX_CARVED_BYTES);
    const next = reserve(8);
    release(old, start + 8, start);
    assert.ok(reserve(8) >= next + 8);
  });
});

suite("Scratch", () => {
  test("lends the same memory again once it was given back", () => {
    const scratch = new Scratch();
    const taken = scratch.take(100);
    scratch.give(taken);
    assert.equal(scratch.take(200), taken);
  });

  test("lends nobody what another one holds", () => {
    const scratch = new Scratch();
    assert.notEqual(scratch.take(100), scratch.take(100));
  });

  test("lends larger memory where more is needed, and keeps none over a mebibyte", () => {
    const scratch = new Scratch();
    scratch.give(scratch.take(100));
    const large = scratch.take(2 * 1024 * 1024);
    assert.equal(large.bytes.length, 2 * 1024 * 1024);
    scratch.give(large);
    assert.notEqual(scratch.take(100), large);
  });
});
