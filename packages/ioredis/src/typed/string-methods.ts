import type { MsetArguments, MsetexArguments } from "./key-pairs.ts";
import type { Callback, ChainHolder, Reply } from "./replies.ts";
import type { ReadValue, RedisKey, RuleOf, WrittenValue } from "./value-of.ts";

type Read<Table, Key> = ReadValue<RuleOf<Table, Key>, "string">;
type Write<Table, Key> = WrittenValue<RuleOf<Table, Key>, "string">;
type ReadAll<Table, Keys extends readonly unknown[]> = { -readonly [I in keyof Keys]: Read<Table, Keys[I]> | null };

type TimeUnit = "EX" | "PX" | "EXAT" | "PXAT";
type Expiry = [] | [unit: TimeUnit, time: number | string] | ["KEEPTTL"];
type Condition<Value> =
  | []
  | ["NX" | "XX"]
  | [by: "IFEQ" | "IFNE", value: Value]
  | [by: "IFDEQ" | "IFDNE", digest: number | string];
type SetOptions<Value> = [...Expiry, ...Condition<Value>] | GetOptions<Value>;
type GetOptions<Value> = [...Expiry, ...Condition<Value>, "GET"];
// By their end: a value that is compared may be called like an option.
type SetReply<Old, Options> = Options extends Expiry
  ? "OK"
  : Options extends [...unknown[], "IFEQ" | "IFNE", unknown]
    ? "OK" | null
    : Options extends [...unknown[], "GET"]
      ? Old | null
      : "OK" | null;

/** The commands of strings. Methods whose name ends in `Buffer` return bytes, as ioredis' own do. */
export interface StringMethods<Table, Chain extends ChainHolder> {
  /** The value, or null where the key is missing. */
  get<K extends RedisKey>(key: K, callback?: Callback<Read<Table, K> | null>): Reply<Read<Table, K> | null, Chain>;
  /** The value, which is deleted. */
  getdel<K extends RedisKey>(key: K, callback?: Callback<Read<Table, K> | null>): Reply<Read<Table, K> | null, Chain>;
  /** The value, whose expiry is changed. */
  getex<K extends RedisKey>(key: K, callback?: Callback<Read<Table, K> | null>): Reply<Read<Table, K> | null, Chain>;
  getex<K extends RedisKey>(
    key: K,
    persist: "PERSIST",
    callback?: Callback<Read<Table, K> | null>,
  ): Reply<Read<Table, K> | null, Chain>;
  getex<K extends RedisKey>(
    key: K,
    unit: TimeUnit,
    time: number | string,
    callback?: Callback<Read<Table, K> | null>,
  ): Reply<Read<Table, K> | null, Chain>;
  /** The value before. */
  getset<K extends RedisKey>(
    key: K,
    value: Write<Table, K>,
    callback?: Callback<Read<Table, K> | null>,
  ): Reply<Read<Table, K> | null, Chain>;
  getsetBuffer<K extends RedisKey>(
    key: K,
    value: Write<Table, K>,
    callback?: Callback<Buffer | null>,
  ): Reply<Buffer | null, Chain>;

  /** Values in the order of the keys; those of a tuple of keys are a tuple. */
  mget<const K extends readonly RedisKey[]>(
    ...args: [...keys: K, callback: Callback<ReadAll<Table, K>>]
  ): Reply<ReadAll<Table, K>, Chain>;
  mget<const K extends readonly RedisKey[]>(keys: K, callback?: Callback<ReadAll<Table, K>>): Reply<ReadAll<Table, K>, Chain>;
  mget<const K extends readonly RedisKey[]>(...keys: K): Reply<ReadAll<Table, K>, Chain>;

  /** "OK"; null where a condition was not met; with `GET` the value before. */
  set<K extends RedisKey, O extends SetOptions<Write<Table, K>>>(
    key: K,
    value: Write<Table, K>,
    ...options: [...options: O, callback: Callback<SetReply<Read<Table, K>, O>>]
  ): Reply<SetReply<Read<Table, K>, O>, Chain>;
  set<K extends RedisKey, O extends SetOptions<Write<Table, K>>>(
    key: K,
    value: Write<Table, K>,
    ...options: O
  ): Reply<SetReply<Read<Table, K>, O>, Chain>;
  setBuffer<K extends RedisKey, O extends GetOptions<Write<Table, K>>>(
    key: K,
    value: Write<Table, K>,
    ...options: [...options: O, callback: Callback<Buffer | null>]
  ): Reply<Buffer | null, Chain>;
  setBuffer<K extends RedisKey, O extends GetOptions<Write<Table, K>>>(
    key: K,
    value: Write<Table, K>,
    ...options: O
  ): Reply<Buffer | null, Chain>;
  setex<K extends RedisKey>(
    key: K,
    seconds: number | string,
    value: Write<Table, K>,
    callback?: Callback<"OK">,
  ): Reply<"OK", Chain>;
  psetex<K extends RedisKey>(
    key: K,
    milliseconds: number | string,
    value: Write<Table, K>,
    callback?: Callback<"OK">,
  ): Reply<"OK", Chain>;
  setnx<K extends RedisKey>(key: K, value: Write<Table, K>, callback?: Callback<number>): Reply<number, Chain>;

  /** Keys and values in turn, or one array, object or Map of them. */
  mset<const A extends readonly unknown[]>(...pairs: MsetArguments<Table, A, "OK">): Reply<"OK", Chain>;
  msetnx<const A extends readonly unknown[]>(...pairs: MsetArguments<Table, A, number>): Reply<number, Chain>;
  /** The number of keys, keys and values in turn, options. */
  msetex<const A extends readonly unknown[]>(
    keyCount: number | string,
    ...pairs: MsetexArguments<Table, A>
  ): Reply<number, Chain>;
}
