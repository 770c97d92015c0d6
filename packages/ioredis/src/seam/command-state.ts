import type { CommandRow } from "../commands.ts";
import type { Rule, RuleSet } from "../rules.ts";
import type { Attachment } from "./attachment.ts";
import type { Refusal } from "./calls.ts";
import type { CommandLike } from "./ioredis.ts";
import type { OpenTransaction } from "./transactions.ts";
import type { CommandTarget } from "./wire.ts";

// On the Command itself: a command passes sendCommand again after a reconnect, from a Cluster to its node, after MOVED.
const STATE: unique symbol = Symbol.for("tightwire.command") as never;

/** What the seam remembers of a command that it has seen, however often it is sent. */
export class CommandState {
  readonly attachment: Attachment;
  readonly row: CommandRow | undefined;
  /** The rule of the first key, where the reply holds its values. */
  rule: Rule | undefined = undefined;
  /** The rule of each key, where element i of the reply belongs to key i. */
  rules: readonly (Rule | undefined)[] | undefined = undefined;
  /** The rules at the time of sending, where the reply names the keys of its values. */
  ruleSet: RuleSet | undefined = undefined;
  /** Why the command is not sent. */
  refusal: Refusal | undefined = undefined;
  /** The next reply is "QUEUED", the value follows in EXEC's. */
  awaitsQueued = false;
  /** The value came in EXEC's reply and was decoded there. */
  delivered = false;
  /** Where the command's frame lies. */
  target: CommandTarget | undefined = undefined;
  /** The transaction without a pipeline that the command was sent in. */
  transaction: OpenTransaction | undefined = undefined;

  constructor(attachment: Attachment, row: CommandRow | undefined) {
    this.attachment = attachment;
    this.row = row;
  }

  /** Whether the reply may hold values: of a rule known beforehand, or of keys that the reply names. */
  get decodesReply(): boolean {
    return this.rule !== undefined || this.rules !== undefined || this.ruleSet !== undefined;
  }
}

export type MarkedCommand = CommandLike & { [STATE]?: CommandState };

/** The state of a command that an attached client has seen. */
export function stateOf(command: CommandLike): CommandState | undefined {
  return (command as MarkedCommand)[STATE];
}

export function markCommand(command: MarkedCommand, state: CommandState): CommandState {
  if (command[STATE] !== undefined) throw new TypeError(`${command.name} has a state already`);
  // Not by defineProperty, which would keep the first state by itself, but costs a tenth of a SET.
  command[STATE] = state;
  return state;
}
