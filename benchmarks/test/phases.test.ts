import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../src/phases.ts", import.meta.url));

function runProgram(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ["--import", "tsx", PROGRAM, ...args], { encoding: "utf8" });
}

suite("the command line of phases", () => {
  test("lists them", () => {
    const { status, stdout } = runProgram("--help");
    assert.equal(status, 0);
    for (const name of ["validation", "representative", "measurement"]) assert.match(stdout, new RegExp(name));
  });

  for (const args of [["--phase", "warm-up"], ["--fast"], ["extra"]]) {
    test(`refuses ${args.join(" ")} in one line`, () => {
      const { status, stdout, stderr } = runProgram(...args);
      assert.equal(status, 2);
      assert.equal(stdout, "");
      assert.match(stderr, /^[^\n]+\n$/);
    });
  }
});
