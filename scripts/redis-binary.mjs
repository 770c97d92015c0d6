import { spawnSync } from "node:child_process";
import { sendRedisCommand } from "./resp.mjs";
import { findExecutable, findInstallPrivilege, installSystemPackage } from "./system-packages.mjs";

const BINARIES = ["redis-server", "valkey-server"];
const DISTRIBUTION_PORT = 6379;

/** What a person must run where this program may not install anything itself. */
export const INSTALL_HINT =
  process.platform === "darwin" ? "brew install redis" : "sudo apt-get update && sudo apt-get install -y redis-server";

/** @returns {string | undefined} path of a `redis-server` or `valkey-server` on PATH */
export function findRedisBinary(path = process.env["PATH"] ?? "") {
  return findExecutable(BINARIES, path);
}

/**
 * Finds a Redis server, or installs the distribution's package where that needs nobody's password.
 *
 * @returns {Promise<string>} its path; rejects with the one line that the person must run
 */
export async function ensureRedisBinary() {
  const found = findRedisBinary();
  if (found !== undefined) return found;
  const privilege = findInstallPrivilege();
  if (privilege !== undefined) await installRedis(privilege);
  const installed = findRedisBinary();
  if (installed !== undefined) return installed;
  throw new Error(`No redis-server or valkey-server on PATH. Install one, then run this again:\n\n    ${INSTALL_HINT}\n`);
}

/** @param {string[]} privilege */
async function installRedis(privilege) {
  console.error("No Redis server found: installing the distribution's redis-server package");
  const wasServing = await isServing(DISTRIBUTION_PORT);
  installSystemPackage("redis-server", privilege);
  if (!wasServing && (await isServing(DISTRIBUTION_PORT))) stopDistributionService(privilege);
}

/** Installing the package starts a service that nobody asked for. @param {string[]} privilege */
function stopDistributionService(privilege) {
  const [command = "service", ...args] = [...privilege, "service", "redis-server", "stop"];
  const { status } = spawnSync(command, args, { stdio: ["ignore", 2, 2] });
  if (status !== 0) console.error("The redis-server service that the package started could not be stopped");
}

/** @param {number} port */
async function isServing(port) {
  try {
    await sendRedisCommand(port, ["PING"]);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ECONNREFUSED");
  }
}
