import { bytes, json, msgpack, rule, utf8, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { assertReply } from "./support/assert-types.ts";
import { type Point, point, type Session, session, type UserFields } from "./support/clients.ts";

// A serializer takes the type that the rule names.
const redis = withValueCodec(new Redis(), {
  prefixes: {
    "a:": rule<Session>({ serializer: json() }),
    "b:": rule<Session, UserFields>({ serializer: msgpack(), minFrameBytes: 0 }),
    "c:": rule<never, { readonly [field: `point:${number}`]: Point }>({ serializer: json() }),
    "d:": rule<string>({ serializer: utf8() }),
    "e:": { serializer: json({ validate: (value): Point => value as Point }) },
    "f:": { serializer: json() },
    "g:": { serializer: undefined },
    "h:": { serializer: json<Session>(), types: ["hash"] },
    "i:": rule<Session, UserFields, "string" | "hash">({ serializer: json(), types: ["string", "hash"] }),
    "j:": { serializer: json<Session>(), onDecodeError: "miss" },
    "k:": rule<Session, UserFields>({ serializer: json(), onDecodeError: "miss" }),
  },
});
assertReply<Session | null>()(redis.get("a:1"));
assertReply<number | null>()(redis.hget("b:1", "visits"));
assertReply<Session | null>()(redis.get("b:1"));
assertReply<Point | null>()(redis.hget("c:1", "point:1"));
assertReply<string | null>()(redis.get("d:1"));
assertReply<Point | null>()(redis.get("e:1"));
assertReply<unknown>()(redis.get("f:1"));
assertReply<string | null>()(redis.get("g:1"));

// Data types that a rule does not cover hold strings.
assertReply<string | null>()(redis.get("h:1"));
assertReply<Session | null>()(redis.hget("h:1", "any"));
assertReply<string[]>()(redis.lrange("h:1", 0, -1));
assertReply<Session | null>()(redis.get("i:1"));
assertReply<string | null>()(redis.hget("i:1", "name"));
assertReply<string[]>()(redis.lrange("i:1", 0, -1));

// A value that is missed is null in its place.
assertReply<(Session | null)[]>()(redis.lrange("j:1", 0, -1));
assertReply<Session | null>()(redis.lpop("j:1"));
assertReply<{ name?: string | null; visits?: number | null; tags?: string[] | null }>()(redis.hgetall("k:1"));

// @ts-expect-error a type without a serializer
rule<Session>({});
// @ts-expect-error
rule<Session>({ minFrameBytes: 0 });
// @ts-expect-error text is no session
rule<Session>({ serializer: utf8() });
// @ts-expect-error
rule<Session>({ serializer: bytes() });
// @ts-expect-error a serializer of other values
rule<Session>({ serializer: json<Point>() });
// @ts-expect-error there is no such option
rule<Session>({ serializer: json(), minFrameByte: 0 });
// @ts-expect-error data types that the type does not know of
rule<Session>({ serializer: json(), types: ["hash"] });
// @ts-expect-error the data types of the type must be named
rule<Session, UserFields, "hash">({ serializer: json() });
// @ts-expect-error a text is no session
redis.set("a:1", "text");
// @ts-expect-error strings are not covered
redis.set("h:1", session);
// @ts-expect-error lists are not covered
redis.lpush("i:1", session);
// @ts-expect-error there is no such field
redis.hget("c:1", "line:1");
// @ts-expect-error
redis.hset("c:1", "point:1", session);
redis.hset("c:1", "point:1", point);
// @ts-expect-error there is no such option
withValueCodec(new Redis(), { prefixes: { "a:": { serialiser: json() } } });
// @ts-expect-error
withValueCodec(new Redis(), { prefixes: { "a:": { serializer: json(), minFrameBytes: "0" } } });
// @ts-expect-error
withValueCodec(new Redis(), { prefixes: { "a:": "rew" } });
// @ts-expect-error
withValueCodec(new Redis(), { prefixes: {}, prefix: "a:" });
// @ts-expect-error
withValueCodec(new Redis(), {});
