import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createMeter, type Measurement, measureCall, roundsOf } from "../src/measure.ts";

const QUICK = { effort: "quick" } as const;
const WORD = 8;

async function medianOf(call: () => unknown, metric: keyof Measurement): Promise<number> {
  return (await measureCall(call, QUICK))[metric].median;
}

/** Keeps the processor busy for so many milliseconds. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

suite("memory of a call", () => {
  test("is nothing for a call that takes none", async () => {
    const target = new Uint8Array(64);
    const { heapBytes, externalBytes } = await measureCall(() => target.fill(1).length, QUICK);
    assert.ok(heapBytes.median < 1, `${heapBytes.median} B`);
    assert.equal(externalBytes.median, 0);
  });

  for (const fields of [1, 2, 3]) {
    test(`is that of an object with ${fields} fields`, async () => {
      const names = ["a", "b", "c"].slice(0, fields).join(",");
      const create = new Function("a", "b", "c", `return { ${names} };`) as (a: number, b: number, c: number) => object;
      // A map, its properties and its elements, then the fields.
      assert.equal(await medianOf(() => create(1, 2, 3), "heapBytes"), (3 + fields) * WORD);
    });
  }

  test("is that of an array of 16 KiB, though the collector runs", async () => {
    const bytes = await medianOf(() => new Array(2_048).fill(0), "heapBytes");
    assert.ok(bytes >= 16_384 && bytes < 17_500, `${bytes} B`);
  });

  test("is that of more than a collection leaves room for", async () => {
    const bytes = await medianOf(() => Array.from({ length: 40 }, () => new Array(65_536).fill(0)), "heapBytes");
    const expected = 40 * 65_536 * WORD;
    assert.ok(bytes >= expected && bytes < expected * 1.05, `${bytes} B`);
  });

  test("is told apart from that of buffers", async () => {
    const { heapBytes, externalBytes } = await measureCall(() => Buffer.allocUnsafeSlow(16_384), QUICK);
    assert.equal(externalBytes.median, 16_384);
    assert.ok(heapBytes.median > 0 && heapBytes.median < 400, `${heapBytes.median} B`);
  });

  test("is nothing of buffers for a view", async () => {
    const memory = new Uint8Array(1_024).buffer;
    const { heapBytes, externalBytes } = await measureCall(() => new Uint8Array(memory, 1, 10), QUICK);
    assert.equal(externalBytes.median, 0);
    assert.ok(heapBytes.median > 0 && heapBytes.median < 200, `${heapBytes.median} B`);
  });
});

suite("time of a call", () => {
  test("is how long it takes", async () => {
    const { ns } = await measureCall(() => spin(1), QUICK);
    // A busy machine makes it longer, never shorter.
    assert.ok(Math.min(...ns.samples) >= 1_000_000 && Math.min(...ns.samples) < 20_000_000, `${ns.samples} ns`);
  });

  test("has a sample of every round, and none of a call's speed is lost in the loop", async () => {
    const target = Buffer.alloc(64);
    const { ns } = await measureCall(() => target.fill(1).length, QUICK);
    assert.equal(ns.samples.length, roundsOf(QUICK));
    assert.ok(ns.median > 0 && Math.min(...ns.samples) < 10_000, `${ns.samples} ns`);
  });

  test("cannot be summed up before a round", () => {
    const meter = createMeter(() => 1, QUICK);
    assert.throws(() => meter.finish(), RangeError);
  });

  test("is none for a call that throws: the error is the caller's", async () => {
    const error = new Error("does not work");
    const fail = (): never => {
      throw error;
    };
    await assert.rejects(measureCall(fail, QUICK), error);
  });
});
