import type { Call } from "./calls.ts";

/** JSON that compresses, with characters of two to four bytes. */
export const LONG: string = JSON.stringify(
  Array.from({ length: 40 }, (_, id) => ({ id, name: `Åsa №${id}`, mood: "🙏😀", note: "repeats and repeats" })),
);
/** Bytes that are no UTF-8 and do not compress much. */
export const BINARY: Buffer = Buffer.from(Array.from({ length: 400 }, (_, i) => (i * 197 + (i >> 3)) & 0xff));
export const MEDIUM: string = "between the two thresholds ".repeat(5);
export const SHORT = "short";

/** Commands on string keys, each reply of which tells whether a value was encoded or decoded wrongly. `k` makes keys. */
export function stringCalls(k: (name: string) => string): Call[] {
  return [
    ["set", k("a"), LONG],
    ["get", k("a")],
    ["set", k("a"), BINARY],
    ["get", k("a")],
    ["set", k("a"), MEDIUM, "GET"],
    ["set", k("a"), SHORT, "EX", 100, "GET"],
    ["set", k("a"), LONG, "KEEPTTL", "GET"],
    ["set", k("a"), "GET", "XX", "GET"],
    ["set", k("a"), "GET"],
    ["set", k("a"), LONG, "NX"],
    ["set", k("a"), LONG, "XX", "PX", 100_000],
    ["set", k("absent"), LONG, "XX"],
    ["set", k("absent"), LONG, "GET", "EXAT", 4_102_444_800],
    ["get", k("absent")],
    ["set", k("GET"), LONG],
    ["get", k("GET")],
    ["setex", k("b"), 100, LONG],
    ["psetex", k("c"), 100_000, BINARY],
    ["setnx", k("d"), LONG],
    ["setnx", k("d"), SHORT],
    ["getset", k("d"), BINARY],
    ["getset", k("e"), ""],
    ["get", k("e")],
    ["getex", k("d")],
    ["getex", k("d"), "EX", 100],
    ["getex", k("d"), "PERSIST"],
    ["ttl", k("d")],
    ["mset", k("f"), LONG, k("g"), SHORT, k("h"), BINARY],
    ["mset", [k("i"), MEDIUM, k("j"), 42]],
    ["msetnx", k("f"), SHORT, k("k"), SHORT],
    ["msetnx", k("l"), LONG, k("m"), "7.25"],
    ["mget", k("f"), k("none"), k("g"), k("h"), k("m"), k("f")],
    ["mget", [k("i"), k("j")]],
    ["incr", k("j")],
    ["incrby", k("j"), 10],
    ["decr", k("j")],
    ["decrby", k("j"), 3],
    ["incrbyfloat", k("m"), "0.5"],
    ["incrbyfloat", k("m"), "1e-3"],
    ["get", k("m")],
    ["incr", k("f")],
    ["getdel", k("f")],
    ["getdel", k("f")],
    ["get", k("f")],
    ["rename", k("h"), k("n")],
    ["copy", k("n"), k("o")],
    ["renamenx", k("n"), k("o")],
    ["mget", k("n"), k("o")],
    ["exists", k("n"), k("o")],
    ["del", k("n")],
    ["set", k("p"), Buffer.alloc(0)],
    ["get", k("p")],
    ["set", k("p"), LONG, "GET", "NX"],
    ["set", k("p"), LONG, "NOSUCH"],
    ["lpush", k("list"), "element"],
    ["get", k("list")],
    ["getset", k("list"), LONG],
    ["mget", k("list"), k("o")],
    ["type", k("o")],
  ];
}

/** The keys that {@link stringCalls} leaves behind. */
export const STRING_KEYS: readonly string[] = "a absent GET b c d e g i j l m n o p".split(" ");

/** Commands on hash keys. */
export function hashCalls(k: (name: string) => string): Call[] {
  return [
    ["hset", k("a"), "long", LONG, "short", SHORT, "number", 5, "__proto__", MEDIUM, "binary", BINARY],
    ["hset", k("a"), ["constructor", LONG, "empty", ""]],
    ["hset", k("one"), "WITHVALUES", LONG],
    ["hmset", k("b"), "f", LONG, "g", BINARY],
    ["hmset", k("b"), ["h", MEDIUM]],
    ["hsetnx", k("b"), "f", SHORT],
    ["hsetnx", k("b"), "i", LONG],
    ["hget", k("a"), "long"],
    ["hget", k("a"), "binary"],
    ["hget", k("a"), "none"],
    ["hget", k("none"), "none"],
    ["hmget", k("a"), "short", "none", "long", "__proto__", "number", "long"],
    ["hmget", k("a"), ["long", "empty"]],
    ["hgetall", k("a")],
    ["hgetall", k("one")],
    ["hgetall", k("none")],
    ["hvals", k("a")],
    ["hvals", k("none")],
    ["hkeys", k("a")],
    ["hlen", k("a")],
    ["hexists", k("a"), "long"],
    ["hincrby", k("a"), "number", 37],
    ["hincrbyfloat", k("a"), "number", "0.25"],
    ["hincrby", k("a"), "long", 1],
    ["hget", k("a"), "number"],
    ["hrandfield", k("one")],
    ["hrandfield", k("one"), 1],
    ["hrandfield", k("one"), -3, "WITHVALUES"],
    ["hrandfield", k("a"), 100, "WITHVALUES"],
    ["hrandfield", k("none"), 2, "WITHVALUES"],
    ["hrandfield", k("one"), "no number", "WITHVALUES"],
    ["hscan", k("a"), 0],
    ["hscan", k("a"), 0, "COUNT", 100, "MATCH", "*o*"],
    ["hscan", k("one"), 0, "MATCH", "WITHVALUES"],
    ["hscan", k("one"), 0, "MATCH", "NOVALUES"],
    ["hscan", k("none"), 0],
    ["hdel", k("b"), "g"],
    ["hgetall", k("b")],
    ["copy", k("a"), k("copy")],
    ["hvals", k("copy")],
    ["set", k("string"), LONG],
    ["hget", k("string"), "f"],
    ["hgetall", k("string")],
    ["hset", k("string"), "f", LONG],
    ["rename", k("copy"), k("renamed")],
    ["hget", k("renamed"), "constructor"],
  ];
}

/** The keys that {@link hashCalls} leaves behind. */
export const HASH_KEYS: readonly string[] = "a one b string renamed".split(" ");

/** Calls in which ioredis takes an object or a Map: its methods do, its `call()` does not. */
export function recordCalls(k: (name: string) => string): Call[] {
  return [
    ["mset", { [k("object")]: LONG, [k("short")]: SHORT }],
    [
      "mset",
      new Map<string, unknown>([
        [k("map"), BINARY],
        [k("number"), 12.5],
      ]),
    ],
    ["msetnx", { [k("nx")]: LONG }],
    ["msetnx", new Map([[k("nx"), SHORT]])],
    ["mget", k("object"), k("short"), k("map"), k("number"), k("nx")],
    ["hset", k("hash"), { a: LONG, b: BINARY, c: SHORT, d: 7, e: true }],
    [
      "hset",
      k("hash"),
      new Map<string, unknown>([
        ["f", MEDIUM],
        ["g", null],
      ]),
    ],
    ["hmset", k("hash"), { h: LONG }],
    ["hmset", k("hash"), new Map([["i", BINARY]])],
    ["hgetall", k("hash")],
  ];
}

/** The keys that {@link recordCalls} leaves behind. */
export const RECORD_KEYS: readonly string[] = "object short map number nx hash".split(" ");

/** Calls that the server refuses before it runs or queues them. */
export function wrongCalls(k: (name: string) => string): Call[] {
  return [
    ["set", k("a"), LONG],
    ["set", k("a")],
    ["set"],
    ["get"],
    ["mget"],
    ["mset", k("a"), LONG, k("b")],
    ["mset"],
    ["getset", k("a"), LONG, SHORT],
    ["setex", k("a"), LONG],
    ["hset", k("h"), "only a field"],
    ["hset", k("h"), "f", LONG, "only a field"],
    ["hmset", k("h")],
    ["hget", k("h")],
    ["get", k("a")],
  ];
}

/** The keys that {@link wrongCalls} leaves behind. */
export const WRONG_KEYS: readonly string[] = ["a"];
