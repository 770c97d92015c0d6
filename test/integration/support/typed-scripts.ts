import type { Call } from "./calls.ts";
import { BINARY, LONG, MEDIUM, SHORT } from "./scripts.ts";

/** The values of a script: for a rule without a serializer strings and bytes, for one with a serializer anything. */
export interface Samples {
  /** Compresses. With a serializer it is an array, which ioredis would flatten. */
  readonly large: unknown;
  /** With a serializer it is an object, of which ioredis would make text. */
  readonly record: unknown;
  /** Short text, held raw without a serializer. */
  readonly text: unknown;
  /** Called like an option of commands. */
  readonly option: unknown;
  readonly number: unknown;
  /** With a serializer it is null. */
  readonly nothing: unknown;
}

export const PLAIN_SAMPLES: Samples = {
  large: LONG,
  record: BINARY,
  text: SHORT,
  option: "LIMIT",
  number: 42,
  nothing: MEDIUM,
};

export const TYPED_SAMPLES: Samples = {
  large: Array.from({ length: 40 }, (_, id) => ({ id, name: `Åsa №${id}`, mood: "🙏😀", note: "repeats and repeats" })),
  record: { id: 7, tags: ["a", "b"], nested: { list: [1, [2, []]], none: null, yes: true }, "": "empty name" },
  text: "42",
  option: "LIMIT",
  number: 42,
  nothing: null,
};

type Keys = (name: string) => string;

/** Calls, and the keys that they leave behind. */
export interface ValueScript {
  readonly name: string;
  readonly calls: (k: Keys, v: Samples) => Call[];
  readonly keys: readonly string[];
}

/** Commands on string keys. */
export const STRING_VALUES: ValueScript = {
  name: "string",
  keys: "a b c d e f g h i".split(" "),
  calls: (k, v) => [
    ["set", k("a"), v.record],
    ["get", k("a")],
    ["set", k("a"), v.large, "EX", 100],
    ["get", k("a")],
    ["set", k("a"), v.text, "GET"],
    ["set", k("a"), v.option, "KEEPTTL", "GET"],
    ["set", k("a"), v.nothing, "XX", "GET"],
    ["set", k("a"), v.record, "NX"],
    ["get", k("a")],
    ["set", k("none"), v.record, "XX"],
    ["setex", k("b"), 100, v.large],
    ["psetex", k("c"), 100_000, v.record],
    ["setnx", k("d"), v.large],
    ["setnx", k("d"), v.record],
    ["getset", k("d"), v.record],
    ["getset", k("e"), v.number],
    ["get", k("e")],
    ["getex", k("d"), "EX", 100],
    ["mset", k("f"), v.record, k("g"), v.text],
    ["mset", [k("h"), v.large, k("i"), v.nothing]],
    ["msetnx", k("h"), v.record, k("none"), v.text],
    ["mget", k("f"), k("none"), k("g"), k("h"), k("i"), k("e")],
    ["mget", [k("a"), k("b")]],
    ["set", k("gone"), v.record],
    ["getdel", k("gone")],
    ["getdel", k("gone")],
    ["get", k("none")],
    ["rename", k("h"), k("renamed")],
    ["copy", k("renamed"), k("h")],
    ["getdel", k("renamed")],
  ],
};

/** Commands on hash keys. */
export const HASH_VALUES: ValueScript = {
  name: "hash",
  keys: ["a", "one", "b"],
  calls: (k, v) => [
    ["hset", k("a"), "record", v.record, "text", v.text, "__proto__", v.large],
    ["hset", k("a"), ["constructor", v.large, "number", v.number]],
    ["hset", k("a"), "nothing", v.nothing],
    ["hset", k("one"), "FIELDS", v.large],
    ["hmset", k("b"), "f", v.record, "g", v.large],
    ["hmset", k("b"), ["h", v.option]],
    ["hsetnx", k("b"), "f", v.text],
    ["hsetnx", k("b"), "i", v.large],
    ["hget", k("a"), "record"],
    ["hget", k("a"), "none"],
    ["hmget", k("a"), "text", "none", "record", "__proto__", "number", "nothing"],
    ["hmget", k("a"), ["constructor", "text"]],
    ["hgetall", k("a")],
    ["hgetall", k("one")],
    ["hgetall", k("none")],
    ["hvals", k("a")],
    ["hkeys", k("a")],
    ["hrandfield", k("one"), -2, "WITHVALUES"],
    ["hrandfield", k("a"), 100, "WITHVALUES"],
    ["hscan", k("a"), 0],
    ["hscan", k("one"), 0, "MATCH", "F*", "COUNT", 10],
    ["hdel", k("b"), "g"],
    ["hgetall", k("b")],
  ],
};

/** Calls in which ioredis takes an object or a Map: its methods do, its `call()` does not. */
export const RECORD_VALUES: ValueScript = {
  name: "record",
  keys: ["a", "b", "c", "hash"],
  calls: (k, v) => [
    ["mset", { [k("a")]: v.record, [k("b")]: v.large }],
    ["mset", new Map([[k("c"), v.large]])],
    ["msetnx", { [k("c")]: v.text }],
    ["mget", k("a"), k("b"), k("c")],
    ["hset", k("hash"), { record: v.record, text: v.text, large: v.large }],
    [
      "hset",
      k("hash"),
      new Map([
        ["number", v.number],
        ["nothing", v.nothing],
      ]),
    ],
    ["hmset", k("hash"), { again: v.large }],
    ["hgetall", k("hash")],
  ],
};

/** Commands on lists. An array among the values stands in an array, which ioredis flattens. */
export const LIST_VALUES: ValueScript = {
  name: "list",
  keys: ["a", "b", "c", "copy"],
  calls: (k, v) => [
    ["rpush", k("a"), [v.large, v.record]],
    ["rpush", k("a"), v.text, v.number],
    ["lpush", k("a"), v.record, v.nothing],
    ["lpushx", k("none"), v.text],
    ["rpushx", k("a"), [v.large, v.option]],
    ["rpushx", k("none"), [v.large]],
    ["lrange", k("a"), 0, -1],
    ["lrange", k("none"), 0, -1],
    ["lindex", k("a"), 0],
    ["lindex", k("a"), -1],
    ["lindex", k("a"), 99],
    ["lset", k("a"), 0, v.large],
    ["lset", k("a"), -1, v.record],
    ["lset", k("a"), 99, v.record],
    ["lset", k("none"), 0, v.record],
    ["llen", k("a")],
    ["lpos", k("a"), v.text],
    ["lpos", k("a"), v.record, "RANK", -1],
    ["lpos", k("a"), v.record, "COUNT", 0],
    ["linsert", k("a"), "BEFORE", v.text, v.large],
    ["linsert", k("a"), "AFTER", v.option, v.large],
    ["lrem", k("a"), 1, v.text],
    ["lrem", k("a"), 0, v.number],
    ["lrange", k("a"), 0, -1],
    ["ltrim", k("a"), 0, 5],
    ["copy", k("a"), k("copy")],
    ["lpop", k("a")],
    ["rpop", k("a")],
    ["lpop", k("a"), 2],
    ["rpop", k("a"), 1],
    ["lpop", k("none")],
    ["lpop", k("none"), 2],
    ["rpush", k("b"), [v.large, v.record, v.text, v.number, v.large, v.record, v.option]],
    ["lmove", k("b"), k("c"), "LEFT", "RIGHT"],
    ["rpoplpush", k("b"), k("c")],
    ["blmove", k("b"), k("c"), "RIGHT", "LEFT", 1],
    ["brpoplpush", k("b"), k("c"), 1],
    ["lmove", k("none"), k("c"), "LEFT", "LEFT"],
    ["lrange", k("c"), 0, -1],
    ["blpop", k("none"), k("b"), 1],
    ["brpop", k("c"), k("none"), 1],
    ["blpop", k("none"), 0.01],
    ["lmpop", 2, k("none"), k("b"), "LEFT"],
    ["lmpop", 2, k("none"), k("c"), "RIGHT", "COUNT", 2],
    ["lmpop", 1, k("none"), "LEFT"],
    ["blmpop", 1, 2, k("none"), k("b"), "LEFT", "COUNT", 5],
    ["blmpop", 0.01, 1, k("none"), "LEFT"],
    ["set", k("string"), v.record],
    ["lrange", k("string"), 0, -1],
    ["rpush", k("string"), v.record],
    ["rpush", k("b"), [v.nothing, v.large]],
  ],
};

/** Commands on streams. Field names are called like options. */
export const STREAM_VALUES: ValueScript = {
  name: "stream",
  keys: ["a", "MAXLEN"],
  calls: (k, v) => [
    ["xadd", k("a"), "1-1", "f", v.record, "g", v.text],
    ["xadd", k("a"), "1-2", "MAXLEN", v.large],
    ["xadd", k("a"), "NOMKSTREAM", "1-3", "*", v.number, "f", v.nothing],
    ["xadd", k("none"), "NOMKSTREAM", "*", "f", v.record],
    ["xadd", k("a"), "MAXLEN", 100, "1-4", "f", v.large],
    ["xadd", k("a"), "MAXLEN", "=", 100, "1-5", "LIMIT", v.option],
    ["xadd", k("a"), "MAXLEN", "~", 100, "LIMIT", 10, "2-1", "NOMKSTREAM", v.record, "~", v.large],
    ["xadd", k("a"), "NOMKSTREAM", "MINID", "0-1", "2-2", "f", v.large],
    ["xadd", k("a"), "MINID", "~", "0-1", "LIMIT", 5, "3-*", "=", v.text],
    ["xadd", k("a"), "1-1", "f", v.record],
    ["xadd", k("MAXLEN"), ["1-1", "f", v.record, "f", v.large]],
    ["xlen", k("a")],
    ["xrange", k("a"), "-", "+"],
    ["xrange", k("a"), "1-2", "+", "COUNT", 2],
    ["xrevrange", k("a"), "+", "-", "COUNT", 3],
    ["xrange", k("none"), "-", "+"],
    ["xinfo", "STREAM", k("a")],
    ["xinfo", "STREAM", k("a"), "FULL"],
    ["xinfo", "stream", k("a"), "FULL", "COUNT", 2],
    ["xread", "COUNT", 2, "STREAMS", k("a"), k("none"), k("MAXLEN"), "0", "0", "0"],
    ["xread", "STREAMS", k("none"), "0"],
    ["xread", "BLOCK", 1, "STREAMS", k("a"), "$"],
    ["xgroup", "CREATE", k("a"), "STREAMS", "0"],
    ["xreadgroup", "GROUP", "STREAMS", "STREAMS", "COUNT", 3, "STREAMS", k("a"), ">"],
    ["xreadgroup", "GROUP", "STREAMS", "other", "COUNT", 2, "NOACK", "STREAMS", k("a"), ">"],
    ["xreadgroup", "GROUP", "STREAMS", "STREAMS", "STREAMS", k("a"), "0"],
    ["xinfo", "GROUPS", k("a")],
    ["xclaim", k("a"), "STREAMS", "other", 0, "1-1", "1-2"],
    ["xclaim", k("a"), "STREAMS", "other", 0, "1-1", "JUSTID"],
    ["xautoclaim", k("a"), "STREAMS", "third", 0, "0", "COUNT", 2],
    ["xautoclaim", k("a"), "STREAMS", "third", 0, "0", "JUSTID"],
    ["xdel", k("a"), "1-2"],
    ["xreadgroup", "GROUP", "STREAMS", "third", "STREAMS", k("a"), "0"],
    ["xautoclaim", k("a"), "STREAMS", "fourth", 0, "0"],
    ["xack", k("a"), "STREAMS", "1-1"],
    ["xrevrange", k("a"), "+", "-"],
    ["set", k("string"), v.record],
    ["xrange", k("string"), "-", "+"],
  ],
};

const COMMON: readonly ValueScript[] = [STRING_VALUES, HASH_VALUES, LIST_VALUES, STREAM_VALUES];

/** The scripts that plain ioredis itself can send in a style. */
export function valueScriptsFor(style: string): readonly ValueScript[] {
  return /call|send_command/i.test(style) ? COMMON : [...COMMON, RECORD_VALUES];
}
