/** Checks before anything is timed: a fast wrong answer is no result. */

/** @throws Error if the bytes differ; it says how, and holds none of them */
export function assertBytesEqual(what: string, actual: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(actual, expected) === 0) return;
  throw new Error(`${what}: ${actual.length} bytes that are not the expected ${expected.length}`);
}

/** @throws Error if it is another one */
export function assertFact<T>(what: string, actual: T, expected: T): void {
  if (Object.is(actual, expected)) return;
  throw new Error(`${what}: ${String(actual)}, expected ${String(expected)}`);
}
