import type { Cluster, Redis } from "../../support/ioredis-versions.ts";
import { invoke } from "./calls.ts";
import type { Step } from "./topology-steps.ts";

export type Client = Redis | Cluster;

/** How a worker sends several commands. */
export type LoadStyle = "direct" | "callbacks" | "pipeline" | "multi" | "open transaction";

/** What becomes of one command. */
export type Outcome = { readonly reply: unknown } | { readonly error: unknown };

type Sender = (client: Client, steps: readonly Step[]) => Promise<Outcome[]>;

async function settle(promises: readonly unknown[]): Promise<Outcome[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((one) => (one.status === "fulfilled" ? { reply: one.value } : { error: one.reason }));
}

function callBack(client: Client, { command, args }: Step): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback = (error: unknown, reply: unknown): void => (error ? reject(error) : resolve(reply));
    // The promise that is returned as well rejects with the same error.
    Promise.resolve(invoke(client, command, [...args, callback])).catch(() => undefined);
  });
}

type Results = readonly (readonly [error: unknown, reply?: unknown])[];

function sendQueue(open: "pipeline" | "multi"): Sender {
  return async (client, steps) => {
    const queue = client[open]();
    for (const { command, args } of steps) invoke(queue, command, args);
    const [outcome] = await settle([queue.exec()]);
    if (outcome === undefined || "error" in outcome) return steps.map(() => outcome ?? { error: undefined });
    return (outcome.reply as Results).map(([error, reply]) => (error ? { error } : { reply }));
  };
}

/** MULTI, commands and EXEC as commands of their own: where the connection is lost between, some run outside the transaction. */
const sendOpenTransaction: Sender = async (client, steps) => {
  const sent = [client.multi({ pipeline: false }), ...steps.map(({ command, args }) => invoke(client, command, args))];
  const [replies, [exec]] = await Promise.all([settle(sent), settle([invoke(client, "exec", [])])]);
  // ioredis may give EXEC up and send MULTI again: the transaction is open then, and would swallow what comes next.
  if (exec !== undefined && "error" in exec) await settle([client.discard()]);
  const elements = exec !== undefined && "reply" in exec ? [...(exec.reply as Results)] : [];
  return replies.slice(1).map((outcome): Outcome => {
    if ("error" in outcome || !isQueued(outcome.reply)) return outcome;
    const [error, reply] = elements.shift() ?? [exec !== undefined && "error" in exec ? exec.error : new Error("no element")];
    return error ? { error } : { reply };
  });
};

function isQueued(reply: unknown): boolean {
  return (typeof reply === "string" || reply instanceof Buffer) && reply.toString() === "QUEUED";
}

/** Sends commands in one style; an error is its command's outcome. */
export const SENDERS: Readonly<Record<LoadStyle, Sender>> = {
  direct: (client, steps) => settle(steps.map(({ command, args }) => invoke(client, command, args))),
  callbacks: (client, steps) => settle(steps.map((step) => callBack(client, step))),
  pipeline: sendQueue("pipeline"),
  multi: sendQueue("multi"),
  "open transaction": sendOpenTransaction,
};
