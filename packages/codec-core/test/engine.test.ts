import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isKernelSupported, MAX_KERNEL_BYTES } from "@tightwire/kernel";
import { kernelFor } from "../src/engine.ts";
import { runWithout } from "./support/run-child.ts";

const isOff = process.env["TIGHTWIRE_KERNEL"] === "off";
const skip = isOff ? "TIGHTWIRE_KERNEL is off" : !isKernelSupported() && "this process cannot run the kernel";

suite("kernelFor()", () => {
  test("gives the kernel for as much as it has memory for", { skip }, () => {
    for (const size of [0, 1, MAX_KERNEL_BYTES]) assert.ok(kernelFor(size) !== undefined);
    assert.equal(kernelFor(1), kernelFor(2));
    for (const size of [MAX_KERNEL_BYTES + 1, 2 ** 32]) assert.equal(kernelFor(size), undefined);
  });

  for (const [mode, expected] of [
    ["off", false],
    ["on", isKernelSupported()],
  ] as const) {
    test(`follows TIGHTWIRE_KERNEL=${mode}`, () => {
      const source = 'import { kernelFor } from "./src/engine.ts"; console.log(JSON.stringify(kernelFor(1) !== undefined));';
      assert.equal(runWithout([], source, [], mode), expected);
    });
  }
});
