import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { LoopWork } from "../src/driver/closed-loop.ts";
import { chooseOperations, measureTurn } from "../src/driver/turn.ts";
import { createThreadClock, readUsage, subtractUsage } from "../src/driver/usage.ts";

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function createWork(send: () => Promise<unknown>): LoopWork {
  const sendMany = async (_: number, count: number): Promise<unknown[]> => Promise.all(Array.from({ length: count }, send));
  return { send, sendMany, checkReply: () => {} };
}

suite("measureTurn()", () => {
  test("tells waiting from working", async () => {
    const size = { operations: 10, inFlight: 1, style: "direct" } as const;
    const waiting = await measureTurn(
      createWork(() => delay(10)),
      size,
    );
    const working = await measureTurn(
      createWork(async () => spin(10)),
      size,
    );
    assert.ok(waiting.opsPerSecond <= 101 && working.opsPerSecond <= 101);
    assert.ok(waiting.p50Us >= 9_000 && waiting.p99Us >= waiting.p50Us);
    assert.ok(waiting.mainThreadUs < 5_000);
    assert.ok(working.mainThreadUs <= 10_500 && working.mainThreadUs > waiting.mainThreadUs);
    assert.ok(working.cpuUs > waiting.cpuUs);
  });
});

suite("chooseOperations()", () => {
  test("fills a turn, by whole windows", async () => {
    const work = createWork(() => delay(5));
    const limits = { turnMs: 50, minWindows: 2, maxOperations: 1_000 };
    const operations = await chooseOperations(work, { inFlight: 4, style: "direct" }, limits);
    // Ten windows of 5 ms, fewer where timers come late.
    assert.ok(operations >= 8 && operations <= 48, String(operations));
    assert.equal(operations % 4, 0);
  });

  test("has no fewer than the least windows, and no more operations than the most", async () => {
    const load = { inFlight: 4, style: "pipelined" } as const;
    const slow = createWork(() => delay(20));
    assert.equal(await chooseOperations(slow, load, { turnMs: 1, minWindows: 2, maxOperations: 1_000 }), 8);
    const fast = createWork(async () => 1);
    assert.equal(await chooseOperations(fast, load, { turnMs: 1_000, minWindows: 2, maxOperations: 42 }), 40);
    assert.equal(await chooseOperations(fast, load, { turnMs: 0, minWindows: 3, maxOperations: 42 }), 12);
  });
});

suite("createThreadClock()", () => {
  test("counts what the main thread works, not what it waits", async () => {
    const clock = createThreadClock();
    const before = clock.readUs();
    await delay(100);
    const waited = clock.readUs() - before;
    assert.ok(waited < 60_000, `${waited} µs for waiting 100 ms`);
    const begin = clock.readUs();
    const wall = performance.now();
    spin(50);
    const worked = clock.readUs() - begin;
    // Never more than passed; less if something else had the processor.
    assert.ok(worked > 5_000 && worked <= (performance.now() - wall) * 1_000 + 500, `${worked} µs for working 50 ms`);
  });

  test("is part of what the process used", () => {
    const before = readUsage();
    spin(30);
    const { wallUs, cpuUs, mainThreadUs } = subtractUsage(readUsage(), before);
    assert.ok(wallUs >= 30_000);
    assert.ok(mainThreadUs > 0 && cpuUs > 0);
  });
});
