import { type RedisServer, type Reply, startRedis } from "./redis.ts";
import { waitFor } from "./wait.ts";

const SLOT_COUNT = 16_384;

/** One master of a cluster. */
export interface ClusterNode extends RedisServer {
  /** The node's id, which the CLUSTER commands take. */
  readonly id: string;
}

/** A real cluster of masters without replicas, every slot covered. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[];
  /** What ioredis' `Cluster` constructor takes. */
  readonly startupNodes: readonly { readonly host: string; readonly port: number }[];
  slotOf(key: string): Promise<number>;
  /** The node that serves the slot now. */
  ownerOf(slot: number): Promise<ClusterNode>;
  /** Any node that does not serve the slot. */
  strangerTo(slot: number): Promise<ClusterNode>;
  /** From here on the owner answers ASK for the slot's keys that it does not hold, until `finishMove`. */
  beginMove(slot: number, target: ClusterNode): Promise<void>;
  /** Moves the slot's keys to the target of the move that was begun. */
  moveKeys(slot: number, target: ClusterNode): Promise<void>;
  /** Gives the slot to the target: every other node answers MOVED. */
  finishMove(slot: number, target: ClusterNode): Promise<void>;
  /** The three steps in one. */
  moveSlot(slot: number, target: ClusterNode): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster and waits until all its nodes agree that it is whole. */
export async function startCluster({ nodes: count = 3, args = [] }: { nodes?: number; args?: string[] } = {}): Promise<Cluster> {
  const clusterArgs = ["--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-node-timeout", "3000"];
  const servers = await Promise.all(Array.from({ length: count }, () => startRedis({ args: [...clusterArgs, ...args] })));
  const stop = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.stop())));
  try {
    const nodes = await Promise.all(servers.map(identifyNode));
    await joinNodes(nodes);
    return describeCluster(nodes, stop);
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

async function joinNodes(nodes: readonly ClusterNode[]): Promise<void> {
  const [first] = nodes;
  for (const [index, node] of nodes.entries()) {
    // Distinct epochs spare the nodes the collision that they would otherwise settle by gossip.
    await node.command("CLUSTER", "SET-CONFIG-EPOCH", index + 1);
    await node.command("CLUSTER", "ADDSLOTS", ...slotsOfShare(index, nodes.length));
    if (first !== undefined && node !== first) await node.command("CLUSTER", "MEET", "127.0.0.1", first.port);
  }
  await Promise.all(nodes.map((node) => waitFor(`port ${node.port} sees a whole cluster`, () => seesWhole(node, nodes.length))));
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

function describeCluster(nodes: readonly ClusterNode[], stop: () => Promise<void>): Cluster {
  const cluster: Cluster = {
    nodes,
    startupNodes: nodes.map(({ port }) => ({ host: "127.0.0.1", port })),
    slotOf: async (key) => Number(await nodeAt(nodes, 0).command("CLUSTER", "KEYSLOT", key)),
    ownerOf: async (slot) => findNode(nodes, await askOwnerPort(nodeAt(nodes, 0), slot)),
    async strangerTo(slot) {
      const owner = await cluster.ownerOf(slot);
      return nodes.find((node) => node !== owner) ?? owner;
    },
    async beginMove(slot, target) {
      const owner = await cluster.ownerOf(slot);
      await target.command("CLUSTER", "SETSLOT", slot, "IMPORTING", owner.id);
      await owner.command("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id);
    },
    moveKeys: async (slot, target) => migrateKeys(await cluster.ownerOf(slot), target, slot),
    async finishMove(slot, target) {
      const others = nodes.filter((node) => node !== target);
      // The target first: it raises the epoch by which nodes settle who owns a slot. Until the others have heard of it, a packet
      // of the old owner would take the slot back.
      await target.command("CLUSTER", "SETSLOT", slot, "NODE", target.id);
      const epoch = await readOwnEpoch(target);
      for (const node of others) {
        await waitFor(`port ${node.port} knows epoch ${epoch}`, async () => (await readEpochOf(node, target.id)) >= epoch);
        await node.command("CLUSTER", "SETSLOT", slot, "NODE", target.id);
      }
    },
    async moveSlot(slot, target) {
      await cluster.beginMove(slot, target);
      await cluster.moveKeys(slot, target);
      await cluster.finishMove(slot, target);
    },
    stop,
  };
  return cluster;
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

// A line of CLUSTER NODES: id, address, flags, master, ping sent, pong received, config epoch, …
const EPOCH_COLUMN = 6;

async function readEpochOf(node: ClusterNode, id: string): Promise<number> {
  const lines = String(await node.command("CLUSTER", "NODES")).split("\n");
  return Number(lines.find((line) => line.startsWith(id))?.split(" ")[EPOCH_COLUMN]);
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

function nodeAt(nodes: readonly ClusterNode[], index: number): ClusterNode {
  const node = nodes[index];
  if (node === undefined) throw new RangeError(`this cluster has ${nodes.length} nodes`);
  return node;
}
