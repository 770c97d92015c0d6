import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { noise } from "./support/contents.ts";
import { kernel } from "./support/kernel.ts";
import { digestOf } from "./support/oracles.ts";

function digest(bytes: Uint8Array): Buffer {
  const target = Buffer.alloc(12, 0xee);
  kernel.writeDigest(bytes, target, 2);
  assert.equal(target.toString("hex", 0, 2) + target.toString("hex", 10), "eeeeeeee");
  return target.subarray(2, 10);
}

suite("writeDigest()", () => {
  test("gives the published vectors", () => {
    assert.equal(digest(Buffer.from("abc")).toString("hex"), "50392f89945faf78");
    assert.equal(digest(Buffer.alloc(0)).toString("hex"), "c294d3380580062d");
  });

  test("agrees with xxHash for every length up to 2,048", () => {
    const bytes = noise(2048);
    for (let size = 0; size <= 2048; size++) {
      const input = bytes.subarray(2048 - size);
      assert.ok(digest(input).equals(digestOf(input)), `${size} bytes`);
    }
  });

  test("agrees with xxHash for long inputs around the ends of blocks and stripes", () => {
    const bytes = noise(1024 * 1024);
    for (const blocks of [3, 16, 64, 1023, 1024]) {
      for (const more of [-1024, -65, -64, -63, -1, 0]) {
        const input = bytes.subarray(0, blocks * 1024 + more);
        assert.ok(digest(input).equals(digestOf(input)), `${input.length} bytes`);
      }
    }
  });

  test("agrees with xxHash for bytes that are all alike", () => {
    for (const value of [0, 0x7f, 0x80, 0xff]) {
      for (const size of [1, 3, 4, 8, 9, 16, 17, 128, 129, 240, 241, 1024, 5000]) {
        const input = Buffer.alloc(size, value);
        assert.ok(digest(input).equals(digestOf(input)), `${size} × ${value}`);
      }
    }
  });

  test("agrees with xxHash for any bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => assert.ok(digest(bytes).equals(digestOf(bytes)))));
  });

  test("refuses a target without room and more bytes than the limit", () => {
    assert.throws(() => kernel.writeDigest(Buffer.alloc(1), Buffer.alloc(8), 1), RangeError);
    assert.throws(() => kernel.writeDigest(Buffer.alloc(1), Buffer.alloc(8), -1), RangeError);
    assert.throws(() => kernel.writeDigest(Buffer.alloc(1024 * 1024 + 1), Buffer.alloc(8), 0), RangeError);
  });
});

suite("matchesDigest()", () => {
  test("holds for the right eight bytes alone", () => {
    const bytes = Buffer.from("payload");
    const source = Buffer.concat([Buffer.alloc(3), digestOf(bytes)]);
    assert.ok(kernel.matchesDigest(bytes, source, 3));
    for (let index = 3; index < 11; index++) {
      const damaged = Buffer.from(source);
      damaged[index] = (damaged[index] as number) ^ 0x80;
      assert.equal(kernel.matchesDigest(bytes, damaged, 3), false);
    }
    assert.equal(kernel.matchesDigest(bytes, source.subarray(0, 10), 3), false);
  });
});
