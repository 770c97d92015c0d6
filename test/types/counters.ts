import { assertReply } from "./support/assert-types.ts";
import { id, key, type Point, redis } from "./support/clients.ts";

// Counters are held raw and read as numbers: they need a type that has number.
assertReply<number>()(redis.incr("counter:1"));
assertReply<number>()(redis.decrby("counter:1", 2));
assertReply<string>()(redis.incrbyfloat(`counter:${id}`, 0.5));
assertReply<number | Point | null>()(redis.get("counter:1"));
assertReply<number>()(redis.hincrby("user:1", "visits", 1));
assertReply<string>()(redis.hincrbyfloat("user:1", "visits", 0.5));
redis.incr("counter:1", (_error, count) => count?.toFixed());

// Under no serializer they are what ioredis makes of them.
assertReply<number>()(redis.incr("hits:1"));
assertReply<number>()(redis.incr("page:1"));
assertReply<number>()(redis.incr("other:1"));
assertReply<number>()(redis.hincrby("other:1", "field", 1));

// Of an open key nothing is known.
assertReply<number>()(redis.incr(key));

// @ts-expect-error a session is no number
redis.incr("session:1");
// @ts-expect-error nor is a text, which a counter would not come back as
redis.decr("text:1");
// @ts-expect-error
redis.incrby(`session:${id}`, 1);
// @ts-expect-error a name is no number
redis.hincrby("user:1", "name", 1);
// @ts-expect-error there is no such field
redis.hincrby("user:1", "visit", 1);
