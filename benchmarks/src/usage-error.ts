/** A mistake of the person at the command line, or a file that cannot be used: one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The one line that a person gets to read of an error. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? message;
}
