import { createCodecClasses, type TypedClient } from "@tightwire/ioredis";
import { Cluster, Redis } from "ioredis";
import { assertReply, assertType } from "./support/assert-types.ts";
import { cluster, type options as Options, options, redis, type Session, session } from "./support/clients.ts";

// Instances of codec classes are typed, with the arguments of ioredis' constructors.
const classes = createCodecClasses({ Redis, Cluster }, options);
const made = new classes.Redis(6379, "127.0.0.1", { lazyConnect: true });
assertReply<Session | null>()(made.get("session:1"));
assertReply<Session | null>()(new classes.Redis().get("session:1"));
assertReply<Session | null>()(new classes.Redis({ db: 1 }).get("session:1"));
assertReply<Session | null>()(new classes.Cluster([{ host: "127.0.0.1", port: 7000 }]).get("session:1"));
assertReply<Session | null>()(new classes.Redis.Cluster([]).get("session:1"));
assertReply<Session | null>()(classes.Redis.createClient().get("session:1"));
class Sessions extends classes.Redis {
  find(id: number): Promise<Session | null> {
    return this.get(`session:${id}`);
  }
}
assertReply<Session | null>()(new Sessions({ db: 1 }).find(1));
assertReply<Session | null>()(new Sessions().get("session:1"));

// The type can be named, and given to what takes a client.
function findSession(client: TypedClient<Redis, typeof Options>, id: number): Promise<Session | null> {
  return client.get(`session:${id}`);
}
findSession(redis, 1);
findSession(redis.duplicate({ db: 1 }), 1);
findSession(
  redis.on("end", () => {}),
  1,
);

// Duplicates and the nodes of a cluster are typed alike.
assertReply<Session | null>()(redis.duplicate().get("session:1"));
assertReply<Session | null>()(cluster.duplicate().get("session:1"));
assertReply<(Session | null)[]>()(Promise.all(cluster.nodes("master").map((node) => node.get("session:1"))));
assertType<number>()(cluster.nodes().length);

// @ts-expect-error ioredis' constructors take no such option
new classes.Redis({ databse: 1 });
// @ts-expect-error a text is no session
made.set("session:1", "text");
// @ts-expect-error there is no class Sentinel
classes.Sentinel;
// @ts-expect-error
createCodecClasses({ Redis }, { prefixes: {}, prefix: "a:" });
made.set("session:1", session);
