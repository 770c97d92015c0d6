import { isCodecError } from "../../src/errors.ts";

/** What a call gives or throws, to be compared with what another does. */
export interface Outcome {
  readonly value?: unknown;
  readonly error?: string;
  readonly facts?: object;
}

/** Of a CodecError its code and facts; of others, which have no code, their class. */
export function outcomeOf(run: () => unknown): Outcome {
  try {
    return { value: run() };
  } catch (error) {
    if (isCodecError(error)) return { error: error.code, facts: { ...error } };
    return { error: (error as Error).name };
  }
}
