import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, suite, test } from "node:test";
import { findRedisBinary } from "../../scripts/redis-binary.mjs";

const MODULE: string = new URL("../../scripts/redis-binary.mjs", import.meta.url).href;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tightwire-binary-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function addProgram(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

suite("findRedisBinary()", () => {
  test("finds redis-server or valkey-server on PATH, the former first", () => {
    assert.equal(findRedisBinary(folder), undefined);
    addProgram("valkey-server", "");
    assert.equal(findRedisBinary(`${delimiter}${folder}`), join(folder, "valkey-server"));
    addProgram("redis-server", "");
    assert.equal(findRedisBinary(folder), join(folder, "redis-server"));
  });

  test("passes over a folder and a file that is not executable", () => {
    mkdirSync(join(folder, "redis-server"));
    writeFileSync(join(folder, "valkey-server"), "");
    assert.equal(findRedisBinary(folder), undefined);
  });
});

// A PATH that holds nothing but stand-ins: the machine's own servers and its package manager stay out of the tests.
suite("ensureRedisBinary()", () => {
  beforeEach(() => {
    for (const program of ["sh", "cat", "chmod"]) symlinkSync(`/bin/${program}`, join(folder, program));
  });

  const ensure = (uid: number, environment: NodeJS.ProcessEnv = {}): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `process.getuid = () => ${uid}; console.log(await (await import("${MODULE}")).ensureRedisBinary());`,
      ],
      { encoding: "utf8", env: { PATH: folder, ...environment } },
    );
  const addInstaller = (): void => {
    const server = join(folder, "redis-server");
    addProgram("apt-get", `echo "apt-get $*" >&2; [ "$1" != install ] || { : >${server}; chmod +x ${server}; }`);
  };

  test("installs the distribution's package as root", () => {
    addInstaller();
    const { status, stdout, stderr } = ensure(0);
    assert.equal(status, 0);
    assert.equal(stdout.trim(), join(folder, "redis-server"));
    assert.match(stderr, /apt-get update\napt-get install -y redis-server\n/);
  });

  test("installs through sudo on a CI runner only", () => {
    addInstaller();
    addProgram("sudo", 'shift; [ "$1" = true ] || exec "$@"');
    assert.equal(ensure(1000).status, 1);
    assert.equal(findRedisBinary(folder), undefined);
    assert.equal(ensure(1000, { CI: "true" }).stdout.trim(), join(folder, "redis-server"));
  });

  test("says what to run where it may not install", () => {
    const { status, stderr } = ensure(1000);
    assert.equal(status, 1);
    assert.match(stderr, /install (?:-y )?redis/);
  });

  test("says what to run where the installation fails", () => {
    addProgram("apt-get", '[ "$1" = --version ]');
    const { status, stderr } = ensure(0);
    assert.equal(status, 1);
    assert.match(stderr, /install (?:-y )?redis/);
  });
});
