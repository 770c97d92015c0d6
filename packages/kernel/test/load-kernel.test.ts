import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { isKernelSupported, loadKernel } from "../src/load-kernel.ts";

const SOURCE = new URL("../src/load-kernel.ts", import.meta.url).href;

/** What the kernel of a fresh process says after `before`. */
function ask(before: string): string {
  const program = `${before}; const { isKernelSupported, loadKernel } = await import("${SOURCE}");
    process.stdout.write(isKernelSupported() + " " + typeof loadKernel());`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return stdout;
}

suite("loadKernel()", () => {
  test("gives the one kernel of the thread", () => {
    assert.ok(loadKernel());
    assert.equal(loadKernel(), loadKernel());
    assert.equal(isKernelSupported(), true);
    assert.equal(ask(""), "true object");
  });

  test("gives none where there is no engine for it, and does not look again", () => {
    assert.equal(
      ask("WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError(); } }"),
      "false undefined",
    );
  });
});
