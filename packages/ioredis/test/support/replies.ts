import { type CodecError, createValueCodec, stored } from "@tightwire/codec-core";
import type { ReplyShape } from "../../src/commands.ts";
import { type ReplyContext, ReplyDecoder } from "../../src/replies.ts";
import type { Shared } from "../../src/shared.ts";
import { createShared, ruleOf } from "./keys.ts";

const codec = createValueCodec({ compressor: stored() });
export const PREFIXES = {
  "a:": { compressor: stored() },
  "miss:": { compressor: stored(), onDecodeError: "miss" },
  "pass:": { compressor: stored(), onDecodeError: "pass" },
} as const;
type Prefix = keyof typeof PREFIXES;

export const frame = (text: string): Buffer => codec.encode(Buffer.from(text));
export const raw = (text: string): Buffer => Buffer.from(text);

/** A frame whose payload does not fit its checksum. */
export function damage(text: string): Buffer {
  const bad = frame(text);
  bad[18] = (bad[18] ?? 0) ^ 1;
  return bad;
}

/** An entry of a stream with one field, whose name looks like a frame. */
export const entry = (id: string, value: Buffer): unknown[] => [raw(id), [frame("f"), value]];

export interface Reading {
  readonly prefix?: Prefix;
  readonly bytes?: boolean;
  readonly shared?: Shared;
}

/** The context of a reply to a command on a key under `prefix`. */
export function createContext(
  shape: ReplyShape,
  { prefix = "a:", bytes = true, shared = createShared(PREFIXES) }: Reading,
): ReplyContext {
  const rule = ruleOf(shared, prefix);
  return {
    shared,
    shape,
    form: bytes ? "bytes" : "buffer",
    // Of keys by index the third is under no rule.
    ruleOf: ({ key, index }) =>
      key !== undefined ? shared.rules.match(key, 0) : shape === "byKey" && index === 2 ? undefined : rule,
    placeOf: ({ key, index, field, id }) => ({
      key: key ?? (shape === "byKey" ? `${prefix}${index}` : `${prefix}1`),
      command: "test",
      ...(index !== undefined && { index }),
      ...(field !== undefined && { field: field as Buffer }),
      ...(id !== undefined && { id: String(id) }),
    }),
  };
}

export function createDecoder(shape: ReplyShape, reading: Reading): ReplyDecoder {
  return new ReplyDecoder(createContext(shape, reading));
}

/** A reply as it is decoded, with the errors of its bad values. */
export function read(shape: ReplyShape, reply: unknown, reading: Reading = {}): { reply: unknown; failures: CodecError[] } {
  const decoder = createDecoder(shape, reading);
  return { reply: decoder.decode(reply), failures: decoder.failures };
}
