import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type CodecError, isFrame, msgpack, stored } from "@tightwire/codec-core";
import { stateOf } from "../../src/seam/command-state.ts";
import { valueCodecOf } from "../../src/with-value-codec.ts";
import { createClient, loosen, StubClient } from "../support/client.ts";
import { createCluster } from "../support/cluster.ts";
import { createCommand, type StubCommand } from "../support/commands.ts";

const LONG = "v".repeat(100);
const PREFIXES = { "a:": { compressor: stored() }, "small:": { compressor: stored(), maxContentBytes: 50 } } as const;

const send = (client: StubClient, command: StubCommand) => client.sendCommand(command as never);
const isFrameText = (value: unknown) => Buffer.isBuffer(value) && isFrame(value);

suite("sendCommand()", () => {
  test("encodes a command once, however often it is sent", async () => {
    const client = createClient(PREFIXES);
    const command = createCommand("set", ["a:1", LONG]);
    for (let i = 0; i < 3; i++) await send(client, command);
    const values = client.server.received.map(([, , value]) => value);
    assert.equal(values.length, 3);
    assert.ok(isFrameText(values[0]));
    assert.deepEqual(values[1], values[0]);
    assert.deepEqual(values[2], values[0]);
    assert.equal(valueCodecOf(client).stats()["a:"]?.encoded, 1);
  });

  test("has ioredis write frames as bytes", async () => {
    const client = createClient(PREFIXES);
    const command = createCommand("set", ["a:1", LONG]);
    await send(client, command);
    const frame = command.args[1];
    assert.ok(Buffer.isBuffer(frame) && isFrame(frame));
    assert.ok(Buffer.from(command.toWritable({})).includes(frame));
  });

  test("encodes a command once on its way from one wrapped client to another", async () => {
    const command = createCommand("set", ["a:1", LONG]);
    await send(createClient(PREFIXES), command);
    const second = createClient(PREFIXES);
    await send(second, command);
    assert.equal(second.server.held("a:1")?.length, 118);
    assert.equal(valueCodecOf(second).stats()["a:"]?.encoded ?? 0, 0);
  });

  test("encodes once a value that looks like a frame", async () => {
    const client = createClient(PREFIXES);
    const frame = valueCodecOf(client).encode("a:1", LONG);
    await client.set("a:1", frame);
    assert.equal(client.server.held("a:1")?.length, frame.length + 18);
    assert.deepEqual(await client.getBuffer("a:1"), frame);
  });

  test("leaves a command under no rule as ioredis made it", async () => {
    const client = createClient(PREFIXES);
    for (const [name, ...args] of [
      ["set", "x:1", LONG],
      ["get", "x:1"],
      ["mget", "x:1", "y:1"],
      ["hgetall", "x:1"],
      ["ping"],
    ] as const) {
      const command = createCommand(name, args);
      const { args: before } = command;
      await send(client, command);
      assert.equal(command.args, before);
      assert.deepEqual(command.args, args);
      assert.equal(stateOf(command), undefined);
      assert.equal(Object.hasOwn(command, "transformReply"), false);
    }
  });

  test("leaves a reply without values to ioredis", async () => {
    const client = createClient(PREFIXES);
    const command = createCommand("set", ["a:1", LONG]);
    assert.equal(await send(client, command), "OK");
    assert.equal(Object.hasOwn(command, "transformReply"), false);
  });

  test("sends the old value of SET GET decoded", async () => {
    const client = createClient(PREFIXES);
    await client.set("a:1", LONG);
    assert.equal(await client.set("a:1", "new", "GET"), LONG);
    assert.equal(await client.set("a:1", LONG, "GET"), "new");
  });

  test("decodes replies by key only where a key has a rule", async () => {
    const client = createClient(PREFIXES);
    await client.mset("a:1", LONG, "x:1", LONG);
    assert.deepEqual(await client.mget("x:1", "a:1", "a:2"), [LONG, LONG, null]);
    client.server.hold("x:1", Buffer.from(client.server.held("a:1") ?? ""));
    const [leftAlone, decoded] = await client.mgetBuffer("x:1", "a:1");
    assert.ok(isFrameText(leftAlone));
    assert.deepEqual(decoded, Buffer.from(LONG));
  });

  test("never changes a Buffer of the caller, and is not changed by one", async () => {
    const client = createClient(PREFIXES);
    for (const size of [10, 100]) {
      const value = Buffer.alloc(size, "v");
      const sent = client.set("a:1", value);
      assert.deepEqual(value, Buffer.alloc(size, "v"));
      value.fill("w");
      await sent;
      assert.equal(await client.get("a:1"), "v".repeat(size));
    }
  });

  test("rejects a command with a value that is too large, and writes nothing", async () => {
    const client = createClient(PREFIXES);
    await assert.rejects(client.set("small:1", LONG), { code: "CODEC_SIZE_LIMIT", key: "small:1", command: "set" });
    await assert.rejects(client.mset("a:1", LONG, "small:1", LONG), { code: "CODEC_SIZE_LIMIT", key: "small:1" });
    assert.deepEqual(client.server.names(), ["type", "type"]);
    assert.equal(client.server.held("a:1"), undefined);
  });

  test("rejects an unsafe command, and sends a stand-in on its key", async () => {
    const client = createClient(PREFIXES, { keyPrefix: "app:" });
    await assert.rejects(client.append("a:1", "x"), { code: "CODEC_COMMAND_UNSAFE", key: "a:1", command: "append" });
    await assert.rejects(client.call("APPEND", "a:1", "x"), { code: "CODEC_COMMAND_UNSAFE", command: "append" });
    assert.deepEqual(client.server.received, [
      ["type", "app:a:1"],
      ["type", "app:a:1"],
    ]);
  });

  test("sends the stand-in again when the connection is lost, not the command", async () => {
    const client = createClient(PREFIXES);
    const command = createCommand("append", ["a:1", "x"]);
    await assert.rejects(async () => send(client, command));
    await assert.rejects(async () => send(client, command));
    assert.deepEqual(client.server.received, [
      ["type", "a:1"],
      ["type", "a:1"],
    ]);
  });

  test("hands a refusal to a callback", async () => {
    const client = createClient(PREFIXES);
    const code = await new Promise((resolve) => {
      client.append("a:1", "x", (error) => resolve(Reflect.get(error ?? {}, "code")));
    });
    assert.equal(code, "CODEC_COMMAND_UNSAFE");
  });

  test("refuses only its command in a pipeline, which keeps its place", async () => {
    const client = createClient(PREFIXES);
    const results = await client.pipeline().set("a:1", LONG).append("a:1", "x").get("a:1").set("small:1", LONG).ping().exec();
    assert.deepEqual(
      results?.map(([error, result]) => (error === null ? result : Reflect.get(error, "code"))),
      ["OK", "CODEC_COMMAND_UNSAFE", LONG, "CODEC_SIZE_LIMIT", "PONG"],
    );
    assert.deepEqual(client.server.names(), ["set", "type", "get", "type", "ping"]);
  });

  test("aborts a transaction with a refused command", async () => {
    const client = createClient(PREFIXES);
    const executed = client.multi().set("a:1", LONG).append("a:1", "x").exec();
    await assert.rejects(executed, (error: Error & { previousErrors: Error[] }) => {
      assert.match(error.message, /^EXECABORT/);
      assert.deepEqual(
        error.previousErrors.map((one) => Reflect.get(one, "code")),
        ["CODEC_COMMAND_UNSAFE"],
      );
      return true;
    });
    assert.equal(client.server.held("a:1"), undefined);
  });

  test("hands the command on with the stream and the node it came with", async () => {
    const client = createClient(PREFIXES);
    const seen: unknown[] = [];
    const { sendCommand: inherited } = StubClient.prototype;
    StubClient.prototype.sendCommand = function (command, ...rest: unknown[]) {
      seen.push(...rest);
      return inherited.call(this, command);
    };
    try {
      const [stream, node] = [{ write() {} }, { slot: 1 }];
      await (client.sendCommand as (...args: unknown[]) => Promise<unknown>)(createCommand("ping"), stream, node);
      assert.deepEqual(seen, [stream, node]);
    } finally {
      StubClient.prototype.sendCommand = inherited;
    }
  });
});

suite("commands of every data type", () => {
  const channels = { "feed.": { compressor: stored() } };

  test("hold elements of lists as frames, and give them back by the key that the reply names", async () => {
    for (const keyPrefix of ["", "app:"]) {
      const client = createClient(PREFIXES, { keyPrefix });
      await client.rpush("a:1", LONG, "short", LONG);
      assert.deepEqual(
        client.server.heldElements(`${keyPrefix}a:1`).map((held) => isFrame(held)),
        [true, false, true],
      );
      assert.deepEqual(await client.lrange("a:1", 0, -1), [LONG, "short", LONG]);
      assert.deepEqual(await client.blpop("a:1", 0), [`${keyPrefix}a:1`, LONG]);
      assert.deepEqual(await client.blpop("a:1", "x:1", 0), [`${keyPrefix}a:1`, "short"]);
      assert.deepEqual(await client.blpopBuffer("a:1", 0), [Buffer.from(`${keyPrefix}a:1`), Buffer.from(LONG)]);
      assert.equal(await client.blpop("a:1", 0), null);
    }
  });

  test("hold fields of streams' entries as frames, and give them back", async () => {
    const client = createClient(PREFIXES);
    client.server.answer("xadd", ([, , , value]) => {
      const entries = () => [[Buffer.from("1-1"), [Buffer.from("f"), Buffer.from(value as Buffer)]]];
      client.server.answer("xrange", entries);
      client.server.answer("xread", () => [[Buffer.from("a:1"), entries()]]);
      client.server.answer("xautoclaim", () => [Buffer.from("0-0"), entries(), []]);
      client.server.answer("xinfo", () => [Buffer.from("first-entry"), entries()[0]]);
      return Buffer.from("1-1");
    });
    assert.equal(await client.xadd("a:1", "*", "f", LONG), "1-1");
    assert.ok(isFrameText(client.server.received[0]?.[4]));
    assert.deepEqual(await client.xrange("a:1", "-", "+"), [["1-1", ["f", LONG]]]);
    assert.deepEqual(await client.xread("STREAMS", "a:1", "0"), [["a:1", [["1-1", ["f", LONG]]]]]);
    assert.deepEqual(await client.xautoclaim("a:1", "g", "c", 0, "0"), ["0-0", [["1-1", ["f", LONG]]], []]);
    assert.deepEqual(await client.call("XINFO", "STREAM", "a:1"), ["first-entry", ["1-1", ["f", LONG]]]);
  });

  test("decode a reply that names its keys by the rules under which its command was sent", async () => {
    const client = createClient(PREFIXES);
    await client.rpush("a:1", LONG, LONG);
    const reply = client.blpop("a:1", 0);
    valueCodecOf(client).setRules({ prefixes: {} });
    assert.deepEqual(await reply, ["a:1", LONG]);
    const [, second] = (await client.blpopBuffer("a:1", 0)) ?? [];
    assert.ok(isFrameText(second));
  });

  test("leave replies that name keys alone where there is no rule at all", async () => {
    const client = createClient({});
    await client.rpush("a:1", LONG);
    const command = createCommand("blpop", ["a:1", "0"]);
    assert.deepEqual(await send(client, command), ["a:1", LONG]);
    assert.equal(stateOf(command), undefined);
  });

  test("say where a bad value stands, with the good ones beside it", async () => {
    const client = createClient(PREFIXES, { keyPrefix: "app:" });
    const frame = valueCodecOf(client).encode("a:1", LONG);
    const bad = Buffer.from(frame);
    bad[30] = 0;
    client.server.answer("lmpop", () => [Buffer.from("app:a:1"), [Buffer.from(frame), Buffer.from(bad)]]);
    await assert.rejects(client.lmpop(1, "a:1", "LEFT"), (error: CodecError) => {
      const [key, [first, second]] = error.reply as [string, [string, CodecError]];
      assert.deepEqual([key, first], ["app:a:1", LONG]);
      assert.deepEqual([second.code, second.key, second.index], ["CODEC_CHECKSUM_MISMATCH", "a:1", 1]);
      return error.key === "a:1" && error.command === "lmpop";
    });
  });

  test("frame messages by the rule of their channel", async () => {
    const client = createClient({}, { keyPrefix: "app:" }, { channels });
    for (const name of ["publish", "spublish"]) client.server.answer(name, () => 1);
    await client.publish("feed.1", LONG);
    await client.spublish("feed.1", LONG);
    await client.publish("other.1", LONG);
    assert.deepEqual(
      client.server.received.map(([name, channel, message]) => [name, channel, isFrameText(message)]),
      [
        ["publish", "feed.1", true],
        ["spublish", "app:feed.1", true],
        ["publish", "other.1", false],
      ],
    );
  });

  test("refuse what compares values, or send the held form of the value", async () => {
    const client = createClient({ ...PREFIXES, "c:": { compressor: stored(), comparands: "encode" } });
    client.server.answer("lrem", () => 1);
    await assert.rejects(client.lrem("a:1", 0, LONG), { code: "CODEC_COMMAND_UNSAFE", key: "a:1", command: "lrem" });
    assert.equal(await client.lrem("a:1", 0, "token"), 1);
    assert.deepEqual(client.server.received.at(-1), ["lrem", "a:1", "0", "token"]);
    assert.equal(await client.lrem("c:1", 0, LONG), 1);
    assert.deepEqual(client.server.received.at(-1), ["lrem", "c:1", "0", valueCodecOf(client).encode("c:1", LONG)]);
  });
});

suite("values that are compared under a serializer", () => {
  const prefixes = { "m:": { compressor: stored(), serializer: msgpack() } } as const;

  test("are refused where they are held as frames", async () => {
    for (const value of [{ user: "ada" }, new Date(0), new Uint8Array(3), null]) {
      const client = createClient(prefixes);
      client.server.answer("lrem", () => 0);
      await assert.rejects(async () => loosen(client)["lrem"]?.("m:1", 0, value), { code: "CODEC_COMMAND_UNSAFE" });
    }
  });

  test("are refused or compared as they are held, if they are text or numbers", async () => {
    const client = createClient(prefixes);
    client.server.answer("lrem", () => 1);
    await assert.rejects(client.lrem("m:1", 0, LONG), { code: "CODEC_COMMAND_UNSAFE" });
    assert.equal(await client.lrem("m:1", 0, "token"), 1);
    // A number and its text are one argument for ioredis; as text it would be a frame.
    await assert.rejects(client.lrem("m:1", 0, "42"), { code: "CODEC_COMMAND_UNSAFE" });
  });
});

suite("queueCommand()", () => {
  test("encodes when the value is passed, not when the pipeline is sent", async () => {
    const client = createClient(PREFIXES);
    const value = Buffer.alloc(100, "v");
    const pipeline = client.pipeline().set("a:1", value);
    value.fill("w");
    assert.equal(valueCodecOf(client).stats()["a:"]?.encoded, 1);
    valueCodecOf(client).setRules({ prefixes: {} });
    await pipeline.exec();
    assert.ok(isFrameText(client.server.held("a:1")));
  });

  test("decodes every kind of reply in a pipeline", async () => {
    const client = createClient(PREFIXES);
    const results = await client
      .pipeline()
      .set("a:1", LONG)
      .get("a:1")
      .getBuffer("a:1")
      .hset("a:h", { f: LONG, g: 1 })
      .hgetall("a:h")
      .mget("a:1", "x:1")
      .call("GET", "a:1")
      .exec();
    assert.deepEqual(
      results?.map(([, result]) => result),
      ["OK", LONG, Buffer.from(LONG), 2, { f: LONG, g: "1" }, [LONG, null], LONG],
    );
  });

  test("decodes every kind of reply in a transaction", async () => {
    const client = createClient(PREFIXES);
    const results = await client.multi().set("a:1", LONG).hset("a:h", "f", LONG).get("a:1").hgetall("a:h").ping().exec();
    assert.deepEqual(
      results?.map(([, result]) => result),
      ["OK", 1, LONG, { f: LONG }, "PONG"],
    );
  });
});

suite("commands of a cluster", () => {
  test("are encoded by the cluster and by none of its nodes", async () => {
    const cluster = createCluster(PREFIXES, { keyPrefix: "a:" });
    await cluster.set("1", LONG);
    await cluster.set("a:1", LONG);
    assert.equal(cluster.server.held("a:1")?.toString(), LONG);
    assert.ok(isFrameText(cluster.server.held("a:a:1")));
    assert.equal(await cluster.get("1"), LONG);
    assert.equal(await cluster.get("a:1"), LONG);
  });

  test("are left alone by its nodes where the cluster left them alone", async () => {
    const cluster = createCluster(PREFIXES, { keyPrefix: "app:" });
    // A command whose keys ioredis does not know: the key is the caller's, whatever it begins with.
    const command = createCommand("set", ["app:a:1", LONG]);
    command.getKeys = () => [];
    await send(cluster, command);
    assert.equal(cluster.server.held("app:a:1")?.toString(), LONG);
  });

  test("keep their first refusal on the way to a node", async () => {
    const cluster = createCluster(PREFIXES);
    await assert.rejects(cluster.append("a:1", "x"), { code: "CODEC_COMMAND_UNSAFE" });
    assert.deepEqual(cluster.server.received, [["type", "a:1"]]);
  });
});
