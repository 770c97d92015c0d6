import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { limitSuite } from "../src/cases/limit.ts";
import { LimitUnavailableError, startLimitProgram } from "../src/cases/limit-program.ts";
import { type QuickRun, runQuickly } from "./support/run-suite.ts";

// Where there is no compiler or no headers, and nothing may be installed, these cases are skipped with the reason, as the suite does.
const unavailable = await findReason();
const inC = unavailable === undefined ? {} : { skip: unavailable };

async function findReason(): Promise<string | undefined> {
  try {
    const program = await startLimitProgram();
    await program.stop();
    return undefined;
  } catch (error) {
    if (error instanceof LimitUnavailableError) return error.message;
    throw error;
  }
}

suite("cases of limit", () => {
  const names = limitSuite.listCases().map(({ name }) => name);

  test("come in pairs", () => {
    assert.equal(new Set(names).size, names.length);
    const ours = names.filter((name) => name.endsWith("/ours")).length;
    assert.equal(ours * 2, names.length);
  });

  test("take less than five minutes", () => {
    assert.ok(limitSuite.listCases().reduce((sum, { estimateMs }) => sum + estimateMs, 0) < 5 * 60_000);
  });
});

suite("a quick run of limit, against C", inC, () => {
  let run: QuickRun;
  before(async () => {
    run = await runQuickly(limitSuite, /-(64|16k)\/(raw|stored|lz4|zstd-3)\//);
  });

  test("has both sides of every pair", () => {
    assert.deepEqual([...run.failed], []);
    assert.deepEqual([...run.skipped], []);
    assert.equal(run.ended.length, 2 * 4 * 4 * 2);
    assert.equal(new Set(run.ended).size, run.ended.length);
  });

  test("divides our time by that of C in the same round", () => {
    const { metrics } = run.results.get("limit/encode/random-16k/zstd-3/ours") ?? {};
    const theirs = run.results.get("limit/encode/random-16k/zstd-3/c")?.metrics["ns"];
    const samples = metrics?.["ns"]?.samples ?? [];
    assert.ok(samples.length > 0 && theirs !== undefined);
    const ratios = samples.map((ns, round) => ns / (theirs.samples[round] ?? Number.NaN));
    assert.deepEqual(metrics?.["ratioToC"]?.samples, ratios);
  });

  test("holds as many bytes in C as here", () => {
    for (const [name, { facts, parameters }] of run.results) {
      if (parameters["implementation"] !== "c") continue;
      const ours = Number(run.results.get(name.replace(/c$/, "ours"))?.facts["heldBytes"]);
      // Other releases of a library find other matches.
      assert.ok(Math.abs(Number(facts["heldBytes"]) - ours) <= 8, `${name}: ${facts["heldBytes"]} and ${ours}`);
    }
  });

  test("says which libraries it was", () => {
    for (const name of ["cc", "liblz4", "libzstd", "libxxhash"]) assert.match(run.versions.get(name) ?? "", /\d/, name);
  });

  test("times compression and checksum by themselves", () => {
    const { metrics } = run.results.get("limit/encode/record-text-16k/lz4/c") ?? {};
    for (const metric of ["ns", "compressNs", "hashNs"]) assert.ok((metrics?.[metric]?.median ?? 0) > 0, metric);
  });
});

suite("a quick run of limit, against node:zlib", () => {
  test("has both sides of every pair, and needs no C", async () => {
    const { results, failed, skipped, versions } = await runQuickly(limitSuite, /16k\/(brotli-4|deflate-1)\//);
    assert.deepEqual([...failed], []);
    assert.deepEqual([...skipped], []);
    assert.equal(results.size, 12);
    assert.equal(versions.size, 0);
    for (const [name, { facts }] of results) {
      if (!name.includes("record-text") || !name.endsWith("node-zlib")) continue;
      const ours = results.get(name.replace("node-zlib", "ours"))?.facts["heldBytes"];
      assert.equal(Number(facts["heldBytes"]) + 18, ours, name);
    }
  });
});

suite("the C program", inC, () => {
  test("refuses what it cannot read", async () => {
    const program = await startLimitProgram();
    await program.load("frame", Buffer.from("no frame at all, but long enough"));
    await assert.rejects(program.run("decode", "lz4", "frame", 1), /failed/);
    await program.stop();
  });

  test("has ended once it is stopped", async () => {
    const program = await startLimitProgram();
    await program.stop();
    await assert.rejects(program.run("encode", "raw", "frame", 1), /ended/);
    await program.stop();
  });
});

suite("a machine that cannot compile", () => {
  const folder = mkdtempSync(join(tmpdir(), "tightwire-test-"));
  after(() => rmSync(folder, { recursive: true }));

  /** Runs with nothing on PATH but what is in the folder. */
  async function runWithoutPath(pattern: RegExp): Promise<QuickRun> {
    const path = process.env["PATH"];
    process.env["PATH"] = folder;
    try {
      return await runQuickly(limitSuite, pattern);
    } finally {
      process.env["PATH"] = path;
    }
  }

  test("skips both sides of what is compared with C, and says why", async () => {
    const { skipped, results, failed } = await runWithoutPath(/encode\/record-text-64\/(raw|deflate-1)/);
    assert.deepEqual([...failed], []);
    assert.deepEqual([...skipped.keys()], ["limit/encode/record-text-64/raw/ours", "limit/encode/record-text-64/raw/c"]);
    for (const reason of skipped.values()) assert.match(reason, /^no C compiler/);
    assert.equal(results.size, 2);
  });

  function writeScript(name: string, lines: readonly string[]): void {
    writeFileSync(join(folder, name), `#!/bin/sh\n${lines.join("\n")}\n`, { mode: 0o755 });
  }

  const failing = [
    '[ "$1" = --version ] && echo "cc 1" && exit',
    'echo "In file" >&2',
    'echo "limit.c:18:10: fatal error: lz4.h: No such file or directory" >&2',
    "exit 1",
  ];

  test("is told which packages are missing, in one line", async () => {
    writeScript("cc", failing);
    const { skipped } = await runWithoutPath(/encode\/record-text-64\/raw/);
    assert.equal(skipped.size, 2);
    for (const reason of skipped.values()) {
      assert.match(reason, /lz4\.h.*liblz4-dev libzstd-dev libxxhash-dev$/);
      assert.doesNotMatch(reason, /\n/);
    }
  });

  const mayInstall = unavailable === undefined && process.getuid?.() === 0;
  test("gets the headers where that needs nobody's password", { skip: !mayInstall && "not root" }, async () => {
    const installed = join(folder, "installed");
    writeScript("apt-get", [`[ "$1" = install ] && echo "$3" >> "${installed}"`, "exit 0"]);
    writeScript("cc", [`[ -f "${installed}" ] && PATH="${process.env["PATH"]}" && exec cc "$@"`, ...failing]);
    const { results, skipped } = await runWithoutPath(/encode\/record-text-64\/raw/);
    assert.deepEqual([...skipped], []);
    assert.equal(results.size, 2);
    assert.deepEqual(readFileSync(installed, "utf8").trim().split("\n"), ["liblz4-dev", "libzstd-dev", "libxxhash-dev"]);
  });
});
