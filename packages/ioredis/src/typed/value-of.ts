import type { ValueType } from "../options.ts";
import type { PlainValues, PrefixTable, TypedValues, Unruled } from "./rule-types.ts";

/** A key as ioredis takes it. */
export type RedisKey = string | Buffer;
/** A value as ioredis itself takes it. */
export type PlainValue = string | Buffer | number;
type Bytes = Uint8Array | ArrayBuffer | DataView;

/**
 * What reading a key returns, by the prefixes of a client's options: the value type of the longest prefix that the key begins
 * with, `string` under none. A key that may be under several prefixes gives the union of their types.
 *
 * @typeParam Prefixes the type of the options' `prefixes`
 * @typeParam Key a key's type: a literal, a template literal, `string` or `Buffer`
 * @typeParam Type the data type under the key, for rules that do not cover all of them
 *
 * @example
 * const prefixes = { "session:": { serializer: json<Session>() }, "page:": { compressor: lz4() } } as const;
 * type A = ValueOf<typeof prefixes, "session:1">; // Session
 * type B = ValueOf<typeof prefixes, `page:${number}`>; // string
 * type C = ValueOf<typeof prefixes, string>; // string | Session
 */
export type ValueOf<Prefixes, Key extends RedisKey, Type extends ValueType = "string"> = ReadValue<
  RuleOf<PrefixTable<Prefixes>, Key>,
  Type
>;

/** The rules that a key may be under: one for a literal key. */
export type RuleOf<Table, Key> = Key extends number
  ? RuleOf<Table, `${Key}`>
  : Key extends string
    ? string extends keyof Table
      ? AnyRuleOf<Table>
      : IsPattern<Key> extends true
        ? DefiniteRule<Table, Key> | LaterRules<Table, Key, Head<Key>>
        : DefiniteRule<Table, Key>
    : AnyRuleOf<Table>;

type AnyRuleOf<Table> = Table[keyof Table] | (string extends keyof Table ? Unruled : "" extends keyof Table ? never : Unruled);

type DefiniteRule<Table, Key> = [Longest<PrefixesOf<keyof Table, Key>>] extends [never]
  ? Unruled
  : Table[Longest<PrefixesOf<keyof Table, Key>> & keyof Table];

type PrefixesOf<Prefix, Key> = Prefix extends string ? (Key extends `${Prefix}${string}` ? Prefix : never) : never;

// All are prefixes of one key, so the longest is the one that no other begins with.
type Longest<Prefix, All = Prefix> = Prefix extends string
  ? [Extract<Exclude<All, Prefix>, `${Prefix}${string}`>] extends [never]
    ? Prefix
    : never
  : never;

/** Rules of longer prefixes than the text before a key's first hole: the key may be under them too. */
type LaterRules<Table, Key, Start extends string> = Table[Extract<keyof Table, `${Start}${HoleStart<Key, Start>}${string}`>];

// How text that stands for a number may begin: digits, a sign, Infinity, NaN.
type HoleStart<Key, Start extends string> = Key extends `${Start}${number | bigint}${string}` ? number | "-" | "I" | "N" : "";

type Head<Key, Start extends string = ""> = Key extends `${infer Character}${infer Rest}`
  ? IsPattern<Character> extends true
    ? Start
    : Head<Rest, `${Start}${Character}`>
  : Start;

/** Whether a string type stands for more than one string: as the key of a record it makes an index signature, which may be empty. */
export type IsPattern<Key> = Key extends string
  ? Partial<Record<Key, unknown>> extends Record<Key, unknown>
    ? true
    : false
  : false;

// The parts of a rule are inferred: what names them as properties has the compiler work out every rule where a key is still open.

/** A value as it is read under a rule. */
export type ReadValue<Rule, Type> =
  Rule extends TypedValues<infer T, unknown, infer Covered, unknown> ? (Type extends Covered ? T : string) : string;

/** The same in a list of values, where one that cannot be decoded under `onDecodeError: "miss"` is null. */
export type ReadElement<Rule, Type> = ReadValue<Rule, Type> | MissedUnder<Rule>;

/** What stands in the place of a value that cannot be decoded. */
export type MissedUnder<Rule> = Rule extends PlainValues<infer Missed> ? Missed : never;

/** What may be written under a rule. */
export type WrittenValue<Rule, Type> =
  Rule extends TypedValues<infer T, unknown, infer Covered, unknown>
    ? Type extends Covered
      ? Written<T>
      : PlainValue
    : Rule extends PlainValues<unknown>
      ? PlainValue | Bytes
      : PlainValue;

/** A serializer that returns a Buffer takes bytes of every kind. */
export type Written<T> = Buffer extends T ? T | Bytes : T;
