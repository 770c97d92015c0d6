import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { bootstrap } from "./bootstrap.mjs";
import { ROOT } from "./run-command.mjs";

// npm run bench -- OPTIONS          the benchmarks; --help lists the options
// npm run bench:compare -- A B      two results files, or two folders of them
// npm run bench:report -- OPTIONS   tables, summary and page from results
// npm run bench:phases -- OPTIONS   value-codec in its three phases

/** @type {Record<string, string>} */
const PROGRAMS = { run: "cli.ts", compare: "compare-cli.ts", report: "report-cli.ts", phases: "phases.ts" };

const [name = "run", ...args] = process.argv.slice(2);
const program = PROGRAMS[name];
if (program === undefined) throw new Error(`no program ${name}: ${Object.keys(PROGRAMS).join(", ")}`);
// Only some suites need a server: a run looks for one itself.
await bootstrap({ needsRedis: false });

const child = spawn(process.execPath, ["--expose-gc", "--import", "tsx", `benchmarks/src/${program}`, ...args], {
  cwd: ROOT,
  stdio: "inherit",
});
// Ctrl-C in a terminal reaches the child by itself; this process waits for how it ends.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
const [code, signal] = await once(child, "exit");
process.exitCode = code ?? 128 + (constants.signals[/** @type {NodeJS.Signals} */ (signal)] ?? 0);
