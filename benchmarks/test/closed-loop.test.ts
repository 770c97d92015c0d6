import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type LoopWork, runClosedLoop } from "../src/driver/closed-loop.ts";

/** Work that answers after a while and remembers what was asked of it. */
function createWork(failing = -1): LoopWork & { sent: number[]; checked: unknown[]; most: number; pipelines: number[] } {
  let open = 0;
  const work = {
    sent: [] as number[],
    checked: [] as unknown[],
    pipelines: [] as number[],
    most: 0,
    async send(index: number) {
      work.sent.push(index);
      work.most = Math.max(work.most, ++open);
      await delay(1);
      open--;
      if (index === failing) throw new Error("refused");
      return index;
    },
    async sendMany(first: number, count: number) {
      work.pipelines.push(count);
      await delay(2);
      return Array.from({ length: count }, (_, i) => first + i);
    },
    checkReply: (reply: unknown) => void work.checked.push(reply),
  };
  return work;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const sorted = (values: readonly unknown[]): number[] => (values as number[]).toSorted((a, b) => a - b);

suite("runClosedLoop()", () => {
  test("makes each call once, keeps as many in flight as asked, and checks each reply", async () => {
    const work = createWork();
    const latencies = new Float64Array(50);
    await runClosedLoop(work, { operations: 50, inFlight: 8, style: "direct" }, latencies);
    assert.deepEqual(work.sent, numbers(50));
    assert.deepEqual(sorted(work.checked), numbers(50));
    assert.equal(work.most, 8);
    assert.ok(latencies.every((us) => us >= 500 && us < 1_000_000));
  });

  test("times nothing without a place for latencies", async () => {
    const work = createWork();
    await runClosedLoop(work, { operations: 3, inFlight: 8, style: "direct" });
    assert.deepEqual(sorted(work.checked), numbers(3));
    assert.equal(work.most, 3);
  });

  test("sends one pipeline after the other, and gives each command the latency of its pipeline", async () => {
    const work = createWork();
    const latencies = new Float64Array(20);
    await runClosedLoop(work, { operations: 20, inFlight: 8, style: "pipelined" }, latencies);
    assert.deepEqual(work.pipelines, [8, 8, 4]);
    assert.deepEqual(work.checked, numbers(20));
    assert.equal(new Set(latencies.subarray(0, 8)).size, 1);
    assert.ok(latencies.every((us) => us >= 1_000));
  });

  test("throws the first failure once nothing is in flight, and sends no more", async () => {
    for (const latencies of [undefined, new Float64Array(100)]) {
      const work = createWork(10);
      await assert.rejects(runClosedLoop(work, { operations: 100, inFlight: 4, style: "direct" }, latencies), /refused/);
      assert.ok(work.sent.length < 20);
      const sent = work.sent.length;
      await delay(10);
      assert.equal(work.sent.length, sent);
    }
  });

  test("throws what a check finds, and a pipeline with too few replies", async () => {
    const wrong = { ...createWork(), checkReply: () => assert.fail("wrong reply") };
    for (const style of ["direct", "pipelined"] as const) {
      await assert.rejects(runClosedLoop(wrong, { operations: 4, inFlight: 2, style }), /wrong reply/);
    }
    const short = { ...createWork(), sendMany: async () => [] };
    await assert.rejects(runClosedLoop(short, { operations: 4, inFlight: 2, style: "pipelined" }), /0 replies/);
  });
});
