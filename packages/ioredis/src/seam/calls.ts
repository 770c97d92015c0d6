// Set only while an own method makes ioredis build a command that must not be sent, within one synchronous call.
let refusal: unknown;

/** Makes a command by `create` that is refused with `error`. */
export function withRefusal(error: unknown, create: () => unknown): unknown {
  refusal = error;
  try {
    return create();
  } finally {
    refusal = undefined;
  }
}

/** Why the command being made must not be sent; taken by it alone. */
export function takeRefusal(): unknown {
  if (refusal === undefined) return undefined;
  const error = refusal;
  refusal = undefined;
  return error;
}

/** Whether the command being made must not be sent. */
export function isRefusing(): boolean {
  return refusal !== undefined;
}
