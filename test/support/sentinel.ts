import { type RedisServer, type StartOptions, startRedis } from "./redis.ts";
import { waitFor } from "./wait.ts";

const MASTER_NAME = "tightwire";
// A master otherwise waits five seconds for further replicas before it sends its data to the first.
const REPLICATION_ARGS = ["--repl-diskless-sync-delay", "0"];

/** A real Sentinel group: one master, one replica, and the sentinels that watch them. */
export interface SentinelGroup {
  /** The name under which the sentinels know the master. */
  readonly name: string;
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The server that is master now. */
  master(): Promise<RedisServer>;
  /** The server that is replica now. */
  replica(): Promise<RedisServer>;
  /** Has the sentinels promote the replica, and waits until the roles have changed. */
  failover(): Promise<void>;
  /** Ends the master as a crash would, waits until the replica has taken its place, and brings the dead one back as its replica. */
  replaceMaster(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a group and waits until every sentinel knows the replica and its fellow sentinels. */
export async function startSentinel({ sentinels: count = 1 }: { sentinels?: number } = {}): Promise<SentinelGroup> {
  const started: RedisServer[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(started.map((server) => server.stop())));
  const start = async (options?: StartOptions): Promise<RedisServer> => {
    const server = await startRedis(options);
    started.push(server);
    return server;
  };
  try {
    const master = await start({ args: REPLICATION_ARGS });
    const replica = await start({ args: [...REPLICATION_ARGS, "--replicaof", "127.0.0.1", String(master.port)] });
    await waitFor("the replica follows its master", () => hasRole(replica, "slave", "master_link_status:up"));
    const configuration = describeMaster(master.port, Math.floor(count / 2) + 1);
    const sentinels = await Promise.all(Array.from({ length: count }, () => start({ sentinel: configuration })));
    await Promise.all(sentinels.map(hurry));
    await Promise.all(sentinels.map((sentinel) => waitFor("a sentinel knows its group", () => knowsGroup(sentinel, count))));
    return describeGroup([master, replica], sentinels, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

function describeMaster(port: number, quorum: number): string[] {
  return [
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${port} ${quorum}`,
    `sentinel down-after-milliseconds ${MASTER_NAME} 1000`,
    `sentinel failover-timeout ${MASTER_NAME} 5000`,
  ];
}

// A sentinel talks to its group every two to ten seconds, and waits four such periods before it demotes the old master. Within
// four periods the others must have heard of the new one, or they demote that: on a busy machine shorter ones are too short.
async function hurry(sentinel: RedisServer): Promise<void> {
  const { message } = await sentinel.command("SENTINEL", "DEBUG", "INFO-PERIOD", 200, "PUBLISH-PERIOD", 400).then(
    () => ({ message: "" }),
    (error: Error) => error,
  );
  // Servers before 7.0 have no such command: there the same takes longer.
  if (message !== "" && !/unknown|wrong number/i.test(message)) throw new Error(message);
}

async function knowsGroup(sentinel: RedisServer, count: number): Promise<boolean> {
  const facts = (await sentinel.command("SENTINEL", "MASTER", MASTER_NAME)) as string[];
  const factOf = (name: string): string | undefined => facts[facts.indexOf(name) + 1];
  return factOf("num-slaves") === "1" && factOf("num-other-sentinels") === String(count - 1);
}

async function hasRole(server: RedisServer, role: "master" | "slave", fact = ""): Promise<boolean> {
  const information = String(await server.command("INFO", "replication"));
  return information.includes(`role:${role}\r\n`) && information.includes(fact);
}

function describeGroup(
  pair: readonly RedisServer[],
  sentinels: readonly RedisServer[],
  stop: () => Promise<void>,
): SentinelGroup {
  const withRole = async (role: "master" | "slave"): Promise<RedisServer> => {
    for (const server of pair) if (await hasRole(server, role).catch(() => false)) return server;
    throw new Error(`no server of the group is ${role} now`);
  };
  const waitForMaster = async (promoted: RedisServer): Promise<void> => {
    await waitFor("the replica is master", () => hasRole(promoted, "master"));
    await Promise.all(sentinels.map((sentinel) => waitFor("a sentinel names the new master", () => names(sentinel, promoted))));
  };
  const waitForReplica = (): Promise<void> =>
    waitFor("the old master follows it", async () => hasRole(await group.replica(), "slave", "master_link_status:up"));
  const group: SentinelGroup = {
    name: MASTER_NAME,
    sentinels: sentinels.map(({ port }) => ({ host: "127.0.0.1", port })),
    master: () => withRole("master"),
    replica: () => withRole("slave"),
    async failover() {
      const [leader] = sentinels;
      const promoted = await group.replica();
      // The sentinel refuses while it still reads the roles of the last failover.
      await waitFor(
        "a sentinel begins the failover",
        async () => (await leader?.command("SENTINEL", "FAILOVER", MASTER_NAME)) === "OK",
      );
      await waitForMaster(promoted);
      await waitForReplica();
    },
    async replaceMaster() {
      const [killed, promoted] = await Promise.all([group.master(), group.replica()]);
      await killed.kill();
      await waitForMaster(promoted);
      await killed.restart();
      await waitForReplica();
    },
    stop,
  };
  return group;
}

async function names(sentinel: RedisServer, master: RedisServer): Promise<boolean> {
  const address = (await sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME)) as string[];
  return address[1] === String(master.port);
}
