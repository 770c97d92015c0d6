import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly optional?: boolean;
  readonly resolved?: string;
  readonly link?: boolean;
}

const lockFile = new URL("../../package-lock.json", import.meta.url);
const { packages } = JSON.parse(readFileSync(lockFile, "utf8")) as { packages: Record<string, LockedPackage> };

suite("package-lock.json", () => {
  // A lock file made on one system once left out the native packages of all others, and npm ci did not miss them.
  for (const name of ["lz4-napi", "@node-rs/xxhash"]) {
    test(`case 94 (npm/cli#4828, napi-rs/napi-rs#2934): has the native package of ${name} for every platform`, () => {
      const platforms = Object.keys(packages[`node_modules/${name}`]?.optionalDependencies ?? {});
      for (const system of ["linux-x64-gnu", "linux-x64-musl", "linux-arm64-gnu", "darwin-arm64", "win32-x64-msvc"]) {
        assert.ok(
          platforms.some((platform) => platform.endsWith(system)),
          system,
        );
      }
      for (const platform of platforms) assert.equal(packages[`node_modules/${platform}`]?.optional, true, platform);
    });
  }

  test("names no place that a package is loaded from, but for the workspaces", () => {
    const places = Object.values(packages).filter(({ resolved, link }) => resolved !== undefined && link !== true);
    assert.deepEqual(places, []);
  });
});
