import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type CodecError, createValueCodec, isCodecError, json, stored } from "@tightwire/codec-core";
import type { ChannelRule } from "../../src/options.ts";
import { valueCodecOf, withValueCodec } from "../../src/with-value-codec.ts";
import { StubClient, type StubOptions } from "../support/client.ts";
import { StubCluster } from "../support/cluster.ts";
import { collectErrors } from "../support/keys.ts";

const codec = createValueCodec({ compressor: stored() });
const frame = (text: string) => codec.encode(Buffer.from(text));
const CHANNELS = {
  "feed.": { compressor: stored() },
  "json.": { compressor: stored(), serializer: json() },
  "raw.": "raw",
} as const;

function damage(text: string): Buffer {
  const bad = frame(text);
  bad[18] = (bad[18] ?? 0) ^ 1;
  return bad;
}

interface Setting {
  readonly channels?: Readonly<Record<string, ChannelRule>>;
  readonly options?: StubOptions;
  readonly onError?: (error: CodecError) => void;
  readonly cluster?: true;
}

function createSubscriber({ channels = CHANNELS, options = {}, onError, cluster }: Setting = {}): StubClient {
  const client = cluster === true ? new StubCluster(options) : new StubClient(options);
  withValueCodec(client, { prefixes: {}, channels, ...(onError !== undefined && { onError }) });
  return client;
}

/** Notes every event that a listener gets. */
function listen(client: StubClient, ...names: string[]): unknown[][] {
  const heard: unknown[][] = [];
  for (const name of names) client.on(name, (...args: unknown[]) => heard.push([name, ...args]));
  return heard;
}

/** What ioredis does with a message: first as text if anybody wants that, then as bytes. */
function receive(client: StubClient, kind: "message" | "pmessage" | "smessage", channel: string, message: Buffer): void {
  const bytes = [...(kind === "pmessage" ? [Buffer.from("*")] : []), Buffer.from(channel), message];
  const text = bytes.map((one, i) => (kind === "pmessage" && i === 0 ? "*" : one.toString()));
  if (client.listenerCount(kind) > 0) client.emit(kind, ...text);
  const before = kind === "pmessage" ? ["*"] : [];
  client.emit(`${kind}Buffer`, ...before, Buffer.from(channel), message);
}

suite("emit()", () => {
  for (const kind of ["message", "smessage"] as const) {
    test(`gives ${kind} decoded, as text and as bytes, once each`, () => {
      const client = createSubscriber();
      const heard = listen(client, kind, `${kind}Buffer`);
      receive(client, kind, "feed.1", frame("é"));
      assert.deepEqual(heard, [
        [kind, "feed.1", "é"],
        [`${kind}Buffer`, Buffer.from("feed.1"), Buffer.from("é")],
      ]);
    });
  }

  test("gives pmessage decoded, behind its pattern, by the rule of the channel", () => {
    const client = createSubscriber();
    const heard = listen(client, "pmessage", "pmessageBuffer");
    receive(client, "pmessage", "feed.1", frame("é"));
    receive(client, "pmessage", "other.1", Buffer.from("x"));
    assert.deepEqual(heard, [
      ["pmessage", "*", "feed.1", "é"],
      ["pmessageBuffer", "*", Buffer.from("feed.1"), Buffer.from("é")],
      ["pmessage", "*", "other.1", "x"],
      ["pmessageBuffer", "*", Buffer.from("other.1"), Buffer.from("x")],
    ]);
  });

  test("gives the serializer's value in the place of text", () => {
    const client = createSubscriber();
    const heard = listen(client, "message", "messageBuffer");
    receive(client, "message", "json.1", frame('{"user":"ada"}'));
    receive(client, "message", "json.1", Buffer.from("42"));
    assert.deepEqual(heard, [
      ["message", "json.1", { user: "ada" }],
      ["messageBuffer", Buffer.from("json.1"), Buffer.from('{"user":"ada"}')],
      ["message", "json.1", 42],
      ["messageBuffer", Buffer.from("json.1"), Buffer.from("42")],
    ]);
  });

  test("gives a message to those who want text alone, or bytes alone", () => {
    for (const name of ["message", "messageBuffer"]) {
      const client = createSubscriber();
      const heard = listen(client, name);
      receive(client, "message", "feed.1", frame("x"));
      assert.equal(heard.length, 1);
    }
  });

  test("leaves messages of channels under no rule as they are", () => {
    for (const channels of [CHANNELS, {}, { "feed.": "raw" }] as const) {
      const client = createSubscriber({ channels });
      const heard = listen(client, "message", "messageBuffer");
      const message = frame("x");
      const channel = channels === CHANNELS ? "raw.1" : "feed.1";
      receive(client, "message", channel, message);
      assert.deepEqual(heard, [
        ["message", channel, message.toString()],
        ["messageBuffer", Buffer.from(channel), message],
      ]);
      assert.equal(heard[1]?.[2], message);
    }
  });

  test("leaves every other event alone, and says whether anybody listens", () => {
    const client = createSubscriber();
    const heard = listen(client, "ready", "feed.1");
    assert.equal(client.emit("ready", 1, 2), true);
    assert.equal(client.emit("feed.1"), true);
    assert.equal(client.emit("close"), false);
    assert.deepEqual(heard, [["ready", 1, 2], ["feed.1"]]);
  });

  test("says whether anybody listens to a message", () => {
    const [deaf, text, bytes] = [createSubscriber(), createSubscriber(), createSubscriber()];
    listen(text, "message");
    listen(bytes, "messageBuffer");
    const args = ["feed.1", frame("x").toString()];
    assert.deepEqual(
      [deaf, text, bytes].map((client) => client.emit("message", ...args)),
      [false, true, false],
    );
    assert.deepEqual(
      [deaf, text, bytes].map((client) => client.emit("messageBuffer", Buffer.from("feed.1"), frame("x"))),
      [false, true, true],
    );
    deaf.on("error", () => {});
    assert.equal(deaf.emit("messageBuffer", Buffer.from("feed.1"), damage("x")), false);
  });

  test("passes on an event of bytes that carries none", () => {
    const client = createSubscriber();
    const heard = listen(client, "message", "messageBuffer");
    client.emit("messageBuffer", Buffer.from("feed.1"), null);
    assert.deepEqual(heard, [["messageBuffer", Buffer.from("feed.1"), null]]);
  });

  test("names the logical channel of a damaged sharded message", () => {
    const errors: unknown[] = [];
    const client = createSubscriber({ options: { keyPrefix: "app:" } });
    client.on("error", (error) => errors.push(error));
    const damaged = Buffer.from(frame("x"));
    damaged.writeUInt8(damaged.readUInt8(10) ^ 1, 10);
    receive(client, "smessage", "app:feed.1", damaged);
    assert.deepEqual(
      errors.map((error) => (error as { key: unknown }).key),
      ["feed.1"],
    );
  });

  test("strips the keyPrefix of sharded channels alone, which ioredis put before them", () => {
    const client = createSubscriber({ options: { keyPrefix: "app:" } });
    const heard = listen(client, "message", "smessage");
    receive(client, "smessage", "app:feed.1", frame("x"));
    receive(client, "smessage", "feed.1", Buffer.from("plain"));
    receive(client, "message", "feed.1", frame("x"));
    receive(client, "message", "app:feed.1", Buffer.from("plain"));
    assert.deepEqual(heard, [
      ["smessage", "app:feed.1", "x"],
      ["smessage", "feed.1", "plain"],
      ["message", "feed.1", "x"],
      ["message", "app:feed.1", "plain"],
    ]);
  });

  test("decodes what a cluster forwards", () => {
    const client = createSubscriber({ cluster: true });
    const heard = listen(client, "message");
    receive(client, "message", "feed.1", frame("x"));
    assert.deepEqual(heard, [["message", "feed.1", "x"]]);
  });

  test("calls the client's own emit of before, with what was decoded", () => {
    const client = new StubClient();
    const seen: unknown[] = [];
    const { emit } = client;
    Object.assign(client, {
      emit(this: StubClient, ...args: unknown[]) {
        seen.push(args);
        return Reflect.apply(emit, this, args);
      },
    });
    withValueCodec(client, { prefixes: {}, channels: CHANNELS });
    receive(client, "message", "feed.1", frame("x"));
    assert.deepEqual(seen, [
      ["message", "feed.1", "x"],
      ["messageBuffer", Buffer.from("feed.1"), Buffer.from("x")],
    ]);
  });

  test("counts messages under the name of the channel's prefix", () => {
    const client = createSubscriber();
    client.on("error", () => {});
    receive(client, "message", "feed.1", frame("x"));
    receive(client, "message", "feed.1", damage("x"));
    const { decoded, errors } = valueCodecOf(client).stats()["channel:feed."] ?? {};
    assert.deepEqual([decoded, errors], [1, { CODEC_CHECKSUM_MISMATCH: 1 }]);
  });
});

suite("a damaged message", () => {
  test("is dropped, and reported to onError and to listeners of errors", () => {
    const { errors, onError } = collectErrors();
    const client = createSubscriber({ onError });
    const heard = listen(client, "message", "messageBuffer", "error");
    const message = damage("x");
    receive(client, "message", "feed.1", message);
    receive(client, "message", "feed.1", frame("y"));
    const [first, ...rest] = heard;
    assert.equal(first?.[0], "error");
    assert.deepEqual(first?.[1], errors[0]);
    assert.equal(errors.length, 1);
    const { code, key, frame: held } = errors[0] ?? {};
    assert.deepEqual([code, key, held], ["CODEC_CHECKSUM_MISMATCH", "feed.1", message]);
    assert.deepEqual(
      rest.map(([name]) => name),
      ["message", "messageBuffer"],
    );
  });

  test("ends no process where nobody listens to errors", async (context) => {
    const printed = context.mock.method(console, "error", () => {});
    const client = createSubscriber();
    receive(client, "message", "feed.1", damage("x"));
    await new Promise(setImmediate);
    assert.equal(printed.mock.callCount(), 1);
    const heard = listen(client, "message");
    receive(client, "message", "feed.1", frame("y"));
    assert.equal(heard.length, 1);
  });

  test("is reported by a cluster, which has no silentEmit, to its listeners", () => {
    const cluster = createSubscriber({ cluster: true });
    Object.defineProperty(cluster, "silentEmit", { value: undefined });
    const heard = listen(cluster, "error");
    receive(cluster, "message", "feed.1", damage("x"));
    assert.ok(isCodecError(heard[0]?.[1]));
  });

  test("is a warning of the process where a cluster has no listeners", async () => {
    const cluster = createSubscriber({ cluster: true });
    Object.defineProperty(cluster, "silentEmit", { value: undefined });
    const warned = new Promise((resolve) => process.once("warning", resolve));
    receive(cluster, "message", "feed.1", damage("x"));
    assert.equal(((await warned) as CodecError).code, "CODEC_CHECKSUM_MISMATCH");
  });
});
