import { assertReply } from "./support/assert-types.ts";
import { redis, type Session, session } from "./support/clients.ts";

// Commands of ioredis 5.10 and later
assertReply<number>()(redis.msetex(2, "session:1", session, "page:1", "text", "NX", "EX", 10));
assertReply<number>()(redis.hsetex("user:1", "EX", 10, "FIELDS", 2, "name", "ada", "visits", 1));
assertReply<[string | null, number | null]>()(redis.hgetex("user:1", "EX", 10, "FIELDS", 2, "name", "visits"));
assertReply<[string | null]>()(redis.hgetdel("user:1", "FIELDS", 1, "name"));
assertReply<(Session | null)[]>()(redis.hgetdel("session:1", "FIELDS", 1, ...(["a"] as string[])));

// @ts-expect-error a text is no session
redis.msetex(2, "page:1", "text", "session:1", "text");
// @ts-expect-error visits are a number
redis.hsetex("user:1", "EX", 10, "FIELDS", 2, "name", "ada", "visits", "1");
// @ts-expect-error there is no such field
redis.hsetex("user:1", "FIELDS", 1, "nam", "ada");
// @ts-expect-error
redis.hgetdel("user:1", "FIELDS", 1, "nam");
