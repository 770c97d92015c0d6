import { assertReply, assertType } from "./support/assert-types.ts";
import { id, key, type Open, redis, type Session, session, type UserFields } from "./support/clients.ts";

// A field by its name
assertReply<string | null>()(redis.hget("user:1", "name"));
assertReply<number | null>()(redis.hget("user:1", "visits"));
assertReply<string[] | null>()(redis.hget("user:1", "tags"));
assertReply<string | number | string[] | null>()(redis.hget("user:1", id));
assertReply<string | number | string[] | null>()(redis.hget("user:1", Buffer.from("name")));
assertReply<string | number | null>()(redis.hget("user:1", "name" as "name" | "visits"));
assertReply<[string | null, number | null]>()(redis.hmget("user:1", "name", "visits"));
assertReply<[string | null, number | null]>()(redis.hmget("user:1", ["name", "visits"]));
assertReply<Partial<UserFields>>()(redis.hgetall("user:1"));
assertReply<(string | number | string[])[]>()(redis.hvals("user:1"));
assertReply<Buffer | null>()(redis.hgetBuffer("user:1", "name"));

// Without fields of its own, a hash holds the prefix's values.
assertReply<Session | null>()(redis.hget("session:1", "any"));
assertReply<Record<string, Session>>()(redis.hgetall("session:1"));
assertReply<Session[]>()(redis.hvals("session:1"));
assertReply<[Session | null, Session | null]>()(redis.hmget("session:1", "a", "b"));

// Without a serializer it holds strings.
assertReply<string | null>()(redis.hget("page:1", "any"));
assertReply<Record<string, string>>()(redis.hgetall("other:1"));

// An open key may be any hash that has the field.
assertReply<Open | null>()(redis.hget(key, "any"));
assertReply<Open | string[] | null>()(redis.hget(key, "tags"));

assertReply<[cursor: string, elements: (string | Session)[]]>()(redis.hscan("session:1", 0));
assertReply<[cursor: string, elements: (string | Session)[]]>()(redis.hscan("session:1", 0, "MATCH", "a*", "COUNT", 10));
assertReply<string | null>()(redis.hrandfield("session:1"));
assertReply<string[]>()(redis.hrandfield("session:1", 2));
assertReply<(string | Session)[]>()(redis.hrandfield("session:1", 2, "WITHVALUES"));

// Callbacks
redis.hget("user:1", "visits", (_error, value) => assertType<number | null | undefined>()(value));
redis.hgetall("user:1", (_error, hash) => assertType<Partial<UserFields> | undefined>()(hash));
redis.hmget("user:1", "name", "visits", (_error, values) => assertType<[string | null, number | null] | undefined>()(values));
redis.hscan("session:1", 0, "COUNT", 10, (_error, reply) => assertType<[string, (string | Session)[]] | undefined>()(reply));
redis.hset("user:1", "name", "ada", (_error, count) => assertType<number | undefined>()(count));
redis.hset("user:1", { name: "ada" }, (_error, count) => assertType<number | undefined>()(count));

// Writing
assertReply<number>()(redis.hset("user:1", "name", "ada", "visits", 1));
assertReply<number>()(redis.hset("user:1", { name: "ada", tags: ["a"] }));
assertReply<number>()(redis.hset("user:1", ["name", "ada", "visits", 1]));
assertReply<number>()(redis.hset("user:1", new Map([["name" as const, "ada"]])));
assertReply<number>()(redis.hset("user:1", "tags", ["a", "b"]));
assertReply<number>()(redis.hset("session:1", "any", session));
assertReply<number>()(redis.hset("session:1", { any: session }));
assertReply<number>()(redis.hset("other:1", "any", 1, "more", Buffer.alloc(1)));
assertReply<number>()(redis.hset("other:1", { any: 1, more: true }));
assertReply<number>()(redis.hset(key, "any", session));
assertReply<"OK">()(redis.hmset("user:1", "name", "ada"));
assertReply<number>()(redis.hsetnx("user:1", "visits", 1));

// @ts-expect-error there is no such field
redis.hget("user:1", "nam");
// @ts-expect-error
redis.hmget("user:1", "name", "visit");
// @ts-expect-error visits are a number
redis.hset("user:1", "visits", "1");
// @ts-expect-error
redis.hset("user:1", "name", "ada", "visits", "1");
// @ts-expect-error there is no such field
redis.hset("user:1", "nam", "ada");
// @ts-expect-error
redis.hset("user:1", { visits: "1" });
// @ts-expect-error there is no such field
redis.hset("user:1", { nam: "ada" });
// @ts-expect-error
redis.hset("user:1", ["visits", "1"]);
// @ts-expect-error
redis.hset("user:1", new Map([["visits" as const, "1"]]));
// @ts-expect-error
redis.hsetnx("user:1", "visits", "1");
// @ts-expect-error
redis.hset("session:1", "any", "text");
// @ts-expect-error
redis.hset("session:1", { any: "text" });
