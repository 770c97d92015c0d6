// A program of its own without any "error" listener: subscribes to a channel under a rule and ends after the first good message.
import { withValueCodec } from "@tightwire/ioredis";
import { Cluster, Redis } from "../../support/ioredis-versions.ts";

const [kind, port] = process.argv.slice(2);
const client = kind === "cluster" ? new Cluster([{ host: "127.0.0.1", port: Number(port) }]) : new Redis(Number(port));
const subscriber = withValueCodec(client, { prefixes: {}, channels: { "feed.": {} } });

subscriber.on("message", (_channel: string, message: string) => {
  process.stdout.write(`${message}\n`);
  subscriber.disconnect();
});
await subscriber.subscribe("feed.1");
process.stdout.write("subscribed\n");
