import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { createDelayQueue, type DelayQueue } from "../src/link/delay-queue.ts";
import { createLinkClock } from "../src/link/link-clock.ts";

const MEGABIT = 1_000_000;
const NS_PER_MS = 1_000_000;

/** Takes everything, moving the time on to when something is due. */
function drain(queue: DelayQueue): { bytes: Buffer; lastNs: number } {
  const pieces: Buffer[] = [];
  let lastNs = 0;
  while (queue.nextDueNs !== Number.POSITIVE_INFINITY) {
    lastNs = queue.nextDueNs;
    assert.equal(queue.takeDue(lastNs - 1), undefined);
    const piece = queue.takeDue(lastNs);
    assert.ok(piece !== undefined && piece.length > 0);
    pieces.push(piece);
  }
  return { bytes: Buffer.concat(pieces), lastNs };
}

suite("createLinkClock()", () => {
  test("has a price for each byte, also a fraction of a nanosecond", () => {
    assert.equal(createLinkClock({ bitsPerSecond: 100 * MEGABIT, roundTripMs: 2 }).nsPerByte, 80);
    assert.equal(createLinkClock({ bitsPerSecond: 10_000 * MEGABIT, roundTripMs: 0.2 }).nsPerByte, 0.8);
    assert.equal(createLinkClock({ bitsPerSecond: 10_000 * MEGABIT, roundTripMs: 0.2 }).delayNs, 100_000);
    assert.equal(createLinkClock({ bitsPerSecond: Number.POSITIVE_INFINITY, roundTripMs: 0 }).nsPerByte, 0);
  });

  test("lets no byte leave before the one ahead of it has left", () => {
    const clock = createLinkClock({ bitsPerSecond: 8 * MEGABIT, roundTripMs: 0 });
    const first = clock.reserve(1_000, 1e9);
    const second = clock.reserve(500, 1e9);
    assert.ok(first + 1_000 * 1_000 >= 1e9);
    assert.ok(second >= 1e9 && second - first >= 0);
    // 1,500 bytes at a microsecond each, but for the bucket of 100 µs.
    assert.ok(Math.abs(clock.reserve(1, 1e9) - (1e9 + 1_400_000)) < 2_000);
  });
});

suite("createDelayQueue()", () => {
  test("gives all bytes in order, after the delay and the time of each on the link", () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(0, 0.2, 2), (parts, megabits, roundTripMs) => {
        const clock = createLinkClock({ bitsPerSecond: megabits * MEGABIT, roundTripMs });
        const queue = createDelayQueue(clock);
        const beginNs = 5e9;
        for (const part of parts) queue.push(Buffer.from(part), beginNs);
        const all = Buffer.concat(parts);
        assert.equal(queue.queuedBytes, all.length);
        const { bytes, lastNs } = drain(queue);
        assert.deepEqual(bytes, all);
        assert.equal(queue.queuedBytes, 0);
        const idealNs = beginNs + all.length * clock.nsPerByte + clock.delayNs;
        assert.ok(lastNs <= idealNs + 1 && lastNs >= idealNs - 100_001, `${lastNs - idealNs} ns`);
        assert.ok(lastNs >= beginNs + clock.delayNs - 1);
      }),
    );
  });

  test("gives a large chunk piece by piece", () => {
    const clock = createLinkClock({ bitsPerSecond: 100 * MEGABIT, roundTripMs: 2 });
    const queue = createDelayQueue(clock);
    queue.push(Buffer.alloc(65_536), 1e9);
    // Half of its 5.2 ms, and the delay of 1 ms.
    const half = queue.takeDue(1e9 + 3.6 * NS_PER_MS);
    assert.ok(half !== undefined && half.length > 28_000 && half.length < 37_000, String(half?.length));
    assert.equal(queue.queuedBytes, 65_536 - half.length);
  });

  test("gives everything at once on a link without limits", () => {
    const queue = createDelayQueue(createLinkClock({ bitsPerSecond: Number.POSITIVE_INFINITY, roundTripMs: 0 }));
    const a = Buffer.from("first ");
    const b = Buffer.from("second");
    queue.push(a, 1e9);
    queue.push(b, 1e9);
    assert.equal(queue.takeDue(1e9)?.toString(), "first second");
    assert.equal(queue.takeDue(2e9), undefined);
  });
});
