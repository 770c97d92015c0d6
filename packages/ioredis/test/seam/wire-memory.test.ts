import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { currentSlab, MAX_CARVED_BYTES, reserve } from "../../src/seam/wire-memory.ts";

/** What has been carved, with the memory that it is in. */
function carve(size: number): Buffer {
  const start = reserve(size);
  return currentSlab().subarray(start, start + size);
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
