import type { Redis } from "../../support/ioredis-versions.ts";
import type { RedisServer } from "../../support/redis.ts";
import { waitFor } from "../../support/wait.ts";

interface Socket {
  readonly localPort?: number;
  destroy(): void;
}

interface Internals {
  readonly stream?: Socket;
  readonly commandQueue: { readonly length: number };
}

/** How a connection ends: the server closes it, or the client's socket is gone. */
export type Cut = "by the server" | "by the client";

/**
 * Ends a client's connection, whatever it is doing.
 *
 * @returns how many commands were waiting for their replies
 */
export async function cutConnection(client: Redis, bare: Redis, cut: Cut): Promise<number> {
  const internals = client as unknown as Internals;
  let port: number | undefined;
  await waitFor("the client is connected", () => {
    port = internals.stream?.localPort;
    return client.status === "ready" && port !== undefined;
  });
  const inFlight = internals.commandQueue.length;
  if (cut === "by the client") internals.stream?.destroy();
  // Also where the client has cut: the server must not carry out what it has not read yet once the client is back, because then a
  // late write would overwrite one that was acknowledged after it. The client's pause before it connects makes this come first.
  await bare.client("KILL", "ADDR", `127.0.0.1:${port}`).catch(ignoreGone);
  return inFlight;
}

function ignoreGone(error: Error): void {
  if (!error.message.includes("No such client")) throw error;
}

/** Waits until a replica has everything that its master has acknowledged; nothing must be written meanwhile. */
export async function waitUntilCaughtUp(master: RedisServer, replica: RedisServer): Promise<void> {
  await waitFor("the replica has caught up", async () => {
    const offsets = await Promise.all([master, replica].map(readOffset));
    return offsets[0] === offsets[1];
  });
}

async function readOffset(server: RedisServer): Promise<string | undefined> {
  const information = String(await server.command("INFO", "replication"));
  return /(?:slave|master)_repl_offset:(\d+)/.exec(information)?.[1];
}

/** How often a server has answered with an error. */
export async function countErrors(server: RedisServer, code: "MOVED" | "ASK"): Promise<number> {
  const information = String(await server.command("INFO", "errorstats"));
  return Number(new RegExp(`errorstat_${code}:count=(\\d+)`).exec(information)?.[1] ?? 0);
}
