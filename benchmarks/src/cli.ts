import { fileURLToPath } from "node:url";
import { runProgram } from "./cli-program.ts";
import { CLI_PROGRAM } from "./launches.ts";
import { readRevision } from "./machine.ts";
import { SUITES } from "./suites.ts";

await runProgram({
  suites: SUITES,
  program: CLI_PROGRAM,
  out: fileURLToPath(new URL("../results/runs", import.meta.url)),
  readRevision,
});
