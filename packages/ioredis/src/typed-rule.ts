import type { Serializer } from "@tightwire/codec-core";
import { type DecodeErrorMode, type RuleOptions, resolveRuleOptions, type ValueType } from "./options.ts";

type OtherOptions = Partial<Omit<RuleOptions, "serializer" | "types" | "onDecodeError">>;

/**
 * What {@link rule} takes: the settings of a rule, its serializer among them.
 *
 * @typeParam T the type of values
 * @typeParam H the fields of hashes
 * @typeParam Covered the data types that the rule covers
 * @typeParam OnError what becomes of a value that cannot be decoded
 */
export type TypedRuleOptions<
  T,
  H extends object = Record<string, T>,
  Covered extends ValueType = ValueType,
  OnError extends DecodeErrorMode = DecodeErrorMode,
> = OtherOptions & { serializer: Serializer<T | H[keyof H]>; onDecodeError?: OnError } & CoverageOption<Covered>;

// A data type left out of the settings but not of the type, or the other way round, would be typed wrongly.
type CoverageOption<Covered extends ValueType> = [ValueType] extends [Covered]
  ? { types?: never }
  : { types: readonly Covered[] };

/** A rule that knows the types of its values: what {@link rule} returns. Its parameters are those of {@link TypedRuleOptions}. */
export interface TypedRule<
  T,
  H extends object = Record<string, T>,
  Covered extends ValueType = ValueType,
  OnError extends DecodeErrorMode = "throw" | "pass",
> extends Readonly<OtherOptions> {
  readonly serializer: Serializer<unknown>;
  readonly types?: readonly Covered[];
  readonly onDecodeError?: OnError;
  /** Never there: it is how the compiler carries the types. */
  readonly "~types"?: { readonly value: T; readonly fields: H };
}

/**
 * Names the types of a rule's values: `T` for strings, list elements and the fields of stream entries, `H` for the fields of hashes.
 * The serializer takes them from here.
 *
 * @typeParam T the type of values
 * @typeParam H the fields of hashes by name, as an interface or an object type
 * @typeParam Covered the data types that the rule covers, if not all; `types` must then name the same
 * @returns the settings, checked and frozen
 * @throws TypeError for an unknown option, a wrong kind, or options that exclude each other
 * @throws RangeError for a setting out of range
 *
 * @example
 * import { json, rule, withValueCodec } from "@tightwire/ioredis";
 * import { Redis } from "ioredis";
 *
 * interface User { name: string }
 * interface UserFields { name: string; visits: number }
 *
 * const redis = withValueCodec(new Redis(), {
 *   prefixes: { "user:": rule<User, UserFields>({ serializer: json() }) },
 * });
 * await redis.get("user:1"); // User | null
 * await redis.hget("user:1", "visits"); // number | null
 */
export function rule<T, H extends object = Record<string, T>, Covered extends ValueType = ValueType>(
  options: TypedRuleOptions<T, H, Covered, "miss"> & { onDecodeError: "miss" },
): TypedRule<T, H, Covered, "miss">;
export function rule<T, H extends object = Record<string, T>, Covered extends ValueType = ValueType>(
  options: TypedRuleOptions<T, H, Covered, "throw" | "pass">,
): TypedRule<T, H, Covered>;
export function rule(options: object): object {
  resolveRuleOptions(options, "rule()", false);
  return Object.freeze({ ...options });
}
