import assert from "node:assert/strict";
import { type CodecError, isCodecError } from "@tightwire/ioredis";

/** What a promise rejects with. */
export async function rejectionOf(promise: unknown): Promise<unknown> {
  const [settled] = await Promise.allSettled([promise]);
  assert.ok(settled?.status === "rejected", "it rejects");
  return settled.reason;
}

/** The CodecError that a promise rejects with. */
export async function failureOf(promise: unknown): Promise<CodecError> {
  return asCodecError(await rejectionOf(promise));
}

export function asCodecError(error: unknown): CodecError {
  assert.ok(isCodecError(error), `a CodecError: ${error}`);
  return error;
}

/** The reply of many values that an error carries. */
export function listOf(error: unknown): unknown[] {
  const { reply } = asCodecError(error);
  assert.ok(Array.isArray(reply), "the reply is a list");
  return reply;
}

export function hashOf(error: unknown): Record<string, unknown> {
  const { reply } = asCodecError(error);
  assert.ok(typeof reply === "object" && reply !== null, "the reply is an object");
  return reply as Record<string, unknown>;
}
