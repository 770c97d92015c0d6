import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { xxh3 } from "@node-rs/xxhash";
import { type CodecErrorCode, isCodecError } from "../../src/errors.ts";

const RECORD = "tenant=demo;type=event;status=active;value=12345;\n";

/** Content that every compressor makes smaller. */
export function records(size: number): Buffer {
  return Buffer.alloc(size, RECORD);
}

/** Content that no compressor makes smaller, the same in every run. */
export function noise(size: number, seed = 1): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let state = seed >>> 0 || 1;
  for (let index = 0; index < size; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = state;
  }
  return bytes;
}

export interface FrameParts {
  readonly version?: number;
  readonly codecId?: number;
  readonly contentSize?: number;
  readonly payload?: Uint8Array;
}

/** A frame with a right checksum, written field by field and not with the code under test. */
export function frameOf({
  version = 2,
  codecId = 0,
  payload = Buffer.from("abc"),
  contentSize = payload.length,
}: FrameParts): Buffer {
  const frame = Buffer.alloc(18 + payload.length);
  frame.write("RVC\0", "latin1");
  frame[4] = version;
  frame[5] = codecId;
  frame.writeUInt32LE(contentSize, 6);
  frame.set(checksumOf(version, payload), 10);
  frame.set(payload, 18);
  return frame;
}

export function checksumOf(version: number, payload: Uint8Array): Buffer {
  if (version === 1) return createHash("sha256").update(payload).digest().subarray(0, 8);
  const checksum = Buffer.alloc(8);
  checksum.writeBigUInt64LE(xxh3.xxh64(payload));
  return checksum;
}

/** Copies of `bytes` with one bit flipped each. */
export function* flipsOf(bytes: Uint8Array): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes);
    damaged[bit >>> 3] = (damaged[bit >>> 3] as number) ^ (1 << (bit & 7));
    yield damaged;
  }
}

/** Every beginning of `bytes`, from none to all but one. */
export function* cutsOf(bytes: Uint8Array): Generator<Buffer> {
  for (let size = 0; size < bytes.length; size++) yield Buffer.from(bytes.subarray(0, size));
}

/** The code of the CodecError that `run` throws, undefined if it throws none; other errors pass. */
export function codeOf(run: () => unknown): CodecErrorCode | undefined {
  try {
    run();
  } catch (error) {
    if (isCodecError(error)) return error.code;
    throw error;
  }
  return undefined;
}

/** Fails unless `run` throws a CodecError of that code, with these facts. */
export function assertCode(run: () => unknown, code: CodecErrorCode, facts: object = {}): void {
  assert.throws(run, (error) => {
    assert.ok(isCodecError(error), `expected a CodecError, got ${error}`);
    assert.equal(error.code, code);
    assert.deepEqual({ ...error, ...facts }, { ...error });
    return true;
  });
}
