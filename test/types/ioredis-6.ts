import { json, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { assertReply, assertType } from "./support/assert-types.ts";
import { redis, type Session, session } from "./support/clients.ts";

// With the replies of RESP3, streams are an object by key, and fields with their values are pairs.
const mapped = withValueCodec(new Redis({ replyMapping: "resp3" }), {
  prefixes: { "session:": { serializer: json<Session>() } },
});
type Entries = [id: string, fields: (string | Session)[]][];
assertReply<Record<string, Entries> | null>()(mapped.xread("STREAMS", "session:1", "0"));
assertReply<[field: string, value: Session][]>()(mapped.hrandfield("session:1", 2, "WITHVALUES"));
assertReply<Session | null>()(mapped.get("session:1"));
assertReply<number | null>()(mapped.zscore("ranking", "ada"));
mapped
  .pipeline()
  .set("session:1", session)
  .xread("STREAMS", "session:1", "0", (_error, streams) => assertType<Record<string, Entries> | null | undefined>()(streams));

assertReply<"OK">()(redis.himport("PREPARE", "fields", "a", "b"));
assertReply<"OK">()(redis.himport("SET", "session:1", "fields", session, session));
assertReply<Session[] | null>()(redis.lmovem("session:1", "session:2", "LEFT", "RIGHT", "COUNT", 2, "BULK"));

// @ts-expect-error a text is no session
redis.himport("SET", "session:1", "fields", "text");
