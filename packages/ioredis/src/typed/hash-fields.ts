import type { TypedValues } from "./rule-types.ts";
import type { IsPattern, MissedUnder } from "./value-of.ts";

type PlainFields = Record<string, string>;

/** The fields of a hash under a rule. */
export type HashOf<Rule> =
  Rule extends TypedValues<unknown, infer Fields, infer Covered, unknown>
    ? "hash" extends Covered
      ? Fields
      : PlainFields
    : PlainFields;

/** The names of a hash's fields; `string` if it has no fixed ones. */
export type FieldNames<Hash> = Hash extends unknown ? keyof Hash & string : never;

/** Whether a field's type stands for more than one name. */
export type IsOpenField<Field> = Field extends string ? IsPattern<Field> : true;

/** A field that the hash can have; instead of any other its names, for the compiler to compare with. */
export type FieldOf<Hash, Field> =
  Field extends FieldNames<Hash> ? Field : IsOpenField<Field> extends true ? Field : FieldNames<Hash>;

/** The same for a list of fields. */
export type FieldsOf<Hash, Fields extends readonly unknown[]> = { readonly [I in keyof Fields]: FieldOf<Hash, Fields[I]> };

/** A field's value; of an open field, any of the hash. */
export type FieldValue<Hash, Field> = Hash extends unknown
  ? Field extends keyof Hash
    ? Required<Hash>[Field]
    : IsOpenField<Field> extends true
      ? Required<Hash>[keyof Hash]
      : never
  : never;

/** What reading a list of fields returns. */
export type FieldValues<Hash, Fields extends readonly unknown[]> = {
  -readonly [I in keyof Fields]: FieldValue<Hash, Fields[I]> | null;
};

/** What reading a whole hash returns: any of its fields may be missing. */
export type HashReply<Rule> = Rule extends unknown ? Present<HashOf<Rule>, MissedUnder<Rule>> : never;

// An index signature says already that a field may be missing; made optional, its values would all include undefined.
type Present<Hash, Missed> = string extends keyof Hash
  ? { [F in keyof Hash]: Hash[F] | Missed }
  : { [F in keyof Hash]?: Hash[F] | Missed };

/** The fields among the arguments of HGETEX: what follows `"FIELDS"` and their number; any where that cannot be told. */
export type FieldsAfterToken<A extends readonly unknown[]> = A extends readonly [infer First, ...infer Rest]
  ? First extends "FIELDS"
    ? Rest extends readonly [unknown, ...infer Fields]
      ? Fields
      : readonly []
    : FieldsAfterToken<Rest>
  : readonly string[];
