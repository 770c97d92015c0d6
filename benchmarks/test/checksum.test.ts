import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { checksumSuite } from "../src/cases/checksum.ts";
import { runQuickly } from "./support/run-suite.ts";

suite("a quick run of checksum", () => {
  test("has both versions of both sizes each way", async () => {
    const { results, failed, ended } = await runQuickly(checksumSuite, /./);
    assert.deepEqual([...failed], []);
    assert.equal(new Set(ended).size, 8);
    for (const { name, facts, metrics, parameters } of results.values()) {
      assert.equal(facts["heldBytes"], Number(parameters["sizeBytes"]) + 18, name);
      assert.equal(facts["codecId"], 0, name);
      assert.ok((metrics["ns"]?.median ?? 0) > 0, name);
    }
  });
});
