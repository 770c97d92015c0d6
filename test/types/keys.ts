import type { ValueOf } from "@tightwire/ioredis";
import { assertEqual, assertReply } from "./support/assert-types.ts";
import {
  type AdminSession,
  cluster,
  id,
  index,
  key,
  keyBytes,
  type Open,
  type options,
  type Point,
  redis,
  type Session,
} from "./support/clients.ts";

// A literal key follows the longest prefix.
assertReply<Session | null>()(redis.get("session:1"));
assertReply<AdminSession | null>()(redis.get("session:admin:1"));
assertReply<Session | null>()(redis.get("session:admin"));
assertReply<Session | null>()(redis.get("session:"));
assertReply<number | Point | null>()(redis.get("counter:1"));
assertReply<Point[] | null>()(redis.get("path:1"));
assertReply<Buffer | null>()(redis.get("blob:1"));
assertReply<string | null>()(redis.get("text:1"));
assertReply<Session | null>()(cluster.get("session:1"));

// Under no serializer and under no prefix a value is a string.
assertReply<string | null>()(redis.get("page:1"));
assertReply<string | null>()(redis.get("hits:1"));
assertReply<string | null>()(redis.get("other:1"));
assertReply<string | null>()(redis.get("session"));
assertReply<string | null>()(redis.get(""));

// An inline template is a template literal type.
assertReply<AdminSession | null>()(redis.get(`session:admin:${id}`));
assertReply<Point[] | null>()(redis.get(`path:${id}:${index}`));
assertReply<string | null>()(redis.get(`page:${id}`));
assertReply<string | null>()(redis.get(`other:${id}`));

// What follows the hole may make the key one of a longer prefix; a number cannot.
assertReply<Session | AdminSession | null>()(redis.get(`session:${id}`));
assertReply<Session | AdminSession | null>()(redis.get(`session:${id}:profile`));
assertReply<Session | null>()(redis.get(`session:${index}`));
assertReply<string | Session | AdminSession | null>()(redis.get(`sess${id}`));

// An open key may be any.
assertReply<Open | null>()(redis.get(key));
assertReply<Open | null>()(redis.get(keyBytes));
assertReply<Open | null>()(redis.get(`${id}:1`));
assertReply<Open | null>()(redis.get(key as string & { readonly brand: "SessionKey" }));

// Several keys may be several things.
assertReply<Session | string | null>()(redis.get("session:1" as "session:1" | "page:1"));

// Bytes stay bytes.
assertReply<Buffer | null>()(redis.getBuffer("session:1"));
assertReply<(Buffer | null)[]>()(redis.mgetBuffer("session:1", "page:1"));
assertReply<Record<string, Buffer>>()(redis.hgetallBuffer("user:1"));

type Prefixes = (typeof options)["prefixes"];
assertEqual<ValueOf<Prefixes, "session:1">, Session>(true);
assertEqual<ValueOf<Prefixes, "session:admin:1">, AdminSession>(true);
assertEqual<ValueOf<Prefixes, `session:${string}`>, Session | AdminSession>(true);
assertEqual<ValueOf<Prefixes, `session:${number}`>, Session>(true);
assertEqual<ValueOf<Prefixes, `session:${bigint}`>, Session>(true);
assertEqual<ValueOf<Prefixes, string>, Open>(true);
assertEqual<ValueOf<Prefixes, Buffer>, Open>(true);
assertEqual<ValueOf<Prefixes, never>, never>(true);

// The empty prefix is every key's.
type WithEmpty = { readonly "": { serializer: ReturnType<typeof makeSerializer> }; readonly "page:": "raw" };
declare function makeSerializer(): Prefixes["session:"]["serializer"];
assertEqual<ValueOf<WithEmpty, "anything">, Session>(true);
assertEqual<ValueOf<WithEmpty, "page:1">, string>(true);
assertEqual<ValueOf<WithEmpty, string>, Session | string>(true);
assertEqual<ValueOf<Omit<WithEmpty, "page:">, string>, Session>(true);

// A minus sign may begin a number.
type Minus = { readonly "n:": { serializer: ReturnType<typeof makeSerializer> }; readonly "n:-": "raw" };
assertEqual<ValueOf<Minus, `n:${number}`>, Session | string>(true);
