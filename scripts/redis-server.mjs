import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findRedisBinary, INSTALL_HINT } from "./redis-binary.mjs";
import { sendRedisCommand } from "./resp.mjs";
import { createServerFolder, superviseServer } from "./supervisor.mjs";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/**
 * @typedef {object} StartOptions
 * @property {readonly string[]} [args] further arguments of redis-server: `["--maxmemory", "10mb"]`
 * @property {number} [port] a fixed port; by default a free one
 * @property {readonly string[]} [sentinel] starts a Sentinel with these lines of configuration
 */

/**
 * @typedef {object} RedisServer a real server on 127.0.0.1 that ends with this process, however that ends
 * @property {number} port
 * @property {string} url
 * @property {number} pid of the present process; another one after `restart`
 * @property {(...command: (string | number)[]) => Promise<import("./resp.mjs").Reply>} command sends one command on a bare connection
 * @property {() => string} log what the server wrote, its last 64 KiB
 * @property {() => Promise<void>} kill ends it at once, as a crash would; `restart` brings it back
 * @property {() => Promise<void>} restart the same port, arguments and folder, with no data
 * @property {() => Promise<void>} stop ends it and removes its folder
 */

const START_ATTEMPTS = 20;
const READY_TIMEOUT_MS = 20_000;
const PROBE_TIMEOUT_MS = 500;
const STOP_TIMEOUT_MS = 2_000;
const LOG_LIMIT = 65_536;
// Below the ephemeral ports of Linux and macOS, so that no outgoing connection takes the port between two starts; a
// cluster's bus port is 10,000 above.
const FIRST_PORT = 11_000;
const PORT_COUNT = 11_000;

class PortTakenError extends Error {}

/**
 * Starts a throw-away server that persists nothing.
 *
 * @param {StartOptions} [options]
 * @returns {Promise<RedisServer>}
 */
export async function startRedis(options = {}) {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await pickFreePort());
    try {
      return await startOnPort(port, options);
    } catch (error) {
      if (!(error instanceof PortTakenError) || options.port !== undefined || attempt === START_ATTEMPTS) throw error;
    }
  }
}

async function pickFreePort() {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORT_COUNT);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST_PORT} and ${FIRST_PORT + PORT_COUNT}`);
}

/** @param {number} port @returns {Promise<boolean>} */
function isPortFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** @param {number} port @param {StartOptions} options @returns {Promise<RedisServer>} */
async function startOnPort(port, options) {
  const folder = createServerFolder();
  let log = "";
  const launch = () => launchServer(port, folder, options, (text) => (log = (log + text).slice(-LOG_LIMIT)));
  let child = launch();
  /** @param {NodeJS.Signals} signal */
  const end = (signal) => endServer(child, signal);
  try {
    await waitUntilReady(child, port, () => log);
  } catch (error) {
    await end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0;
    },
    command: (...command) => sendRedisCommand(port, command),
    log: () => log,
    kill: () => end("SIGKILL"),
    async restart() {
      await end("SIGTERM");
      child = launch();
      await waitUntilReady(child, port, () => log);
    },
    async stop() {
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @type {(port: number, folder: string, options: StartOptions, onLog: (text: string) => void) => ChildProcess} */
function launchServer(port, folder, options, onLog) {
  const binary = findRedisBinary();
  if (binary === undefined) throw new Error(`no redis-server or valkey-server on PATH: ${INSTALL_HINT}`);
  mkdirSync(folder, { recursive: true });
  const address = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--daemonize", "no"];
  const mode = options.sentinel === undefined ? ["--save", "", "--appendonly", "no"] : ["--sentinel"];
  const configuration = options.sentinel === undefined ? [] : [writeSentinelFile(folder, options.sentinel)];
  const child = spawn(binary, [...configuration, ...address, ...mode, ...(options.args ?? [])], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onLog);
  child.on("error", (error) => onLog(`${error.message}\n`));
  superviseServer(child);
  return child;
}

/** @param {string} folder @param {readonly string[]} lines */
function writeSentinelFile(folder, lines) {
  const path = join(folder, "sentinel.conf");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

/** @param {ChildProcess} child @param {number} port @param {() => string} readLog */
async function waitUntilReady(child, port, readLog) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady(child, port))) {
    if (hasEnded(child)) throwStartFailure(port, readLog());
    if (Date.now() > deadline) throw new Error(`redis-server on port ${port} did not answer PING in time:\n${readLog()}`);
    await delay(15);
  }
}

/** @param {number} port @param {string} log @returns {never} */
function throwStartFailure(port, log) {
  if (/address already in use|failed listening/i.test(log)) throw new PortTakenError(`port ${port} is taken:\n${log}`);
  throw new Error(`redis-server on port ${port} ended before it was ready:\n${log}`);
}

/** @param {ChildProcess} child @param {number} port */
async function isReady(child, port) {
  try {
    await sendRedisCommand(port, ["PING"], PROBE_TIMEOUT_MS);
    const information = String(await sendRedisCommand(port, ["INFO", "server"], PROBE_TIMEOUT_MS));
    // Another process may have taken the port first: only our own server counts.
    return information.includes(`process_id:${child.pid}\r\n`);
  } catch (error) {
    // A server with a password is ready when it asks for it.
    return error instanceof Error && error.message.startsWith("NOAUTH") && !hasEnded(child);
  }
}

/** @param {ChildProcess} child */
function hasEnded(child) {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** @param {ChildProcess} child @param {NodeJS.Signals} signal */
async function endServer(child, signal) {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  child.kill(signal);
  // A master may wait for its replicas; nothing here is worth waiting for.
  const impatience = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(impatience);
}
