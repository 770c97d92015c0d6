import { json, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { assertReply, assertType } from "./support/assert-types.ts";
import { key, type Point, point, redis, type Session } from "./support/clients.ts";

assertReply<number>()(redis.publish("feed.1", point));
assertReply<number>()(redis.spublish("feed.1", point));
assertReply<number>()(redis.publish("other", "text"));
assertReply<number>()(redis.publish(key, point));
redis.publish("feed.1", point, (_error, receivers) => assertType<number | undefined>()(receivers));

// A listener hears the messages of every channel.
redis.on("message", (channel, message) => {
  assertType<string>()(channel);
  assertType<string | Point>()(message);
});
redis.on("pmessage", (_pattern, _channel, message) => assertType<string | Point>()(message));
redis.once("messageBuffer", (channel, message) => {
  assertType<Buffer>()(channel);
  assertType<Buffer>()(message);
});
redis.on("error", (error) => assertType<Error>()(error));

// Adding a listener returns the same client.
assertReply<Session | null>()(redis.on("ready", () => {}).get("session:1"));
assertReply<Session | null>()(redis.removeAllListeners("ready").get("session:1"));

// Rules of channels alone leave the commands of keys as ioredis types them.
const messages = withValueCodec(new Redis(), { prefixes: {}, channels: { "feed.": { serializer: json<Point>() } } });
assertReply<number>()(messages.publish("feed.1", point));
assertReply<string | null>()(messages.get("feed.1"));

// @ts-expect-error a text is no point
redis.publish("feed.1", "text");
// @ts-expect-error
messages.publish("feed.1", "text");
// @ts-expect-error the channel has no serializer
redis.publish("other", point);
// @ts-expect-error rules of channels have no data types
withValueCodec(new Redis(), { prefixes: {}, channels: { "feed.": { types: ["list"] } } });
