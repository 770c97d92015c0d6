import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, cpus, loadavg, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/run-command.mjs";
import type { MachineRecord, ResultsFile, Revision } from "./results.ts";

// What the codec and the client are made of. Suites note their servers and peers themselves.
const PACKAGES = [
  "@tightwire/codec-core",
  "@tightwire/ioredis",
  "@node-rs/xxhash",
  "@tightwire/kernel",
  "lz4-napi",
  "snappy",
  "@msgpack/msgpack",
  "zstd-napi",
  "msgpackr",
  "ioredis",
  "mitata",
];
const RUNTIME_PARTS = ["node", "v8", "zlib", "brotli", "zstd", "openssl"];
// Results are what a run makes: they do not change what it measures.
const SOURCES = ["--", ".", ":(exclude)benchmarks/results"];
const resolver = createRequire(import.meta.url);

/** The present machine; `before` is the load at the beginning of the run. */
export function readMachine(before: number = readLoad()): MachineRecord {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryBytes: totalmem(),
    kernel: `${type()} ${release()}`,
    arch: arch(),
    load: [before, readLoad()],
  };
}

function readLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

/** Node, what it is made of, and the packages that are measured. */
export function readVersions(): Readonly<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const part of RUNTIME_PARTS) addVersion(versions, part, process.versions[part]);
  for (const name of PACKAGES) addVersion(versions, name, readPackageVersion(name));
  return versions;
}

function addVersion(versions: Record<string, string>, name: string, version: string | undefined): void {
  if (version !== undefined) versions[name] = version;
}

/** The version of an installed package, read without loading it; undefined where it is not installed. */
export function readPackageVersion(name: string): string | undefined {
  for (const folder of resolver.resolve.paths(name) ?? []) {
    try {
      return String(JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")).version);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))) throw error;
    }
  }
  return undefined;
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 28 });
}

/** The state of the sources; "unknown" where git does not know. */
export function readRevision(): Revision {
  try {
    const commit = git("rev-parse", "HEAD").trim();
    const status = git("status", "--porcelain", "--untracked-files=all", ...SOURCES);
    return status === "" ? { commit, dirty: false } : { commit, dirty: true, changes: digestChanges() };
  } catch {
    // No git here, or a copy without its history: said in the results by this word.
    return { commit: "unknown", dirty: true };
  }
}

function digestChanges(): string {
  const hash = createHash("sha256").update(git("diff", "--binary", "HEAD", ...SOURCES));
  const untracked = git("ls-files", "--others", "--exclude-standard", "-z", ...SOURCES).split("\0");
  for (const file of untracked.filter((name) => name !== "")) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex").slice(0, 16);
}

/** What keeps two runs from being one, a phrase each; empty where they were made by the same sources, machine and versions. */
export function findDifferences(a: ResultsFile, b: Pick<ResultsFile, "revision" | "machine" | "versions">): readonly string[] {
  const differences: string[] = [];
  const { commit, dirty, changes } = a.revision;
  if (commit !== b.revision.commit || dirty !== b.revision.dirty || changes !== b.revision.changes) {
    differences.push(`revision ${describeRevision(a.revision)} → ${describeRevision(b.revision)}`);
  }
  for (const key of ["cpu", "cores", "memoryBytes", "kernel", "arch"] as const) {
    if (a.machine[key] !== b.machine[key]) differences.push(`${key} ${a.machine[key]} → ${b.machine[key]}`);
  }
  for (const name of Object.keys(a.versions)) {
    const [before, after] = [a.versions[name], b.versions[name]];
    if (after !== undefined && before !== after) differences.push(`${name} ${before} → ${after}`);
  }
  return differences;
}

/** The commit in short, marked where the sources differed from it. */
export function describeRevision({ commit, dirty }: Revision): string {
  return `${commit.slice(0, 10)}${dirty && commit !== "unknown" ? " with changes" : ""}`;
}
