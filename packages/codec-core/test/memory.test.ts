import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";

const CHILD = fileURLToPath(new URL("support/memory-child.ts", import.meta.url));
const MIB = 1024 * 1024;

/** What a process may reserve beyond what it needs after it has warmed up. A single GiB claimed and believed ends it. */
const ALLOWANCE_BYTES = 512 * MIB;

interface Outcome {
  readonly counts: Readonly<Record<string, number>>;
  readonly growthBytes: number;
  readonly peakGrowthBytes: number;
}

function runLimited(scenario: string): Outcome {
  const args = ["--import", "tsx", CHILD, scenario, String(ALLOWANCE_BYTES)];
  const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(status, 0, `ended with ${status ?? signal}: ${stderr}`);
  return JSON.parse(stdout) as Outcome;
}

const hasPrlimit = spawnSync("prlimit", ["--version"]).status === 0;
const skip = !hasPrlimit && "this system has no prlimit to bound a process with";

suite("a process whose address space may grow by 512 MiB", { skip }, () => {
  test("refuses frames that claim up to 4 GiB, and allocates next to nothing", () => {
    const { counts, peakGrowthBytes } = runLimited("claims");
    assert.deepEqual(Object.keys(counts).sort(), ["CODEC_PAYLOAD_CORRUPT", "CODEC_SIZE_LIMIT"]);
    assert.ok(peakGrowthBytes < 128 * MIB, `${peakGrowthBytes} bytes`);
  });

  test("case 12: refuses bombs of every compressor, at the limit's cost", () => {
    const { counts, peakGrowthBytes } = runLimited("bombs");
    assert.deepEqual(Object.keys(counts).sort(), ["CODEC_PAYLOAD_CORRUPT", "CODEC_SIZE_LIMIT"]);
    assert.ok(peakGrowthBytes < 400 * MIB, `${peakGrowthBytes} bytes`);
  });

  test("case 1 (redisson/redisson#6574): refuses a nonsensical LZ4 payload 10,000 times", () => {
    const { counts, growthBytes } = runLimited("nonsense");
    assert.deepEqual(counts, { CODEC_PAYLOAD_CORRUPT: 10_000 });
    assert.ok(growthBytes < 128 * MIB, `${growthBytes} bytes`);
  });

  test("survives 10,000 damaged reads of every kind, without growth", () => {
    const { counts, growthBytes } = runLimited("damage");
    assert.equal(counts["CODEC_CHECKSUM_MISMATCH"], 10_000);
    assert.equal(counts["CODEC_PAYLOAD_CORRUPT"], 10_000);
    assert.ok(growthBytes < 128 * MIB, `${growthBytes} bytes`);
  });

  test("case 3 (antoniomuso/lz4-napi#678): reads a large value over and over, without growth", () => {
    const { peakGrowthBytes } = runLimited("reads");
    // 4 GB in all. Some releases of Node let more of it lie around than others.
    assert.ok(peakGrowthBytes < 400 * MIB, `${peakGrowthBytes} bytes`);
  });

  test("writes large values at levels in turn, without growth", () => {
    const { growthBytes } = runLimited("writes");
    assert.ok(growthBytes < 128 * MIB, `${growthBytes} bytes`);
  });

  test("refuses a sound frame that it has no memory for, and lives", () => {
    const { counts, growthBytes } = runLimited("scarce");
    assert.deepEqual(counts, { CODEC_SIZE_LIMIT: 100 });
    assert.ok(growthBytes < 128 * MIB, `${growthBytes} bytes`);
  });

  test("would have been ended by a GiB", () => {
    assert.throws(() => runLimited("overrun"));
  });
});
