import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type CodecError, stored } from "@tightwire/codec-core";
import { attachmentOf } from "../../src/seam/attachment.ts";
import { createClient, type StubClient } from "../support/client.ts";
import { createCommand } from "../support/commands.ts";

const LONG = "v".repeat(100);
const PREFIXES = { "a:": { compressor: stored() } } as const;

async function begin(): Promise<StubClient> {
  const client = createClient(PREFIXES);
  await client.set("a:1", LONG);
  await client.multi({ pipeline: false });
  return client;
}

function damage(client: StubClient, key: string): void {
  const held = Buffer.from(client.server.held(key) ?? "");
  held[30] = (held[30] ?? 0) ^ 1;
  client.server.hold(key, held);
}

const codeOf = (error: unknown) => (error as CodecError | null)?.code;
const isOpen = (client: StubClient) => attachmentOf(client)?.transaction !== undefined;

suite("a transaction without a pipeline", () => {
  test("decodes the elements of EXEC's reply", async () => {
    const client = await begin();
    assert.equal(await client.get("a:1"), "QUEUED");
    assert.equal(await client.set("a:2", LONG), "QUEUED");
    assert.equal(await client.ping(), "QUEUED");
    assert.equal(await client.hset("a:h", "f", LONG), "QUEUED");
    assert.equal(await client.hgetall("a:h"), "QUEUED");
    assert.deepEqual(await client.exec(), [
      [null, LONG],
      [null, "OK"],
      [null, "PONG"],
      [null, 1],
      // As ioredis does without a pipeline: EXEC's reply is not converted command by command.
      [null, ["f", LONG]],
    ]);
    assert.equal(client.server.held("a:2")?.length, 118);
  });

  test("decodes the elements when nobody waits between the calls", async () => {
    const client = createClient(PREFIXES);
    await client.set("a:1", LONG);
    const all = [client.multi({ pipeline: false }), client.get("a:1"), client.mget("a:1", "x:1"), client.exec()];
    const replies = await Promise.all(all);
    assert.deepEqual(replies.slice(0, 3), ["OK", "QUEUED", "QUEUED"]);
    assert.deepEqual(replies[3], [
      [null, LONG],
      [null, [LONG, null]],
    ]);
  });

  test("gives the elements of execBuffer as bytes", async () => {
    const client = await begin();
    await client.get("a:1");
    const replies = await (client as never as { execBuffer(): Promise<unknown[]> }).execBuffer();
    assert.deepEqual(replies, [Buffer.from(LONG)]);
  });

  test("gives a bad value's error in its place", async () => {
    const client = await begin();
    damage(client, "a:1");
    await client.get("a:1");
    await client.mget("x:1", "a:1");
    await client.ping();
    const [first, second, third] = (await client.exec()) ?? [];
    assert.equal(codeOf(first?.[0]), "CODEC_CHECKSUM_MISMATCH");
    assert.equal(codeOf(second?.[0]), "CODEC_CHECKSUM_MISMATCH");
    assert.deepEqual(third, [null, "PONG"]);
  });

  test("is aborted by a refused command", async () => {
    const client = await begin();
    await client.get("a:1");
    await assert.rejects(client.append("a:1", "x"), { code: "CODEC_COMMAND_UNSAFE" });
    await assert.rejects(client.exec(), /EXECABORT/);
    assert.equal(await client.get("a:1"), LONG);
  });

  test("does not count a command that the server did not queue", async () => {
    const client = await begin();
    await client.get("a:1");
    const refusedHere = createCommand("get", ["a:1"]);
    const { sendCommand } = Object.getPrototypeOf(client);
    Object.getPrototypeOf(client).sendCommand = () => refusedHere.reject(new Error("not sent"));
    try {
      client.sendCommand(refusedHere);
    } finally {
      Object.getPrototypeOf(client).sendCommand = sendCommand;
    }
    await assert.rejects(refusedHere.promise, /not sent/);
    await client.get("a:1");
    assert.deepEqual(await client.exec(), [
      [null, LONG],
      [null, LONG],
    ]);
  });

  test("is over after EXEC", async () => {
    const client = await begin();
    assert.ok(isOpen(client));
    await client.exec();
    assert.equal(isOpen(client), false);
    assert.equal(await client.get("a:1"), LONG);
    await assert.rejects(client.append("a:1", "x"), { code: "CODEC_COMMAND_UNSAFE" });
    assert.deepEqual(client.server.received.at(-1), ["type", "a:1"]);
  });

  test("is over after DISCARD", async () => {
    const client = await begin();
    await client.get("a:1");
    assert.equal(await client.discard(), "OK");
    assert.equal(isOpen(client), false);
    assert.equal(await client.get("a:1"), LONG);
  });

  test("is over with its connection", async () => {
    const client = await begin();
    await client.get("a:1");
    client.reconnect();
    assert.equal(await client.get("a:1"), LONG);
    assert.equal(isOpen(client), false);
  });

  test("begins anew when its commands are sent again on another connection", async () => {
    const client = createClient(PREFIXES);
    await client.set("a:1", LONG);
    const commands = [createCommand("multi"), createCommand("get", ["a:1"]), createCommand("exec")];
    for (const command of commands) client.sendCommand(command);
    client.reconnect();
    for (const command of commands) command.initPromise();
    for (const command of commands) client.sendCommand(command);
    assert.deepEqual(await Promise.all(commands.map(({ promise }) => promise)), ["OK", "QUEUED", [LONG]]);
  });

  test("begins with MULTI in whatever case it is spelled", async () => {
    const client = createClient(PREFIXES);
    await client.set("a:1", LONG);
    await client.call("MULTI");
    await client.call("GET", "a:1");
    assert.deepEqual(await client.call("EXEC"), [LONG]);
  });

  test("is not begun by a pipeline's", async () => {
    const client = createClient(PREFIXES);
    const executed = client.multi().get("a:1").exec();
    assert.equal(isOpen(client), false);
    await executed;
    assert.equal(isOpen(client), false);
  });

  test("is not left open by a pipeline's that ioredis does not know as one", async () => {
    const client = createClient(PREFIXES);
    await client.set("a:1", LONG);
    const results = await client.pipeline().call("multi").ping().call("exec").get("a:1").exec();
    assert.deepEqual(
      results?.map(([, result]) => result),
      ["OK", "QUEUED", ["PONG"], LONG],
    );
    assert.equal(isOpen(client), false);
    assert.equal(await client.get("a:1"), LONG);
  });

  test("takes the commands of a pipeline for its own", async () => {
    const client = await begin();
    const queued = await client.pipeline().get("a:1").ping().exec();
    assert.deepEqual(queued, [
      [null, "QUEUED"],
      [null, "QUEUED"],
    ]);
    assert.deepEqual(await client.exec(), [
      [null, LONG],
      [null, "PONG"],
    ]);
  });

  test("leaves the commands of other clients alone", async () => {
    const client = await begin();
    const copy: StubClient = client.duplicate();
    assert.equal(await copy.get("a:1"), LONG);
    assert.equal(isOpen(copy), false);
  });
});
