import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

// Reads the living servers, one list per line, until this process is gone and the pipe closes: the only way to end them
// that also works after SIGKILL or a crash. It knows them by pid, and never looks for a name.
const WATCH = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids 2>/dev/null; rm -rf -- "$0"';

/** @type {Set<ChildProcess>} */
const living = new Set();
/** @type {{ folder: string, watcher: ChildProcess } | undefined} */
let supervision;
let folderCount = 0;

/** @returns {string} a folder for one server, inside the one of this process */
export function createServerFolder() {
  return join(supervise().folder, String(folderCount++));
}

/**
 * Sees to it that a server ends with this process, and that a forgotten one does not keep this process running.
 *
 * @param {ChildProcess} child
 */
export function superviseServer(child) {
  living.add(child);
  child.unref();
  for (const stream of [child.stdout, child.stderr]) unrefStream(stream);
  child.once("exit", () => {
    living.delete(child);
    reportLiving();
  });
  reportLiving();
}

function supervise() {
  if (supervision !== undefined) return supervision;
  const folder = mkdtempSync(join(tmpdir(), "tightwire-redis-"));
  // Its own process group: Ctrl-C in a terminal must not end it before it has done its work.
  const watcher = spawn("sh", ["-c", WATCH, folder], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  watcher.unref();
  unrefStream(watcher.stdin);
  process.once("exit", endAll);
  supervision = { folder, watcher };
  return supervision;
}

function reportLiving() {
  const pids = [...living].map((child) => child.pid).filter((pid) => pid !== undefined);
  supervise().watcher.stdin?.write(`${pids.join(" ")}\n`);
}

function endAll() {
  for (const child of living) child.kill("SIGKILL");
  if (supervision !== undefined) rmSync(supervision.folder, { recursive: true, force: true });
}

/** @param {import("node:stream").Stream | null} stream a pipe, which is a socket in Node */
function unrefStream(stream) {
  if (stream !== null && "unref" in stream && typeof stream.unref === "function") stream.unref();
}
