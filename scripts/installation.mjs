import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runCommand, runNode } from "./run-command.mjs";

/** @typedef {{ version?: string, resolved?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage */

const LOCK = "package-lock.json";
// npm's own record of what it has installed, written last: an installation that was interrupted has none.
const INSTALLED = "node_modules/.package-lock.json";

/**
 * Whether node_modules holds what the lock file asks for. Packages for other platforms are missing on every machine, and an
 * optional package that could not be built is left out.
 *
 * @param {string} [root]
 */
export function isInstallationCurrent(root = ROOT) {
  const installed = readPackages(join(root, INSTALLED));
  const locked = readPackages(join(root, LOCK));
  if (installed === undefined || locked === undefined) return false;
  const isPresent = (/** @type {[string, LockedPackage]} */ [path, wanted]) => {
    const found = installed[path];
    return found === undefined ? path === "" || isOptional(wanted) : isSamePackage(wanted, found);
  };
  return Object.entries(locked).every(isPresent) && Object.keys(installed).every((path) => locked[path] !== undefined);
}

/** Installs from the lock file if node_modules is missing or differs from it. */
export function ensureInstallation() {
  if (isInstallationCurrent()) return;
  console.error("Installing the packages of package-lock.json");
  // The npm that runs this script, where it is one: the person may have several.
  const npm = process.env["npm_execpath"];
  if (npm?.endsWith("npm-cli.js")) runNode([npm, "ci"]);
  else runCommand("npm", ["ci"]);
}

/** @param {string} path @returns {Record<string, LockedPackage> | undefined} */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** @param {LockedPackage} wanted */
function isOptional({ optional, devOptional }) {
  return optional === true || devOptional === true;
}

/** @param {LockedPackage} wanted @param {LockedPackage} found */
function isSamePackage(wanted, found) {
  return wanted.version === found.version && wanted.integrity === found.integrity && wanted.link === found.link;
}
