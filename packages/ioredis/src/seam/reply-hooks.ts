import { CodecError, CodecErrorCode, isFrame } from "@tightwire/codec-core";
import { readFrame, unwrapTyped, type ValueForm } from "../decode-value.ts";
import { ReplyDecoder, replyError } from "../replies.ts";
import type { Rule } from "../rules.ts";
import { type CommandState, stateOf } from "./command-state.ts";
import { type CommandLike, transformReplyOf } from "./ioredis.ts";
import { CommandReply, formOf } from "./reply-context.ts";

const QUEUED: Buffer = Buffer.from("QUEUED");

function isQueued(reply: unknown): boolean {
  return reply instanceof Buffer && reply.equals(QUEUED);
}

/**
 * The transformReply of commands that the seam has marked: decodes the raw reply, then lets ioredis convert it. What it throws
 * rejects the command alone, or becomes its element of EXEC's reply.
 */
export function transformReply(this: CommandLike, reply: unknown): unknown {
  const state = stateOf(this);
  if (state === undefined) return transformReplyOf(this, reply);
  if (state.awaitsQueued && isQueued(reply)) {
    state.awaitsQueued = false;
    state.transaction?.queued.push(this);
    return transformReplyOf(this, reply);
  }
  if (state.refusal !== undefined) throw state.refusal.error;
  if (!state.decodesReply || state.delivered) return transformReplyOf(this, reply);
  const form = formOf(this);
  const rule = contentRuleOf(state, form);
  if (rule === undefined || !(reply instanceof Buffer) || !isFrame(reply)) return decodeReply(this, state, reply, this);
  let content: string | Buffer;
  try {
    content = readFrame(rule.codec, state.attachment.shared.stats.of(rule.statsName), reply, form);
  } catch (cause) {
    return decodeReply(this, state, reply, this, cause);
  }
  return transformReplyOf(this, content);
}

/**
 * The rule of a reply that is one value, whose content is what its caller gets if it is a frame; undefined if there is more to it.
 *
 * redis/get: most replies of most programs are such, and a decoder for each would cost as much as the frame.
 */
function contentRuleOf({ attachment, row, rule }: CommandState, form: ValueForm): Rule | undefined {
  if (rule === undefined || row?.reply !== "value" || (rule.serializer !== undefined && form !== "bytes")) return undefined;
  // Then no single value is too much for a reply.
  return rule.codec.maxContentBytes <= attachment.shared.maxReplyBytes ? rule : undefined;
}

/**
 * Decodes a raw reply and converts it as `converter` would; throws the error of a reply with bad values.
 *
 * @param cause why a reply that is one value could not be decoded, if that is known
 */
function decodeReply(
  command: CommandLike,
  state: CommandState,
  reply: unknown,
  converter: CommandLike,
  cause?: unknown,
): unknown {
  const decoder = new ReplyDecoder(new CommandReply(command, state, formOf(converter)));
  const values = cause === undefined ? decoder.decode(reply) : decoder.refuse(reply as Buffer, cause);
  const converted = transformReplyOf(converter, values);
  const decoded = decoder.hasTyped ? unwrapTyped(converted) : converted;
  const error = replyError(decoder.failures, decoded);
  if (error !== undefined) throw error;
  return decoded;
}

/**
 * The transformReply of an EXEC outside a pipeline: ioredis converts its array as a whole, so each element is decoded here, by
 * the command that was queued in its place.
 */
export function transformExecReply(this: CommandLike, reply: unknown): unknown {
  const queued = stateOf(this)?.transaction?.queued ?? [];
  if (!Array.isArray(reply)) return transformReplyOf(this, reply);
  if (reply.length !== queued.length) {
    const message = `exec: ${reply.length} replies to ${queued.length} commands that were seen; values cannot be told apart`;
    throw new CodecError(CodecErrorCode.COMMAND_UNSAFE, message, { command: "exec" });
  }
  return queued.map((command, i) => decodeElement(this, command, reply[i]));
}

function decodeElement(exec: CommandLike, command: CommandLike, element: unknown): unknown {
  const state = stateOf(command);
  if (state === undefined || !state.decodesReply) return transformReplyOf(exec, element);
  // A pipeline gives the elements of EXEC's reply to their commands once more.
  state.delivered = true;
  try {
    return decodeReply(command, state, element, exec);
  } catch (error) {
    // As ioredis does with the server's own errors: an element that is an Error is that command's error.
    return error;
  }
}
