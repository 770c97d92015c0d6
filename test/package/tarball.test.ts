import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { PACKAGES, packPackages, ROOT, type Tarball } from "./consumer.ts";

interface Manifest {
  readonly main: string;
  readonly types: string;
  readonly exports: Record<string, unknown>;
}

/** Every file that a value of `exports` leads to, whatever the conditions. */
function targetsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Object.values(value as Record<string, unknown>).flatMap(targetsOf);
}

suite("npm pack", () => {
  let folder: string;
  let tarballs: readonly Tarball[];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "tightwire-tarballs-"));
    tarballs = packPackages(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [index, name] of PACKAGES.entries()) {
    const workspace = join(ROOT, "packages", name.replace("@tightwire/", ""));
    const manifest = JSON.parse(readFileSync(join(workspace, "package.json"), "utf8")) as Manifest;
    const filesOf = (): readonly string[] => tarballs[index]?.files ?? [];

    test(`${name} holds its build, README.md, LICENSE and nothing else`, () => {
      const top = filesOf().filter((file) => !file.startsWith("dist/"));
      assert.deepEqual(top.sort(), ["LICENSE", "README.md", "package.json"]);
      const odd = filesOf().filter(
        (file) => file.startsWith("dist/") && !/^dist\/(?:esm|cjs)\/[\w/-]+(?:\.d)?\.c?[jt]s$/.test(file),
      );
      assert.deepEqual(odd, ["dist/cjs/package.json"]);
    });

    test(`${name} holds a module and its types for every source, in both formats`, () => {
      const built = filesOf().filter((file) => /^dist\/(?:esm|cjs)\/.*(?<!\.d)\.c?js$/.test(file));
      assert.ok(built.length > 0);
      for (const file of built) {
        const source = file.replace(/^dist\/(?:esm|cjs)/, "src").replace(/js$/, "ts");
        assert.ok(existsSync(join(workspace, source)), `${file} has no source`);
        assert.ok(filesOf().includes(file.replace(/\.(c?)js$/, ".d.$1ts")), `${file} has no types`);
        const twin = file.startsWith("dist/esm") ? file.replace("dist/esm", "dist/cjs") : file.replace("dist/cjs", "dist/esm");
        assert.ok(filesOf().includes(twin), `${file} has no twin`);
      }
    });

    test(`${name} holds every file that its exports name`, () => {
      const targets = [manifest.main, manifest.types, ...targetsOf(manifest.exports)];
      const missing = targets.filter((target) => !filesOf().includes(target.replace(/^\.\//, "")));
      assert.deepEqual(missing, []);
    });
  }
});
