import { type CodecError, isCodecError, isFrame } from "@tightwire/codec-core";
import { decodeValue, deserialize, readFrame, unwrapTyped } from "./decode-value.ts";
import type { Rule } from "./rules.ts";
import type { Shared } from "./shared.ts";
import type { PrefixStats } from "./stats.ts";
import { countError, locateError } from "./value-errors.ts";

/** One message event of ioredis: text and bytes come as two events, text first. */
export interface MessageEvent {
  /** Whether it carries bytes. */
  readonly bytes: boolean;
  /** The event of the same message that carries text. */
  readonly textEvent: string;
  /** Index of the channel among its arguments; the message follows it. */
  readonly channelAt: number;
  /** Whether ioredis puts its keyPrefix before the channel. */
  readonly prefixed: boolean;
}

const event = (textEvent: string, bytes: boolean, channelAt: number, prefixed: boolean): [string, MessageEvent] => [
  bytes ? `${textEvent}Buffer` : textEvent,
  Object.freeze({ bytes, textEvent, channelAt, prefixed }),
];

/** The events that carry messages, by name. */
export const MESSAGE_EVENTS: ReadonlyMap<string, MessageEvent> = new Map([
  event("message", false, 0, false),
  event("message", true, 0, false),
  event("pmessage", false, 1, false),
  event("pmessage", true, 1, false),
  event("smessage", false, 0, true),
  event("smessage", true, 0, true),
]);

/** A message in the two forms that listeners get: a string or the serializer's value, and bytes. */
export interface DecodedMessage {
  readonly value: unknown;
  readonly content: unknown;
}

/**
 * Decodes a message.
 *
 * @returns the message, or the error of a damaged one, already counted
 */
export function decodeMessage(shared: Shared, rule: Rule, channel: string | Buffer, held: Buffer): DecodedMessage | CodecError {
  try {
    return decodeForms(rule, shared.stats.of(rule.statsName), held);
  } catch (error) {
    const located = countError(shared, rule, locateError(error, { key: channel, command: "message" }, held));
    if (!isCodecError(located)) throw located;
    return located;
  }
}

function decodeForms(rule: Rule, stats: PrefixStats, held: Buffer): DecodedMessage {
  // A frame is decoded once; what is no frame may be a number or text for the serializer.
  const content = isFrame(held) ? readFrame(rule.codec, stats, held, "bytes") : held;
  const value = content === held ? decodeValue(rule, stats, held, "buffer") : deserialize(rule.serializer, content as Buffer);
  return { value: value instanceof Buffer ? value.toString() : unwrapTyped(value), content: content as Buffer };
}
