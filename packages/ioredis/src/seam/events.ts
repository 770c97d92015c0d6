import { type CodecError, isCodecError } from "@tightwire/codec-core";
import { logicalReplyKey } from "../keys.ts";
import { decodeMessage, MESSAGE_EVENTS, type MessageEvent } from "../messages.ts";
import type { Rule } from "../rules.ts";
import { report } from "../shared.ts";
import { type Attachment, attachmentOf } from "./attachment.ts";
import { type ClientLike, inheritedMethod } from "./ioredis.ts";

/**
 * The `emit` of an attached client: the only place that sees every message, also those that a Cluster forwards. ioredis emits the
 * text first, in which a frame is destroyed: that event is held back and emitted together with the one of the bytes.
 */
export function emit(this: ClientLike, name: string, ...args: unknown[]): unknown {
  const attachment = attachmentOf(this);
  const pass = inheritedMethod(this, attachment?.previous, "emit");
  const message = MESSAGE_EVENTS.get(name);
  if (attachment === undefined || message === undefined) return pass.call(this, name, ...args);
  const rule = findRule(attachment, message, args[message.channelAt]);
  if (rule === undefined) return pass.call(this, name, ...args);
  if (!message.bytes) return this.listenerCount(name) > 0;
  return emitDecoded(this, attachment, message, rule, name, args);
}

function findRule(attachment: Attachment, message: MessageEvent, channel: unknown): Rule | undefined {
  const { channels } = attachment.shared;
  if (channels.rules.size === 0) return undefined;
  const name = channel as string | Buffer;
  if (!message.prefixed) return channels.match(name, 0);
  const logical = logicalReplyKey(attachment, name);
  return logical === undefined ? undefined : channels.match(logical, 0);
}

function emitDecoded(
  client: ClientLike,
  attachment: Attachment,
  message: MessageEvent,
  rule: Rule,
  name: string,
  args: unknown[],
): boolean {
  const { channelAt, textEvent } = message;
  const pass = inheritedMethod(client, attachment.previous, "emit");
  const channel = args[channelAt] as Buffer;
  const held = args[channelAt + 1];
  if (!(held instanceof Buffer)) return pass.call(client, name, ...args) as boolean;
  const logical = message.prefixed ? logicalReplyKey(attachment, channel) : undefined;
  const decoded = decodeMessage(attachment.shared, rule, (logical ?? channel).toString(), held);
  if (isCodecError(decoded)) {
    reportDropped(client, attachment, decoded);
    return false;
  }
  const before = args.slice(0, channelAt);
  const heard = pass.call(client, textEvent, ...before, channel.toString(), decoded.value) as boolean;
  return (pass.call(client, name, ...before, channel, decoded.content) as boolean) || heard;
}

/** Never a bare `emit("error")`: without a listener it would end the process. */
function reportDropped(client: ClientLike, { shared }: Attachment, error: CodecError): void {
  report(shared, error);
  if (typeof client.silentEmit === "function") client.silentEmit("error", error);
  else if (client.listenerCount("error") > 0) client.emit("error", error);
  else process.emitWarning(error);
}
