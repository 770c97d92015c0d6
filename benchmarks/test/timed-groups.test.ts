import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { runTimedGroups, type TimedCase } from "../src/cases/timed-groups.ts";
import type { Suite } from "../src/suite.ts";
import { runQuickly } from "./support/run-suite.ts";

function createCase(name: string, call: () => unknown, values?: number): TimedCase {
  const prepared = { call, contentBytes: 1_048_576, facts: {} };
  return { name, parameters: {}, prepare: () => (values === undefined ? prepared : { ...prepared, values }) };
}

function createSuite(groups: readonly (readonly TimedCase[])[]): Suite {
  return {
    name: "made-up",
    description: "",
    listCases: () => groups.flat().map(({ name }) => ({ name, estimateMs: 1 })),
    run: (chosen, context) => runTimedGroups(groups, chosen, context),
  };
}

const failure = new Error("broken");
const fail = (): never => {
  throw failure;
};

suite("groups of timed cases", () => {
  test("end every chosen case once, and no other", async () => {
    const made = createSuite([[createCase("a", () => 1), createCase("b", () => 1)], [createCase("c", () => 1)]]);
    assert.deepEqual((await runQuickly(made, /a|c/)).ended, ["a", "c"]);
  });

  test("fail a case whose checks fail, and measure the others", async () => {
    const made = createSuite([[{ name: "a", parameters: {}, prepare: fail }, createCase("b", () => 1)]]);
    const { failed, results } = await runQuickly(made, /./);
    assert.deepEqual([...failed], [["a", failure]]);
    assert.deepEqual([...results.keys()], ["b"]);
  });

  test("fail a case that throws while it is timed, once", async () => {
    // Past the warm-up, so that a round or the measure of memory meets it.
    const end = performance.now() + 60;
    const made = createSuite([[createCase("a", () => (performance.now() > end ? fail() : 1)), createCase("b", () => spin(30))]]);
    const { failed, results, ended } = await runQuickly(made, /./);
    assert.deepEqual([...failed], [["a", failure]]);
    assert.deepEqual([...results.keys()], ["b"]);
    assert.equal(ended.length, 2);
  });

  test("tell how much of the run is done, and it only grows", async () => {
    const made = createSuite([[createCase("a", () => 1)], [createCase("b", () => 1)], [createCase("c", () => 1)]]);
    const { progress } = await runQuickly(made, /a|c/);
    const sixths = progress.map((share) => Math.round(share * 6_000) / 1_000);
    assert.deepEqual(sixths, [0, 1, 2, 3, 4, 5]);
  });

  test("give throughput of what a call goes through, and time and memory of one value", async () => {
    const call = (): unknown => spin(5);
    const made = createSuite([[createCase("one", call), createCase("five", call, 5)]]);
    const { results } = await runQuickly(made, /./);
    for (const [name, values] of [
      ["one", 1],
      ["five", 5],
    ] as const) {
      const { ns, mibPerSecond } = results.get(name)?.metrics ?? {};
      assert.ok(ns !== undefined && mibPerSecond !== undefined);
      for (const [round, sample] of ns.samples.entries()) {
        // A busy machine makes a call longer, never shorter.
        assert.ok(sample * values >= 5e6, `${sample} ns`);
        assert.ok(Math.abs((mibPerSecond.samples[round] ?? 0) * sample * values - 1e9) < 1e3);
      }
    }
  });
});

suite("timed cases that are compared", () => {
  const compared: TimedCase = { ...createCase("b", () => spin(2)), ratio: { metric: "ratioToA", to: "a" } };

  test("have the ratio of each round", async () => {
    const { results } = await runQuickly(createSuite([[createCase("a", () => spin(4)), compared]]), /./);
    const [a, b] = ["a", "b"].map((name) => results.get(name)?.metrics["ns"]?.samples ?? []);
    const ratios = b?.map((ns, round) => ns / (a?.[round] ?? Number.NaN));
    assert.deepEqual(results.get("b")?.metrics["ratioToA"]?.samples, ratios);
    assert.equal(results.get("a")?.metrics["ratioToA"], undefined);
  });

  test("run what they are compared with beside them, which is not recorded unless it was chosen", async () => {
    const { results, ended } = await runQuickly(createSuite([[createCase("a", () => spin(4)), compared]]), /b/);
    assert.deepEqual(ended, ["b"]);
    assert.ok(results.get("b")?.metrics["ratioToA"] !== undefined);
  });

  test("fail where that failed", async () => {
    const made = createSuite([[{ name: "a", parameters: {}, prepare: fail }, compared]]);
    const { failed, ended } = await runQuickly(made, /b/);
    assert.deepEqual(ended, ["b"]);
    assert.match(String(failed.get("b")), /a, which it is compared with, has no result/);
  });
});

/** Keeps the processor busy for so many milliseconds. */
function spin(ms: number): number {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return ms;
}
