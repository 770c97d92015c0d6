import { findExecutable, findInstallPrivilege, installSystemPackage } from "./system-packages.mjs";

const BINARIES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** What a person must run where this program may not install anything itself. */
export const CHROMIUM_HINT = "sudo apt-get update && sudo apt-get install -y chromium";

/** What Chromium needs to be told where it runs by itself: in a container, as root, without network. */
export const CHROMIUM_FLAGS = Object.freeze([
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]);

/** @returns {string | undefined} path of a Chromium or Chrome on PATH */
export function findChromium(path = process.env["PATH"] ?? "") {
  return findExecutable(BINARIES, path);
}

/**
 * Finds Chromium, or installs the distribution's package where that needs nobody's password.
 *
 * @returns {string | undefined} its path
 */
export function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  const privilege = findInstallPrivilege();
  if (privilege === undefined) return undefined;
  console.error("No Chromium found: installing the distribution's chromium package");
  installSystemPackage("chromium", privilege);
  return findChromium();
}
