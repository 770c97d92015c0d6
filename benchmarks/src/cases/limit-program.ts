import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findInstallPrivilege, installSystemPackage } from "../../../scripts/system-packages.mjs";

const SOURCE = fileURLToPath(new URL("../../native/limit.c", import.meta.url));
const PACKAGES: readonly string[] = ["liblz4-dev", "libzstd-dev", "libxxhash-dev"];

/** The steps of native/limit.c. */
export type LimitPart = "frame" | "compress" | "hash";
export type LimitCodec = "raw" | "stored" | "lz4" | "zstd";

/** The compiled C program, running in a process of its own. One request at a time. */
export interface LimitProgram {
  /** Of the libraries, and of the compiler. */
  readonly versions: ReadonlyMap<string, string>;
  /** Hands over what `encode` or `decode` works on. */
  load(slot: "content" | "frame", bytes: Uint8Array): Promise<void>;
  /** Makes so many calls; rejects if their result is not sound. */
  run(operation: "encode" | "decode", codec: LimitCodec, part: LimitPart, calls: number): Promise<LimitRun>;
  /** What the last call wrote. */
  readResult(): Promise<Buffer>;
  stop(): Promise<void>;
}

export interface LimitRun {
  readonly ns: number;
  readonly resultBytes: number;
}

/** This machine cannot compile the program; the message is the reason. */
export class LimitUnavailableError extends Error {}

/**
 * Compiles the C program, with the distribution's headers installed first where that needs nobody's password, and starts it.
 *
 * @throws LimitUnavailableError
 */
export async function startLimitProgram(compiler = "cc"): Promise<LimitProgram> {
  const compilerVersion = findCompilerVersion(compiler);
  const folder = mkdtempSync(join(tmpdir(), "tightwire-limit-"));
  try {
    const binary = join(folder, "limit");
    compile(compiler, binary);
    return await start(binary, compilerVersion);
  } finally {
    // A program that runs needs its file no more.
    rmSync(folder, { recursive: true, force: true });
  }
}

function findCompilerVersion(compiler: string): string {
  const { status, stdout } = spawnSync(compiler, ["--version"], { encoding: "utf8" });
  if (status === 0) return stdout.split("\n", 1)[0] ?? "";
  throw new LimitUnavailableError(`no C compiler: ${compiler} is not on PATH`);
}

function compile(compiler: string, binary: string): void {
  const first = tryCompile(compiler, binary);
  if (first === undefined) return;
  const second = installHeaders() ? tryCompile(compiler, binary) : first;
  if (second === undefined) return;
  const isHeaderMissing = /(lz4|zstd|xxhash)\.h|cannot find -l/.test(second);
  const remedy = isHeaderMissing ? `; sudo apt-get install -y ${PACKAGES.join(" ")}` : "";
  throw new LimitUnavailableError(`${compiler} cannot compile native/limit.c: ${findError(second)}${remedy}`);
}

/** The first line of a compiler's output that says what is wrong. */
function findError(output: string): string {
  const lines = output.trim().split("\n");
  return (lines.find((line) => /error|cannot/.test(line)) ?? lines[0] ?? "").replaceAll(SOURCE, "limit.c");
}

/** @returns what the compiler said, if it did not work */
function tryCompile(compiler: string, binary: string): string | undefined {
  const args = ["-std=c11", "-O3", "-march=native", SOURCE, "-o", binary, "-llz4", "-lzstd"];
  const { status, stderr } = spawnSync(compiler, args, { encoding: "utf8" });
  return status === 0 ? undefined : `${stderr}`;
}

/** @returns whether it was tried, which it is only where this program may install something */
function installHeaders(): boolean {
  const privilege = findInstallPrivilege();
  if (privilege === undefined) return false;
  console.error(`Headers for the C program are missing: installing ${PACKAGES.join(", ")}`);
  for (const name of PACKAGES) installSystemPackage(name, privilege);
  return true;
}

async function start(binary: string, compilerVersion: string): Promise<LimitProgram> {
  const child = spawn(binary, [], { stdio: "pipe" });
  await once(child, "spawn");
  const reader = createReader(child);
  const ask = async (line: string, bytes?: Uint8Array): Promise<string> => {
    child.stdin.write(`${line}\n`);
    if (bytes !== undefined) child.stdin.write(bytes);
    return reader.readLine();
  };
  const words = (await ask("versions")).split(" ");
  const versions = new Map([["cc", compilerVersion]]);
  for (let i = 0; i + 1 < words.length; i += 2) versions.set(words[i] as string, words[i + 1] as string);
  return {
    versions,
    load: async (slot, bytes) => assertAnswer(slot, await ask(`${slot} ${bytes.length}`, bytes), String(bytes.length)),
    run: async (operation, codec, part, calls) => {
      const [ns, resultBytes] = (await ask(`${operation} ${codec} ${part} ${calls}`)).split(" ").map(Number);
      if (ns !== undefined && resultBytes !== undefined && Number.isFinite(ns)) return { ns, resultBytes };
      throw new Error(`limit.c: ${operation} with ${codec} failed`);
    },
    readResult: async () => reader.readBytes(Number(await ask("result"))),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.stdin.end();
      await exit;
    },
  };
}

function assertAnswer(what: string, actual: string, expected: string): void {
  if (actual !== expected) throw new Error(`limit.c answered ${what} with "${actual}"`);
}

interface Reader {
  readLine(): Promise<string>;
  readBytes(count: number): Promise<Buffer>;
}

/** Reads what the program answers; rejects once it has ended. */
function createReader(child: ChildProcessWithoutNullStreams): Reader {
  let received: Buffer = Buffer.alloc(0);
  let complaint = "";
  let hasEnded = false;
  let wake = (): void => {};
  child.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  child.on("close", () => {
    hasEnded = true;
    wake();
  });
  // A write to a program that has ended; the read that follows says so.
  child.stdin.on("error", () => {});
  const take = async (findLength: () => number): Promise<Buffer> => {
    for (;;) {
      const length = findLength();
      if (length >= 0 && received.length >= length) {
        const taken = received.subarray(0, length);
        received = received.subarray(length);
        return taken;
      }
      if (hasEnded) throw new Error(`limit.c ended: ${complaint.trim() || "without a word"}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    readLine: async () => (await take(() => received.indexOf("\n") + 1 || -1)).toString("latin1").trimEnd(),
    readBytes: (count) => take(() => count),
  };
}
