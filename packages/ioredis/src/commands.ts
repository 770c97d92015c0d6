import type { ValueType } from "./options.ts";

/** Indexes of arguments, counted from 0 after the command's name: `first`, then every `step`-th up to `last`. */
export interface ArgumentPositions {
  readonly first: number;
  /** Absent: one argument. */
  readonly step?: number;
  /** Absent: to the end. */
  readonly last?: number;
}

/** Where a command holds values. The key is the first argument unless `keyBefore` says that each value follows its own. */
export interface ValuePositions extends ArgumentPositions {
  readonly keyBefore?: true;
}

/**
 * What a reply holds, before ioredis converts it.
 * `value`: one value. `values`: a list of values under one key. `byKey`: element i belongs to key i.
 * `fields`: `[field, value, …]`, `[[field, value], …]` or an object. `scan`: `[cursor, [field, value, …]]`.
 */
export type ReplyShape = "value" | "values" | "byKey" | "fields" | "scan";

/** Options of a command, walked by count: a value may be called like an option. */
export interface OptionTokens {
  readonly first: number;
  /** Options that take arguments, and how many; all others take none. */
  readonly arity: Readonly<Record<string, number>>;
}

/** One command: where its values are and what its reply holds. */
export interface CommandRow {
  readonly type: ValueType;
  readonly values?: ValuePositions;
  /** ioredis takes an object or a Map in the place of pairs: as the only argument, or after the key. */
  readonly record?: "only" | "afterKey";
  readonly reply?: ReplyShape;
  /** The reply holds values only if this option is given, or only if it is not. */
  readonly replyNeeds?: { readonly option: string; readonly given: boolean; readonly options: OptionTokens };
  /** Keys of a command that would read or change the bytes of a frame. */
  readonly unsafe?: ArgumentPositions;
  /** The reply also holds values of the keys that the patterns after this option name. */
  readonly patterns?: { readonly option: string; readonly options: OptionTokens };
  /** The command moves or copies a value of one of these types from its first key to its second. */
  readonly moves?: readonly ValueType[];
}

const FIRST: ArgumentPositions = { first: 0 };
const ALL: ArgumentPositions = { first: 0, step: 1 };
const SET_OPTIONS: OptionTokens = { first: 2, arity: { EX: 1, PX: 1, EXAT: 1, PXAT: 1, IFEQ: 1, IFNE: 1, IFDEQ: 1, IFDNE: 1 } };
const HSCAN_OPTIONS: OptionTokens = { first: 2, arity: { MATCH: 1, COUNT: 1 } };
const SORT_PATTERNS = { option: "GET", options: { first: 1, arity: { BY: 1, LIMIT: 2, GET: 1, STORE: 1 } } };
const ALL_TYPES: readonly ValueType[] = ["string", "hash", "list", "stream"];
const HRANDFIELD_OPTIONS: OptionTokens = { first: 2, arity: {} };

const string = (row: Omit<CommandRow, "type">): CommandRow => Object.freeze({ type: "string", ...row });
const list = (row: Omit<CommandRow, "type">): CommandRow => Object.freeze({ type: "list", ...row });
const hash = (row: Omit<CommandRow, "type">): CommandRow => Object.freeze({ type: "hash", ...row });

/** Every command of Redis 7.0 that holds, returns or depends on the bytes of string and hash values; names in lower case. */
export const COMMANDS: ReadonlyMap<string, CommandRow> = new Map<string, CommandRow>([
  ["set", string({ values: { first: 1 }, reply: "value", replyNeeds: { option: "GET", given: true, options: SET_OPTIONS } })],
  ["setex", string({ values: { first: 2 } })],
  ["psetex", string({ values: { first: 2 } })],
  ["setnx", string({ values: { first: 1 } })],
  ["getset", string({ values: { first: 1 }, reply: "value" })],
  ["get", string({ reply: "value" })],
  ["getdel", string({ reply: "value" })],
  ["getex", string({ reply: "value" })],
  ["mget", string({ reply: "byKey" })],
  ["mset", string({ values: { first: 1, step: 2, keyBefore: true }, record: "only" })],
  ["msetnx", string({ values: { first: 1, step: 2, keyBefore: true }, record: "only" })],

  ["hset", hash({ values: { first: 2, step: 2 }, record: "afterKey" })],
  ["hmset", hash({ values: { first: 2, step: 2 }, record: "afterKey" })],
  ["hsetnx", hash({ values: { first: 2 } })],
  ["hget", hash({ reply: "value" })],
  ["hmget", hash({ reply: "values" })],
  ["hvals", hash({ reply: "values" })],
  ["hgetall", hash({ reply: "fields" })],
  ["hrandfield", hash({ reply: "fields", replyNeeds: { option: "WITHVALUES", given: true, options: HRANDFIELD_OPTIONS } })],
  ["hscan", hash({ reply: "scan", replyNeeds: { option: "NOVALUES", given: false, options: HSCAN_OPTIONS } })],

  ["append", string({ unsafe: FIRST })],
  ["setrange", string({ unsafe: FIRST })],
  ["setbit", string({ unsafe: FIRST })],
  ["bitfield", string({ unsafe: FIRST })],
  ["bitop", string({ unsafe: { first: 1, step: 1 } })],
  ["pfadd", string({ unsafe: FIRST })],
  ["pfmerge", string({ unsafe: ALL })],
  ["getrange", string({ unsafe: FIRST })],
  ["substr", string({ unsafe: FIRST })],
  ["getbit", string({ unsafe: FIRST })],
  ["bitcount", string({ unsafe: FIRST })],
  ["bitpos", string({ unsafe: FIRST })],
  ["bitfield_ro", string({ unsafe: FIRST })],
  ["lcs", string({ unsafe: { first: 0, step: 1, last: 1 } })],
  ["pfcount", string({ unsafe: ALL })],
  ["strlen", string({ unsafe: FIRST })],
  ["hstrlen", hash({ unsafe: FIRST })],
  ["sort", list({ unsafe: FIRST, patterns: SORT_PATTERNS })],
  ["sort_ro", list({ unsafe: FIRST, patterns: SORT_PATTERNS })],

  ["rename", string({ moves: ALL_TYPES })],
  ["renamenx", string({ moves: ALL_TYPES })],
  ["copy", string({ moves: ALL_TYPES })],
  ["rpoplpush", list({ moves: ["list"] })],
  ["brpoplpush", list({ moves: ["list"] })],
  ["lmove", list({ moves: ["list"] })],
  ["blmove", list({ moves: ["list"] })],
]);

type Argument = string | Buffer | number | null | undefined;

/** Whether an option is given, and where: the index of its first argument, or -1. */
export function findOption(args: readonly Argument[], option: string, tokens: OptionTokens, from: number = tokens.first): number {
  for (let i = from; i < args.length; i++) {
    const name = String(args[i]).toUpperCase();
    if (name === option) return i + 1;
    i += tokens.arity[name] ?? 0;
  }
  return -1;
}

/** Whether this call's reply holds values. */
export function replyHoldsValues(row: CommandRow, args: readonly Argument[]): boolean {
  if (row.reply === undefined) return false;
  if (row.replyNeeds === undefined) return true;
  const { option, given, options } = row.replyNeeds;
  return findOption(args, option, options) >= 0 === given;
}

/** The row of a command as the caller spells its name. */
export function findCommand(name: string): CommandRow | undefined {
  return COMMANDS.get(name) ?? COMMANDS.get(name.toLowerCase());
}
