import type { CommandState } from "./command-state.ts";
import type { CommandArgument, CommandLike } from "./ioredis.ts";

// An argument too many: the server counts arguments before it queues, and aborts the transaction.
const ONE_TOO_MANY = "refused";

/**
 * Turns a refused command into a stand-in on the same key, so that it keeps its place among its neighbours: through the offline
 * queue, after a reconnect, after MOVED. `TYPE key` changes nothing and is answered everywhere; in a transaction the server must
 * refuse it, or EXEC would run the others and its replies would belong to the wrong commands.
 */
export function standIn(command: CommandLike, state: CommandState, inTransaction: boolean): void {
  const key: CommandArgument = command.args[0] ?? "";
  command.name = "type";
  command.args = inTransaction ? [key, ONE_TOO_MANY] : [key];
  command.stringifyArguments();
  rejectWith(command, state, inTransaction);
}

function rejectWith(command: CommandLike, state: CommandState, inTransaction: boolean): void {
  const { reject } = command;
  // A redirected pipeline gives its commands a new `reject`, so this is put in place at each sending.
  command.reject = (error): void => reject.call(command, inTransaction || isDenied(error) ? state.refusal?.error : error);
}

/** The user of the connection may lack the right to ask for a type: that is not why the command was refused. */
function isDenied(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOPERM");
}
