import { type RedisServer, type Reply, startRedis } from "./redis.ts";
import { waitFor } from "./wait.ts";

const SLOT_COUNT = 16_384;

/** One server of a cluster. */
export interface ClusterNode extends RedisServer {
  /** The node's id, which the CLUSTER commands take. */
  readonly id: string;
}

/** A real cluster, every slot covered. */
export interface Cluster {
  /** The masters that it began with and those added since; a failover changes roles, not this list. */
  readonly nodes: readonly ClusterNode[];
  /** The replicas that it began with: as many for each master, in the order of the masters. */
  readonly replicas: readonly ClusterNode[];
  /** What ioredis' `Cluster` constructor takes. */
  readonly startupNodes: readonly { readonly host: string; readonly port: number }[];
  slotOf(key: string): Promise<number>;
  /** The node that serves the slot now, as a node that is alive tells. */
  ownerOf(slot: number): Promise<ClusterNode>;
  /** Any master that does not serve the slot. */
  strangerTo(slot: number): Promise<ClusterNode>;
  /** From here on the owner answers ASK for the slot's keys that it does not hold, until `finishMove`. */
  beginMove(slot: number, target: ClusterNode): Promise<void>;
  /** Moves the slot's keys to the target of the move that was begun: by the hundred, each hundred at once. */
  moveKeys(slot: number, target: ClusterNode): Promise<void>;
  /** Gives the slot to the target: every other node answers MOVED. */
  finishMove(slot: number, target: ClusterNode): Promise<void>;
  /** The three steps in one. */
  moveSlot(slot: number, target: ClusterNode): Promise<void>;
  /** Adds a master without slots. */
  addNode(): Promise<ClusterNode>;
  /** Takes away a node without slots: one that was added and gave its slots back. */
  removeNode(node: ClusterNode): Promise<void>;
  /** Has a replica take its master's place in agreement with it: no write is lost. */
  promote(replica: ClusterNode): Promise<void>;
  /** Waits until every node that is alive takes this one for a master: after another has been killed, for example. */
  waitForMaster(node: ClusterNode): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** How many masters. */
  readonly nodes?: number;
  /** How many replicas for each master. */
  readonly replicas?: number;
  /** Further arguments of every server. */
  readonly args?: readonly string[];
}

const CLUSTER_ARGS = ["--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-node-timeout", "3000"];
// A master otherwise waits five seconds for further replicas before it sends its data to the first.
const REPLICATION_ARGS = ["--repl-diskless-sync-delay", "0"];

/** Starts a cluster and waits until all its nodes agree that it is whole. */
export async function startCluster({ nodes: count = 3, replicas = 0, args = [] }: ClusterOptions = {}): Promise<Cluster> {
  const started: ClusterNode[] = [];
  const start = async (): Promise<ClusterNode> => {
    const node = await identifyNode(await startRedis({ args: [...CLUSTER_ARGS, ...REPLICATION_ARGS, ...args] }));
    started.push(node);
    return node;
  };
  const stop = async (): Promise<void> => void (await Promise.all(started.map((server) => server.stop())));
  try {
    const members = await Promise.all(Array.from({ length: count * (1 + replicas) }, start));
    await joinNodes(members, count);
    return describeCluster({ nodes: members.slice(0, count), replicas: members.slice(count), start, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

async function identifyNode(server: RedisServer): Promise<ClusterNode> {
  const id = String(await server.command("CLUSTER", "MYID"));
  // `pid` is a getter that follows restarts: a copy of the object would freeze it.
  return Object.defineProperty(server, "id", { value: id, enumerable: true }) as ClusterNode;
}

async function joinNodes(members: readonly ClusterNode[], masters: number): Promise<void> {
  const [first] = members;
  for (const [index, node] of members.entries()) {
    // Distinct epochs spare the nodes the collision that they would otherwise settle by gossip.
    await node.command("CLUSTER", "SET-CONFIG-EPOCH", index + 1);
    if (index < masters) await node.command("CLUSTER", "ADDSLOTS", ...slotsOfShare(index, masters));
    if (first !== undefined && node !== first) await meet(node, first);
  }
  await waitUntilWhole(members);
  const replicas = members.slice(masters);
  await Promise.all(replicas.map((node, index) => follow(node, members[Math.floor((index * masters) / replicas.length)])));
  await Promise.all(members.flatMap((node) => replicas.map((replica) => waitForRole(node, replica, "slave"))));
}

async function meet(node: ClusterNode, member: ClusterNode): Promise<void> {
  await node.command("CLUSTER", "MEET", "127.0.0.1", member.port);
}

async function follow(replica: ClusterNode, master: ClusterNode | undefined): Promise<void> {
  if (master === undefined) throw new RangeError("a replica needs a master");
  await replica.command("CLUSTER", "REPLICATE", master.id);
  await waitFor("a replica follows its master", async () =>
    String(await replica.command("INFO", "replication")).includes("master_link_status:up"),
  );
}

/** @param known how many members there are, also dead ones */
async function waitUntilWhole(alive: readonly ClusterNode[], known: number = alive.length): Promise<void> {
  await Promise.all(alive.map((node) => waitFor(`port ${node.port} sees a whole cluster`, () => seesWhole(node, known))));
}

async function waitForRole(node: ClusterNode, member: ClusterNode, role: "master" | "slave"): Promise<void> {
  await waitFor(`port ${node.port} takes port ${member.port} for a ${role}`, async () =>
    (await readMember(node, member.id)).flags.includes(role),
  );
}

// One by one rather than ADDSLOTSRANGE, which servers before 7.0 lack.
function slotsOfShare(index: number, shares: number): number[] {
  const first = Math.ceil((index * SLOT_COUNT) / shares);
  const end = Math.ceil(((index + 1) * SLOT_COUNT) / shares);
  return Array.from({ length: end - first }, (_, offset) => first + offset);
}

async function seesWhole(node: ClusterNode, count: number): Promise<boolean> {
  const information = String(await node.command("CLUSTER", "INFO"));
  const holds = ["cluster_state:ok", `cluster_slots_ok:${SLOT_COUNT}`, `cluster_known_nodes:${count}`];
  return (
    holds.every((line) => information.includes(`${line}\r\n`)) &&
    !String(await node.command("CLUSTER", "NODES")).includes("handshake")
  );
}

interface Members {
  readonly nodes: ClusterNode[];
  readonly replicas: readonly ClusterNode[];
  start(): Promise<ClusterNode>;
  stop(): Promise<void>;
}

function describeCluster({ nodes, replicas, start, stop }: Members): Cluster {
  const members = (): ClusterNode[] => [...nodes, ...replicas];
  const cluster: Cluster = {
    nodes,
    replicas,
    startupNodes: members().map(({ port }) => ({ host: "127.0.0.1", port })),
    slotOf: async (key) => Number(await (await findAlive(members())).command("CLUSTER", "KEYSLOT", key)),
    ownerOf: async (slot) => findNode(members(), await askOwnerPort(await findAlive(members()), slot)),
    async strangerTo(slot) {
      const owner = await cluster.ownerOf(slot);
      return (await filterMasters(members())).find((node) => node !== owner) ?? owner;
    },
    async beginMove(slot, target) {
      const owner = await cluster.ownerOf(slot);
      await target.command("CLUSTER", "SETSLOT", slot, "IMPORTING", owner.id);
      await owner.command("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id);
    },
    moveKeys: async (slot, target) => migrateKeys(await cluster.ownerOf(slot), target, slot),
    finishMove: async (slot, target) => assignSlot(await filterMasters(members()), slot, target),
    async moveSlot(slot, target) {
      await cluster.beginMove(slot, target);
      await cluster.moveKeys(slot, target);
      await cluster.finishMove(slot, target);
    },
    async addNode() {
      const node = await start();
      await meet(node, await findAlive(members()));
      nodes.push(node);
      await waitUntilWhole(members());
      return node;
    },
    async removeNode(node) {
      nodes.splice(nodes.indexOf(node), 1);
      for (const member of members()) await member.command("CLUSTER", "FORGET", node.id);
      await node.stop();
      await waitUntilWhole(members());
    },
    async promote(replica) {
      await replica.command("CLUSTER", "FAILOVER");
      await cluster.waitForMaster(replica);
    },
    async waitForMaster(node) {
      const alive = await filterAlive(members());
      await Promise.all(alive.map((member) => waitForRole(member, node, "master")));
      await waitUntilWhole(alive, members().length);
    },
    stop,
  };
  return cluster;
}

async function assignSlot(masters: readonly ClusterNode[], slot: number, target: ClusterNode): Promise<void> {
  // The target first: it raises the epoch by which nodes settle who owns a slot. Until the others have heard of it, a packet
  // of the old owner would take the slot back.
  await target.command("CLUSTER", "SETSLOT", slot, "NODE", target.id);
  const epoch = await readOwnEpoch(target);
  for (const node of masters) {
    if (node === target) continue;
    await waitFor(`port ${node.port} knows epoch ${epoch}`, async () => (await readMember(node, target.id)).epoch >= epoch);
    await node.command("CLUSTER", "SETSLOT", slot, "NODE", target.id).catch(async (error) => {
      // A master that hears that it has lost its last slot follows the one that took it: it knows the owner then.
      if (!(await readMember(node, node.id)).flags.includes("slave")) throw error;
    });
  }
}

async function filterAlive(members: readonly ClusterNode[]): Promise<ClusterNode[]> {
  const answers = await Promise.allSettled(members.map((node) => node.command("PING")));
  return members.filter((_, index) => answers[index]?.status === "fulfilled");
}

async function filterMasters(members: readonly ClusterNode[]): Promise<ClusterNode[]> {
  const alive = await filterAlive(members);
  const facts = await Promise.all(alive.map((node) => readMember(node, node.id)));
  return alive.filter((_, index) => facts[index]?.flags.includes("master"));
}

async function findAlive(members: readonly ClusterNode[]): Promise<ClusterNode> {
  const [alive] = await filterAlive(members);
  if (alive === undefined) throw new Error("no node of this cluster is alive");
  return alive;
}

async function migrateKeys(owner: ClusterNode, target: ClusterNode, slot: number): Promise<void> {
  for (;;) {
    const keys = (await owner.command("CLUSTER", "GETKEYSINSLOT", slot, 100)) as string[];
    if (keys.length === 0) return;
    await owner.command("MIGRATE", "127.0.0.1", target.port, "", 0, 5_000, "KEYS", ...keys);
  }
}

async function readOwnEpoch(node: ClusterNode): Promise<number> {
  const information = String(await node.command("CLUSTER", "INFO"));
  return Number(/cluster_my_epoch:(\d+)/.exec(information)?.[1]);
}

interface MemberFacts {
  readonly flags: readonly string[];
  readonly epoch: number;
}

/** What a node knows of a member of its cluster. */
async function readMember(node: ClusterNode, id: string): Promise<MemberFacts> {
  const lines = String(await node.command("CLUSTER", "NODES")).split("\n");
  // id, address, flags, master, ping sent, pong received, config epoch, …
  const [, , flags = "", , , , epoch] = lines.find((line) => line.startsWith(id))?.split(" ") ?? [];
  return { flags: flags.split(","), epoch: Number(epoch) };
}

async function askOwnerPort(node: ClusterNode, slot: number): Promise<number> {
  const ranges = (await node.command("CLUSTER", "SLOTS")) as [number, number, Reply[]][];
  const range = ranges.find(([first, last]) => first <= slot && slot <= last);
  return Number(range?.[2][1]);
}

function findNode(nodes: readonly ClusterNode[], port: number): ClusterNode {
  const node = nodes.find((candidate) => candidate.port === port);
  if (node === undefined) throw new Error(`no node of this cluster listens on port ${port}`);
  return node;
}
