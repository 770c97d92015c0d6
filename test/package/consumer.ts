import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));
/** The published packages, in the order in which they depend on each other. */
export const PACKAGES = ["@tightwire/kernel", "@tightwire/codec-core", "@tightwire/ioredis"] as const;

/** Whether zstd-napi could be built or downloaded here; without it a plain install leaves it out. */
export const hasZstdNapi: boolean = existsSync(join(ROOT, "node_modules/zstd-napi/build/Release/binding.node"));

const INSTALL_FLAGS = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
const NPM_TIMEOUT_MS = 240_000;

/** What a finished program left behind. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project outside the repository, as a user of the packages has one. */
export interface Consumer {
  readonly folder: string;
  /** Writes a file and gives its path. */
  write(path: string, content: string): string;
  /** Runs a file of the project with this process's Node. */
  runNode(args: readonly string[], environment?: NodeJS.ProcessEnv): Outcome;
  remove(): void;
}

/** A packed package. */
export interface Tarball {
  readonly path: string;
  /** Paths inside the package. */
  readonly files: readonly string[];
}

/** Packs the packages as they would be published, in the order of {@link PACKAGES}. */
export function packPackages(target: string): readonly Tarball[] {
  const workspaces = PACKAGES.map((name) => `--workspace=${name}`);
  runNpm(["pack", `--pack-destination=${target}`, "--loglevel=error", ...workspaces], ROOT);
  const paths = readdirSync(target).filter((name) => name.endsWith(".tgz"));
  const order = PACKAGES.map((name) => name.replace("@", "").replace("/", "-"));
  const sorted = order.flatMap((start) => paths.filter((name) => name.startsWith(start)));
  return sorted.map((name) => ({ path: join(target, name), files: listFiles(join(target, name)) }));
}

function listFiles(tarball: string): string[] {
  const { stdout } = assertSuccess(spawnSync("tar", ["-tzf", tarball], { encoding: "utf8" }), `tar -t ${tarball}`);
  return stdout
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
}

/**
 * Installs the tarballs into an empty project.
 *
 * @param flags of `npm install`: `--ignore-scripts`, `--omit=optional`
 * @param environment of `npm install`, added to this process's own
 */
export function createConsumer(flags: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): Consumer {
  const folder = mkdtempSync(join(tmpdir(), "tightwire-consumer-"));
  const consumer = describeConsumer(folder);
  // npm 11 asks for this approval, and npm 12 runs no install script without it.
  consumer.write("package.json", JSON.stringify({ private: true, allowScripts: { "zstd-napi": true } }));
  mkdirSync(join(folder, "tarballs"));
  const tarballs = packPackages(join(folder, "tarballs")).map(({ path }) => path);
  runNpm(["install", ...INSTALL_FLAGS, ...flags, ...tarballs, ...readPeers()], folder, environment);
  return consumer;
}

/** The versions that the repository itself is tested with, so that a new release elsewhere breaks no build. */
function readPeers(): string[] {
  return ["ioredis", "@types/node"].map((name) => `${name}@${readVersion(join(ROOT, "node_modules", name))}`);
}

function readVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  return version;
}

function describeConsumer(folder: string): Consumer {
  return {
    folder,
    write(path, content) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    runNode: (args, environment) =>
      spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env: { ...plainEnvironment(), ...environment } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

// The consumer is no test of this run: neither its coverage nor its runner's protocol nor npm's settings for this repository.
function plainEnvironment(): NodeJS.ProcessEnv {
  const isForeign = (name: string): boolean => /^(?:npm_|NODE_TEST_CONTEXT$|NODE_V8_COVERAGE$|NODE_OPTIONS$)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)));
}

function runNpm(args: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}): void {
  const npm = process.env["npm_execpath"];
  const [command, first] = npm?.endsWith("npm-cli.js") ? [process.execPath, [npm]] : ["npm", []];
  const options = { cwd, encoding: "utf8", env: { ...plainEnvironment(), ...environment }, timeout: NPM_TIMEOUT_MS } as const;
  assertSuccess(spawnSync(command, [...first, ...args], options), `npm ${args[0]}`);
}

/** @throws Error with everything the program said, unless it succeeded */
export function assertSuccess(outcome: Outcome, what: string): Outcome {
  if (outcome.status === 0) return outcome;
  throw new Error(`${what} ended with ${outcome.status}:\n${outcome.stdout}\n${outcome.stderr}`);
}
