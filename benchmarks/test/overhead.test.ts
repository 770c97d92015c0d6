import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { measureOverhead, overheadSuite } from "../src/cases/overhead.ts";
import { runQuickly } from "./support/run-suite.ts";

const COMMAND = fileURLToPath(new URL("../src/overhead.ts", import.meta.url));

function runCommand(...args: string[]): { status: number | null; output: string; lines: string[] } {
  const result = spawnSync(process.execPath, ["--import", import.meta.resolve("tsx"), COMMAND, ...args], { encoding: "utf8" });
  return { status: result.status, output: result.stdout + result.stderr, lines: result.stdout.trim().split("\n") };
}

suite("overheadSuite", () => {
  test("records the chosen cases, each once, with its ratio to raw", async () => {
    const { results, failed, ended } = await runQuickly(overheadSuite, /overhead\/get\/.*direct/);
    assert.deepEqual([...failed], []);
    assert.deepEqual(ended, [
      "overhead/get/text-100/64-direct/raw",
      "overhead/get/text-100/64-direct/raw-again",
      "overhead/get/text-100/64-direct/other-rules",
      "overhead/get/text-100/64-direct/other-rules-serializer",
    ]);
    assert.deepEqual(new Set(results.get(ended[0] ?? "")?.metrics["ratioToRaw"]?.samples), new Set([1]));
    for (const { metrics } of results.values()) assert.equal(metrics["opsPerSecond"]?.samples.length, 15);
  });

  test("ends when it is interrupted", async () => {
    const controller = new AbortController();
    let kinds = 0;
    await measureOverhead({ rounds: 1, commands: 64, signal: controller.signal }, () => {
      kinds++;
      controller.abort();
    });
    assert.equal(kinds, 1);
  });
});

suite("overhead command", () => {
  test("prints a line for each client, and ends with 0 at or below the bar and 1 above", () => {
    const good = runCommand("--max", "1000", "--rounds", "15", "--commands", "64");
    assert.equal(good.status, 0, good.output);
    assert.equal(good.lines.length, 17);
    const bad = runCommand("--max", "-100000", "--rounds", "15", "--commands", "64");
    assert.equal(bad.status, 1, bad.output);
  });

  test("refuses numbers that are none, and too few rounds", () => {
    for (const args of [["--max", "two"], ["--rounds", "3"], ["--unknown"]]) {
      const { status, lines } = runCommand(...args);
      assert.notEqual(status, 0);
      assert.deepEqual(lines, [""]);
    }
  });
});
