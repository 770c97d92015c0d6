import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { measureInRounds, type RoundCase } from "../src/cases/serializers-rounds.ts";
import { createMetric } from "../src/statistics.ts";
import type { SuiteContext } from "../src/suite.ts";

interface Recorded {
  readonly turns: string[];
  readonly failed: string[];
  readonly context: SuiteContext;
}

function createContext(signal = new AbortController().signal): Recorded {
  const failed: string[] = [];
  const context: SuiteContext = {
    effort: "quick",
    signal,
    record: ({ name }) => assert.fail(name),
    skip: (name) => assert.fail(name),
    fail: (name) => void failed.push(name),
    note: assert.fail,
    noteVersion: (name) => assert.fail(name),
  };
  return { turns: [], failed, context };
}

function createCase(name: string, { turns }: Recorded, onRound: () => void = () => {}): RoundCase {
  return {
    name,
    round: async () => {
      turns.push(name);
      onRound();
    },
    finish: () => ({ ns: createMetric("ns", [1]) }),
  };
}

function ignore(): void {}

suite("measureInRounds()", () => {
  test("gives each case one turn a round, in an order that changes", async () => {
    const recorded = createContext();
    const cases = ["a", "b", "c"].map((name) => createCase(name, recorded));
    const rounds: number[] = [];
    const results = await measureInRounds({ cases, rounds: 3, onRound: (done) => rounds.push(done) }, recorded.context);
    const orders = [0, 3, 6].map((at) => recorded.turns.slice(at, at + 3));
    for (const order of orders) assert.deepEqual([...order].sort(), ["a", "b", "c"]);
    assert.equal(new Set(orders.map(String)).size, 3);
    assert.deepEqual(rounds, [1, 2, 3]);
    assert.deepEqual([...(results?.keys() ?? [])], ["a", "b", "c"]);
  });

  test("fails a case that throws, once, and goes on with the others", async () => {
    const recorded = createContext();
    const bad = createCase("bad", recorded, () => assert.fail());
    const results = await measureInRounds(
      { cases: [bad, createCase("good", recorded)], rounds: 2, onRound: ignore },
      recorded.context,
    );
    assert.deepEqual(recorded.failed, ["bad"]);
    assert.deepEqual([...(results?.keys() ?? [])], ["good"]);
    assert.equal(recorded.turns.filter((name) => name === "bad").length, 1);
  });

  test("fails a case whose sum cannot be made", async () => {
    const recorded = createContext();
    const bad = { ...createCase("bad", recorded), finish: () => assert.fail() };
    const results = await measureInRounds({ cases: [bad], rounds: 1, onRound: ignore }, recorded.context);
    assert.deepEqual(recorded.failed, ["bad"]);
    assert.equal(results?.size, 0);
  });

  test("ends without results when the user interrupts", async () => {
    const controller = new AbortController();
    const recorded = createContext(controller.signal);
    const cases = [createCase("a", recorded, () => controller.abort()), createCase("b", recorded)];
    assert.equal(await measureInRounds({ cases, rounds: 5, onRound: ignore }, recorded.context), undefined);
    assert.deepEqual(recorded.turns, ["a"]);
  });
});
