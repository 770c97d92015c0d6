import type { ValueType } from "./options.ts";
import type { Rule } from "./rules.ts";
import type { CommandArgument, CommandLike } from "./seam/ioredis.ts";
import type { Shared } from "./shared.ts";

/** Whose keys carry a keyPrefix: the client's, where ioredis put it; or every key of a cluster node, which sees keys as sent. */
export interface KeySpace {
  readonly shared: Shared;
  readonly keyPrefix: string | Buffer | undefined;
  /** Keys reach this client with the prefix already on them. */
  readonly prefixed: boolean;
}

const NO_RULE = -1;

function startsWith(key: CommandArgument, prefix: string | Buffer): boolean {
  if (typeof key === "string" && typeof prefix === "string") return key.startsWith(prefix);
  const bytes = Buffer.from(prefix as string);
  return Buffer.from(key as string)
    .subarray(0, bytes.length)
    .equals(bytes);
}

/** Where the logical key begins in a key as sent, in characters of a string or bytes of a Buffer; -1: under no rule. */
export function logicalOffset(space: KeySpace, command: CommandLike, key: CommandArgument): number {
  const { keyPrefix } = space;
  if (keyPrefix === undefined || keyPrefix === null || keyPrefix.length === 0) return 0;
  const length = typeof key === "string" ? keyPrefix.toString().length : Buffer.byteLength(keyPrefix);
  if (space.prefixed) return startsWith(key, keyPrefix) ? length : NO_RULE;
  return command.getKeys().includes(key) ? length : 0;
}

/** The key without the keyPrefix of ioredis. */
export function logicalKey(space: KeySpace, command: CommandLike, key: CommandArgument): CommandArgument {
  const offset = Math.max(logicalOffset(space, command, key), 0);
  if (offset === 0) return key;
  return typeof key === "string" ? key.slice(offset) : key.subarray(offset);
}

/** The rule of the key at an index of the arguments, if that rule covers the type. */
export function ruleAt(space: KeySpace, command: CommandLike, index: number, type: ValueType): Rule | undefined {
  const key = command.args[index];
  if (key === undefined) return undefined;
  const offset = logicalOffset(space, command, key);
  if (offset === NO_RULE) return undefined;
  const rule = space.shared.rules.match(key, offset);
  return rule?.covers[type] === true ? rule : undefined;
}
