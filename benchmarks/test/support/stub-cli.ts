import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../../src/cli-program.ts";
import { stubSuite, twiceSuite } from "./stub-suite.ts";

// The command line of the benchmarks, with suites that take no time.
await runProgram({
  suites: { stub: () => Promise.resolve(stubSuite), twice: () => Promise.resolve(twiceSuite) },
  program: fileURLToPath(import.meta.url),
  out: join(tmpdir(), "never-used"),
  // Other tests may change files meanwhile.
  readRevision: () => ({ commit: "c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff", dirty: false }),
});
