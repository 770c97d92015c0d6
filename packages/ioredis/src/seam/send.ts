import { encodeArguments, encodeComparands } from "../arguments.ts";
import { type CommandRow, findCommand, ONE_KEY_COMMANDS, type OneKey } from "../commands.ts";
import { ruleAt } from "../keys.ts";
import { replyHoldsValues } from "../positions.ts";
import type { Rule } from "../rules.ts";
import { findUnsafe } from "../unsafe.ts";
import { type Attachment, attachmentOf } from "./attachment.ts";
import { isRefusing, type Refusal, takeRefusal } from "./calls.ts";
import { CommandState, markCommand, stateOf } from "./command-state.ts";
import {
  type ClientLike,
  type CommandArgument,
  type CommanderLike,
  type CommandLike,
  type PipelineLike,
  prototypeOf,
} from "./ioredis.ts";
import { createQueue } from "./pipeline-queue.ts";
import { standIn } from "./refusals.ts";
import { transformReply } from "./reply-hooks.ts";
import { findScriptRow } from "./script-methods.ts";
import { followTransaction } from "./transactions.ts";
import { CommandTarget, isPlainCommand, toWritable } from "./wire.ts";
import { isWrittenByIoredis, writeAsText } from "./wire-text.ts";

type SendCommand = ClientLike["sendCommand"];

/** What {@link findOnlyRule} returns for a command under no rule. */
const UNRULED = "unruled";

/** The `sendCommand` of an attached client: encodes a command the first time it passes, then lets ioredis send it. */
export function createSendCommand(attachment: Attachment): SendCommand {
  const { client } = attachment;
  const previous = attachment.previous.get("sendCommand") as SendCommand | undefined;
  return function sendCommand(this: ClientLike, command, stream, node): unknown {
    // A pipeline sends its commands with itself as the stream they are written to; it has looked at them.
    const found = stream === undefined && attachment.transaction === undefined ? findOnlyRule(attachment, command) : undefined;
    if (found === UNRULED) {
      writeAsText(command);
      return (previous ?? prototypeOf(client).sendCommand).call(this, command, stream, node);
    }
    // overhead/…/64-pipelined: looking at each command once is half of what a pipeline costs.
    const preparedBy = isPipelineStream(stream) ? attachment.sendsPreparedBy : undefined;
    let state = stateOf(command);
    if (state === undefined && preparedBy === undefined) state = prepareCommand(attachment, command, found);
    if (attachment.transaction !== undefined || mayBegin(command)) state = followTransaction(attachment, command) ?? state;
    if (state !== undefined) prepareSending(attachment, command, state);
    const inherited = preparedBy ?? prototypeOf(client);
    return (previous ?? inherited.sendCommand).call(this, command, stream, node);
  };
}

/**
 * The rule of a command that depends on one key and was not seen before; undefined for other commands, about which that says
 * nothing. overhead/…/64-direct: most commands of most programs have none and end here, and the shorter their way, the less of it is lost
 * from the processor's caches at each write to the socket.
 */
function findOnlyRule(attachment: Attachment, command: CommandLike): Rule | typeof UNRULED | undefined {
  if (stateOf(command) !== undefined || attachment.isCluster || isRefusing() || !isWrittenByIoredis(command)) return undefined;
  if (attachment.isKnownUnruled(command.name, command.args[0])) return UNRULED;
  const oneKey = findOneKey(command.name);
  return oneKey === undefined ? undefined : (ruleAt(attachment, command, oneKey.key, oneKey.home) ?? UNRULED);
}

/** The `sendCommand` of pipelines: it only queues, so values are read and encoded when the caller passes them. */
export function createQueueCommand(base: PipelineLike): SendCommand {
  const queue = createQueue(base);
  return function queueCommand(this: CommanderLike, command): unknown {
    const attachment = attachmentOf(this);
    if (attachment !== undefined && stateOf(command) === undefined) prepareCommand(attachment, command);
    return queue.call(this as PipelineLike, command);
  };
}

/** Looks at what somebody has queued in a pipeline before it got that `sendCommand`: `exec` relies on it. */
export function prepareQueued(attachment: Attachment, pipeline: PipelineLike): void {
  for (const command of pipeline._queue ?? []) {
    if (stateOf(command) === undefined) prepareCommand(attachment, command);
  }
}

/**
 * The `exec` of pipelines.
 *
 * @param queueCommand the wrapper's own `sendCommand` of such pipelines
 */
export function createExec(base: PipelineLike, queueCommand: SendCommand): PipelineLike["exec"] {
  // Arguments as they are given: within a transaction ioredis makes an EXEC of them, and an undefined one would be one too many.
  return function exec(this: PipelineLike, ...args): unknown {
    const attachment = attachmentOf(this);
    // Somebody's own `sendCommand` on the pipeline has queued commands that nobody has looked at.
    if (attachment === undefined || this.sendCommand !== queueCommand) return base.exec.apply(this, args);
    attachment.sendsPreparedBy = prototypeOf(attachment.client);
    try {
      // Sends the commands before it returns; a pipeline that must wait sends them later, and they are looked at once more.
      return base.exec.apply(this, args);
    } finally {
      attachment.sendsPreparedBy = undefined;
    }
  };
}

function isPipelineStream(stream: unknown): boolean {
  return (stream as { readonly isPipeline?: boolean } | null | undefined)?.isPipeline === true;
}

// Most names are of another length, and need no lower-case copy then.
const MULTI_LENGTH = 5;

function mayBegin(command: CommandLike): boolean {
  return command.name.length === MULTI_LENGTH && command.name.toLowerCase() === "multi" && !command.inTransaction;
}

function prepareSending(attachment: Attachment, command: CommandLike, state: CommandState): void {
  const inTransaction = command.inTransaction || attachment.transaction !== undefined;
  if (state.refusal !== undefined) standIn(command, state, inTransaction);
  else state.awaitsQueued = inTransaction;
}

/**
 * Encodes the values of a command that was not seen before, and takes charge of its reply.
 *
 * @returns its state; undefined if there is nothing to remember of it
 */
function prepareCommand(attachment: Attachment, command: CommandLike, found?: Rule): CommandState | undefined {
  const refusal = takeRefusal();
  const state = refusal === undefined ? prepareUnseen(attachment, command, found) : refuse(attachment, command, refusal);
  if (isWrittenByIoredis(command)) writeAsText(command);
  // A node sees its cluster's commands with another idea of what a key is: it must take none of them for its own.
  return state === undefined && attachment.isCluster ? markCommand(command, new CommandState(attachment, undefined)) : state;
}

// The last command looked up: programs send the same one over and over, overhead/get/text-100/64-pipelined −1 %.
let lastName = "";
let lastOneKey: OneKey | undefined;

function findOneKey(name: string): OneKey | undefined {
  if (name === lastName) return lastOneKey;
  lastName = name;
  lastOneKey = ONE_KEY_COMMANDS.get(name);
  return lastOneKey;
}

/** @param found the rule of the command's one key, if that is known */
function prepareUnseen(attachment: Attachment, command: CommandLike, found: Rule | undefined): CommandState | undefined {
  if (found === undefined && attachment.isKnownUnruled(command.name, command.args[0])) return undefined;
  const oneKey = findOneKey(command.name);
  if (oneKey !== undefined) {
    // Most commands of most programs end here.
    const rule = found ?? ruleAt(attachment, command, oneKey.key, oneKey.home);
    return rule === undefined ? undefined : prepareRow(attachment, command, oneKey.row, rule);
  }
  const row = findCommand(command.name, command.args) ?? findScriptRow(attachment, command);
  return row === undefined ? undefined : prepareRow(attachment, command, row, undefined);
}

/** @param known the rule of the command's one key, if it has only one */
function prepareRow(
  attachment: Attachment,
  command: CommandLike,
  row: CommandRow,
  known: Rule | undefined,
): CommandState | undefined {
  const unsafe = findUnsafe(attachment, row, command);
  if (unsafe !== undefined) return refuse(attachment, command, { error: unsafe });
  const target = row.values !== undefined && isPlainCommand(command) ? new CommandTarget(command) : undefined;
  let encoded = false;
  try {
    encoded = encodeComparands(attachment, row, command);
    encoded = encodeArguments(attachment, row, command, known, target) || encoded;
  } catch (error) {
    return refuse(attachment, command, { error });
  }
  if (encoded) takeWriting(command, target);
  const state = new CommandState(attachment, row);
  if (replyHoldsValues(row, command.args)) findReplyRules(attachment, command, row, known, state);
  state.target = target;
  if (state.decodesReply) command.transformReply = transformReply;
  return encoded || state.decodesReply ? markCommand(command, state) : undefined;
}

/** With Buffers among its arguments the wrapper writes the command: redis/set, a tenth to a fifth less CPU time than ioredis' own way. */
function takeWriting(command: CommandLike, target: CommandTarget | undefined): void {
  if (target !== undefined && hasBuffer(command.args)) command.toWritable = toWritable;
  // A script has a way of its own to write itself, and must learn that there are Buffers among its arguments now.
  else command.stringifyArguments();
}

function hasBuffer(args: readonly CommandArgument[]): boolean {
  for (const argument of args) if (typeof argument !== "string") return true;
  return false;
}

const SHAPES_WITH_KEYS: ReadonlySet<string> = new Set(["keyed", "streams"]);

function findReplyRules(
  attachment: Attachment,
  command: CommandLike,
  row: CommandRow,
  known: Rule | undefined,
  state: CommandState,
): void {
  if (SHAPES_WITH_KEYS.has(row.reply ?? "")) {
    if (attachment.shared.rules.rules.size > 0) state.ruleSet = attachment.shared.rules;
    return;
  }
  if (row.reply !== "byKey") {
    state.rule = known ?? ruleAt(attachment, command, row.key ?? 0, row.home);
    return;
  }
  const rules = command.args.map((_, index) => ruleAt(attachment, command, index, row.home));
  if (rules.some((rule) => rule !== undefined)) state.rules = rules;
}

function refuse(attachment: Attachment, command: CommandLike, refusal: Refusal): CommandState {
  const key = command.getKeys()[0] ?? command.args[0];
  const state = markCommand(command, new CommandState(attachment, undefined));
  state.refusal = refusal;
  command.args = [key as CommandLike["args"][number]];
  command.transformReply = transformReply;
  return state;
}
