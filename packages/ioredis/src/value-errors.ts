import { CodecError, CodecErrorCode, isCodecError } from "@tightwire/codec-core";
import type { Rule } from "./rules.ts";
import type { Shared } from "./shared.ts";

/** Where a value stood: added to the error that its decoding threw. */
export interface ValuePlace {
  readonly key: string | Buffer;
  readonly command: string;
  readonly index?: number;
  readonly field?: string | Buffer;
  readonly id?: string;
}

/** Counts a failure under its rule; returns it. */
export function countError(shared: Shared, rule: Rule, error: unknown): unknown {
  if (isCodecError(error)) shared.stats.countError(rule.statsName, error.code);
  return error;
}

/**
 * The error of a command that is not sent.
 *
 * @param rule the rule that refuses it, under which it is counted; undefined where none is known
 */
export function refuseCommand(
  shared: Shared,
  rule: Rule | undefined,
  command: string,
  key: string | Buffer,
  why: string,
): CodecError {
  if (rule !== undefined) shared.stats.countError(rule.statsName, CodecErrorCode.COMMAND_UNSAFE);
  const message = `${command} under key ${showKey(key)} is refused: ${why}`;
  return new CodecError(CodecErrorCode.COMMAND_UNSAFE, message, { key, command });
}

const MAX_SHOWN_KEY = 100;

/** A key as messages show it: quoted, and cut if it is long. */
export function showKey(key: string | Buffer): string {
  const text = key.toString();
  return JSON.stringify(text.length > MAX_SHOWN_KEY ? `${text.slice(0, MAX_SHOWN_KEY)}…` : text);
}

/** The same error, saying where the value stood; anything that is not a `CodecError` is returned as it is. */
export function locateError(error: unknown, place: ValuePlace, frame?: Buffer): unknown {
  if (!isCodecError(error)) return error;
  const { name: _name, code, ...facts } = error;
  // The message begins with a lower-case word: in a cluster ioredis follows errors that begin with MOVED or ASK.
  const located = new CodecError(code, `value under key ${showKey(place.key)} (${place.command}): ${error.message}`, {
    ...facts,
    ...place,
    ...(error.cause !== undefined && { cause: error.cause }),
  });
  if (frame !== undefined) Object.defineProperty(located, "frame", { value: frame });
  return located;
}
