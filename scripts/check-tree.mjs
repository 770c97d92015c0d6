import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run-command.mjs";

// What belongs to the machine on which a file was written, and nobody else's.
const FORBIDDEN = {
  "a path of one machine": /(?<![\w./*${}-])\/(?:work|tmp|home|root|Users)\/[\w.-]+/,
  "the address of a registry": /https?:\/\/[^\s"'`]*(?:registry|npmjs\.org|verdaccio)[^\s"'`]*/i,
};

/** @param {string} file @returns {string[]} */
function findFaults(file) {
  const bytes = readFileSync(join(ROOT, file));
  if (bytes.includes(0)) return [];
  const lines = bytes.toString("utf8").split("\n");
  return Object.entries(FORBIDDEN).flatMap(([what, pattern]) =>
    lines.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${what}: ${pattern.exec(line)?.[0]}`] : [])),
  );
}

const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
  .split("\0")
  .filter((file) => existsSync(join(ROOT, file)) && file !== "");
const faults = files.flatMap(findFaults);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${files.length} tracked files: no machine's path, no registry's address`);
