import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** How a child works: with the kernel, or as where it cannot run. */
export type KernelMode = "on" | "off";

/**
 * Runs a module in a process of its own in which the packages named by `hidden` are absent, and those named by `broken` cannot be
 * loaded; gives what it printed as JSON.
 */
export function runWithout(
  hidden: readonly string[],
  source: string,
  broken: readonly string[] = [],
  kernel: KernelMode = "off",
): unknown {
  const args = ["--require", "./test/support/hide-packages.cjs", "--import", "tsx", "--input-type=module", "--eval", source];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: PACKAGE,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, HIDE: hidden.join(","), BREAK: broken.join(","), TIGHTWIRE_KERNEL: kernel },
  });
  if (status !== 0) throw new Error(`child ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}
