import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ROOT } from "./run-command.mjs";

// node scripts/build-redis8.mjs [FOLDER]
//
// Builds the newest Redis 8 of Debian's source packages, for the tests of commands that the distribution's server lacks, and
// prints the path of its redis-server on stdout. Nothing is installed and no file of apt is changed: it reads the lists of the
// newer suites in FOLDER (.cache/redis-8 by default). DEBIAN_MIRROR names a mirror where this machine's apt has none of Debian.

const SUITES = ["sid", "experimental"];
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const TOOLS = ["apt-get", "apt-cache", "dpkg-source", "make", "cc"];
const FIRST_VERSION = "5:8.";
// What the server can do without: its own memory allocator alone takes longer to build than the rest.
const MAKE_OPTIONS = ["MALLOC=libc", "BUILD_TLS=no", "USE_SYSTEMD=no"];

const folder = resolve(ROOT, process.argv[2] ?? ".cache/redis-8");
const server = join(folder, "redis-server");
if (!existsSync(server)) buildServer();
console.log(server);

function buildServer() {
  for (const tool of TOOLS) if (!isInstalled(tool)) fail(`${tool} is not installed`);
  if (!existsSync(KEYRING)) fail(`${KEYRING} is not there to check what is downloaded`);
  const configuration = configureApt(findMirror());
  runApt(configuration, ["apt-get", "update"]);
  const version = findNewestVersion(configuration);
  const source = downloadSource(configuration, version);
  // Debian's patches make the build use the system's libraries, which would have to be installed.
  run(["make", "-C", join(source, "src"), `-j${process.env["JOBS"] ?? 2}`, ...MAKE_OPTIONS, "redis-server"]);
  run(["cp", join(source, "src/redis-server"), server]);
  rmSync(source, { recursive: true });
}

/** @param {string} tool */
function isInstalled(tool) {
  return spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;
}

/** @returns {string} where this machine gets its Debian packages from */
function findMirror() {
  const given = process.env["DEBIAN_MIRROR"];
  if (given !== undefined) return given;
  const format = "$(ORIGIN)|$(LABEL)|$(REPO_URI)";
  const { stdout } = spawnSync("apt-get", ["indextargets", "--format", format], { encoding: "utf8" });
  const line = stdout?.split("\n").find((one) => one.startsWith("Debian|Debian|"));
  return line?.split("|")[2] ?? fail("apt knows no mirror of Debian here; run apt-get update, or set DEBIAN_MIRROR");
}

/** @param {string} mirror @returns {string} a configuration of apt that leaves the machine's own alone */
function configureApt(mirror) {
  for (const name of ["lists/partial", "cache/archives/partial", "source"]) mkdirSync(join(folder, name), { recursive: true });
  const sources = SUITES.map((suite) => `deb-src [signed-by=${KEYRING}] ${mirror} ${suite} main\n`).join("");
  writeFileSync(join(folder, "sources.list"), sources);
  const settings = {
    "Dir::Etc::sourcelist": join(folder, "sources.list"),
    "Dir::Etc::sourceparts": "/dev/null",
    "Dir::State::lists": join(folder, "lists"),
    "Dir::Cache": join(folder, "cache"),
    // The user that apt downloads as may not be able to reach the folder.
    "APT::Sandbox::User": "",
  };
  const file = join(folder, "apt.conf");
  const text = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`);
  writeFileSync(file, text.join(""));
  return file;
}

/** @param {string} configuration @returns {string} */
function findNewestVersion(configuration) {
  const text = runApt(configuration, ["apt-cache", "showsrc", "redis"]);
  const versions = [...text.matchAll(/^Version: (.*)$/gm)].map((match) => match[1] ?? "");
  const [newest] = versions
    .filter((version) => version.startsWith(FIRST_VERSION))
    .sort(compareVersions)
    .reverse();
  return newest ?? fail(`Debian's ${SUITES.join(" and ")} have no Redis 8`);
}

/** @param {string} a @param {string} b */
function compareVersions(a, b) {
  return spawnSync("dpkg", ["--compare-versions", a, "gt", b]).status === 0 ? 1 : -1;
}

/** @param {string} configuration @param {string} version @returns {string} the unpacked source */
function downloadSource(configuration, version) {
  const downloads = join(folder, "source");
  runApt(configuration, ["apt-get", "source", "--download-only", `redis=${version}`], downloads);
  const description = readdirSync(downloads).find((name) => name.endsWith(".dsc")) ?? fail("apt-get source left no description");
  const source = join(folder, "redis");
  rmSync(source, { recursive: true, force: true });
  run(["dpkg-source", "--no-copy", "--skip-patches", "-x", join(downloads, description), source]);
  return source;
}

/** @param {string} configuration @param {string[]} command @param {string} [cwd] @returns {string} what it printed */
function runApt(configuration, command, cwd = folder) {
  return run(command, { cwd, env: { ...process.env, APT_CONFIG: configuration } });
}

/** @param {string[]} command @param {import("node:child_process").SpawnSyncOptions} [options] @returns {string} */
function run([command = "", ...args], options = {}) {
  // Its output belongs on stderr: stdout is the path alone.
  const { status, stdout, error } = spawnSync(command, args, { stdio: ["ignore", "pipe", 2], maxBuffer: 1 << 28, ...options });
  if (status !== 0) fail(`${[command, ...args].join(" ")} ended with ${status ?? error?.message}\n${stdout ?? ""}`);
  return String(stdout);
}

/** @param {string} reason @returns {never} */
function fail(reason) {
  console.error(`No Redis 8 can be built here: ${reason}`);
  process.exit(1);
}
