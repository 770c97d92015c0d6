import assert from "node:assert/strict";
import { createValueCodec, isFrame } from "@tightwire/codec-core";

const codec = createValueCodec();

/** The content of what Redis holds, which must be a frame. */
export function contentOf(held: Buffer | null | undefined, what = "value"): Buffer {
  assert.ok(held, `${what}: something is held`);
  assert.ok(isFrame(held), `${what}: held as a frame`);
  return codec.decode(held);
}

/** Asserts that Redis holds bytes that are no frame. */
export function assertHeldRaw(held: Buffer | null | undefined, what = "value"): void {
  assert.ok(held, `${what}: something is held`);
  assert.ok(!isFrame(held), `${what}: held raw`);
}
