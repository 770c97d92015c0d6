import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { orderOfRound, takeTurns } from "../src/interleave.ts";

suite("order of rounds", () => {
  test("has each turn once", () => {
    for (let round = 0; round < 20; round++) assert.deepEqual([...orderOfRound(5, round)].sort(), [0, 1, 2, 3, 4]);
  });

  test("puts each first and each last", () => {
    const orders = Array.from({ length: 10 }, (_, round) => orderOfRound(5, round));
    assert.equal(new Set(orders.map((order) => order[0])).size, 5);
    assert.equal(new Set(orders.map((order) => order.at(-1))).size, 5);
  });
});

suite("turns", () => {
  test("are taken by all in every round", async () => {
    const taken: string[] = [];
    const running = new Set(["a", "b", "c"]);
    const take = async (item: string, round: number): Promise<void> => void taken.push(`${item}${round}`);
    await takeTurns({ running, rounds: 2, signal: new AbortController().signal, take, fail: assert.ifError });
    assert.deepEqual(taken, ["a0", "b0", "c0", "c1", "b1", "a1"]);
  });

  test("are taken no more by one that failed, and it is told once", async () => {
    const failed: string[] = [];
    const taken: string[] = [];
    const take = async (item: string): Promise<void> => {
      if (item === "a") throw new Error("broken");
      taken.push(item);
    };
    const running = new Set(["a", "b"]);
    await takeTurns({ running, rounds: 3, signal: new AbortController().signal, take, fail: (item) => failed.push(item) });
    assert.deepEqual(failed, ["a"]);
    assert.deepEqual(taken, ["b", "b", "b"]);
    assert.deepEqual([...running], ["b"]);
  });

  test("end when they are stopped", async () => {
    const stop = new AbortController();
    const taken: string[] = [];
    const take = async (item: string): Promise<void> => {
      taken.push(item);
      stop.abort();
    };
    await takeTurns({ running: new Set(["a", "b"]), rounds: 3, signal: stop.signal, take, fail: assert.ifError });
    assert.deepEqual(taken, ["a"]);
  });
});
