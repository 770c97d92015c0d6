import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { isCodecError, lz4, valueCodecOf, withValueCodec } from "@tightwire/ioredis";
import { type Cluster as ServerCluster, startCluster } from "../support/cluster.ts";
import { Cluster, Redis } from "../support/ioredis-versions.ts";

const PAGE = "<li>the same line</li>\n".repeat(200);
const OPTIONS = { prefixes: { "{page}": { compressor: lz4() }, "page:": { compressor: lz4() } } };

function codeOf(error: unknown): string | undefined {
  return isCodecError(error) ? error.code : undefined;
}

suite("a wrapped Cluster", () => {
  let servers: ServerCluster;
  let cluster: Cluster;

  before(async () => {
    servers = await startCluster({ nodes: 3 });
  });
  after(() => servers?.stop());
  beforeEach(() => {
    cluster = withValueCodec(new Cluster([...servers.startupNodes]), OPTIONS);
  });
  afterEach(() => cluster.disconnect());

  /** What the node that owns a key holds, read by a bare client. */
  async function heldAt(key: string): Promise<Buffer | null> {
    const owner = await servers.ownerOf(await servers.slotOf(key));
    const bare = new Redis(owner.port);
    try {
      return await bare.getBuffer(key);
    } finally {
      bare.disconnect();
    }
  }

  async function assertFramedOnce(key: string): Promise<void> {
    const held = await heldAt(key);
    assert.ok(held !== null && isFrame(held), "a frame is held");
    const content = valueCodecOf(cluster).decode(key, held);
    assert.equal(content.toString(), PAGE);
  }

  test("frames and decodes on every node", async () => {
    const keys = Array.from({ length: 30 }, (_, i) => `page:${i}`);
    await Promise.all(keys.map((key) => cluster.set(key, PAGE)));
    assert.deepEqual(
      await Promise.all(keys.map((key) => cluster.get(key))),
      keys.map(() => PAGE),
    );
    for (const key of keys.slice(0, 6)) await assertFramedOnce(key);
  });

  test("decodes pipelines, transactions and batches", async () => {
    const replies = await cluster
      .pipeline([["set", "{page}1", PAGE]])
      .get("{page}1")
      .hset("{page}h", { a: PAGE })
      .hgetall("{page}h")
      .exec();
    assert.deepEqual(replies, [
      [null, "OK"],
      [null, PAGE],
      [null, 1],
      [null, { a: PAGE }],
    ]);
    const queued = await cluster.multi().set("{page}2", PAGE).get("{page}2").exec();
    assert.deepEqual(queued, [
      [null, "OK"],
      [null, PAGE],
    ]);
    await assertFramedOnce("{page}2");
  });

  test("reads values at call time under auto-pipelining, also before the slots are known", async () => {
    const auto = withValueCodec(
      new Cluster([...servers.startupNodes], { enableAutoPipelining: true, lazyConnect: true }),
      OPTIONS,
    );
    const value = Buffer.from(PAGE);
    const bytes = new Uint8Array([255, 0, 1]);
    const sent = [auto.set("page:a", value), auto.set("page:b", bytes as Buffer)];
    value.fill(0);
    bytes.fill(9);
    await assert.rejects(auto.set("page:c", { not: "a value" } as never), TypeError);
    await Promise.all(sent);
    assert.deepEqual(await Promise.all([auto.get("page:a"), auto.getBuffer("page:b")]), [PAGE, Buffer.from([255, 0, 1])]);
    auto.disconnect();
  });

  test("a refused command keeps its place in a pipeline and aborts a transaction", async () => {
    const replies = await cluster.pipeline().set("{page}3", PAGE).append("{page}3", "x").get("{page}3").exec();
    assert.deepEqual(replies?.[0], [null, "OK"]);
    assert.equal(codeOf(replies?.[1]?.[0]), "CODEC_COMMAND_UNSAFE");
    assert.deepEqual(replies?.[2], [null, PAGE]);
    await assert.rejects(
      cluster.multi().set("{page}3", "overwritten".repeat(20)).append("{page}3", "x").exec(),
      (error: Error) => {
        assert.match(error.message, /^EXECABORT/);
        const [refusal] = (error as Error & { previousErrors: unknown[] }).previousErrors;
        return codeOf(refusal) === "CODEC_COMMAND_UNSAFE";
      },
    );
    assert.equal(await cluster.get("{page}3"), PAGE);
  });

  test("follows MOVED with a command, a pipeline and a pipeline with a refusal, each framed once", async () => {
    await cluster.get("page:warm");
    const slot = await servers.slotOf("{page}m");
    const target = await servers.strangerTo(slot);
    await servers.moveSlot(slot, target);
    const fresh = withValueCodec(new Cluster([...servers.startupNodes], { slotsRefreshInterval: 0 } as object), OPTIONS);
    await fresh.get("page:warm");
    await servers.moveSlot(slot, await servers.strangerTo(slot));
    assert.equal(await fresh.set("{page}m", PAGE), "OK");
    await assertFramedOnce("{page}m");

    await servers.moveSlot(slot, await servers.strangerTo(slot));
    assert.deepEqual(await fresh.pipeline().set("{page}m", PAGE).get("{page}m").exec(), [
      [null, "OK"],
      [null, PAGE],
    ]);
    await assertFramedOnce("{page}m");

    await servers.moveSlot(slot, await servers.strangerTo(slot));
    const replies = await fresh.pipeline().get("{page}m").append("{page}m", "x").get("{page}m").exec();
    assert.deepEqual(
      [replies?.[0], replies?.[2]],
      [
        [null, PAGE],
        [null, PAGE],
      ],
    );
    assert.equal(codeOf(replies?.[1]?.[0]), "CODEC_COMMAND_UNSAFE");
    fresh.disconnect();
  });

  test("follows ASK while a slot is being moved", async () => {
    const slot = await servers.slotOf("{page}n");
    const target = await servers.strangerTo(slot);
    await cluster.set("{page}n", PAGE);
    await servers.beginMove(slot, target);
    await servers.moveKeys(slot, target);
    assert.equal(await cluster.get("{page}n"), PAGE);
    assert.equal(await cluster.set("{page}n", PAGE), "OK");
    assert.deepEqual(await cluster.pipeline().get("{page}n").set("{page}n", PAGE).exec(), [
      [null, PAGE],
      [null, "OK"],
    ]);
    const replies = await cluster.pipeline().get("{page}n").append("{page}n", "x").get("{page}n").exec();
    assert.deepEqual(
      [replies?.[0], replies?.[2]],
      [
        [null, PAGE],
        [null, PAGE],
      ],
    );
    assert.equal(codeOf(replies?.[1]?.[0]), "CODEC_COMMAND_UNSAFE");
    await servers.finishMove(slot, target);
    await assertFramedOnce("{page}n");
  });

  test("attaches to its nodes and to its duplicates", async () => {
    const prefixed = withValueCodec(new Cluster([...servers.startupNodes], { keyPrefix: "app:" }), OPTIONS);
    await prefixed.set("page:x", PAGE);
    assert.ok(isFrame((await heldAt("app:page:x")) ?? Buffer.alloc(0)));
    const owner = await servers.ownerOf(await servers.slotOf("app:page:x"));
    const node = prefixed.nodes("master").find((one) => one.options.port === owner.port);
    assert.equal(await node?.get("app:page:x"), PAGE, "a node sees the key as it is sent");
    const copy = prefixed.duplicate();
    assert.equal(await copy.get("page:x"), PAGE);
    copy.disconnect();
    prefixed.disconnect();
  });
});
