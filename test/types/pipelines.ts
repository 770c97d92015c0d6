import type { TypedPipeline } from "@tightwire/ioredis";
import type { Redis } from "ioredis";
import { assertReply, assertType } from "./support/assert-types.ts";
import { cluster, key, type options, redis, type Session, session } from "./support/clients.ts";

// Every command returns the chain, typed as it was.
redis
  .pipeline()
  .set("session:1", session)
  .expire("session:1", 10)
  .zadd("ranking", 1, "ada")
  .zrange("ranking", "0", "1", "REV")
  .hset("user:1", { visits: 1 })
  .del("page:1", "page:2")
  .get("session:1", (_error, value) => assertType<Session | null | undefined>()(value))
  .exec();
redis.multi().lpush("session:1", session).incr("counter:1").call("set", "session:1", session).exec();
redis.multi({ pipeline: true }).set("session:1", session);
cluster.pipeline().set("session:1", session).get("session:1");
redis.pipeline([["set", "session:1", session]]).set("session:1", session);
assertReply<"OK">()(redis.multi({ pipeline: false }));
assertReply<[error: Error | null, result: unknown][] | null>()(redis.pipeline().get(key).exec());
assertType<number>()(redis.pipeline().length);

function addSession(pipeline: TypedPipeline<Redis, typeof options>): void {
  pipeline.set("session:1", session);
}
addSession(redis.pipeline());
addSession(redis.multi().expire("session:1", 10));

// @ts-expect-error a text is no session
redis.pipeline().set("session:1", "text");
// @ts-expect-error behind a command that ioredis types
redis.pipeline().expire("session:1", 10).set("session:1", "text");
// @ts-expect-error behind one with many forms
redis.multi().zadd("ranking", 1, "ada").hset("user:1", "visits", "1");
// @ts-expect-error commands without values keep their arguments
redis.pipeline().expire("session:1", true);
// @ts-expect-error there is no such command
redis.pipeline().gte("session:1");
