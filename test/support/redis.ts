// Tests take their servers from here; the implementation is plain JavaScript because `npm start` needs it before anything is installed.
export { type RedisServer, type StartOptions, startRedis } from "../../scripts/redis-server.mjs";
export { type Reply, sendRedisCommand } from "../../scripts/resp.mjs";
