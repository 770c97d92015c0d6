import { brotli, createCodecClasses, json, lz4, type TypedClient, withValueCodec } from "@tightwire/ioredis";
import { Cluster, Redis } from "ioredis";
import { assertEqual, assertReply, assertType } from "./support/assert-types.ts";
import { type Session, session } from "./support/clients.ts";

// Without a serializer the client's type stays exactly ioredis'.
const redis = withValueCodec(new Redis(), {
  prefixes: { "page:": { compressor: lz4(), onDecodeError: "miss" }, "hits:": "raw", "off:": { frame: "never" } },
  channels: { "feed.": { compressor: brotli() } },
  onError: () => {},
});
assertType<Redis>()(redis);
assertEqual<typeof redis, Redis>(true);
const same: Redis = redis;
const back: typeof redis = same;
withValueCodec(back, { prefixes: {} });
assertType<Redis>()(withValueCodec(new Redis(), { prefixes: {} }));
assertType<Redis>()(withValueCodec(new Redis(), { prefixes: [["page:", { compressor: lz4() }]] }));
assertType<Redis>()(withValueCodec(new Redis(), { prefixes: new Map([["page:", { compressor: lz4() }]]) }));
assertType<Cluster>()(withValueCodec(new Cluster([]), { prefixes: { "page:": { compressor: lz4() } } }));
assertEqual<TypedClient<Redis, { prefixes: { "page:": { minFrameBytes: 0 } } }>, Redis>(true);

class Tagged extends Redis {
  readonly tag: string = "";
}
assertType<Tagged>()(withValueCodec(new Tagged(), { prefixes: { "page:": {} } }));

const classes = { Redis, Cluster };
assertType<typeof classes>()(createCodecClasses(classes, { prefixes: { "page:": { compressor: lz4() } } }));

// With one it is not ioredis' any more: what get() returns is no string. The client before is the same object.
const bare = new Redis();
const typed = withValueCodec(bare, { prefixes: { "session:": { serializer: json<Session>() } } });
// @ts-expect-error
const lost: Redis = typed;
void lost;
assertEqual<typeof bare, Redis>(true);

// All else of it is there.
assertType<"OK">()(await typed.quit());
assertReply<number>()(typed.zadd("ranking", 1, "ada"));
assertReply<string>()(typed.type("session:1"));
assertReply<number>()(typed.del("session:1", "session:2"));
assertType<Redis["status"]>()(typed.status);
assertType<Redis["options"]>()(typed.options);
assertType<void>()(typed.disconnect());
assertReply<unknown>()(typed.call("set", "session:1", session));
assertReply<unknown>()(typed.eval("return 1", 0));
