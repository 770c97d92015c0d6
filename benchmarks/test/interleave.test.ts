import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isInterrupted, orderOfRound, runRounds, takeTurns } from "../src/interleave.ts";

suite("orderOfRound()", () => {
  test("gives every arm each place, and each other arm as the one before it, equally often", () => {
    for (const count of [2, 3, 5, 10, 12]) {
      const rounds = count % 2 === 0 ? count : 2 * count;
      const pairs = new Map<string, number>();
      const places = new Map<string, number>();
      for (let round = 0; round < rounds; round++) {
        const order = orderOfRound(round, count);
        assert.equal(new Set(order).size, count);
        for (const [place, arm] of order.entries()) {
          places.set(`${arm}@${place}`, (places.get(`${arm}@${place}`) ?? 0) + 1);
          if (place > 0) pairs.set(`${order[place - 1]}>${arm}`, (pairs.get(`${order[place - 1]}>${arm}`) ?? 0) + 1);
        }
      }
      assert.equal(pairs.size, count * (count - 1));
      assert.deepEqual(new Set(pairs.values()), new Set([rounds / count]));
      assert.equal(places.size, count * count);
      assert.deepEqual(new Set(places.values()), new Set([rounds / count]));
    }
  });
});

suite("isInterrupted()", () => {
  test("lets what waits for the event loop happen first", async () => {
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    assert.equal(await isInterrupted(stop.signal), true);
    assert.equal(await isInterrupted(undefined), false);
  });
});

suite("takeTurns()", () => {
  test("lets a signal in before each turn", async () => {
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    let turns = 0;
    const take = async (): Promise<void> => void turns++;
    await takeTurns({ running: new Set(["a"]), rounds: 1_000, signal: stop.signal, take, fail: assert.ifError });
    assert.ok(turns <= 1, String(turns));
  });

  test("are taken by all in every round", async () => {
    const taken: string[] = [];
    const running = new Set(["a", "b", "c"]);
    const take = async (item: string, round: number): Promise<void> => void taken.push(`${item}${round}`);
    await takeTurns({ running, rounds: 2, signal: new AbortController().signal, take, fail: assert.ifError });
    assert.deepEqual(taken, ["a0", "b0", "c0", "b1", "c1", "a1"]);
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

suite("runRounds()", () => {
  test("takes one sample of each arm in each round, none while warming up", async () => {
    const turns: string[] = [];
    const arms = ["a", "b", "c"].map((name) => ({ name, takeTurn: async () => turns.push(name) }));
    const outcomes = await runRounds(arms, { rounds: 4, warmUpRounds: 2 });
    assert.deepEqual(
      outcomes.map(({ samples }) => samples.length),
      [4, 4, 4],
    );
    assert.equal(turns.length, 18);
    for (let i = 0; i < turns.length; i += 3) assert.deepEqual(new Set(turns.slice(i, i + 3)), new Set(["a", "b", "c"]));
    // Samples are turns' numbers: those of the first two rounds are not there.
    assert.ok(outcomes.every(({ samples }) => samples.every((sample) => sample > 6)));
  });

  test("leaves an arm out once it failed, and goes on with the others", async () => {
    let turns = 0;
    const failing = {
      name: "failing",
      takeTurn: () => (++turns === 2 ? Promise.reject(new Error("broken")) : Promise.resolve(1)),
    };
    const good = { name: "good", takeTurn: async () => 2 };
    const [first, second] = await runRounds([failing, good], { rounds: 5, warmUpRounds: 0 });
    assert.match(String(first?.failure), /broken/);
    assert.equal(turns, 2);
    assert.deepEqual(second, { samples: [2, 2, 2, 2, 2] });
  });

  test("ends when it is interrupted", async () => {
    const controller = new AbortController();
    const arm = { name: "a", takeTurn: async () => controller.abort() };
    const [outcome] = await runRounds([arm], { rounds: 100, warmUpRounds: 0, signal: controller.signal });
    assert.equal(outcome?.samples.length, 1);
  });
});
