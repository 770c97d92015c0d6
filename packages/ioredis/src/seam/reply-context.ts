import type { ReplyShape } from "../commands.ts";
import type { ValueForm } from "../decode-value.ts";
import { logicalKey, logicalReplyKey, ruleOfReplyKey } from "../keys.ts";
import type { ReplyContext, Spot } from "../replies.ts";
import type { Rule } from "../rules.ts";
import type { Shared } from "../shared.ts";
import type { ValuePlace } from "../value-errors.ts";
import type { CommandState } from "./command-state.ts";
import type { CommandLike } from "./ioredis.ts";

/** How ioredis gives a reply to its caller. */
export function formOf({ replyEncoding }: CommandLike): ValueForm {
  if (replyEncoding === "utf8") return "text";
  return replyEncoding == null ? "bytes" : "buffer";
}

/** What decoding a reply needs to know of its command. */
export class CommandReply implements ReplyContext {
  readonly form: ValueForm;
  readonly #command: CommandLike;
  readonly #state: CommandState;

  /** @param form how the reply is given to the caller: a command in a transaction is answered by EXEC */
  constructor(command: CommandLike, state: CommandState, form: ValueForm) {
    this.#command = command;
    this.#state = state;
    this.form = form;
  }

  get shared(): Shared {
    return this.#state.attachment.shared;
  }

  get shape(): ReplyShape {
    return this.#state.row?.reply ?? "value";
  }

  ruleOf({ key, index }: Spot): Rule | undefined {
    const { attachment, rule, rules, ruleSet, row } = this.#state;
    if (key !== undefined) return ruleOfReplyKey(attachment, ruleSet ?? attachment.shared.rules, key, row?.home ?? "string");
    return rules === undefined ? rule : rules[index ?? 0];
  }

  placeOf({ key, index, field, id }: Spot): ValuePlace {
    const { attachment, rules, row } = this.#state;
    const { name, args } = this.#command;
    const own = args[rules === undefined ? (row?.key ?? 0) : (index ?? 0)] ?? "";
    const logical = key === undefined ? logicalKey(attachment, this.#command, own) : logicalReplyKey(attachment, key);
    return {
      key: key === undefined ? (logical ?? own) : this.#show(logical ?? key),
      command: name.toLowerCase(),
      ...(index !== undefined && { index }),
      ...(field !== undefined && { field: this.#show(field as string | Buffer) }),
      // HGET: the one reply of a field's value that does not name the field.
      ...(row?.home === "hash" && row.reply === "value" && { field: this.#show(args[1] ?? "") }),
      ...(id !== undefined && { id: String(id) }),
    };
  }

  #show(name: string | Buffer): string | Buffer {
    return this.form === "bytes" ? name : name.toString();
  }
}
