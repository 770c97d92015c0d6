import type { Serializer } from "@tightwire/codec-core";
import type { ValueType } from "../options.ts";

/** A rule with a serializer: its value, the fields of its hashes, the data types it covers, and what stands in for a missed value. */
export interface TypedValues<T, H, Covered, Missed> {
  readonly value: T;
  readonly fields: H;
  readonly covered: Covered;
  readonly missed: Missed;
}

/** A rule without a serializer: strings and bytes. */
export interface PlainValues<Missed> {
  readonly missed: Missed;
}

/** No rule, or the rule `"raw"`. */
export type Unruled = "raw";

/** The types of options' `prefixes` or `channels`, by prefix; what the typed methods go by. */
export type PrefixTable<Prefixes> =
  Prefixes extends Iterable<infer Pair>
    ? { readonly [P in Pair as PrefixOf<P>]: P extends readonly [unknown, infer R] ? TypesOfRule<R> : never }
    : { readonly [P in keyof Prefixes & string]: TypesOfRule<Prefixes[P]> };

/** Whether some rule of a table has, or may have, a serializer. */
export type HasSerializer<Table> = [Extract<Table[keyof Table], AnyTypedValues>] extends [never] ? false : true;

/** Any rule with a serializer. */
export type AnyTypedValues = TypedValues<unknown, unknown, unknown, unknown>;

type PrefixOf<Pair> = Pair extends readonly [infer P extends string, unknown] ? P : never;

// Asked for by its name, an option that may be absent says everything that it may be.
type Option<R, Name extends string> = Name extends keyof R ? R[Name] : undefined;

type TypesOfRule<R> = R extends Unruled ? Unruled : TypesBySerializer<R, Option<R, "serializer">>;

type TypesBySerializer<R, S> =
  S extends Serializer<infer T>
    ? TypedValues<ValueOfRule<R, T>, FieldsOfRule<R, T>, CoveredBy<R>, MissedBy<R>>
    : PlainValues<MissedBy<R>>;

type Declared<R> = NonNullable<Option<R, "~types">>;
type ValueOfRule<R, T> = [Declared<R>] extends [never] ? T : Declared<R> extends { readonly value: infer V } ? V : T;
type FieldsOfRule<R, T> = [Declared<R>] extends [never]
  ? Record<string, T>
  : Declared<R> extends { readonly fields: infer H }
    ? H
    : Record<string, T>;
type CoveredBy<R> =
  Option<R, "types"> extends undefined
    ? ValueType
    : NonNullable<Option<R, "types">> extends readonly (infer Type)[]
      ? Type
      : ValueType;
type MissedBy<R> = "miss" extends Option<R, "onDecodeError"> ? null : never;
