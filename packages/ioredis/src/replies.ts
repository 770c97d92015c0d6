import { CodecError, CodecErrorCode, contentSizeOf, FRAME_HEADER_BYTES, isCodecError, isFrame } from "@tightwire/codec-core";
import type { ReplyShape } from "./commands.ts";
import { decodeValue, setOwn, TypedValue, type ValueForm } from "./decode-value.ts";
import type { Rule } from "./rules.ts";
import { report, type Shared } from "./shared.ts";
import { countError, locateError, type ValuePlace } from "./value-errors.ts";

/** Where a value stands in its reply; the fields that its shape has. */
export interface Spot {
  /** The key as the server names it in the reply. */
  readonly key?: string | Buffer;
  readonly index?: number;
  readonly field?: unknown;
  readonly id?: unknown;
}

/** What decoding a reply needs to know of its command. */
export interface ReplyContext {
  readonly shared: Shared;
  readonly shape: ReplyShape;
  /** With `bytes` (a `*Buffer` method) values are not deserialized, and a bad one can be passed on. */
  readonly form: ValueForm;
  ruleOf(spot: Spot): Rule | undefined;
  placeOf(spot: Spot): ValuePlace;
}

const WHOLE_REPLY: Spot = Object.freeze({});

/**
 * Decodes the values of one reply in place. A bad value hurts only itself: under "throw" its own error stands in its place
 * and in `failures`.
 */
export class ReplyDecoder {
  readonly failures: CodecError[] = [];
  /** Whether the reply holds values that must be unwrapped after ioredis has converted it. */
  hasTyped = false;
  readonly #context: ReplyContext;
  #remaining: number;

  constructor(context: ReplyContext) {
    this.#context = context;
    this.#remaining = context.shared.maxReplyBytes;
  }

  /** @returns the reply in its shape, with contents or values in the place of what Redis holds */
  decode(reply: unknown): unknown {
    switch (this.#context.shape) {
      case "value":
        return Array.isArray(reply) ? this.#values(reply, WHOLE_REPLY) : this.#value(reply, WHOLE_REPLY);
      case "fields":
        return this.#fields(reply, WHOLE_REPLY);
      case "scan":
        if (Array.isArray(reply)) this.#fields(reply[1], WHOLE_REPLY);
        return reply;
      case "keyed":
        return this.#keyed(reply);
      case "entries":
        return this.#entries(reply, WHOLE_REPLY);
      case "claimed":
        if (Array.isArray(reply)) this.#entries(reply[1], WHOLE_REPLY);
        return reply;
      case "streams":
        return this.#streams(reply);
      case "streamInfo":
        return this.#streamInfo(reply);
      default:
        return this.#values(reply, WHOLE_REPLY);
    }
  }

  /** What stands in the place of a reply that is one value and could not be decoded. */
  refuse(held: Buffer, cause: unknown): unknown {
    const rule = this.#context.ruleOf(WHOLE_REPLY);
    return rule === undefined ? held : this.#fail(rule, cause, held, WHOLE_REPLY);
  }

  #value(held: unknown, spot: Spot): unknown {
    if (!(held instanceof Buffer)) return held;
    const rule = this.#context.ruleOf(spot);
    if (rule === undefined) return held;
    const { shared, form } = this.#context;
    try {
      const claimed = this.#claim(held, rule.codec.maxContentBytes);
      const value = decodeValue(rule, shared.stats.of(rule.statsName), held, form);
      this.#remaining -= claimed;
      if (value instanceof TypedValue) this.hasTyped = true;
      return value;
    } catch (error) {
      return this.#fail(rule, error, held, spot);
    }
  }

  /** What a value decompresses to; a bad one takes nothing from its neighbours, whatever it claims. */
  #claim(held: Buffer, maxContentBytes: number): number {
    const claimed = claimedSize(held);
    // What no rule lets pass is left to the codec, which names the first check that fails.
    if (claimed > this.#remaining && claimed <= maxContentBytes) {
      const limit = this.#context.shared.maxReplyBytes;
      throw new CodecError(CodecErrorCode.SIZE_LIMIT, `the reply would decompress to more than ${limit} bytes`, {
        contentSize: claimed,
        limit,
      });
    }
    return claimed;
  }

  #fail(rule: Rule, cause: unknown, held: Buffer, spot: Spot): unknown {
    const { shared, form } = this.#context;
    const error = countError(shared, rule, locateError(cause, this.#context.placeOf(spot), held));
    if (!isCodecError(error)) throw error;
    if (rule.onDecodeError === "miss" || (rule.onDecodeError === "pass" && form === "bytes")) {
      report(shared, error);
      return rule.onDecodeError === "miss" ? null : held;
    }
    this.failures.push(error);
    return error;
  }

  #values(reply: unknown, spot: Spot): unknown {
    if (!Array.isArray(reply)) return reply;
    for (let index = 0; index < reply.length; index++) reply[index] = this.#value(reply[index], { ...spot, index });
    return reply;
  }

  #fields(reply: unknown, spot: Spot): unknown {
    if (!Array.isArray(reply)) return this.#record(reply, spot);
    if (Array.isArray(reply[0])) {
      for (const pair of reply) if (Array.isArray(pair)) pair[1] = this.#value(pair[1], { ...spot, field: pair[0] });
      return reply;
    }
    for (let i = 1; i < reply.length; i += 2) reply[i] = this.#value(reply[i], { ...spot, field: reply[i - 1] });
    return reply;
  }

  #record(reply: unknown, spot: Spot): unknown {
    if (!isRecord(reply)) return reply;
    for (const [field, held] of Object.entries(reply)) setOwn(reply, field, this.#value(held, { ...spot, field }));
    return reply;
  }

  #keyed(reply: unknown): unknown {
    if (!Array.isArray(reply)) return reply;
    const spot = { key: reply[0] };
    reply[1] = Array.isArray(reply[1]) ? this.#values(reply[1], spot) : this.#value(reply[1], spot);
    return reply;
  }

  #entries(reply: unknown, spot: Spot): unknown {
    if (Array.isArray(reply)) for (const entry of reply) this.#entry(entry, spot);
    return reply;
  }

  /** An id alone (JUSTID), or an id and its fields; null fields are those of a deleted entry. */
  #entry(entry: unknown, spot: Spot): void {
    if (Array.isArray(entry)) entry[1] = this.#fields(entry[1], { ...spot, id: entry[0] });
  }

  #streams(reply: unknown): unknown {
    if (!Array.isArray(reply)) {
      if (isRecord(reply)) for (const [key, entries] of Object.entries(reply)) this.#entries(entries, { key });
      return reply;
    }
    if (Array.isArray(reply[0])) {
      for (const [key, entries] of reply) this.#entries(entries, { key });
      return reply;
    }
    for (let i = 1; i < reply.length; i += 2) this.#entries(reply[i], { key: reply[i - 1] });
    return reply;
  }

  #streamInfo(reply: unknown): unknown {
    if (!isRecord(reply) && !Array.isArray(reply)) return reply;
    const pairs = Array.isArray(reply) ? pairUp(reply) : Object.entries(reply);
    for (const [name, value] of pairs) {
      if (name === "entries") this.#entries(value, WHOLE_REPLY);
      if (name === "first-entry" || name === "last-entry") this.#entry(value, WHOLE_REPLY);
    }
    return reply;
  }
}

/** What a value decompresses to if its header is right; 0 for what is no frame. */
function claimedSize(held: Buffer): number {
  return held.length >= FRAME_HEADER_BYTES && isFrame(held) ? contentSizeOf(held) : 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Buffer);
}

function pairUp(flat: readonly unknown[]): [string, unknown][] {
  return Array.from({ length: flat.length >> 1 }, (_, i) => [String(flat[2 * i]), flat[2 * i + 1]]);
}

/**
 * The error of a command whose reply holds bad values: the value's own error for a reply of one value; otherwise one with the
 * first bad value's code and, as `reply`, the reply in its normal shape with each bad value replaced by its own error.
 *
 * @param reply the reply as the command would have returned it
 */
export function replyError(failures: readonly CodecError[], reply: unknown): CodecError | undefined {
  const [first] = failures;
  if (first === undefined || reply === first) return first;
  const { key, command, index, field, id } = first;
  const error = new CodecError(
    first.code,
    `${failures.length} of the reply's values could not be decoded; the first: ${first.message}`,
    {
      ...(key !== undefined && { key }),
      ...(command !== undefined && { command }),
      ...(index !== undefined && { index }),
      ...(field !== undefined && { field }),
      ...(id !== undefined && { id }),
      cause: first,
    },
  );
  // Not enumerable: it holds values, which do not belong into logs.
  Object.defineProperty(error, "reply", { value: reply });
  return error;
}
