import { setTimeout as delay } from "node:timers/promises";

const PERIOD_MS = 20;

/** Waits until `condition` holds; an error that it throws counts as "not yet" and is the cause of the failure. */
export async function waitFor(what: string, condition: () => Promise<boolean> | boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let cause: unknown;
  while (Date.now() < deadline) {
    try {
      if (await condition()) return;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await delay(PERIOD_MS);
  }
  throw new Error(`waited ${timeoutMs} ms in vain until ${what}`, { cause });
}
