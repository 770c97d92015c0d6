import type { Before, IsEven, KindAt, Name, Tail } from "./argument-lists.ts";
import type { Callback } from "./replies.ts";
import type { PlainValue, RedisKey, RuleOf, WrittenValue } from "./value-of.ts";

type Write<Table, Key> = WrittenValue<RuleOf<Table, Key>, "string">;

/**
 * The arguments of MSET that fit those given: keys and values in turn, or one array, object or Map of them, then a callback.
 *
 * @typeParam A the arguments given
 */
export type MsetArguments<Table, A extends readonly unknown[], T> = {
  readonly [I in keyof A]: I extends "0" ? FirstArgument<Table, A[I]> : PairArgument<Table, A, I, Callback<T>>;
};

type FirstArgument<Table, First> = First extends Name ? First : First extends object ? PairsOf<Table, First> : Name | object;

type PairsOf<Table, Given extends object> = Given extends readonly unknown[]
  ? { readonly [I in keyof Given]: PairArgument<Table, Given, I, never> }
  : Given extends ReadonlyMap<infer Key, unknown>
    ? ReadonlyMap<Key, Write<Table, Key>>
    : { readonly [Key in keyof Given]: Write<Table, Key> };

type PairArgument<Table, A extends readonly unknown[], I extends keyof A, Last> =
  IsEven<I> extends true
    ? A[I] extends Name
      ? A[I]
      : Name | Last
    : IsEven<I> extends false
      ? Before<A, I> extends Name
        ? Write<Table, Before<A, I>>
        : Last
      : Name | Write<Table, RedisKey>;

/** The arguments of MSETEX after the number of keys that fit those given: keys and values in turn, options, then a callback. */
export type MsetexArguments<Table, A extends readonly unknown[]> = {
  readonly [I in keyof A]: ArgumentOfKind<Table, A, I, KindAt<MsetexKinds<A>, I>>;
};

type ArgumentOfKind<Table, A extends readonly unknown[], I extends keyof A, Kind> = Kind extends "value"
  ? Write<Table, Before<A, I>>
  : Kind extends undefined
    ? PlainValue | Write<Table, RedisKey>
    : A[I] extends PlainValue
      ? A[I]
      : Kind extends "name"
        ? Name | Callback<number>
        : PlainValue;

// The server counts the keys; a type goes by the names of options, which no key will have.
type MsetexKinds<A extends readonly unknown[], Kinds extends readonly unknown[] = readonly []> = A extends readonly [
  infer First,
  ...infer Rest,
]
  ? First extends "NX" | "XX" | "KEEPTTL"
    ? MsetexKinds<Rest, readonly [...Kinds, "option"]>
    : First extends "EX" | "PX" | "EXAT" | "PXAT"
      ? MsetexKinds<Tail<Rest>, readonly [...Kinds, "option", "option"]>
      : MsetexKinds<Tail<Rest>, readonly [...Kinds, "name", "value"]>
  : Kinds;
