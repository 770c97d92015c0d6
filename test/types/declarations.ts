import { createCodecClasses, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { options, redis, type Session, session } from "./support/clients.ts";

// Compiled with the declarations that a library would publish: what is exported here has types that can be named there.
export { cluster, redis } from "./support/clients.ts";
export const duplicate = redis.duplicate();
export const same = redis.on("end", () => {});
export const pipeline = redis.pipeline().set("session:1", session);
export const transaction = pipeline.expire("session:1", 10);
export const classes = createCodecClasses({ Redis }, options);
export class CodecRedis extends classes.Redis {}
export const open = () => withValueCodec(new Redis(), options);
export const strings = () => [redis.get("session:1"), redis.mget("session:1", "page:1"), redis.set("page:1", "a", "GET")];
export const hashes = () => [redis.hget("user:1", "name"), redis.hgetall("user:1"), redis.hmget("user:1", "name", "visits")];
export const scans = () => [redis.hscan("session:1", 0), redis.hrandfield("session:1", 2, "WITHVALUES")];
export const lists = () => [redis.blpop("session:1", 0), redis.lmpop(1, "session:1", "LEFT"), redis.lrange("session:1", 0, 1)];
export const streams = () => [redis.xrange("session:1", "-", "+"), redis.xread("STREAMS", "session:1", "0")];
export const groups = () => [
  redis.xautoclaim("session:1", "group", "me", 0, "0"),
  redis.xclaim("session:1", "group", "me", 0, "1-0"),
  redis.xreadgroup("GROUP", "group", "me", "STREAMS", "session:1", ">"),
];

export class Sessions {
  readonly redis: typeof redis = redis;
  find(id: number) {
    return this.redis.get(`session:${id}`);
  }
  save(id: number, value: Session) {
    return this.redis.set(`session:${id}`, value, "EX", 60);
  }
}
