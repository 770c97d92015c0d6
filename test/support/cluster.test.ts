import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { type Cluster, startCluster } from "./cluster.ts";
import { waitFor } from "./wait.ts";

suite("startCluster()", () => {
  let cluster: Cluster;
  before(async () => {
    cluster = await startCluster({ nodes: 3 });
  });
  after(() => cluster?.stop());

  test("covers every slot with three masters that agree", async () => {
    for (const node of cluster.nodes) {
      const information = String(await node.command("CLUSTER", "INFO"));
      assert.match(information, /cluster_state:ok\r\n/);
      assert.match(information, /cluster_slots_assigned:16384\r\n/);
      assert.match(information, /cluster_size:3\r\n/);
    }
    const owners = await Promise.all([0, 5_461, 5_462, 10_922, 10_923, 16_383].map((slot) => cluster.ownerOf(slot)));
    assert.deepEqual(
      owners,
      [0, 0, 1, 1, 2, 2].map((index) => cluster.nodes[index]),
    );
  });

  test("answers MOVED from a node that does not serve the slot", async () => {
    const slot = await cluster.slotOf("{a}1");
    const owner = await cluster.ownerOf(slot);
    const stranger = await cluster.strangerTo(slot);
    assert.notEqual(stranger, owner);
    await assert.rejects(stranger.command("GET", "{a}1"), { message: `MOVED ${slot} 127.0.0.1:${owner.port}` });
  });

  test("answers ASK for a missing key of a slot that is being moved", async () => {
    const slot = await cluster.slotOf("{b}");
    const owner = await cluster.ownerOf(slot);
    const target = await cluster.strangerTo(slot);
    await owner.command("SET", "{b}held", "1");
    await cluster.beginMove(slot, target);
    assert.equal(await owner.command("GET", "{b}held"), "1");
    await assert.rejects(owner.command("GET", "{b}missing"), { message: `ASK ${slot} 127.0.0.1:${target.port}` });
    await cluster.moveKeys(slot, target);
    await assert.rejects(owner.command("GET", "{b}held"), { message: `ASK ${slot} 127.0.0.1:${target.port}` });
    await cluster.finishMove(slot, target);
    await assert.rejects(owner.command("GET", "{b}held"), { message: `MOVED ${slot} 127.0.0.1:${target.port}` });
    assert.equal(await target.command("GET", "{b}held"), "1");
  });

  test("moves a slot with its keys, there and back", async () => {
    const slot = await cluster.slotOf("{c}");
    const owner = await cluster.ownerOf(slot);
    const target = await cluster.strangerTo(slot);
    await owner.command("MSET", ...Array.from({ length: 250 }, (_, index) => [`{c}${index}`, index]).flat());
    await cluster.moveSlot(slot, target);
    assert.equal(await cluster.ownerOf(slot), target);
    assert.equal(await target.command("GET", "{c}249"), "249");
    await cluster.moveSlot(slot, owner);
    assert.equal(await cluster.ownerOf(slot), owner);
    assert.equal(await owner.command("CLUSTER", "COUNTKEYSINSLOT", slot), 250);
  });
});

suite("startCluster() with replicas", () => {
  let cluster: Cluster;
  before(async () => {
    cluster = await startCluster({ nodes: 3, replicas: 1 });
  });
  after(() => cluster?.stop());

  test("gives each master its replica", async () => {
    assert.deepEqual([cluster.nodes.length, cluster.replicas.length, cluster.startupNodes.length], [3, 3, 6]);
    for (const [index, replica] of cluster.replicas.entries()) {
      const role = await replica.command("ROLE");
      assert.deepEqual((role as unknown[]).slice(0, 3), ["slave", "127.0.0.1", cluster.nodes[index]?.port]);
    }
  });

  test("promotes a replica without losing a write", async () => {
    const [master, replica] = [cluster.nodes[0], cluster.replicas[0]];
    assert.ok(master !== undefined && replica !== undefined);
    const slot = await cluster.slotOf("b");
    assert.equal(await cluster.ownerOf(slot), master);
    await master.command("SET", "b", "kept");
    await cluster.promote(replica);
    assert.equal(await cluster.ownerOf(slot), replica);
    assert.equal(await replica.command("GET", "b"), "kept");
    assert.equal(((await master.command("ROLE")) as unknown[])[0], "slave");
  });

  test("replaces a master that is killed", async () => {
    const [master, replica] = [cluster.nodes[1], cluster.replicas[1]];
    assert.ok(master !== undefined && replica !== undefined);
    const slot = await cluster.slotOf("c");
    assert.equal(await cluster.ownerOf(slot), master);
    await master.kill();
    await cluster.waitForMaster(replica);
    assert.equal(await cluster.ownerOf(slot), replica);
    assert.equal(await replica.command("SET", "c", "1"), "OK");
  });

  test("takes a node in and lets it go", async () => {
    const dead = cluster.nodes[1];
    assert.ok(dead !== undefined);
    await dead.restart();
    await waitFor(
      "the killed master knows its successor",
      async () => ((await dead.command("ROLE")) as unknown[])[0] === "slave",
    );
    const node = await cluster.addNode();
    const slot = await cluster.slotOf("d");
    const owner = await cluster.ownerOf(slot);
    await owner.command("SET", "d", "1");
    await cluster.moveSlot(slot, node);
    assert.equal(await node.command("GET", "d"), "1");
    await cluster.moveSlot(slot, owner);
    await cluster.removeNode(node);
    assert.equal(cluster.nodes.includes(node), false);
    assert.equal(await owner.command("GET", "d"), "1");
    await assert.rejects(node.command("PING"), { code: "ECONNREFUSED" });
  });
});
