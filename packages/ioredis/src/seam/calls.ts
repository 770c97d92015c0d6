/** What an own method tells the seam about the command that ioredis is about to make of its arguments. */
export interface Call {
  /** The values under rules are encoded already. */
  readonly encoded?: true;
  /** The command must not be sent. */
  readonly refusal?: Error;
}

// ioredis makes the command and calls sendCommand within the method's own synchronous call, so nothing can come between.
let current: Call | undefined;

/** Makes a command by `create`, of which `call` is true. */
export function withCall(call: Call, create: () => unknown): unknown {
  current = call;
  try {
    return create();
  } finally {
    current = undefined;
  }
}

/** What is known about the command being made; not taken by the commands that are made after it. */
export function takeCall(): Call | undefined {
  const call = current;
  current = undefined;
  return call;
}

/** Whether an own method further out has taken care of the values: auto-pipelining calls the pipeline's method in turn. */
export function isInCall(): boolean {
  return current !== undefined;
}
