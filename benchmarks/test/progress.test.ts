import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createProgress, estimateLeft, formatDuration } from "../src/progress.ts";

suite("formatDuration()", () => {
  test("shows minutes and seconds, and hours where there are any", () => {
    assert.deepEqual([0, 65_400, 7_261_000].map(formatDuration), ["0:00", "1:05", "2:01:01"]);
  });
});

suite("estimateLeft()", () => {
  test("takes the suite's estimate at the beginning, and the pace so far afterwards", () => {
    assert.equal(estimateLeft(1_000, 0, 60_000), 59_000);
    assert.equal(estimateLeft(30_000, 0.25, 60_000), 90_000);
    assert.equal(estimateLeft(70_000, 0, 60_000), 0);
  });
});

suite("createProgress()", () => {
  const cases = [
    { name: "stub/a", estimateMs: 30_000 },
    { name: "stub/b", estimateMs: 30_000 },
  ];

  function follow(isTTY: boolean) {
    let [clock, written] = [0, ""];
    const output = { isTTY, columns: 60, write: (text: string) => (written += text) };
    const progress = createProgress({ output, title: "stub", cases, now: () => clock });
    return { progress, pass: (ms: number) => (clock += ms), read: () => written };
  }

  test("rewrites one line on a terminal, no wider than it, with the time left", () => {
    const { progress, pass, read } = follow(true);
    pass(10_000);
    progress.settle("stub/a", "");
    progress.end();
    const line = read().split("\r\u001b[K")[1] ?? "";
    assert.match(line, /^stub 1\/2 · 0:10, 0:10 left · stub\/a$/);
    assert.ok(line.length < 60 && !line.includes("\n"));
  });

  test("prints a line now and then elsewhere, and each failure at once", () => {
    const { progress, pass, read } = follow(false);
    progress.settle("stub/a", "failed: wrong digest");
    assert.equal(read(), "stub/a: failed: wrong digest\n");
    pass(20_000);
    progress.advance(0.5, "round 3 of 6");
    progress.end();
    assert.match(read(), /\nstub 1\/2 · 0:20, 0:20 left · round 3 of 6\nstub 1\/2 in 0:20\n$/);
  });
});
