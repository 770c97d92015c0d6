import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { bootstrap } from "./bootstrap.mjs";
import { ROOT, runNode } from "./run-command.mjs";

// npm test                          every unit and integration test; integration with ioredis 6 and 5, with the kernel and without
// npm test -- FILE…                 some of them
// npm run coverage                  the same, with the coverage of the packages' sources
// npm run test:package              what the packed tarballs do once they are installed
// TIGHTWIRE_IOREDIS=5 npm test      integration with that ioredis alone: 6, 5 or 5.4

const INTEGRATION_FOLDER = "test/integration";
const PACKAGE_FOLDER = "test/package";
const SECOND_IOREDIS = "5";
const TEST_TIMEOUT_MS = 300_000;

/** @returns {string[]} every folder of tests but the two above */
function listUnitFolders() {
  const list = (/** @type {string} */ folder) => readdirSync(join(ROOT, folder)).sort();
  const folders = [
    ...list("packages").map((name) => `packages/${name}/test`),
    "benchmarks/test",
    ...list("test").map((name) => `test/${name}`),
  ];
  return folders.filter((folder) => folder !== INTEGRATION_FOLDER && folder !== PACKAGE_FOLDER);
}

/** @param {string} folder @returns {string[]} its test files, in one order on every machine */
function listTests(folder) {
  if (!existsSync(join(ROOT, folder))) return [];
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter(
    (file) => !file.includes("node_modules"),
  );
  return files
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file}`)
    .sort();
}

/** @param {string[]} chosen files on the command line @param {boolean} packages */
function chooseTests(chosen, packages) {
  if (chosen.length > 0) return chosen;
  if (packages) return listTests(PACKAGE_FOLDER);
  const integration = listTests(INTEGRATION_FOLDER);
  const unit = listUnitFolders().flatMap(listTests);
  return [...unit, ...integration, ...listRepeated(integration)];
}

// What only a second ioredis or a process without the kernel would show.
/** @param {string[]} integration */
function listRepeated(integration) {
  const withoutKernel = { TIGHTWIRE_KERNEL: "off" };
  const codec = repeatWith(listTests("packages/codec-core/test"), "codec-core-without-kernel", withoutKernel);
  if (process.env["TIGHTWIRE_IOREDIS"] !== undefined) return codec;
  const settings = { ...withoutKernel, TIGHTWIRE_IOREDIS: SECOND_IOREDIS };
  return [...codec, ...repeatWith(integration, `ioredis-${SECOND_IOREDIS}-without-kernel`, settings)];
}

/**
 * One file per test that runs it in another setting: one run of the test runner then covers both, and its closing lines count
 * everything.
 *
 * @param {string[]} files @param {string} name @param {Record<string, string>} environment
 */
function repeatWith(files, name, environment) {
  const folder = join(ROOT, ".cache", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const settings = Object.entries(environment).map(([key, value]) => `process.env["${key}"] = "${value}";\n`);
  return files.map((file) => {
    const copy = join(folder, file.replaceAll("/", "--").replace(/\.ts$/, ".mjs"));
    const target = relative(folder, join(ROOT, file));
    writeFileSync(copy, `${settings.join("")}await import("${target}");\n`);
    return relative(ROOT, copy);
  });
}

const args = process.argv.slice(2);
const flags = args.filter((argument) => argument.startsWith("--"));
const coverage = flags.includes("--coverage");
await bootstrap();
const files = chooseTests(
  args.filter((argument) => !argument.startsWith("--")),
  flags.includes("--package"),
);
const runner = [
  ...["--import", "tsx"],
  // Cross-package tests import the built packages; to count for coverage they must run the sources.
  ...(coverage ? ["--import", "./scripts/source-packages.mjs"] : []),
  ...["--test", `--test-timeout=${TEST_TIMEOUT_MS}`, `--test-concurrency=${Math.max(2, availableParallelism() - 1)}`],
  // The default for a pipe differs between releases of Node.
  ...[`--test-reporter=${process.stdout.isTTY ? "spec" : "tap"}`, "--test-reporter-destination=stdout"],
  ...["--test-reporter=./scripts/failures-reporter.mjs", "--test-reporter-destination=stderr"],
];
runNode([...(coverage ? ["node_modules/c8/bin/c8.js", process.execPath] : []), ...runner, ...files]);
