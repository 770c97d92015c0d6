import type { RedisKey } from "./value-of.ts";

/** What a key or a hash field may be in a list of names and values. */
export type Name = RedisKey | number;

/** The element before the one at an index of a tuple. */
export type Before<A extends readonly unknown[], I> = I extends keyof [never, ...A] ? [never, ...A][I] : never;

/** A tuple without its first element. */
export type Tail<A extends readonly unknown[]> = A extends readonly [unknown, ...infer Rest] ? Rest : readonly [];

/** Whether an index of a tuple is even; `undefined` for an array of any length. */
export type IsEven<I> = I extends `${string}${"0" | "2" | "4" | "6" | "8"}` ? true : I extends `${number}` ? false : undefined;

/** What the elements of a list of names and values are, in turn. */
export type PairKinds<A extends readonly unknown[], Kinds extends readonly unknown[] = readonly []> = A extends readonly [
  unknown,
  unknown,
  ...infer Rest,
]
  ? PairKinds<Rest, readonly [...Kinds, "name", "value"]>
  : A extends readonly [unknown]
    ? readonly [...Kinds, "name"]
    : Kinds;

/** The kind of the element at an index; `undefined` for an array of any length. */
export type KindAt<Kinds, I> = number extends I ? undefined : I extends keyof Kinds ? Kinds[I] : undefined;
