import { assertReply, assertType } from "./support/assert-types.ts";
import { key, type Open, type Point, point, redis, type Session, session } from "./support/clients.ts";

assertReply<Session[]>()(redis.lrange("session:1", 0, -1));
assertReply<Session | null>()(redis.lindex("session:1", 0));
assertReply<Session | null>()(redis.lpop("session:1"));
assertReply<Session[] | null>()(redis.rpop("session:1", 2));
assertReply<[key: string, value: Session] | null>()(redis.blpop("session:1", 0));
assertReply<[key: string, value: Session | string] | null>()(redis.brpop(["session:1", "page:1"], 0));
assertReply<[key: string, value: Open] | null>()(redis.blpop(...([key] as string[]), 0));
assertReply<[key: string, values: Session[]] | null>()(redis.lmpop(1, "session:1", "LEFT"));
assertReply<[key: string, values: (Session | string)[]] | null>()(
  redis.blmpop(0, 2, ["session:1", "page:1"], "RIGHT", "COUNT", 2),
);
assertReply<Session | null>()(redis.lmove("session:1", "session:2", "LEFT", "RIGHT"));
assertReply<Session | null>()(redis.blmove("session:1", "session:2", "LEFT", "RIGHT", 0));
assertReply<Session | null>()(redis.rpoplpush("session:1", "session:2"));
assertReply<Open[]>()(redis.lrange(key, 0, -1));
assertReply<string[]>()(redis.lrange("other:1", 0, -1));
assertReply<Buffer[]>()(redis.lrangeBuffer("session:1", 0, -1));

assertReply<number>()(redis.lpush("session:1", session, session));
assertReply<number>()(redis.rpush("session:1", [session, session]));
assertReply<number>()(redis.rpush("session:1", { user: "ada", roles: ["editor"] }));
assertReply<"OK">()(redis.lset("session:1", 0, session));
assertReply<number>()(redis.linsert("session:1", "BEFORE", session, session));
assertReply<number>()(redis.lrem("session:1", 0, session));
assertReply<number | null>()(redis.lpos("session:1", session));
assertReply<number[]>()(redis.lpos("session:1", session, "RANK", 1, "COUNT", 0));

// An array is a list of elements; an element that is an array itself stands in one.
assertReply<number>()(redis.rpush("path:1", [[point], [point]]));
assertReply<Point[][]>()(redis.lrange("path:1", 0, -1));

redis.lpush("session:1", session, (_error, length) => assertType<number | undefined>()(length));
redis.lpop("session:1", 2, (_error, values) => assertType<Session[] | null | undefined>()(values));
redis.blpop("session:1", 0, (_error, reply) => assertType<[key: string, value: Session] | null | undefined>()(reply));
redis.lmpop(1, "session:1", "LEFT", (_error, reply) => assertType<[key: string, values: Session[]] | null | undefined>()(reply));
redis.lpos("session:1", session, "COUNT", 2, (_error, found) => assertType<number[] | undefined>()(found));

// @ts-expect-error a text is no session
redis.lpush("session:1", "text");
// @ts-expect-error
redis.lpush("session:1", session, "text");
// @ts-expect-error
redis.rpush("session:1", [session, "text"]);
// @ts-expect-error ioredis would push its points one by one
redis.rpush("path:1", [point]);
// @ts-expect-error
redis.lset("session:1", 0, "text");
// @ts-expect-error
redis.linsert("session:1", "BEFORE", "text", session);
// @ts-expect-error
redis.lrem("session:1", 0, "text");
