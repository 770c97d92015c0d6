import { encodeArguments, encodeComparands } from "../arguments.ts";
import { type CommandRow, findCommand, ONE_KEY_COMMANDS } from "../commands.ts";
import { ruleAt } from "../keys.ts";
import { replyHoldsValues } from "../positions.ts";
import { findUnsafe } from "../unsafe.ts";
import { type Attachment, attachmentOf } from "./attachment.ts";
import { takeRefusal } from "./calls.ts";
import { CommandState, markCommand, stateOf } from "./command-state.ts";
import type { ClientLike, CommandArgument, CommanderLike, CommandLike, PipelineLike } from "./ioredis.ts";
import { standIn } from "./refusals.ts";
import { transformReply } from "./reply-hooks.ts";
import { findScriptRow } from "./script-methods.ts";
import { followTransaction } from "./transactions.ts";
import { CommandTarget, isPlainCommand, toWritable } from "./wire.ts";

type SendCommand = ClientLike["sendCommand"];

/**
 * The `sendCommand` of an attached client: encodes a command the first time it passes, then lets ioredis send it.
 *
 * @param base what the client inherits from: asked at call time, so that a later patch of a prototype counts
 */
export function createSendCommand(attachment: Attachment, base: ClientLike): SendCommand {
  const previous = attachment.previous.get("sendCommand") as SendCommand | undefined;
  return function sendCommand(this: ClientLike, command, stream, node): unknown {
    // overhead/pipelined: looking at each command once is half of what a pipeline costs.
    if (!attachment.sendsPrepared || !isPipelineStream(stream)) prepareCommand(attachment, command);
    const isOpen = attachment.transaction !== undefined;
    if (isOpen || (mayBegin(command) && !command.inTransaction)) followTransaction(attachment, command);
    const state = stateOf(command);
    if (state !== undefined) prepareSending(attachment, command, state);
    return (previous ?? base.sendCommand).call(this, command, stream, node);
  };
}

/** The `sendCommand` of pipelines: it only queues, so values are read and encoded when the caller passes them. */
export function createQueueCommand(base: CommanderLike): SendCommand {
  return function queueCommand(this: CommanderLike, command): unknown {
    const attachment = attachmentOf(this);
    if (attachment !== undefined) prepareCommand(attachment, command);
    return base.sendCommand.call(this, command);
  };
}

/** The `exec` of pipelines. */
export function createExec(base: PipelineLike): PipelineLike["exec"] {
  // Arguments as they are given: within a transaction ioredis makes an EXEC of them, and an undefined one would be one too many.
  return function exec(this: PipelineLike, ...args): unknown {
    const attachment = attachmentOf(this);
    if (attachment === undefined) return base.exec.apply(this, args);
    attachment.sendsPrepared = true;
    try {
      // Sends the commands before it returns; a pipeline that must wait sends them later, and they are looked at once more.
      return base.exec.apply(this, args);
    } finally {
      attachment.sendsPrepared = false;
    }
  };
}

function isPipelineStream(stream: unknown): boolean {
  return stream !== undefined && (stream as { readonly isPipeline?: boolean } | null)?.isPipeline === true;
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
  if (refusal !== undefined) refuse(attachment, command, refusal as Error);
  else if (!isUntouched(attachment, command)) prepareRow(attachment, command);
  // A node sees its cluster's commands with another idea of what a key is: it must take none of them for its own.
  if (attachment.isCluster && stateOf(command) === undefined) markCommand(command, new CommandState(attachment, undefined));
}

/** Whether a command is surely none of ours: most commands of most programs. */
function isUntouched(attachment: Attachment, command: CommandLike): boolean {
  if (attachment.isKnownUnruled(command.name, command.args[0])) return true;
  const oneKey = ONE_KEY_COMMANDS.get(command.name);
  return oneKey !== undefined && ruleAt(attachment, command, oneKey.key, oneKey.home) === undefined;
}

function prepareRow(attachment: Attachment, command: CommandLike): void {
  const row = findCommand(command.name, command.args) ?? findScriptRow(attachment, command);
  if (row === undefined) return;
  const unsafe = findUnsafe(attachment, row, command);
  if (unsafe !== undefined) {
    refuse(attachment, command, unsafe);
    return;
  }
  const target = row.values === undefined ? undefined : new CommandTarget(command);
  let encoded = false;
  try {
    encoded = encodeComparands(attachment, row, command);
    encoded = encodeArguments(attachment, row, command, target) || encoded;
  } catch (error) {
    refuse(attachment, command, error as Error);
    return;
  }
  if (encoded) takeWriting(command);
  const state = new CommandState(attachment, row);
  if (replyHoldsValues(row, command.args)) findReplyRules(attachment, command, row, state);
  state.target = target;
  if (encoded || state.decodesReply) markCommand(command, state);
  if (state.decodesReply) command.transformReply = transformReply;
}

/** With Buffers among its arguments the wrapper writes the command: redis/set, a tenth to a fifth less CPU time than ioredis' own way. */
function takeWriting(command: CommandLike): void {
  command.stringifyArguments();
  if (command.args.some(isBuffer) && isPlainCommand(command)) command.toWritable = toWritable;
}

function isBuffer(argument: CommandArgument): boolean {
  return typeof argument !== "string";
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
