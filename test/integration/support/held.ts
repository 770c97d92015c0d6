import assert from "node:assert/strict";
import { createValueCodec, isFrame } from "@tightwire/codec-core";
import type { Redis } from "../../support/ioredis-versions.ts";

const MIN_FRAME_BYTES = 65;
const NUMBER = /^(?:-?(?:0|[1-9]\d{0,18}))(?:\.\d{0,16}[1-9])?$/;
const codec = createValueCodec();

/** Whether the default rule holds a content as it is; written anew here, so that the wrapper is not measured by itself. */
export function isHeldRaw(content: Buffer): boolean {
  if (isFrame(content) || content[0] === 0xc1) return false;
  return content.length < MIN_FRAME_BYTES || NUMBER.test(content.toString("latin1"));
}

/** Asserts that `held` is what the default rule holds for a content. */
export function assertHeld(held: Buffer | null | undefined, content: Buffer, what: string): void {
  assert.ok(held, `${what}: something is held`);
  if (isHeldRaw(content)) {
    assert.deepStrictEqual(held, content, `${what}: held raw`);
    return;
  }
  assert.ok(isFrame(held), `${what}: held as a frame`);
  assert.deepStrictEqual(codec.decode(held), content, `${what}: the frame's content`);
}

/** Asserts that Redis holds under `key` what the default rule makes of the contents under `contentKey`. */
export async function assertSameContents(bare: Redis, key: string, contentKey: string): Promise<void> {
  const type = await bare.type(contentKey);
  assert.equal(await bare.type(key), type, `${key} is a ${type}`);
  if (type === "string") assertHeld(await bare.getBuffer(key), (await bare.getBuffer(contentKey)) ?? Buffer.alloc(0), key);
  if (type !== "hash") return;
  const [held, contents] = await Promise.all([bare.hgetallBuffer(key), bare.hgetallBuffer(contentKey)]);
  assert.deepStrictEqual(Object.keys(held).sort(), Object.keys(contents).sort(), `${key}: fields`);
  for (const [field, content] of Object.entries(contents)) assertHeld(held[field], content, `${key}.${field}`);
}
