import type { Callback, ChainHolder, Reply } from "./replies.ts";
import type { StreamKeys, XaddArguments } from "./stream-arguments.ts";
import type { PlainValue, ReadElement, RedisKey, RuleOf, WrittenValue } from "./value-of.ts";

type Element<Table, Key> = ReadElement<RuleOf<Table, Key>, "stream">;
type Write<Table, Key> = WrittenValue<RuleOf<Table, Key>, "stream">;

/** An entry of a stream: its id, and its fields and values in turn. */
export type StreamEntry<Value> = [id: string, fields: (string | Value)[]];
// One that was pending and has been deleted has no fields any more.
type PendingEntry<Value> = [id: string, fields: (string | Value)[] | null];

type Entries<Table, Key> = StreamEntry<Element<Table, Key>>[];
type Claimed<Table, Key, A extends readonly unknown[]> = "JUSTID" extends A[number]
  ? string[]
  : (PendingEntry<Element<Table, Key>> | null)[];
type Autoclaimed<Table, Key, A extends readonly unknown[]> = [
  cursor: string,
  entries: Claimed<Table, Key, A>,
  deletedIds?: string[],
];
type Streams<Entry, Mapped> = (Mapped extends true ? Record<string, Entry[]> : [key: string, entries: Entry[]][]) | null;
type ReadStreams<Table, A extends readonly unknown[], Mapped> = Streams<StreamEntry<Element<Table, StreamKeys<A>>>, Mapped>;
type GroupStreams<Table, A extends readonly unknown[], Mapped> = Streams<PendingEntry<Element<Table, StreamKeys<A>>>, Mapped>;

/**
 * The commands of streams. Methods whose name ends in `Buffer` return bytes, as ioredis' own do.
 *
 * @typeParam Mapped whether ioredis gives replies the shapes of RESP3
 */
export interface StreamMethods<Table, Chain extends ChainHolder, Mapped> {
  /** Options, an id, fields and values in turn; the new entry's id, or null under `NOMKSTREAM`. */
  xadd<K extends RedisKey, const A extends readonly unknown[]>(
    key: K,
    ...args: XaddArguments<Write<Table, K>, A, string | null>
  ): Reply<string | null, Chain>;
  xaddBuffer<K extends RedisKey, const A extends readonly unknown[]>(
    key: K,
    ...args: XaddArguments<Write<Table, K>, A, Buffer | null>
  ): Reply<Buffer | null, Chain>;
  xrange<K extends RedisKey>(
    key: K,
    start: PlainValue,
    end: PlainValue,
    callback?: Callback<Entries<Table, K>>,
  ): Reply<Entries<Table, K>, Chain>;
  xrange<K extends RedisKey>(
    key: K,
    start: PlainValue,
    end: PlainValue,
    token: "COUNT",
    count: number | string,
    callback?: Callback<Entries<Table, K>>,
  ): Reply<Entries<Table, K>, Chain>;
  xrevrange<K extends RedisKey>(
    key: K,
    end: PlainValue,
    start: PlainValue,
    callback?: Callback<Entries<Table, K>>,
  ): Reply<Entries<Table, K>, Chain>;
  xrevrange<K extends RedisKey>(
    key: K,
    end: PlainValue,
    start: PlainValue,
    token: "COUNT",
    count: number | string,
    callback?: Callback<Entries<Table, K>>,
  ): Reply<Entries<Table, K>, Chain>;
  /** Ids and options; entries, or with `JUSTID` their ids. */
  xclaim<K extends RedisKey, const A extends readonly PlainValue[]>(
    key: K,
    group: string | Buffer,
    consumer: string | Buffer,
    minIdleMs: PlainValue,
    ...args: [...args: A, callback: Callback<Claimed<Table, K, A>>]
  ): Reply<Claimed<Table, K, A>, Chain>;
  xclaim<K extends RedisKey, const A extends readonly PlainValue[]>(
    key: K,
    group: string | Buffer,
    consumer: string | Buffer,
    minIdleMs: PlainValue,
    ...args: A
  ): Reply<Claimed<Table, K, A>, Chain>;
  xautoclaim<K extends RedisKey, const A extends readonly PlainValue[]>(
    key: K,
    group: string | Buffer,
    consumer: string | Buffer,
    minIdleMs: PlainValue,
    start: PlainValue,
    ...options: [...options: A, callback: Callback<Autoclaimed<Table, K, A>>]
  ): Reply<Autoclaimed<Table, K, A>, Chain>;
  xautoclaim<K extends RedisKey, const A extends readonly PlainValue[]>(
    key: K,
    group: string | Buffer,
    consumer: string | Buffer,
    minIdleMs: PlainValue,
    start: PlainValue,
    ...options: A
  ): Reply<Autoclaimed<Table, K, A>, Chain>;
  /** Options, `"STREAMS"`, keys, as many ids; null where nothing arrived. */
  xread<const A extends readonly PlainValue[]>(
    ...args: [...args: A, callback: Callback<ReadStreams<Table, A, Mapped>>]
  ): Reply<ReadStreams<Table, A, Mapped>, Chain>;
  xread<const A extends readonly PlainValue[]>(...args: A): Reply<ReadStreams<Table, A, Mapped>, Chain>;
  xreadgroup<const A extends readonly PlainValue[]>(
    ...args: [...args: A, callback: Callback<GroupStreams<Table, A, Mapped>>]
  ): Reply<GroupStreams<Table, A, Mapped>, Chain>;
  xreadgroup<const A extends readonly PlainValue[]>(...args: A): Reply<GroupStreams<Table, A, Mapped>, Chain>;
}
