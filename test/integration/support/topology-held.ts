import assert from "node:assert/strict";
import type { Client } from "./topology-senders.ts";
import { hashKey, listKey, registersOf, type Share, stringKeys } from "./topology-steps.ts";
import { KINDS, type Value } from "./topology-values.ts";

/** Asserts that Redis holds what the model says, each value as its rule has it: framed once, or as it is. */
export async function assertHeldShare(share: Share, bare: Client): Promise<void> {
  for (const kind of KINDS) {
    const check = (held: Buffer | null | undefined, value: Value | undefined, what: string): void => {
      if (value === undefined) assert.equal(held ?? null, null, `${what}: nothing is held`);
      else if (held == null) assert.fail(`${what}: something is held`);
      else kind.assertHeld(held, value, what);
    };
    for (const key of stringKeys(share, kind)) check(await bare.getBuffer(key), share.model.settled(key), key);
    const hash = await bare.hgetallBuffer(hashKey(share, kind));
    for (const [field, register] of registersOf(hashKey(share, kind))) {
      check(Object.getOwnPropertyDescriptor(hash, field)?.value, share.model.settled(register), register);
    }
    if (!share.lists) continue;
    const key = listKey(share, kind);
    const elements = await bare.lrangeBuffer(key, 0, -1);
    const values = share.model.settledList(key);
    assert.equal(elements.length, values.length, `${key}: elements`);
    for (const [i, value] of values.entries()) check(elements[i], value, `${key}[${i}]`);
  }
}
