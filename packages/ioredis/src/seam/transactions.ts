import type { Attachment } from "./attachment.ts";
import { CommandState, markCommand, stateOf } from "./command-state.ts";
import type { CommandLike } from "./ioredis.ts";
import { transformExecReply, transformReply } from "./reply-hooks.ts";

/** A transaction begun by `multi({ pipeline: false })`: ioredis returns EXEC's array as it is, so the wrapper keeps count. */
export interface OpenTransaction {
  /** The connection it was begun on; it ends with it. */
  readonly stream: unknown;
  /** Commands that the server has answered with QUEUED, in order: element i of EXEC's reply belongs to the i-th. */
  readonly queued: CommandLike[];
}

/** Keeps count of transactions without a pipeline; called at each sending of a command that is not part of one in a pipeline. */
export function followTransaction(attachment: Attachment, command: CommandLike, pipelined: boolean): void {
  const { client, transaction } = attachment;
  const name = command.name.toLowerCase();
  if (name === "multi" && !pipelined) {
    attachment.transaction = { stream: client.stream, queued: [] };
    return;
  }
  if (transaction === undefined) return;
  if (transaction.stream !== client.stream || (name === "discard" && !pipelined)) {
    attachment.transaction = undefined;
    return;
  }
  const state = stateOf(command) ?? markCommand(command, new CommandState(attachment, undefined));
  state.transaction = transaction;
  if (name === "exec" && !pipelined) {
    attachment.transaction = undefined;
    command.transformReply = transformExecReply;
    return;
  }
  state.awaitsQueued = true;
  command.transformReply = transformReply;
}
