import { encodeArguments, encodeComparands } from "../arguments.ts";
import { type CommandRow, findCommand } from "../commands.ts";
import { ruleAt } from "../keys.ts";
import { replyHoldsValues } from "../positions.ts";
import { findUnsafe } from "../unsafe.ts";
import { type Attachment, attachmentOf } from "./attachment.ts";
import { takeRefusal } from "./calls.ts";
import { CommandState, markCommand, stateOf } from "./command-state.ts";
import { type ClientLike, type CommanderLike, type CommandLike, superMethod } from "./ioredis.ts";
import { standIn } from "./refusals.ts";
import { transformReply } from "./reply-hooks.ts";
import { findScript } from "./script-methods.ts";
import { followTransaction } from "./transactions.ts";

/** The `sendCommand` of an attached client: encodes a command the first time it passes, then lets ioredis send it. */
export function sendCommand(this: ClientLike, command: CommandLike, stream?: unknown, node?: unknown): unknown {
  const attachment = attachmentOf(this);
  if (attachment === undefined) return superMethod(this, "sendCommand").call(this, command, stream, node);
  prepareCommand(attachment, command);
  const isOpen = attachment.transaction !== undefined;
  if (isOpen || (mayBegin(command) && !command.inTransaction)) followTransaction(attachment, command);
  const state = stateOf(command);
  if (state !== undefined) prepareSending(attachment, command, state);
  const send =
    (attachment.previous.get("sendCommand") as ClientLike["sendCommand"] | undefined) ?? superMethod(this, "sendCommand");
  return send.call(this, command, stream, node);
}

/** The `sendCommand` of a pipeline: it only queues, so values are read and encoded when the caller passes them. */
export function queueCommand(this: CommanderLike, command: CommandLike): unknown {
  const attachment = attachmentOf(this);
  if (attachment !== undefined) prepareCommand(attachment, command);
  return superMethod(this, "sendCommand").call(this, command);
}

const MULTI_LENGTH = 5;

function mayBegin(command: CommandLike): boolean {
  return command.name.length === MULTI_LENGTH && command.name.toLowerCase() === "multi";
}

function prepareSending(attachment: Attachment, command: CommandLike, state: CommandState): void {
  const inTransaction = command.inTransaction || attachment.transaction !== undefined;
  if (state.refusal !== undefined) standIn(command, state, inTransaction);
  else state.awaitsQueued = inTransaction;
}

/** Encodes a command's values and takes charge of its reply, once however often it is sent. */
function prepareCommand(attachment: Attachment, command: CommandLike): void {
  if (stateOf(command) !== undefined) return;
  const refusal = takeRefusal();
  const row = findCommand(command.name, command.args) ?? findScript(attachment, command.name, command.args[0])?.row;
  if (refusal !== undefined) refuse(attachment, command, refusal as Error);
  else if (row !== undefined) prepareRow(attachment, command, row);
  // A node sees its cluster's commands with another idea of what a key is: it must take none of them for its own.
  if (attachment.client.isCluster === true && stateOf(command) === undefined) {
    markCommand(command, new CommandState(attachment, undefined));
  }
}

function prepareRow(attachment: Attachment, command: CommandLike, row: CommandRow): void {
  const unsafe = findUnsafe(attachment, row, command);
  if (unsafe !== undefined) {
    refuse(attachment, command, unsafe);
    return;
  }
  let encoded = false;
  try {
    encoded = encodeComparands(attachment, row, command);
    encoded = encodeArguments(attachment, row, command) || encoded;
  } catch (error) {
    refuse(attachment, command, error as Error);
    return;
  }
  if (encoded) command.stringifyArguments();
  const state = new CommandState(attachment, row);
  if (replyHoldsValues(row, command.args)) findReplyRules(attachment, command, row, state);
  if (encoded || state.decodesReply) markCommand(command, state);
  if (state.decodesReply) command.transformReply = transformReply;
}

const SHAPES_WITH_KEYS: ReadonlySet<string> = new Set(["keyed", "streams"]);

function findReplyRules(attachment: Attachment, command: CommandLike, row: CommandRow, state: CommandState): void {
  if (SHAPES_WITH_KEYS.has(row.reply ?? "")) {
    if (attachment.shared.rules.rules.size > 0) state.ruleSet = attachment.shared.rules;
    return;
  }
  if (row.reply !== "byKey") {
    state.rule = ruleAt(attachment, command, row.key ?? 0, row.home);
    return;
  }
  const rules = command.args.map((_, index) => ruleAt(attachment, command, index, row.home));
  if (rules.some((rule) => rule !== undefined)) state.rules = rules;
}

function refuse(attachment: Attachment, command: CommandLike, error: Error): void {
  const key = command.getKeys()[0] ?? command.args[0];
  const state = markCommand(command, new CommandState(attachment, undefined));
  state.refusal = error;
  command.args = [key as CommandLike["args"][number]];
  command.transformReply = transformReply;
}
