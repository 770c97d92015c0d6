import { type BenchEnvironment, EXIT, runBench } from "./bench.ts";

// How long a suite may take to stop its servers.
const GRACE_MS = 10_000;

/** Runs this process's command line to its end, and the process with it. */
export async function runProgram(
  environment: Pick<BenchEnvironment, "suites" | "program" | "out" | "readRevision">,
): Promise<never> {
  const interruption = new AbortController();
  process.on("SIGINT", () => {
    // The file on disk is whole at any time, and servers end with this process.
    if (interruption.signal.aborted) process.exit(EXIT.interrupted);
    process.stderr.write("\nInterrupted: stopping; --resume goes on with what is missing\n");
    interruption.abort();
    setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref();
  });
  const code = await runBench(process.argv.slice(2), {
    ...environment,
    print: (line) => void process.stdout.write(`${line}\n`),
    output: process.stderr,
    signal: interruption.signal,
  });
  // A peer's native client may keep the process alive.
  process.exit(code);
}
