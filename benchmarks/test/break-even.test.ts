import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { breakEvenBitsPerSecond, transferNs } from "../src/link/break-even.ts";

suite("breakEvenBitsPerSecond()", () => {
  test("is the saved bits by the codec's time", () => {
    // 1,000 bytes saved in 8 µs: 8,000 bits in 8 µs.
    const cost = { rawBytes: 1_500, heldBytes: 500, encodeNs: 5_000, decodeNs: 3_000 };
    assert.equal(breakEvenBitsPerSecond(cost), 1_000_000_000);
  });

  test("is 0 where nothing is saved", () => {
    const cost = { rawBytes: 100, heldBytes: 118, encodeNs: 500, decodeNs: 500 };
    assert.equal(breakEvenBitsPerSecond(cost), 0);
    assert.equal(breakEvenBitsPerSecond({ ...cost, heldBytes: 100 }), 0);
  });

  test("is the speed at which the codec and the plain bytes take equally long", () => {
    const size = fc.integer({ min: 2, max: 10_000_000 });
    const time = fc.double({ min: 1, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(size, size, time, time, (a, b, encodeNs, decodeNs) => {
        fc.pre(a !== b);
        const cost = { rawBytes: Math.max(a, b), heldBytes: Math.min(a, b), encodeNs, decodeNs };
        const speed = breakEvenBitsPerSecond(cost);
        const plain = (bitsPerSecond: number): number => (cost.rawBytes * 8e9) / bitsPerSecond;
        assert.ok(Math.abs(transferNs(cost, speed) / plain(speed) - 1) < 1e-9);
        assert.ok(transferNs(cost, speed / 2) < plain(speed / 2));
        assert.ok(transferNs(cost, speed * 2) > plain(speed * 2));
      }),
    );
  });

  test("refuses times and sizes that cannot be", () => {
    const cost = { rawBytes: 100, heldBytes: 50, encodeNs: 1, decodeNs: 1 };
    for (const wrong of [
      { encodeNs: 0 },
      { decodeNs: -1 },
      { encodeNs: Number.NaN },
      { decodeNs: Infinity },
      { heldBytes: -1 },
    ]) {
      assert.throws(() => breakEvenBitsPerSecond({ ...cost, ...wrong }), RangeError);
    }
  });
});
