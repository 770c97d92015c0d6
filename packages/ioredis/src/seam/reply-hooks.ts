import { CodecError, CodecErrorCode } from "@tightwire/codec-core";
import { ReplyDecoder, replyError } from "../replies.ts";
import { unwrapTyped } from "../values.ts";
import { type CommandState, createReplyContext, stateOf } from "./command-state.ts";
import { type CommandLike, transformReplyOf } from "./ioredis.ts";

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
  if (state.refusal !== undefined) throw state.refusal;
  if (!state.decodesReply || state.delivered) return transformReplyOf(this, reply);
  return decodeReply(this, state, reply, this);
}

/** Decodes a raw reply and converts it as `converter` would; throws the error of a reply with bad values. */
function decodeReply(command: CommandLike, state: CommandState, reply: unknown, converter: CommandLike): unknown {
  const decoder = new ReplyDecoder(createReplyContext(command, state, converter.replyEncoding == null));
  const converted = transformReplyOf(converter, decoder.decode(reply));
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
