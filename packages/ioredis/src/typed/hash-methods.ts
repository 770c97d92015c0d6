import type { FieldOf, FieldsAfterToken, FieldsOf, FieldValue, FieldValues, HashOf, HashReply } from "./hash-fields.ts";
import type { FieldName, HsetArguments, HsetexArguments, WrittenField } from "./hash-pairs.ts";
import type { Callback, ChainHolder, Reply } from "./replies.ts";
import type { MissedUnder, RedisKey, RuleOf } from "./value-of.ts";

type Hash<Table, Key> = HashOf<RuleOf<Table, Key>>;
type Field<Table, Key, F> = FieldValue<Hash<Table, Key>, F> | null;
type Fields<Table, Key, F extends readonly unknown[]> = FieldValues<Hash<Table, Key>, F>;
type Element<Table, Key> = FieldValue<Hash<Table, Key>, string> | MissedUnder<RuleOf<Table, Key>>;

type ScanOptions = [
  ...([] | [token: "MATCH", pattern: string]),
  ...([] | [token: "COUNT", count: number | string]),
  ...([] | ["NOVALUES"]),
];
type ScanReply<Value, Options> = [
  cursor: string,
  elements: Options extends [...unknown[], "NOVALUES"] ? string[] : (string | Value)[],
];
type RandomFields<Value, Mapped> = Mapped extends true ? [field: string, value: Value][] : (string | Value)[];

/**
 * The commands of hashes. Methods whose name ends in `Buffer` return bytes, as ioredis' own do.
 *
 * @typeParam Mapped whether ioredis gives replies the shapes of RESP3
 */
export interface HashMethods<Table, Chain extends ChainHolder, Mapped> {
  /** The field's value, or null where it is missing. */
  hget<K extends RedisKey, F extends FieldName>(
    key: K,
    field: FieldOf<Hash<Table, K>, F>,
    callback?: Callback<Field<Table, K, F>>,
  ): Reply<Field<Table, K, F>, Chain>;
  /** Values in the order of the fields; those of a tuple of fields are a tuple. */
  hmget<K extends RedisKey, const F extends readonly FieldName[]>(
    key: K,
    ...fields: [...fields: F, callback: Callback<Fields<Table, K, F>>]
  ): Reply<Fields<Table, K, F>, Chain>;
  hmget<K extends RedisKey, const F extends readonly FieldName[]>(
    key: K,
    fields: FieldsOf<Hash<Table, K>, F>,
    callback?: Callback<Fields<Table, K, F>>,
  ): Reply<Fields<Table, K, F>, Chain>;
  hmget<K extends RedisKey, const F extends readonly FieldName[]>(
    key: K,
    ...fields: FieldsOf<Hash<Table, K>, F>
  ): Reply<Fields<Table, K, F>, Chain>;
  /** The hash; an empty one where the key is missing. */
  hgetall<K extends RedisKey>(
    key: K,
    callback?: Callback<HashReply<RuleOf<Table, K>>>,
  ): Reply<HashReply<RuleOf<Table, K>>, Chain>;
  hvals<K extends RedisKey>(key: K, callback?: Callback<Element<Table, K>[]>): Reply<Element<Table, K>[], Chain>;
  /** One field, or `count` fields, without or with their values. */
  hrandfield(key: RedisKey, callback?: Callback<string | null>): Reply<string | null, Chain>;
  hrandfield(key: RedisKey, count: number | string, callback?: Callback<string[]>): Reply<string[], Chain>;
  hrandfield<K extends RedisKey>(
    key: K,
    count: number | string,
    withValues: "WITHVALUES",
    callback?: Callback<RandomFields<Element<Table, K>, Mapped>>,
  ): Reply<RandomFields<Element<Table, K>, Mapped>, Chain>;
  /** The next cursor, and fields and values in turn. */
  hscan<K extends RedisKey, O extends ScanOptions>(
    key: K,
    cursor: number | string,
    ...options: [...options: O, callback: Callback<ScanReply<Element<Table, K>, O>>]
  ): Reply<ScanReply<Element<Table, K>, O>, Chain>;
  hscan<K extends RedisKey, O extends ScanOptions>(
    key: K,
    cursor: number | string,
    ...options: O
  ): Reply<ScanReply<Element<Table, K>, O>, Chain>;
  /** Options, `"FIELDS"`, the number of fields, the fields. */
  hgetex<K extends RedisKey, const A extends readonly (FieldName | number)[]>(
    key: K,
    ...args: [...args: A, callback: Callback<Fields<Table, K, FieldsAfterToken<A>>>]
  ): Reply<Fields<Table, K, FieldsAfterToken<A>>, Chain>;
  hgetex<K extends RedisKey, const A extends readonly (FieldName | number)[]>(
    key: K,
    ...args: A
  ): Reply<Fields<Table, K, FieldsAfterToken<A>>, Chain>;
  hgetdel<K extends RedisKey, const F extends readonly FieldName[]>(
    key: K,
    token: "FIELDS",
    count: number | string,
    ...fields: [...fields: F, callback: Callback<Fields<Table, K, F>>]
  ): Reply<Fields<Table, K, F>, Chain>;
  hgetdel<K extends RedisKey, const F extends readonly FieldName[]>(
    key: K,
    token: "FIELDS",
    count: number | string,
    ...fields: FieldsOf<Hash<Table, K>, F>
  ): Reply<Fields<Table, K, F>, Chain>;

  /** Fields and values in turn, or one array, object or Map of them. */
  hset<K extends RedisKey, const A extends readonly unknown[]>(
    key: K,
    ...fields: HsetArguments<RuleOf<Table, K>, A, number>
  ): Reply<number, Chain>;
  hmset<K extends RedisKey, const A extends readonly unknown[]>(
    key: K,
    ...fields: HsetArguments<RuleOf<Table, K>, A, "OK">
  ): Reply<"OK", Chain>;
  hsetnx<K extends RedisKey, F extends FieldName>(
    key: K,
    field: FieldOf<Hash<Table, K>, F>,
    value: WrittenField<RuleOf<Table, K>, F>,
    callback?: Callback<number>,
  ): Reply<number, Chain>;
  /** Options, `"FIELDS"`, the number of fields, fields and values in turn. */
  hsetex<K extends RedisKey, const A extends readonly unknown[]>(
    key: K,
    ...args: HsetexArguments<RuleOf<Table, K>, A>
  ): Reply<number, Chain>;
  /** Values for a set of fields that was prepared before. */
  himport<K extends RedisKey>(
    subcommand: "SET",
    key: K,
    fieldset: FieldName,
    ...values: (WrittenField<RuleOf<Table, K>, string> | Callback<"OK">)[]
  ): Reply<"OK", Chain>;
  himport(subcommand: "PREPARE", fieldset: FieldName, ...fields: (FieldName | Callback<"OK">)[]): Reply<"OK", Chain>;
  himport(subcommand: "DISCARD", fieldset: FieldName, callback?: Callback<number>): Reply<number, Chain>;
  himport(subcommand: "DISCARDALL", callback?: Callback<number>): Reply<number, Chain>;
}
