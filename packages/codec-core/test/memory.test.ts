import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
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

function run(name: string, limitBytes?: number): unknown {
  const limit = limitBytes === undefined ? "" : `ulimit -v ${Math.ceil(limitBytes / 1024)};`;
  const args = ["-c", `${limit} exec "$0" --import tsx "$1" "$2"`, process.execPath, CHILD, name];
  const { stdout, stderr, status, signal } = spawnSync("/bin/sh", args, { encoding: "utf8" });
  assert.equal(status, 0, `ended with ${status ?? signal}: ${stderr}`);
  return JSON.parse(stdout);
}

const skip = !existsSync("/proc/self/status") && "this system has no /proc to measure a process by";

suite("a process whose address space may grow by 512 MiB", { skip }, () => {
  const { virtualBytes } = skip === false ? (run("measure") as { virtualBytes: number }) : { virtualBytes: 0 };

  function runLimited(name: string): Outcome {
    return run(name, virtualBytes + ALLOWANCE_BYTES) as Outcome;
  }

  test("refuses frames that claim up to 4 GiB, and allocates next to nothing", () => {
    const { counts, peakGrowthBytes } = runLimited("claims");
    assert.deepEqual(Object.keys(counts).sort(), ["CODEC_PAYLOAD_CORRUPT", "CODEC_SIZE_LIMIT"]);
    assert.ok(peakGrowthBytes < 64 * MIB, `${peakGrowthBytes} bytes`);
  });

  test("case 12: refuses bombs of every compressor, at the limit's cost", () => {
    const { counts, peakGrowthBytes } = runLimited("bombs");
    assert.deepEqual(Object.keys(counts).sort(), ["CODEC_PAYLOAD_CORRUPT", "CODEC_SIZE_LIMIT"]);
    assert.ok(peakGrowthBytes < 400 * MIB, `${peakGrowthBytes} bytes`);
  });

  test("case 1 (redisson/redisson#6574): refuses a nonsensical LZ4 payload 10,000 times", () => {
    const { counts, growthBytes } = runLimited("nonsense");
    assert.deepEqual(counts, { CODEC_PAYLOAD_CORRUPT: 10_000 });
    assert.ok(growthBytes < 64 * MIB, `${growthBytes} bytes`);
  });

  test("survives 10,000 damaged reads of every kind, without growth", () => {
    const { counts, growthBytes } = runLimited("damage");
    assert.equal(counts["CODEC_CHECKSUM_MISMATCH"], 10_000);
    assert.equal(counts["CODEC_PAYLOAD_CORRUPT"], 10_000);
    assert.ok(growthBytes < 64 * MIB, `${growthBytes} bytes`);
  });

  test("case 3 (antoniomuso/lz4-napi#678): reads a large value over and over, without growth", () => {
    const { growthBytes } = runLimited("reads");
    assert.ok(growthBytes < 128 * MIB, `${growthBytes} bytes`);
  });

  test("writes large values at levels in turn, without growth", () => {
    const { growthBytes } = runLimited("writes");
    assert.ok(growthBytes < 128 * MIB, `${growthBytes} bytes`);
  });

  test("refuses a sound frame that it has no memory for, and lives", () => {
    const { counts, growthBytes } = runLimited("scarce");
    assert.deepEqual(counts, { CODEC_SIZE_LIMIT: 100 });
    assert.ok(growthBytes < 64 * MIB, `${growthBytes} bytes`);
  });

  test("would have been ended by a GiB", () => {
    assert.throws(() => runLimited("overrun"));
  });
});
