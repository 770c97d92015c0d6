import { once } from "node:events";
import type { Redis } from "../../support/ioredis-versions.ts";
import type { RedisServer } from "../../support/redis.ts";

interface Socket {
  destroy(): void;
  once(event: "close", listener: () => void): void;
}

/** Runs `send` while the server does not read, then cuts the connection: everything sent is in flight, nothing is answered. */
export async function loseInFlight<T>(server: RedisServer, client: Redis, send: () => T): Promise<T> {
  await client.ping();
  process.kill(server.pid, "SIGSTOP");
  try {
    const sent = send();
    // One turn for auto-pipelining, which sends at its end.
    await new Promise((resolve) => setImmediate(resolve));
    const { stream } = client as unknown as { stream: Socket };
    const closed = new Promise<void>((resolve) => stream.once("close", resolve));
    stream.destroy();
    await closed;
    return sent;
  } finally {
    process.kill(server.pid, "SIGCONT");
  }
}

/** The id of a client's connection, for `CLIENT KILL ID`: the server answers what came before and closes it then. */
export async function connectionId(client: Redis): Promise<number> {
  return Number(await client.client("ID"));
}

export async function reconnected(client: Redis): Promise<Redis> {
  if (client.status === "ready") client.disconnect(true);
  await once(client, "ready");
  return client;
}
