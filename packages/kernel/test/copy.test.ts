import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { copyOut, createRegion } from "../src/copy.ts";
import { noise } from "./support/contents.ts";

suite("copyOut()", () => {
  test("copies every length, and nothing before or behind it", () => {
    const memory = noise(3000);
    const region = createRegion(memory, 100, 2000);
    for (let size = 0; size <= 1400; size++) {
      const target = new Uint8Array(size + 40).fill(0xee);
      copyOut(region, size, target, 20);
      const edge = Buffer.alloc(20, 0xee);
      assert.deepEqual(Buffer.from(target), Buffer.concat([edge, memory.subarray(100, 100 + size), edge]));
    }
    assert.ok(region.views.length <= 81);
  });

  test("copies lengths beyond those, that come once, often and by turns", () => {
    const memory = noise(9000);
    const region = createRegion(memory, 100, 8000);
    const random = Array.from({ length: 200 }, (_, index) => 1281 + ((index * 7919) % 6000));
    for (const size of [1300, 1300, 1364, 1300, 1300, 1364, 1364, 1364, 8000, 8000, 8000, ...random, ...random]) {
      const target = new Uint8Array(size + 40).fill(0xee);
      copyOut(region, size, target, 20);
      const edge = Buffer.alloc(20, 0xee);
      assert.ok(Buffer.from(target).equals(Buffer.concat([edge, memory.subarray(100, 100 + size), edge])), `${size} bytes`);
    }
    assert.equal(region.frequent.length, 64);
  });

  test("keeps a view of a length that comes again, and of none that comes once", () => {
    const region = createRegion(noise(9000), 0, 9000);
    const sizes = (): number[] => region.frequent.flatMap((view) => view?.length ?? []);
    for (let size = 2000; size < 6000; size++) copyOut(region, size, Buffer.alloc(size), 0);
    assert.deepEqual(sizes(), []);
    for (const size of [3000, 3000, 3001]) copyOut(region, size, Buffer.alloc(size), 0);
    assert.deepEqual(sizes(), [3000]);
    for (const size of [3064, 3064]) copyOut(region, size, Buffer.alloc(size), 0);
    assert.deepEqual(sizes(), [3064]);
  });

  test("refuses an offset that is a fraction, and copies nothing", () => {
    const region = createRegion(noise(3000), 0, 3000);
    for (const size of [1, 30, 2000]) {
      const target = Buffer.alloc(size + 2);
      assert.throws(() => copyOut(region, size, target, 0.5), RangeError);
      assert.ok(target.every((byte) => byte === 0));
    }
  });

  test("refuses a target without room", () => {
    const region = createRegion(noise(3000), 0, 3000);
    for (const size of [1, 30, 2000]) {
      for (const offset of [-1, 1, size, size + 1, Number.NaN]) {
        assert.throws(() => copyOut(region, size, Buffer.alloc(size), offset), RangeError);
      }
      copyOut(region, size, Buffer.alloc(size), 0);
    }
  });

  test("runs no code of the target's, and shows it no memory", () => {
    const region = createRegion(noise(3000), 0, 3000);
    for (const size of [10, 100, 1280, 1281, 3000]) {
      class Curious extends Uint8Array {
        override get length(): number {
          throw new Error("asked for its length");
        }
        override set(): void {
          throw new Error("shown the memory");
        }
        override fill(): this {
          throw new Error("shown the memory");
        }
      }
      const own = Object.defineProperty(new Uint8Array(size), "length", {
        get: () => {
          throw new Error("asked for its length");
        },
      });
      for (const target of [new Curious(size), own, new Curious(size)]) {
        copyOut(region, size, target, 0);
        assert.ok(Buffer.from(target.buffer).equals(region.bytes.subarray(0, size)));
        assert.throws(() => copyOut(region, size, target, 1), RangeError);
      }
    }
  });
});
