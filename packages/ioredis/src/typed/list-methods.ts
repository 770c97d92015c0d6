import type { Callback, ChainHolder, Reply } from "./replies.ts";
import type { ReadElement, ReadValue, RedisKey, RuleOf, WrittenValue } from "./value-of.ts";

type Read<Table, Key> = ReadValue<RuleOf<Table, Key>, "list">;
type Element<Table, Key> = ReadElement<RuleOf<Table, Key>, "list">;
type Write<Table, Key> = WrittenValue<RuleOf<Table, Key>, "list">;
// An array is a list of elements to push; an element that is an array itself must stand in one.
type Single<Value> = Exclude<Value, readonly unknown[]>;

type End = "LEFT" | "RIGHT";
type Popped<Table, Keys extends readonly unknown[]> = [key: string, value: Element<Table, Keys[number]>] | null;
type PoppedMany<Table, Key> = [key: string, values: Element<Table, Key>[]] | null;
type PopArgument = RedisKey | number | readonly RedisKey[];

/** The keys among the arguments of LMPOP, which end with the side to pop from. */
type KeysBeforeEnd<A extends readonly unknown[], Keys = never> = A extends readonly [infer First, ...infer Rest]
  ? First extends End
    ? Keys
    : KeysBeforeEnd<Rest, Keys | (First extends readonly (infer Key)[] ? Key : First)>
  : RedisKey;

type PositionOptions = [
  ...([] | [token: "RANK", rank: number | string]),
  ...([] | [token: "COUNT", count: number | string]),
  ...([] | [token: "MAXLEN", length: number | string]),
];
type PositionReply<Options extends readonly unknown[]> = "COUNT" extends Options[number] ? number[] : number | null;

/** The commands of lists. Methods whose name ends in `Buffer` return bytes, as ioredis' own do. */
export interface ListMethods<Table, Chain extends ChainHolder> {
  /** Elements, or arrays of them. */
  lpush<K extends RedisKey>(
    key: K,
    ...elements: (Single<Write<Table, K>> | readonly Write<Table, K>[] | Callback<number>)[]
  ): Reply<number, Chain>;
  rpush<K extends RedisKey>(
    key: K,
    ...elements: (Single<Write<Table, K>> | readonly Write<Table, K>[] | Callback<number>)[]
  ): Reply<number, Chain>;
  lpushx<K extends RedisKey>(
    key: K,
    ...elements: (Single<Write<Table, K>> | readonly Write<Table, K>[] | Callback<number>)[]
  ): Reply<number, Chain>;
  rpushx<K extends RedisKey>(
    key: K,
    ...elements: (Single<Write<Table, K>> | readonly Write<Table, K>[] | Callback<number>)[]
  ): Reply<number, Chain>;
  lset<K extends RedisKey>(
    key: K,
    index: number | string,
    element: Write<Table, K>,
    callback?: Callback<"OK">,
  ): Reply<"OK", Chain>;
  linsert<K extends RedisKey>(
    key: K,
    where: "BEFORE" | "AFTER",
    pivot: Write<Table, K>,
    element: Write<Table, K>,
    callback?: Callback<number>,
  ): Reply<number, Chain>;
  lrem<K extends RedisKey>(
    key: K,
    count: number | string,
    element: Write<Table, K>,
    callback?: Callback<number>,
  ): Reply<number, Chain>;
  /** The element's index, or null; with `COUNT` an array of indexes. */
  lpos<K extends RedisKey, O extends PositionOptions>(
    key: K,
    element: Write<Table, K>,
    ...options: [...options: O, callback: Callback<PositionReply<O>>]
  ): Reply<PositionReply<O>, Chain>;
  lpos<K extends RedisKey, O extends PositionOptions>(
    key: K,
    element: Write<Table, K>,
    ...options: O
  ): Reply<PositionReply<O>, Chain>;

  lindex<K extends RedisKey>(
    key: K,
    index: number | string,
    callback?: Callback<Read<Table, K> | null>,
  ): Reply<Read<Table, K> | null, Chain>;
  lrange<K extends RedisKey>(
    key: K,
    start: number | string,
    stop: number | string,
    callback?: Callback<Element<Table, K>[]>,
  ): Reply<Element<Table, K>[], Chain>;

  /** One element, or an array of `count`; null where the key is missing. */
  lpop<K extends RedisKey>(key: K, callback?: Callback<Read<Table, K> | null>): Reply<Read<Table, K> | null, Chain>;
  lpop<K extends RedisKey>(
    key: K,
    count: number | string,
    callback?: Callback<Element<Table, K>[] | null>,
  ): Reply<Element<Table, K>[] | null, Chain>;
  rpop<K extends RedisKey>(key: K, callback?: Callback<Read<Table, K> | null>): Reply<Read<Table, K> | null, Chain>;
  rpop<K extends RedisKey>(
    key: K,
    count: number | string,
    callback?: Callback<Element<Table, K>[] | null>,
  ): Reply<Element<Table, K>[] | null, Chain>;
  /** The key and its element; null after the timeout. */
  blpop<const K extends readonly RedisKey[]>(
    ...args: [...keys: K, timeout: number | string, callback: Callback<Popped<Table, K>>]
  ): Reply<Popped<Table, K>, Chain>;
  blpop<const K extends readonly RedisKey[]>(
    keys: K,
    timeout: number | string,
    callback?: Callback<Popped<Table, K>>,
  ): Reply<Popped<Table, K>, Chain>;
  blpop<const K extends readonly RedisKey[]>(...args: [...keys: K, timeout: number | string]): Reply<Popped<Table, K>, Chain>;
  brpop<const K extends readonly RedisKey[]>(
    ...args: [...keys: K, timeout: number | string, callback: Callback<Popped<Table, K>>]
  ): Reply<Popped<Table, K>, Chain>;
  brpop<const K extends readonly RedisKey[]>(
    keys: K,
    timeout: number | string,
    callback?: Callback<Popped<Table, K>>,
  ): Reply<Popped<Table, K>, Chain>;
  brpop<const K extends readonly RedisKey[]>(...args: [...keys: K, timeout: number | string]): Reply<Popped<Table, K>, Chain>;
  /** The number of keys, the keys, `"LEFT"` or `"RIGHT"`, options. */
  lmpop<const A extends readonly PopArgument[]>(
    keyCount: number | string,
    ...args: [...args: A, callback: Callback<PoppedMany<Table, KeysBeforeEnd<A>>>]
  ): Reply<PoppedMany<Table, KeysBeforeEnd<A>>, Chain>;
  lmpop<const A extends readonly PopArgument[]>(
    keyCount: number | string,
    ...args: A
  ): Reply<PoppedMany<Table, KeysBeforeEnd<A>>, Chain>;
  blmpop<const A extends readonly PopArgument[]>(
    timeout: number | string,
    keyCount: number | string,
    ...args: [...args: A, callback: Callback<PoppedMany<Table, KeysBeforeEnd<A>>>]
  ): Reply<PoppedMany<Table, KeysBeforeEnd<A>>, Chain>;
  blmpop<const A extends readonly PopArgument[]>(
    timeout: number | string,
    keyCount: number | string,
    ...args: A
  ): Reply<PoppedMany<Table, KeysBeforeEnd<A>>, Chain>;

  /** The element that was moved; null where there was none. */
  rpoplpush<K extends RedisKey>(
    source: K,
    destination: RedisKey,
    callback?: Callback<Read<Table, K> | null>,
  ): Reply<Read<Table, K> | null, Chain>;
  brpoplpush<K extends RedisKey>(
    source: K,
    destination: RedisKey,
    timeout: number | string,
    callback?: Callback<Read<Table, K> | null>,
  ): Reply<Read<Table, K> | null, Chain>;
  lmove<K extends RedisKey>(
    source: K,
    destination: RedisKey,
    from: End,
    to: End,
    callback?: Callback<Read<Table, K> | null>,
  ): Reply<Read<Table, K> | null, Chain>;
  blmove<K extends RedisKey>(
    source: K,
    destination: RedisKey,
    from: End,
    to: End,
    timeout: number | string,
    callback?: Callback<Read<Table, K> | null>,
  ): Reply<Read<Table, K> | null, Chain>;
  /** The elements that were moved; null where there were none. */
  lmovem<K extends RedisKey>(
    source: K,
    destination: RedisKey,
    from: End,
    to: End,
    ...options: (string | number | Callback<Element<Table, K>[] | null>)[]
  ): Reply<Element<Table, K>[] | null, Chain>;
  blmovem<K extends RedisKey>(
    source: K,
    destination: RedisKey,
    from: End,
    to: End,
    timeout: number | string,
    ...options: (string | number | Callback<Element<Table, K>[] | null>)[]
  ): Reply<Element<Table, K>[] | null, Chain>;
}
