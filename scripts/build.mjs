import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildKernel } from "./build-kernel.mjs";
import { ROOT, runNode } from "./run-command.mjs";

const PACKAGES = ["kernel", "codec-core", "ioredis"];
const FORMATS = ["esm", "cjs"];

/** Builds every package as ES modules and as CommonJS; what is up to date is not built again. */
export function build() {
  buildKernel();
  runNode(["node_modules/typescript/bin/tsc", "-b"]);
  for (const name of PACKAGES) {
    const folder = join(ROOT, "packages", name);
    for (const format of FORMATS) removeOrphans(join(folder, "src"), join(folder, "dist", format));
    // Without it Node reads the .js files below as ES modules, as the package itself says. Written once: others may be packing.
    const marker = join(folder, "dist/cjs/package.json");
    if (!existsSync(marker)) writeFileSync(marker, '{ "type": "commonjs" }\n');
  }
}

/**
 * The compiler leaves the output of a source that is gone, and it would be published.
 *
 * @param {string} sources @param {string} output
 */
function removeOrphans(sources, output) {
  for (const file of readdirSync(output, { recursive: true, encoding: "utf8" })) {
    const source = file.replace(/(?:\.d)?\.(c?)[jt]s$/, ".$1ts");
    if (source !== file && !existsSync(join(sources, source))) rmSync(join(output, file));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) build();
