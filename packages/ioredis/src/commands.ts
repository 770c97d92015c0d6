import type { ValueType } from "./options.ts";

/** Where a value is found: under a key of a data type, in the arguments and replies of a script, in a message of a channel. */
export type ValueHome = ValueType | "script" | "channel";

/** Indexes of arguments, counted from 0 after the command's name: `first`, then every `step`-th up to `last`. */
export interface ArgumentPositions {
  readonly first: number;
  /** Absent: one argument. */
  readonly step?: number;
  /** Absent: to the end. */
  readonly last?: number;
}

/** Options of a command, walked by count: a value may be called like an option. */
export interface OptionTokens {
  readonly first: number;
  /** How many arguments an option takes. */
  readonly arity: Readonly<Record<string, number>>;
  /** Options whose argument may follow a `=` or `~`. */
  readonly approximate?: readonly string[];
}

/** Arguments after an option: a count, then as many groups of `step` arguments, the value the last of each. */
export interface CountedPositions {
  readonly option: string;
  readonly options: OptionTokens;
  readonly step: number;
}

/** Where the values of a command are. */
export interface ValuePositions {
  /** At fixed indexes. */
  readonly at?: ArgumentPositions;
  /** The argument at this index counts groups of key and value that follow it. */
  readonly countAt?: number;
  /** After an option. */
  readonly counted?: CountedPositions;
  /** In pairs after the first argument that is no option. */
  readonly pairsAfter?: OptionTokens;
  /** Each value follows its own key; otherwise all are under the row's key. */
  readonly keyBefore?: true;
}

/**
 * What a reply holds, before ioredis converts it.
 * `value`: one value, or a list of them. `values`: a list of values under one key. `byKey`: element i belongs to key i.
 * `fields`: `[field, value, …]`, `[[field, value], …]` or an object. `scan`: `[cursor, [field, value, …]]`.
 * `keyed`: `[key, value]` or `[key, [value, …]]`. `entries`: `[[id, [field, value, …]], …]`. `claimed`: `[cursor, entries, …]`.
 * `streams`: `[[key, entries], …]`, `[key, entries, …]` or an object by key. `streamInfo`: names and values, some of them entries.
 */
export type ReplyShape =
  | "value"
  | "values"
  | "byKey"
  | "fields"
  | "scan"
  | "keyed"
  | "entries"
  | "claimed"
  | "streams"
  | "streamInfo";

/** One command: where its values are and what its reply holds. */
export interface CommandRow {
  readonly home: ValueHome;
  /** Index of the key; 0 if absent. */
  readonly key?: number;
  /** The row is for calls with this first argument only. */
  readonly subcommand?: string;
  readonly values?: ValuePositions;
  /** ioredis takes an object or a Map in the place of pairs: as the only argument, or after the key. */
  readonly record?: "only" | "afterKey";
  /** An array in the place of a value is several values. */
  readonly spread?: true;
  readonly reply?: ReplyShape;
  /** The reply holds values only if this option is given, or only if it is not. */
  readonly replyNeeds?: { readonly option: string; readonly given: boolean; readonly options: OptionTokens };
  /** Values that the server compares with what it holds: at these indexes, or after these options. */
  readonly comparands?: ArgumentPositions | { readonly after: readonly string[]; readonly options: OptionTokens };
  /** Keys of a command that would read or change the bytes of a frame. */
  readonly unsafe?: ArgumentPositions;
  /** The reply also holds values of the keys that the patterns after this option name. */
  readonly patterns?: { readonly option: string; readonly options: OptionTokens };
  /** The command moves or copies a value of one of these types from its first key to its second. */
  readonly moves?: readonly ValueType[];
}

const FIRST: ArgumentPositions = { first: 0 };
const ALL: ArgumentPositions = { first: 0, step: 1 };
const EXPIRY = { EX: 1, PX: 1, EXAT: 1, PXAT: 1 };
const SET_OPTIONS: OptionTokens = { first: 2, arity: { ...EXPIRY, IFEQ: 1, IFNE: 1, IFDEQ: 1, IFDNE: 1 } };
const DELEX_OPTIONS: OptionTokens = { first: 1, arity: { IFEQ: 1, IFNE: 1, IFDEQ: 1, IFDNE: 1 } };
const HSETEX_OPTIONS: OptionTokens = { first: 1, arity: EXPIRY };
const HSCAN_OPTIONS: OptionTokens = { first: 2, arity: { MATCH: 1, COUNT: 1 } };
const HRANDFIELD_OPTIONS: OptionTokens = { first: 2, arity: {} };
const SORT_PATTERNS = { option: "GET", options: { first: 1, arity: { BY: 1, LIMIT: 2, GET: 1, STORE: 1 } } };
const XADD_OPTIONS: OptionTokens = {
  first: 1,
  arity: { NOMKSTREAM: 0, KEEPREF: 0, DELREF: 0, ACKED: 0, IDMPAUTO: 1, IDMP: 2, MAXLEN: 1, MINID: 1, LIMIT: 1 },
  approximate: ["MAXLEN", "MINID"],
};
const ALL_TYPES: readonly ValueType[] = ["string", "hash", "list", "stream"];
const LIST_ONLY: readonly ValueType[] = ["list"];

const row =
  (home: ValueHome) =>
  (rest: Omit<CommandRow, "home">): CommandRow =>
    Object.freeze({ home, ...rest });
const string = row("string");
const hash = row("hash");
const list = row("list");
const stream = row("stream");
const channel = row("channel");

const one = (first: number): ValuePositions => ({ at: { first } });
const every = (first: number, step: number): ValuePositions => ({ at: { first, step } });

/** Every command that holds, returns or depends on the bytes of values; names in lower case. */
export const COMMANDS: ReadonlyMap<string, CommandRow> = new Map<string, CommandRow>([
  [
    "set",
    string({
      values: one(1),
      reply: "value",
      replyNeeds: { option: "GET", given: true, options: SET_OPTIONS },
      comparands: { after: ["IFEQ", "IFNE"], options: SET_OPTIONS },
    }),
  ],
  ["setex", string({ values: one(2) })],
  ["psetex", string({ values: one(2) })],
  ["setnx", string({ values: one(1) })],
  ["getset", string({ values: one(1), reply: "value" })],
  ["get", string({ reply: "value" })],
  ["getdel", string({ reply: "value" })],
  ["getex", string({ reply: "value" })],
  ["mget", string({ reply: "byKey" })],
  ["mset", string({ values: { ...every(1, 2), keyBefore: true }, record: "only" })],
  ["msetnx", string({ values: { ...every(1, 2), keyBefore: true }, record: "only" })],
  ["msetex", string({ values: { countAt: 0, keyBefore: true } })],
  ["delex", string({ comparands: { after: ["IFEQ", "IFNE"], options: DELEX_OPTIONS } })],

  // Of Valkey.
  ["delifeq", string({ comparands: { first: 1 } })],

  ["hset", hash({ values: every(2, 2), record: "afterKey" })],
  ["hmset", hash({ values: every(2, 2), record: "afterKey" })],
  ["hsetnx", hash({ values: one(2) })],
  ["hsetex", hash({ values: { counted: { option: "FIELDS", options: HSETEX_OPTIONS, step: 2 } } })],
  ["himport", hash({ key: 1, subcommand: "SET", values: every(3, 1) })],
  ["hget", hash({ reply: "value" })],
  ["hmget", hash({ reply: "values" })],
  ["hvals", hash({ reply: "values" })],
  ["hgetex", hash({ reply: "values" })],
  ["hgetdel", hash({ reply: "values" })],
  ["hgetall", hash({ reply: "fields" })],
  ["hrandfield", hash({ reply: "fields", replyNeeds: { option: "WITHVALUES", given: true, options: HRANDFIELD_OPTIONS } })],
  ["hscan", hash({ reply: "scan", replyNeeds: { option: "NOVALUES", given: false, options: HSCAN_OPTIONS } })],

  ["lpush", list({ values: every(1, 1), spread: true })],
  ["rpush", list({ values: every(1, 1), spread: true })],
  ["lpushx", list({ values: every(1, 1), spread: true })],
  ["rpushx", list({ values: every(1, 1), spread: true })],
  ["lset", list({ values: one(2) })],
  ["linsert", list({ values: one(3), comparands: { first: 2 } })],
  ["lrem", list({ comparands: { first: 2 } })],
  ["lpos", list({ comparands: { first: 1 } })],
  ["lindex", list({ reply: "value" })],
  ["lrange", list({ reply: "values" })],
  ["lpop", list({ reply: "value" })],
  ["rpop", list({ reply: "value" })],
  ["blpop", list({ reply: "keyed" })],
  ["brpop", list({ reply: "keyed" })],
  ["lmpop", list({ reply: "keyed" })],
  ["blmpop", list({ reply: "keyed" })],
  ["rpoplpush", list({ reply: "value", moves: LIST_ONLY })],
  ["brpoplpush", list({ reply: "value", moves: LIST_ONLY })],
  ["lmove", list({ reply: "value", moves: LIST_ONLY })],
  ["blmove", list({ reply: "value", moves: LIST_ONLY })],
  ["lmovem", list({ reply: "value", moves: LIST_ONLY })],
  ["blmovem", list({ reply: "value", moves: LIST_ONLY })],

  ["xadd", stream({ values: { pairsAfter: XADD_OPTIONS } })],
  ["xrange", stream({ reply: "entries" })],
  ["xrevrange", stream({ reply: "entries" })],
  ["xclaim", stream({ reply: "entries" })],
  ["xautoclaim", stream({ reply: "claimed" })],
  ["xread", stream({ reply: "streams" })],
  ["xreadgroup", stream({ reply: "streams" })],
  ["xinfo", stream({ key: 1, subcommand: "STREAM", reply: "streamInfo" })],

  ["publish", channel({ values: one(1) })],
  ["spublish", channel({ values: one(1) })],

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
]);

/** The row of a command as the caller spells its name, for calls with these arguments. */
export function findCommand(name: string, args: readonly unknown[]): CommandRow | undefined {
  const found = COMMANDS.get(name) ?? COMMANDS.get(name.toLowerCase());
  if (found?.subcommand === undefined) return found;
  return String(args[0]).toUpperCase() === found.subcommand ? found : undefined;
}

/** The key of a command on which alone it depends what happens to a call: without a rule there, nothing does. */
export interface OneKey {
  /** Index of the key. */
  readonly key: number;
  readonly home: ValueHome;
  readonly row: CommandRow;
}

const SHAPES_OF_OTHER_KEYS: ReadonlySet<ReplyShape | undefined> = new Set(["byKey", "keyed", "streams"]);

function dependsOnOneKey({ subcommand, values, reply, unsafe, patterns, moves }: CommandRow): boolean {
  const others = values?.keyBefore ?? moves ?? patterns ?? subcommand;
  return others === undefined && (unsafe === undefined || unsafe === FIRST) && !SHAPES_OF_OTHER_KEYS.has(reply);
}

/** Commands that depend on one key. Objects of one shape, apart from the rows: overhead/get/text-100/64-pipelined looks here first. */
export const ONE_KEY_COMMANDS: ReadonlyMap<string, OneKey> = new Map(
  [...COMMANDS]
    .filter(([, row]) => dependsOnOneKey(row))
    .map(([name, row]) => [name, { key: row.key ?? 0, home: row.home, row }]),
);
