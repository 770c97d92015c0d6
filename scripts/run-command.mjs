import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The top folder of the repository, where every script runs its commands. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs a command to its end, its output shown. A failure ends this process with the command's exit code.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [environment] added to this process's own
 */
export function runCommand(command, args, environment = {}) {
  const { status, error, signal } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  if (status === 0) return;
  if (status === null) console.error(`${command} ended without an exit code: ${error?.message ?? signal}`);
  process.exit(status ?? 1);
}

/** @param {readonly string[]} args of node itself @param {NodeJS.ProcessEnv} [environment] */
export function runNode(args, environment) {
  runCommand(process.execPath, args, environment);
}
