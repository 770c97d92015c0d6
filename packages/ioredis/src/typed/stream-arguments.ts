import type { KindAt, PairKinds, Tail } from "./argument-lists.ts";
import type { Callback } from "./replies.ts";
import type { PlainValue, RedisKey } from "./value-of.ts";

/** The arguments of XADD after the key that fit those given: options, an id, fields and values in turn, then a callback. */
export type XaddArguments<Value, A extends readonly unknown[], T> = {
  readonly [I in keyof A]: ArgumentOfKind<Value, A[I], KindAt<XaddKinds<A>, I>, Callback<T>>;
};

type ArgumentOfKind<Value, Given, Kind, Last> = Kind extends "value"
  ? Value
  : Kind extends undefined
    ? PlainValue | Value
    : Given extends PlainValue
      ? Given
      : Kind extends "name"
        ? PlainValue | Last
        : PlainValue;

type Flag = "NOMKSTREAM" | "KEEPREF" | "DELREF" | "ACKED";
type TokenWithOne = "LIMIT" | "IDMPAUTO" | "MAXLEN" | "MINID";

// Walked by count, as the server does: a field may be called like an option, but stands after the id.
type XaddKinds<A extends readonly unknown[], Kinds extends readonly unknown[] = readonly []> = A extends readonly [
  infer First,
  ...infer Rest,
]
  ? First extends Flag
    ? XaddKinds<Rest, readonly [...Kinds, "option"]>
    : First extends TokenWithOne
      ? Rest extends readonly ["=" | "~", ...infer Behind]
        ? XaddKinds<Tail<Behind>, readonly [...Kinds, "option", "option", "option"]>
        : XaddKinds<Tail<Rest>, readonly [...Kinds, "option", "option"]>
      : First extends "IDMP"
        ? XaddKinds<Tail<Tail<Rest>>, readonly [...Kinds, "option", "option", "option"]>
        : readonly [...Kinds, "id", ...PairKinds<Rest>]
  : Kinds;

/** The keys among the arguments of XREAD: the first half of what follows `"STREAMS"`; any key where that cannot be told. */
export type StreamKeys<A extends readonly unknown[]> = A extends readonly [infer First, ...infer Rest]
  ? First extends "STREAMS"
    ? FirstHalf<Rest>
    : StreamKeys<Rest>
  : RedisKey;

type FirstHalf<A extends readonly unknown[], Half = never> = A extends readonly [infer First, ...infer Between, unknown]
  ? FirstHalf<Between, Half | First>
  : A extends readonly []
    ? Half
    : RedisKey;
