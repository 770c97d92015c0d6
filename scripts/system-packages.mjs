import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * @param {readonly string[]} names in order of preference
 * @param {string} path folders, as in PATH
 * @returns {string | undefined} the first program found
 */
export function findExecutable(names, path) {
  for (const name of names) {
    for (const folder of path.split(delimiter)) {
      const candidate = join(folder, name);
      if (folder !== "" && isExecutableFile(candidate)) return candidate;
    }
  }
  return undefined;
}

/** @param {string} path */
function isExecutableFile(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @returns {string[] | undefined} what to put before `apt-get`; undefined where this program may not install */
export function findInstallPrivilege() {
  if (spawnSync("apt-get", ["--version"]).status !== 0) return undefined;
  if (process.getuid?.() === 0) return [];
  // A person's machine is theirs, even where sudo asks for no password; a CI runner is thrown away.
  const maySudo = process.env["CI"] !== undefined && spawnSync("sudo", ["-n", "true"]).status === 0;
  return maySudo ? ["sudo", "-n"] : undefined;
}

/**
 * Installs a package of the distribution. What fails is said; the caller sees whether the program is there afterwards.
 *
 * @param {string} name @param {readonly string[]} privilege
 */
export function installSystemPackage(name, privilege) {
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const step of [["update"], ["install", "-y", name]]) {
    const [command = "apt-get", ...args] = [...privilege, "apt-get", ...step];
    // apt talks on stderr's side of this program: stdout belongs to the tests and examples.
    const { status } = spawnSync(command, args, { stdio: ["ignore", 2, 2], env: environment });
    if (status !== 0) console.error(`apt-get ${step.join(" ")} ended with ${status}`);
  }
}
