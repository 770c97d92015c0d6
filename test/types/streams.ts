import { assertReply, assertType } from "./support/assert-types.ts";
import { id, key, type Open, redis, type Session, session } from "./support/clients.ts";

type Entry = [id: string, fields: (string | Session)[]];

assertReply<string | null>()(redis.xadd("session:1", "*", "field", session));
assertReply<string | null>()(redis.xadd("session:1", "NOMKSTREAM", "MAXLEN", "~", 10, "*", "a", session, "b", session));
assertReply<string | null>()(redis.xadd("session:1", "MAXLEN", 10, "LIMIT", 5, id, "a", { user: "ada", roles: ["editor"] }));
assertReply<string | null>()(redis.xadd("other:1", "*", "MAXLEN", "text"));
assertReply<string | null>()(redis.xadd("other:1", ...(["*", "field", "text"] as string[])));
assertReply<Buffer | null>()(redis.xaddBuffer("session:1", "*", "field", session));

assertReply<Entry[]>()(redis.xrange("session:1", "-", "+"));
assertReply<Entry[]>()(redis.xrevrange("session:1", "+", "-", "COUNT", 2));
assertReply<[key: string, entries: Entry[]][] | null>()(redis.xread("COUNT", 2, "STREAMS", "session:1", "$"));
assertReply<[key: string, entries: [id: string, fields: (string | Session)[]][]][] | null>()(
  redis.xread("BLOCK", 0, "STREAMS", "session:1", "page:1", "0", "0"),
);
assertReply<[key: string, entries: [id: string, fields: Open[]][]][] | null>()(redis.xread("STREAMS", key, "0"));
assertReply<[key: string, entries: [id: string, fields: Open[]][]][] | null>()(redis.xread(...(["STREAMS", key] as string[])));
assertReply<[key: string, entries: [id: string, fields: (string | Session)[] | null][]][] | null>()(
  redis.xreadgroup("GROUP", "group", "consumer", "STREAMS", "session:1", ">"),
);
assertReply<([id: string, fields: (string | Session)[] | null] | null)[]>()(redis.xclaim("session:1", "group", "me", 0, "1-0"));
assertReply<string[]>()(redis.xclaim("session:1", "group", "me", 0, "1-0", "JUSTID"));
assertReply<[cursor: string, entries: ([id: string, fields: (string | Session)[] | null] | null)[], deletedIds?: string[]]>()(
  redis.xautoclaim("session:1", "group", "me", 0, "0", "COUNT", 5),
);

redis.xadd("session:1", "*", "field", session, (_error, entryId) => assertType<string | null | undefined>()(entryId));
redis.xrange("session:1", "-", "+", "COUNT", 2, (_error, entries) => assertType<Entry[] | undefined>()(entries));
redis.xread("STREAMS", "session:1", "0", (_error, streams) =>
  assertType<[key: string, entries: Entry[]][] | null | undefined>()(streams),
);

// @ts-expect-error a text is no session
redis.xadd("session:1", "*", "field", "text");
// @ts-expect-error behind options too
redis.xadd("session:1", "MAXLEN", "~", 10, "*", "a", session, "b", "text");
// @ts-expect-error
redis.xadd("page:1", "*", "field", session);
