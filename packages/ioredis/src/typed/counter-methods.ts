import type { FieldOf, FieldValue, HashOf } from "./hash-fields.ts";
import type { FieldName } from "./hash-pairs.ts";
import type { Callback, ChainHolder, Reply } from "./replies.ts";
import type { TypedValues } from "./rule-types.ts";
import type { RedisKey, RuleOf } from "./value-of.ts";

type NoNumbers = "its values are no numbers: a prefix with counters needs `number` in its type";

// Counters are held raw and read as numbers, so the type of what is read must say so.
type Counter<Rule, Key> = true extends HoldsNumbers<Rule, "string"> ? Key : NoNumbers;
type CounterField<Rule, Field> = true extends HoldsNumbers<Rule, "hash", Field> ? FieldOf<HashOf<Rule>, Field> : NoNumbers;

type HoldsNumbers<Rule, Type, Field = never> =
  Rule extends TypedValues<infer T, infer Fields, infer Covered, unknown>
    ? Type extends Covered
      ? number extends (Type extends "hash" ? FieldValue<Fields, Field> : T)
        ? true
        : false
      : true
    : true;

/** The commands that count. They take a key or a field only where its type has `number`, which reading it then returns. */
export interface CounterMethods<Table, Chain extends ChainHolder> {
  incr<K extends RedisKey>(key: Counter<RuleOf<Table, K>, K>, callback?: Callback<number>): Reply<number, Chain>;
  decr<K extends RedisKey>(key: Counter<RuleOf<Table, K>, K>, callback?: Callback<number>): Reply<number, Chain>;
  incrby<K extends RedisKey>(
    key: Counter<RuleOf<Table, K>, K>,
    increment: number | string,
    callback?: Callback<number>,
  ): Reply<number, Chain>;
  decrby<K extends RedisKey>(
    key: Counter<RuleOf<Table, K>, K>,
    decrement: number | string,
    callback?: Callback<number>,
  ): Reply<number, Chain>;
  incrbyfloat<K extends RedisKey>(
    key: Counter<RuleOf<Table, K>, K>,
    increment: number | string,
    callback?: Callback<string>,
  ): Reply<string, Chain>;
  hincrby<K extends RedisKey, F extends FieldName>(
    key: K,
    field: CounterField<RuleOf<Table, K>, F>,
    increment: number | string,
    callback?: Callback<number>,
  ): Reply<number, Chain>;
  hincrbyfloat<K extends RedisKey, F extends FieldName>(
    key: K,
    field: CounterField<RuleOf<Table, K>, F>,
    increment: number | string,
    callback?: Callback<string>,
  ): Reply<string, Chain>;
}
