import type { Attachment } from "./attachment.ts";
import { CommandState, markCommand, stateOf } from "./command-state.ts";
import type { CommandLike } from "./ioredis.ts";
import { transformExecReply, transformReply } from "./reply-hooks.ts";

/**
 * A transaction that is none of ioredis' pipelines, begun by `multi({ pipeline: false })` or `call("multi")`: EXEC's array is then
 * converted as a whole, so the wrapper keeps count.
 */
export interface OpenTransaction {
  /** The connection it was begun on; it ends with it. */
  readonly stream: unknown;
  /** Commands that the server has answered with QUEUED, in order: element i of EXEC's reply belongs to the i-th. */
  readonly queued: CommandLike[];
}

/**
 * Keeps count of such transactions; called at each sending of a command that is not part of a pipeline's.
 *
 * @returns the state of a command within one
 */
export function followTransaction(attachment: Attachment, command: CommandLike): CommandState | undefined {
  const { client } = attachment;
  const name = command.name.toLowerCase();
  if (attachment.transaction?.stream !== client.stream) attachment.transaction = undefined;
  // A MULTI within a transaction is refused by the server and changes nothing.
  if (name === "multi" && attachment.transaction === undefined) {
    attachment.transaction = { stream: client.stream, queued: [] };
    return undefined;
  }
  const { transaction } = attachment;
  if (transaction === undefined) return undefined;
  if (name === "discard") {
    attachment.transaction = undefined;
    return undefined;
  }
  const state = stateOf(command) ?? markCommand(command, new CommandState(attachment, undefined));
  state.transaction = transaction;
  if (name === "exec") {
    attachment.transaction = undefined;
    command.transformReply = transformExecReply;
    return state;
  }
  state.awaitsQueued = true;
  command.transformReply = transformReply;
  return state;
}
