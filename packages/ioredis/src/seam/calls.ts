/** Why a command must not be sent: whatever was thrown, `undefined` too. */
export interface Refusal {
  readonly error: unknown;
}

// Set only while an own method makes ioredis build a command that must not be sent, within one synchronous call.
let refusal: Refusal | undefined;

/** Makes a command by `create` that is refused with `error`. */
export function withRefusal(error: unknown, create: () => unknown): unknown {
  refusal = { error };
  try {
    return create();
  } finally {
    refusal = undefined;
  }
}

/** Why the command being made must not be sent; taken by it alone. */
export function takeRefusal(): Refusal | undefined {
  const taken = refusal;
  refusal = undefined;
  return taken;
}

/** Whether the command being made must not be sent. */
export function isRefusing(): boolean {
  return refusal !== undefined;
}
