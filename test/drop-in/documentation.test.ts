import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { suite, test } from "node:test";

const require = createRequire(import.meta.url);

/** What the libraries under test need beside them. */
const COMPANIONS = ["@opentelemetry/sdk-trace-node", "express-session", "ioredis", "socket.io", "socket.io-client"];

function readJson(path: string): { version: string; dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** The version that the tests import; not every package lets its package.json be imported. */
function installedVersion(name: string): string {
  const folders = require.resolve.paths(name) ?? [];
  const path = folders.map((folder) => join(folder, name, "package.json")).find(existsSync);
  assert.ok(path, `${name} is installed`);
  return readJson(path).version;
}

/** Library and version of each row of the table. */
function documentedVersions(): Map<string, string> {
  const text = readFileSync(new URL("../../docs/drop-in.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| `(?<name>[^`]+)` +\| (?<version>[\d.]+) +\|/gm)];
  return new Map(rows.map(({ groups }) => [groups?.["name"] ?? "", groups?.["version"] ?? ""]));
}

suite("docs/drop-in.md", () => {
  const libraries = Object.keys(readJson(new URL("package.json", import.meta.url).pathname).dependencies);
  const tested = libraries.filter((name) => !COMPANIONS.includes(name));

  test("has a row for every library that is tested, and no other", () => {
    assert.deepEqual([...documentedVersions().keys()].sort(), tested.sort());
  });

  test("names the versions that are tested", () => {
    assert.deepEqual(
      documentedVersions(),
      new Map([...documentedVersions().keys()].map((name) => [name, installedVersion(name)])),
    );
  });
});
