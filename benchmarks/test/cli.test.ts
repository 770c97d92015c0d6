import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ResultsFile } from "../src/results.ts";
import { readResults } from "../src/results-format.ts";

// The real command line in processes of its own, with suites that take no time.
const PROGRAM = fileURLToPath(new URL("support/stub-cli.ts", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "tightwire-bench-"));
after(() => rmSync(root, { recursive: true }));
let count = 0;
const newFolder = (): string => join(root, String(++count));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[], behaviour = ""): { child: ChildProcess; outcome: Promise<Outcome> } {
  const child = spawn(process.execPath, ["--expose-gc", "--import", "tsx", PROGRAM, ...args], {
    env: { ...process.env, STUB_BENCH: behaviour },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text) => (stderr += text));
  return { child, outcome: once(child, "close").then(([code]) => ({ code, stdout, stderr })) };
}

const run = (args: readonly string[], behaviour?: string): Promise<Outcome> => start(args, behaviour).outcome;

function readOnly(folder: string): ResultsFile {
  const [file, ...others] = readdirSync(folder);
  assert.ok(file !== undefined && others.length === 0, `one file in ${readdirSync(folder)}`);
  return readResults(join(folder, file));
}

async function waitFor(isReached: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !isReached(); i++) await delay(50);
  assert.ok(isReached());
}

suite("npm run bench", () => {
  test("lists suites and the cases that a pattern chooses, and runs nothing", async () => {
    const out = newFolder();
    const { code, stdout } = await run(["--list", "--filter", "stub/*-16k", "--out", out]);
    assert.equal(code, 0);
    assert.match(stdout, /^stub: .*2 cases/);
    assert.deepEqual(stdout.match(/stub\/\S+/g), ["stub/encode/text-16k", "stub/decode/text-16k"]);
    assert.equal(existsSync(out), false);
  });

  test("writes a complete file with machine, versions, revision, command and samples", async () => {
    const out = newFolder();
    const { code } = await run(["--suite", "stub", "--filter", "encode", "--quick", "--out", out]);
    const file = readOnly(out);
    assert.equal(code, 0);
    assert.deepEqual([file.status, file.effort, file.filters], ["complete", "quick", ["encode"]]);
    assert.equal(file.command, "npm run bench -- --suite stub --filter encode --quick");
    assert.equal(file.versions["node"], process.versions.node);
    assert.equal(file.versions["stub-server"], "1.2.3");
    assert.ok(file.machine.cores > 0 && file.machine.cpu !== "");
    assert.match(file.revision.commit, /^[0-9a-f]{40}$|^unknown$/);
    assert.deepEqual(
      file.cases.map(({ name }) => name),
      ["stub/encode/text-1k", "stub/encode/text-16k"],
    );
  });

  const mistakes: Readonly<Record<string, readonly string[]>> = {
    "an unknown option": ["--fast"],
    "an unknown suite": ["--suite", "nothing"],
    "a pattern that matches no case": ["--filter", "nothing"],
    "one of two patterns that matches no case": ["--filter", "encode", "--filter", "nothing"],
    "an argument that nobody asked for": ["stub"],
    "no launches": ["--launches", "0"],
    "one file for two suites": ["--file", "x.json"],
    "a file to resume that is not there": ["--resume", "missing.json"],
    "a folder that is a file": ["--suite", "stub", "--out", PROGRAM],
    "a folder that is a file, in fresh processes": ["--suite", "twice", "--out", PROGRAM],
    "a file that is a folder": ["--suite", "twice", "--file", root],
    "nothing to resume": ["--resume", "--out", join(root, "empty")],
  };
  for (const [title, args] of Object.entries(mistakes)) {
    test(`refuses ${title} in one line, exit code 2`, async () => {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.equal(stderr.trim().split("\n").length, 1, stderr);
    });
  }

  test("exits with 1 when a case failed, runs the others, and tries it again when resumed", async () => {
    const out = newFolder();
    const args = ["--suite", "stub", "--quick", "--out", out];
    assert.equal((await run(args, "stub/encode/text-16k=fail")).code, 1);
    const failed = readOnly(out);
    assert.deepEqual([failed.status, failed.cases.length], ["partial", 3]);
    assert.deepEqual(failed.failed, [{ name: "stub/encode/text-16k", error: "a digest differs" }]);
    assert.equal((await run(["--resume", "--out", out])).code, 0);
    const resumed = readOnly(out);
    assert.deepEqual([resumed.status, resumed.cases.length, resumed.failed.length], ["complete", 4, 0]);
    assert.deepEqual(resumed.cases.slice(0, 3), failed.cases);
  });

  test("is complete with a skipped case, whose reason is kept", async () => {
    const out = newFolder();
    const { code } = await run(["--suite", "stub", "--out", out], "stub/encode/text-1k=skip");
    assert.equal(code, 0);
    assert.deepEqual(readOnly(out).skipped, [{ name: "stub/encode/text-1k", reason: "no compiler" }]);
  });

  test("counts a case as failed that the suite forgot", async () => {
    const out = newFolder();
    assert.equal((await run(["--suite", "stub", "--out", out], "stub/decode/text-1k=forget")).code, 1);
    assert.deepEqual(
      readOnly(out).failed.map(({ name }) => name),
      ["stub/decode/text-1k"],
    );
  });

  test("keeps what it has when the suite throws, says why in one line, and exits with 1", async () => {
    const out = newFolder();
    const { code, stderr } = await run(["--suite", "stub", "--out", out], "stub/decode/text-1k=throw");
    assert.equal(code, 1);
    assert.match(stderr, /^stub\/decode\/text-1k threw$/m);
    assert.deepEqual([readOnly(out).status, readOnly(out).cases.length], ["partial", 2]);
  });

  test("keeps a partial file on SIGINT, exits with 130, and is completed by --resume FILE", async () => {
    const out = newFolder();
    const file = join(out, "run.json");
    const { child, outcome } = start(["--suite", "stub", "--file", file], "stub/decode/text-1k=wait");
    await waitFor(() => existsSync(file) && readResults(file).cases.length === 2);
    child.kill("SIGINT");
    assert.equal((await outcome).code, 130);
    assert.deepEqual([readResults(file).status, readResults(file).failed.length], ["partial", 0]);
    assert.equal((await run(["--resume", file, "--quick"])).code, 2);
    assert.equal((await run(["--resume", file])).code, 0);
    assert.deepEqual([readResults(file).status, readResults(file).cases.length], ["complete", 4]);
    assert.equal((await run(["--resume", file])).code, 2);
  });

  test("refuses to resume a file with a case that the suite has not", async () => {
    const file = join(newFolder(), "run.json");
    await run(["--suite", "stub", "--file", file], "stub/decode/text-1k=fail");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("stub/encode/text-1k", "stub/encode/text-2k"));
    const { code, stderr } = await run(["--resume", file]);
    assert.equal(code, 2);
    assert.match(stderr, /stub has no case stub\/encode\/text-2k/);
  });

  test("refuses to resume a run of other sources", async () => {
    const file = join(newFolder(), "run.json");
    await run(["--suite", "stub", "--file", file], "stub/decode/text-1k=fail");
    writeFileSync(file, readFileSync(file, "utf8").replace(/"commit": "\w+"/, '"commit": "0123456789"'));
    assert.equal((await run(["--resume", file])).code, 2);
  });
});

suite("npm run bench with fresh processes", () => {
  test("runs as many as the suite says at full effort, and merges their samples and facts", async () => {
    const out = newFolder();
    assert.equal((await run(["--suite", "twice", "--out", out])).code, 0);
    const file = readOnly(out);
    assert.deepEqual([file.status, file.launches, file.cases.length], ["complete", 2, 4]);
    for (const one of file.cases) {
      assert.equal(one.metrics["ns"]?.samples.length, 4);
      const [first, second] = (one.launchFacts ?? []).map((facts) => facts["pid"]);
      assert.ok(first !== undefined && second !== undefined && first !== second);
      assert.equal(one.facts["pid"], first);
    }
  });

  test("goes on after SIGINT with the process that did not end, without running the others again", async () => {
    const file = join(newFolder(), "run.json");
    const { child, outcome } = start(["--suite", "twice", "--file", file], "second-process-waits");
    const second = file.replace(".json", ".launch-2.json");
    await waitFor(() => existsSync(second) && readResults(second).cases.length === 1);
    const first = readResults(file.replace(".json", ".launch-1.json"));
    child.kill("SIGINT");
    assert.equal((await outcome).code, 130);
    assert.deepEqual([readResults(file).status, readResults(file).cases.length], ["partial", 1]);
    assert.equal((await run(["--resume", file])).code, 0);
    const resumed = readResults(file);
    assert.deepEqual([resumed.status, resumed.cases.length], ["complete", 4]);
    assert.deepEqual(
      resumed.cases.map((one) => one.launchFacts?.[0]),
      first.cases.map(({ facts }) => facts),
    );
    assert.deepEqual(readdirSync(join(file, "..")), ["run.json"]);
  });
});
