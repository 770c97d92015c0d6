import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { Redis } from "./ioredis-versions.ts";
import { type SentinelGroup, startSentinel } from "./sentinel.ts";
import { waitFor } from "./wait.ts";

suite("startSentinel()", () => {
  let group: SentinelGroup;
  before(async () => {
    group = await startSentinel({ sentinels: 3 });
  });
  after(() => group?.stop());

  test("watches one master with one replica", async () => {
    const master = await group.master();
    const replica = await group.replica();
    assert.notEqual(master, replica);
    await master.command("SET", "key", "value");
    await waitFor("the replica has the value", async () => (await replica.command("GET", "key")) === "value");
    assert.equal(group.sentinels.length, 3);
  });

  test("leads a client to the master, also after a failover", async () => {
    const client = new Redis({ sentinels: [...group.sentinels], name: group.name });
    try {
      const before = await group.master();
      assert.equal(await client.get("key"), "value");
      await group.failover();
      assert.notEqual(await group.master(), before);
      assert.equal(await client.set("key", "after"), "OK");
      assert.equal(await (await group.master()).command("GET", "key"), "after");
    } finally {
      client.disconnect();
    }
  });

  test("leads a client to the master after the last one was killed", async () => {
    const client = new Redis({ sentinels: [...group.sentinels], name: group.name });
    client.on("error", () => undefined);
    try {
      const killed = await group.master();
      await client.set("key", "before");
      await waitFor("the replica has it", async () => (await (await group.replica()).command("GET", "key")) === "before");
      await group.replaceMaster();
      assert.equal(await group.replica(), killed);
      assert.equal(await client.get("key"), "before");
      assert.equal(await client.set("key", "after"), "OK");
    } finally {
      client.disconnect();
    }
  });
});
