import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, suite, test } from "node:test";
import { isInstallationCurrent } from "../../scripts/installation.mjs";

const LOCKED = {
  "": { name: "root" },
  "packages/a": { name: "a", version: "0.1.0" },
  "node_modules/a": { resolved: "packages/a", link: true },
  "node_modules/b": { version: "1.0.0", integrity: "sha512-b" },
  "node_modules/c": { version: "2.0.0", integrity: "sha512-c", optional: true },
};

suite("isInstallationCurrent()", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "tightwire-installation-"));
    mkdirSync(join(root, "node_modules"));
    writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: LOCKED }));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const install = (changes: Record<string, object | undefined>): void => {
    const { "": _root, ...packages } = { ...LOCKED, ...changes };
    writeFileSync(join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
  };

  test("holds when node_modules is what the lock file asks for", () => {
    install({});
    assert.equal(isInstallationCurrent(root), true);
  });

  test("holds without an optional package, which another platform or a failed build leaves out", () => {
    install({ "node_modules/c": undefined });
    assert.equal(isInstallationCurrent(root), true);
  });

  const stale: [string, Record<string, object | undefined>][] = [
    ["a package is missing", { "node_modules/b": undefined }],
    ["a package has another version", { "node_modules/b": { version: "1.0.1", integrity: "sha512-b" } }],
    ["a package has other bytes", { "node_modules/b": { version: "1.0.0", integrity: "sha512-x" } }],
    ["a workspace is no link", { "node_modules/a": { version: "0.1.0" } }],
    ["a package is left over", { "node_modules/d": { version: "1.0.0" } }],
  ];
  for (const [reason, changes] of stale) {
    test(`does not hold when ${reason}`, () => {
      install(changes);
      assert.equal(isInstallationCurrent(root), false);
    });
  }

  test("does not hold when node_modules is missing or its installation was interrupted", () => {
    assert.equal(isInstallationCurrent(root), false);
    rmSync(join(root, "node_modules"), { recursive: true });
    assert.equal(isInstallationCurrent(root), false);
  });
});
