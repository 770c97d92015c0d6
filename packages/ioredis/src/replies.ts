import { CodecError, CodecErrorCode, isCodecError, isFrame, readFrameHeader } from "@tightwire/codec-core";
import type { ReplyShape } from "./commands.ts";
import type { Rule } from "./rules.ts";
import type { Shared } from "./shared.ts";
import { decodeValue, locateError, type ValuePlace } from "./values.ts";

/** What decoding a reply needs to know of its command. */
export interface ReplyContext {
  readonly shared: Shared;
  readonly shape: ReplyShape;
  /** The rule of element i of a `byKey` reply, of every value of the others. */
  ruleOf(index: number): Rule | undefined;
  placeOf(index: number, field: string | Buffer | undefined): ValuePlace;
  /** The reply stays bytes (a `*Buffer` method): only then can a bad value be passed on. */
  readonly bytes: boolean;
}

/**
 * Decodes the values of one reply in place. A bad value hurts only itself: under "throw" its own error stands in its place
 * and in `failures`.
 */
export class ReplyDecoder {
  readonly failures: CodecError[] = [];
  readonly #context: ReplyContext;
  #remaining: number;

  constructor(context: ReplyContext) {
    this.#context = context;
    this.#remaining = context.shared.maxReplyBytes;
  }

  /** @returns the reply in its shape, with contents for frames */
  decode(reply: unknown): unknown {
    const { shape } = this.#context;
    if (shape === "value") return this.#value(reply, 0, undefined);
    if (!Array.isArray(reply)) return shape === "fields" ? this.#record(reply) : reply;
    if (shape === "fields") return this.#fields(reply);
    if (shape === "scan") {
      if (Array.isArray(reply[1])) this.#fields(reply[1]);
      return reply;
    }
    for (let i = 0; i < reply.length; i++) reply[i] = this.#value(reply[i], i, undefined);
    return reply;
  }

  #value(held: unknown, index: number, field: string | Buffer | undefined): unknown {
    if (!(held instanceof Buffer)) return held;
    const rule = this.#context.ruleOf(index);
    if (rule === undefined) return held;
    try {
      this.#reserve(held);
      return decodeValue(rule, this.#context.shared.stats.of(rule.prefix), held);
    } catch (error) {
      return this.#fail(rule, error, held, this.#context.placeOf(index, field));
    }
  }

  #reserve(held: Buffer): void {
    const claimed = isFrame(held) ? (readFrameHeader(held)?.contentSize ?? 0) : 0;
    if (claimed > this.#remaining) {
      throw new CodecError(
        CodecErrorCode.SIZE_LIMIT,
        `the reply would decompress to more than ${this.#context.shared.maxReplyBytes} bytes`,
        {
          contentSize: claimed,
          limit: this.#context.shared.maxReplyBytes,
        },
      );
    }
    this.#remaining -= claimed;
  }

  #fail(rule: Rule, cause: unknown, held: Buffer, place: ValuePlace): unknown {
    const error = locateError(cause, place, held);
    if (!isCodecError(error)) throw error;
    const { shared, bytes } = this.#context;
    shared.stats.countError(rule.prefix, error.code);
    if (rule.onDecodeError === "miss" || (rule.onDecodeError === "pass" && bytes)) {
      shared.onError?.(error);
      return rule.onDecodeError === "miss" ? null : held;
    }
    this.failures.push(error);
    return error;
  }

  #fields(reply: unknown[]): unknown[] {
    if (Array.isArray(reply[0])) {
      for (const pair of reply) if (Array.isArray(pair)) pair[1] = this.#value(pair[1], 0, pair[0]);
      return reply;
    }
    for (let i = 1; i < reply.length; i += 2) {
      reply[i] = this.#value(reply[i], 0, reply[i - 1] as string | Buffer);
    }
    return reply;
  }

  #record(reply: unknown): unknown {
    if (typeof reply !== "object" || reply === null || reply instanceof Buffer) return reply;
    for (const [field, held] of Object.entries(reply)) {
      // A field may be called "__proto__": an assignment would change the object's prototype instead.
      Object.defineProperty(reply, field, {
        value: this.#value(held, 0, field),
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
    return reply;
  }
}

/**
 * The error of a command whose reply holds bad values: the value's own error for a reply of one value; otherwise one with the
 * first bad value's code and, as `reply`, the reply in its normal shape with each bad value replaced by its own error.
 *
 * @param reply the reply as the command would have returned it
 */
export function replyError(shape: ReplyShape, failures: readonly CodecError[], reply: unknown): CodecError | undefined {
  const [first] = failures;
  if (first === undefined || shape === "value") return first;
  const { key, command } = first;
  const error = new CodecError(
    first.code,
    `${failures.length} of the reply's values could not be decoded; the first: ${first.message}`,
    {
      ...(key !== undefined && { key }),
      ...(command !== undefined && { command }),
      cause: first,
    },
  );
  // Not enumerable: it holds values, which do not belong into logs.
  Object.defineProperty(error, "reply", { value: reply });
  return error;
}
