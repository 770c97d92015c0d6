import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { withValueCodec } from "@tightwire/ioredis";
import { type ClusterNode, type Cluster as ServerCluster, startCluster } from "../support/cluster.ts";
import { Cluster, type Redis } from "../support/ioredis-versions.ts";
import { waitFor } from "../support/wait.ts";
import { countErrors, waitUntilCaughtUp } from "./support/topology-cuts.ts";
import { Load } from "./support/topology-load.ts";
import { KIND_RULES } from "./support/topology-values.ts";

const COMMANDS_BETWEEN = 600;
const WORKERS = 12;
const MOVED_SHARE = 5;

suite("a wrapped Cluster whose topology changes under load", () => {
  let servers: ServerCluster;
  const clients: Cluster[] = [];
  before(async () => {
    servers = await startCluster({ nodes: 3, replicas: 1 });
  });
  after(async () => {
    for (const client of clients) client.disconnect();
    await servers?.stop();
  });

  function open(options: { enableAutoPipelining?: boolean } = {}): Cluster {
    const client = new Cluster([...servers.startupNodes], { ...options, retryDelayOnFailover: 50 });
    clients.push(client);
    return client;
  }

  async function openLoad(options: { lists?: boolean; deletes?: boolean }): Promise<Load> {
    for (const index of servers.replicas.keys()) await (await pairAt(index)).master.command("FLUSHALL");
    const wrapped = [open(), open({ enableAutoPipelining: true })];
    for (const client of wrapped) withValueCodec(client, KIND_RULES);
    const load = new Load({ clients: wrapped.map((client) => ({ client, workers: WORKERS })), seed: 1, ...options });
    await load.fill();
    return load;
  }

  async function countRedirections(): Promise<number> {
    const masters = await Promise.all([...servers.replicas.keys()].map(pairAt));
    const counts = await Promise.all(masters.flatMap(({ master }) => [countErrors(master, "MOVED"), countErrors(master, "ASK")]));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  interface Pair {
    readonly master: ClusterNode;
    readonly replica: ClusterNode;
  }

  /** The servers of one share of the slots, in their present roles. */
  async function pairAt(index: number): Promise<Pair> {
    const [one, other] = [servers.nodes[index], servers.replicas[index]];
    assert.ok(one !== undefined && other !== undefined);
    const [role] = (await one.command("ROLE")) as string[];
    return role === "master" ? { master: one, replica: other } : { master: other, replica: one };
  }

  test("moves slots to a node that was added and back, and goes on without it: nothing that was acknowledged is lost", async () => {
    // A slot's keys move at once, and none is missing: of a slot that is held in part, plain ioredis reads wrong values in pipelines.
    const load = await openLoad({ lists: false, deletes: false });
    const [client] = clients.slice(-2);
    assert.ok(client !== undefined);
    const tags = load.tags.filter((_, i) => i % MOVED_SHARE === 0);
    const slots = await Promise.all(tags.map((tag) => servers.slotOf(tag)));
    const owners = await Promise.all(slots.map((slot) => servers.ownerOf(slot)));
    const moveAll = async (targetOf: (index: number) => ClusterNode): Promise<void> => {
      for (const [i, slot] of slots.entries()) {
        await servers.moveSlot(slot, targetOf(i));
        await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
      }
    };
    const before = await countRedirections();
    load.start();
    const node = await servers.addNode();
    await moveAll(() => node);
    await load.pause();
    const clientOfNode = (): Redis | undefined => client.nodes().find(({ options }) => options.port === node.port);
    for (const tag of tags) {
      const key = `doc:{${tag}}s0`;
      assert.deepStrictEqual(await clientOfNode()?.get(key), await client.get(key), "the new node's own client decodes");
    }
    load.start();
    await moveAll((i) => owners[i] ?? node);
    assert.ok((await countRedirections()) > before, "the clients were redirected");
    await servers.removeNode(node);
    await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
    await load.pause();
    await waitFor("the client has let the node go", () => clientOfNode() === undefined);
    await load.verify(open());
  });

  test("goes on through a failover in agreement under load: nothing that was acknowledged is lost", async () => {
    const load = await openLoad({});
    load.start();
    for (const index of servers.replicas.keys()) {
      await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
      await servers.promote((await pairAt(index)).replica);
    }
    await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
    await load.pause();
    await load.verify(open());
  });

  test("goes on when a master is killed under load: every promise settles, no value is wrong, later writes are kept", async () => {
    const load = await openLoad({ lists: false });
    const { master, replica } = await pairAt(0);
    await waitUntilCaughtUp(master, replica);
    // From here on a replica may lag behind: what the old master acknowledges last may be gone, but no value may be wrong.
    load.model.durability = "late writes may be lost";
    load.start();
    await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
    await master.kill();
    await servers.waitForMaster(replica);
    await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
    await load.pause();
    load.model.durability = "kept";
    await load.readAll();
    load.start();
    await load.waitForSettled(load.settled + COMMANDS_BETWEEN);
    await load.pause();
    await load.verify(open());
  });
});
