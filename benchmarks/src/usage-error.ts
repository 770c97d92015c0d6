/** A mistake of the person at the command line, or a file that cannot be used: one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The one line that a person gets to read of an error. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? message;
}

/** A mistake on the command line, from what node:util's parseArgs throws: its first sentence. */
export function createOptionError(error: unknown): UsageError {
  return new UsageError(describeError(error).split(". ", 1)[0] ?? "");
}
