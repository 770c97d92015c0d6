import type { ValueHome } from "./commands.ts";
import type { Rule, RuleSet } from "./rules.ts";
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

function isEmpty(prefix: string | Buffer | undefined): prefix is undefined {
  return prefix === undefined || prefix === null || prefix.length === 0;
}

function startsWith(key: CommandArgument, prefix: string | Buffer): boolean {
  if (typeof key === "string" && typeof prefix === "string") return key.startsWith(prefix);
  const bytes = Buffer.from(prefix as string);
  return Buffer.from(key as string)
    .subarray(0, bytes.length)
    .equals(bytes);
}

/** In characters of a string or bytes of a Buffer. */
function lengthIn(prefix: string | Buffer, key: CommandArgument): number {
  return typeof key === "string" ? prefix.toString().length : Buffer.byteLength(prefix);
}

/** Where the logical key begins in a key as sent; -1: under no rule. */
export function logicalOffset(space: KeySpace, command: CommandLike, key: CommandArgument): number {
  const { keyPrefix } = space;
  if (isEmpty(keyPrefix)) return 0;
  if (space.prefixed) return startsWith(key, keyPrefix) ? lengthIn(keyPrefix, key) : NO_RULE;
  return command.getKeys().includes(key) ? lengthIn(keyPrefix, key) : 0;
}

function skip(key: CommandArgument, offset: number): CommandArgument {
  if (offset <= 0) return key;
  return typeof key === "string" ? key.slice(offset) : key.subarray(offset);
}

/** The key without the keyPrefix of ioredis. */
export function logicalKey(space: KeySpace, command: CommandLike, key: CommandArgument): CommandArgument {
  return skip(key, logicalOffset(space, command, key));
}

/** The rule of the key or channel at an index of the arguments, if that rule covers such values. */
export function ruleAt(space: KeySpace, command: CommandLike, index: number, home: ValueHome): Rule | undefined {
  const key = command.args[index];
  if (key === undefined) return undefined;
  // Few clients have a keyPrefix, and what they need for it would keep V8 from inlining this: overhead/get/text-100/64-direct.
  return isEmpty(space.keyPrefix) ? findRule(space, key, 0, home) : findPrefixedRule(space, command, key, home);
}

function findRule({ shared }: KeySpace, key: CommandArgument, offset: number, home: ValueHome): Rule | undefined {
  const rule = (home === "channel" ? shared.channels : shared.rules).match(key, offset);
  return rule === undefined || !rule.covers[home] ? undefined : rule;
}

function findPrefixedRule(space: KeySpace, command: CommandLike, key: CommandArgument, home: ValueHome): Rule | undefined {
  const offset = logicalOffset(space, command, key);
  return offset === NO_RULE ? undefined : findRule(space, key, offset, home);
}

/** A key that the server names in a reply, without the keyPrefix of ioredis; undefined if it lacks the prefix. */
export function logicalReplyKey(space: KeySpace, key: CommandArgument): CommandArgument | undefined {
  if (isEmpty(space.keyPrefix)) return key;
  return startsWith(key, space.keyPrefix) ? skip(key, lengthIn(space.keyPrefix, key)) : undefined;
}

/** A key as a method is called with it, for errors: only on a cluster's node does it bear the cluster's keyPrefix. */
export function logicalCallKey(space: KeySpace, key: unknown): CommandArgument {
  const given = key instanceof Buffer ? key : String(key);
  return space.prefixed ? (logicalReplyKey(space, given) ?? given) : given;
}

/** The rule of a key or channel as a method is called with it: without the keyPrefix, which ioredis is still to put before it. */
export function ruleOfCallKey(space: KeySpace, key: CommandArgument, home: ValueHome): Rule | undefined {
  const logical = space.prefixed ? logicalReplyKey(space, key) : key;
  if (logical === undefined) return undefined;
  return findRule(space, logical, 0, home);
}

/** The rule of a key that the server names in a reply. */
export function ruleOfReplyKey(space: KeySpace, rules: RuleSet, key: CommandArgument, home: ValueHome): Rule | undefined {
  const logical = logicalReplyKey(space, key);
  const rule = logical === undefined ? undefined : rules.match(logical, 0);
  return rule?.covers[home] === true ? rule : undefined;
}
