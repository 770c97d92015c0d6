import type { Before, IsEven, KindAt, Name, PairKinds, Tail } from "./argument-lists.ts";
import type { FieldOf, FieldValue, HashOf } from "./hash-fields.ts";
import type { Callback } from "./replies.ts";
import type { TypedValues } from "./rule-types.ts";
import type { PlainValue, Written, WrittenValue } from "./value-of.ts";

/** A hash field as ioredis takes it. */
export type FieldName = string | Buffer;

/** What may be written into a field under a rule. */
export type WrittenField<Rule, Field> =
  Rule extends TypedValues<unknown, infer Fields, infer Covered, unknown>
    ? "hash" extends Covered
      ? Written<FieldValue<Fields, NameOf<Field>>>
      : PlainValue
    : WrittenValue<Rule, "hash">;

type NameOf<Field> = Field extends number ? `${Field}` : Field;

/**
 * The arguments of HSET after the key that fit those given: fields and values in turn, or one array, object or Map of them, then
 * a callback.
 *
 * @typeParam A the arguments given
 */
export type HsetArguments<Rule, A extends readonly unknown[], T> = {
  readonly [I in keyof A]: I extends "0" ? FirstArgument<Rule, A[I]> : PairArgument<Rule, A, I, Callback<T>>;
};

type FirstArgument<Rule, First> = First extends Name
  ? FieldOf<HashOf<Rule>, First>
  : First extends object
    ? PairsOf<Rule, First>
    : Name | object;

type PairsOf<Rule, Given extends object> = Given extends readonly unknown[]
  ? { readonly [I in keyof Given]: PairArgument<Rule, Given, I, never> }
  : Given extends ReadonlyMap<infer Field, unknown>
    ? ReadonlyMap<FieldOf<HashOf<Rule>, Field>, WrittenField<Rule, Field>>
    : RecordOf<Rule, Given>;

// Of a key under no serializer ioredis takes any object.
type RecordOf<Rule, Given> =
  Rule extends TypedValues<unknown, infer Fields, infer Covered, unknown>
    ? "hash" extends Covered
      ? string extends keyof Fields
        ? { readonly [F in keyof Given]: Written<Fields[keyof Fields]> }
        : { readonly [F in keyof Fields]?: Written<Fields[F]> }
      : object
    : object;

type PairArgument<Rule, A extends readonly unknown[], I extends keyof A, Last> =
  IsEven<I> extends true
    ? A[I] extends Name
      ? FieldOf<HashOf<Rule>, A[I]>
      : Name | Last
    : IsEven<I> extends false
      ? Before<A, I> extends Name
        ? WrittenField<Rule, Before<A, I>>
        : Last
      : Name | WrittenField<Rule, string>;

/** The arguments of HSETEX after the key: options, `"FIELDS"`, the number of fields, fields and values in turn, a callback. */
export type HsetexArguments<Rule, A extends readonly unknown[]> = {
  readonly [I in keyof A]: HsetexArgument<Rule, A, I, KindAt<HsetexKinds<A>, I>>;
};

type HsetexArgument<Rule, A extends readonly unknown[], I extends keyof A, Kind> = Kind extends "value"
  ? WrittenField<Rule, Before<A, I>>
  : Kind extends "name"
    ? A[I] extends Name
      ? FieldOf<HashOf<Rule>, A[I]>
      : Name | Callback<number>
    : Kind extends undefined
      ? PlainValue | WrittenField<Rule, string>
      : A[I] extends PlainValue
        ? A[I]
        : PlainValue;

type HsetexKinds<A extends readonly unknown[], Kinds extends readonly unknown[] = readonly []> = A extends readonly [
  infer First,
  ...infer Rest,
]
  ? First extends "FIELDS"
    ? readonly [...Kinds, "option", "option", ...PairKinds<Tail<Rest>>]
    : HsetexKinds<Rest, readonly [...Kinds, "option"]>
  : Kinds;
