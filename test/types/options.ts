import { json, lz4, type TypedRule, type ValueCodecClientOptions, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { assertReply, assertType } from "./support/assert-types.ts";
import { type Session, session } from "./support/clients.ts";

// Options in a variable keep their prefixes, as long as nothing widens them.
const kept = { prefixes: { "session:": { serializer: json<Session>() } } };
assertReply<Session | null>()(withValueCodec(new Redis(), kept).get("session:1"));
const checked = { prefixes: { "session:": { serializer: json<Session>() } } } satisfies ValueCodecClientOptions;
assertReply<Session | null>()(withValueCodec(new Redis(), checked).get("session:1"));

// Pairs with literal prefixes are as good as an object.
const pairs = withValueCodec(new Redis(), {
  prefixes: [
    ["session:", { serializer: json<Session>() }],
    ["page:", { compressor: lz4() }],
  ],
});
assertReply<Session | null>()(pairs.get("session:1"));
assertReply<string | null>()(pairs.get("page:1"));

// A Map and a record forget which prefix is whose: every key may hold any value.
const map = withValueCodec(new Redis(), { prefixes: new Map([["session:", { serializer: json<Session>() }]]) });
assertReply<string | Session | null>()(map.get("session:1"));
map.set("session:1", session);
map.set("session:1", "text");
const record: Record<string, TypedRule<Session, Record<string, Session>>> = {};
assertReply<string | Session | null>()(withValueCodec(new Redis(), { prefixes: record }).get("session:1"));

// The interface of the options forgets the values too.
declare const widened: ValueCodecClientOptions;
assertReply<unknown>()(withValueCodec(new Redis(), widened).get("session:1"));

// A rule that may have a serializer may hold strings.
declare const maybe: { serializer?: (typeof kept)["prefixes"]["session:"]["serializer"] };
assertReply<string | Session | null>()(withValueCodec(new Redis(), { prefixes: { "a:": maybe } }).get("a:1"));

// What is no client does not become one.
// @ts-expect-error
withValueCodec({}, kept);
assertType<"OK">()(await withValueCodec(new Redis(), kept).quit());
