import { type ParseArgsConfig, parseArgs } from "node:util";
import { describeError, UsageError } from "./usage-error.ts";

/**
 * Reads a command line.
 *
 * @throws UsageError the first sentence of what node:util has to say
 */
export function parseCommandLine<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(describeError(error).split(". ", 1)[0] ?? "");
  }
}
