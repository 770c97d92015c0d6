import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type CodecError, isFrame, json, lz4, msgpack, stored, zstd } from "@tightwire/codec-core";
import type { ValueCodecClientOptions } from "../src/options.ts";
import { valueCodecOf, withValueCodec } from "../src/with-value-codec.ts";
import { createClient, loosen, StubClient } from "./support/client.ts";

const LONG = "v".repeat(100);
const PREFIXES = { "a:": { compressor: stored() }, "raw:": "raw" } as const;

suite("withValueCodec()", () => {
  test("returns the client itself", () => {
    const client = new StubClient();
    assert.equal(withValueCodec(client, { prefixes: {} }), client);
    assert.ok(client instanceof StubClient);
    assert.equal(client.constructor, StubClient);
  });

  test("frames what is written under a rule and gives it back", async () => {
    const client = createClient(PREFIXES);
    await client.set("a:1", LONG);
    assert.ok(isFrame(client.server.held("a:1") ?? Buffer.alloc(0)));
    assert.equal(await client.get("a:1"), LONG);
    assert.deepEqual(await client.getBuffer("a:1"), Buffer.from(LONG));
  });

  test("leaves what is written under none", async () => {
    const client = createClient(PREFIXES);
    await client.set("raw:1", LONG);
    await client.set("x:1", LONG);
    assert.equal(client.server.held("raw:1")?.toString(), LONG);
    assert.equal(client.server.held("x:1")?.toString(), LONG);
  });

  for (const client of [undefined, null, "client", {}, { sendCommand() {} }, () => {}]) {
    test(`refuses ${typeof client} ${client === null ? "null" : ""} in the place of a client`, () => {
      assert.throws(() => withValueCodec(client as never, { prefixes: {} }), TypeError);
    });
  }

  test("leaves the client as it was when the options are wrong", () => {
    const client = new StubClient();
    assert.throws(() => withValueCodec(client, { prefixes: { "a:": { frame: "sometimes" } } } as never), RangeError);
    assert.throws(() => withValueCodec(client, {} as never), TypeError);
    assert.throws(() => valueCodecOf(client), TypeError);
    assert.equal(Object.hasOwn(client, "sendCommand"), false);
  });

  test("does nothing on a client that has equal rules already", async () => {
    const client = createClient({ "a:": { compressor: zstd({ level: 3 }) }, "raw:": "raw" });
    const sendCommand = client.sendCommand;
    assert.equal(withValueCodec(client, { prefixes: new Map([["raw:", "raw"], ["a:", {}] as never]) }), client);
    assert.equal(client.sendCommand, sendCommand);
    await client.set("a:1", LONG);
    assert.equal(await client.get("a:1"), LONG);
    assert.equal(valueCodecOf(client).stats()["a:"]?.encoded, 1);
  });

  test("does nothing on a client that has equal channels and scripts already, in whatever order", () => {
    const channels = { "a.": { serializer: msgpack() }, "b.": "raw" } as const;
    const scripts = { save: { argv: [0], reply: "value" }, load: { reply: "values", key: 1 } } as const;
    const client = createClient(PREFIXES, {}, { channels, scripts });
    const again = { prefixes: PREFIXES, channels: reverse(channels), scripts: reverse(scripts) } as ValueCodecClientOptions;
    assert.equal(withValueCodec(client, again), client);
    for (const changed of [{ save: { argv: [0] } }, { save: { ...scripts.save, argv: [1] }, load: scripts.load }]) {
      assert.throws(() => withValueCodec(client, { ...again, scripts: changed }), TypeError);
    }
  });

  test("refuses a client that has other rules already, and keeps them", () => {
    const client = createClient(PREFIXES);
    for (const options of [
      { prefixes: {} },
      { prefixes: { ...PREFIXES, "b:": "raw" } },
      { prefixes: { ...PREFIXES, "a:": { compressor: lz4() } } },
      { prefixes: PREFIXES, maxReplyBytes: 1000 },
      { prefixes: { ...PREFIXES, "a:": { compressor: stored(), serializer: json() } } },
      { prefixes: PREFIXES, channels: { "a.": {} } },
      { prefixes: PREFIXES, scripts: { save: { argv: [0] } } },
    ] as ValueCodecClientOptions[]) {
      assert.throws(() => withValueCodec(client, options), TypeError);
    }
    assert.equal(valueCodecOf(client).rules.get("a:")?.codec.compressor.id, stored().id);
  });
});

suite("valueCodecOf()", () => {
  test("refuses a client that is not wrapped", () => {
    assert.throws(() => valueCodecOf(new StubClient()), TypeError);
    for (const other of [{}, undefined, null, "redis"]) {
      assert.throws(() => valueCodecOf(other as object), { name: "TypeError", message: /not wrapped/ });
    }
  });

  test("encodes what Redis would hold", () => {
    const codec = valueCodecOf(createClient(PREFIXES));
    for (const key of ["a:1", Buffer.from("a:1")]) {
      assert.ok(isFrame(codec.encode(key, LONG)));
      assert.deepEqual(codec.encode(key, LONG), codec.encode(key, Buffer.from(LONG)));
      assert.deepEqual(codec.encode(key, LONG), codec.encode(key, new Uint8Array(Buffer.from(LONG))));
      assert.deepEqual(codec.encode(key, "short"), Buffer.from("short"));
    }
    assert.deepEqual(codec.encode("raw:1", LONG), Buffer.from(LONG));
    assert.deepEqual(codec.encode("x:1", LONG), Buffer.from(LONG));
  });

  test("decodes what Redis holds", () => {
    const codec = valueCodecOf(createClient(PREFIXES));
    const frame = codec.encode("a:1", LONG);
    assert.deepEqual(codec.decode("a:1", frame), Buffer.from(LONG));
    assert.deepEqual(codec.decode("a:1", new Uint8Array(frame)), Buffer.from(LONG));
    assert.deepEqual(codec.decode("a:1", Buffer.from("plain")), Buffer.from("plain"));
    assert.deepEqual(codec.decode("x:1", frame), frame);
  });

  test("gives out memory of its own", () => {
    const codec = valueCodecOf(createClient(PREFIXES));
    for (const key of ["a:1", "x:1"]) {
      for (const run of [codec.encode, codec.decode]) {
        const given = Buffer.from("plain");
        const result = run(key, given);
        given.fill("x");
        assert.equal(result.toString(), "plain");
      }
    }
  });

  test("takes a view over a part of its memory", () => {
    const codec = valueCodecOf(createClient(PREFIXES));
    const memory = new Uint8Array(300).fill(1);
    const frame = codec.encode("a:1", memory.subarray(100, 200));
    assert.deepEqual(codec.decode("a:1", frame), Buffer.alloc(100, 1));
    const around = new Uint8Array(frame.length + 20);
    around.set(frame, 10);
    assert.deepEqual(codec.decode("a:1", around.subarray(10, 10 + frame.length)), Buffer.alloc(100, 1));
  });

  test("gives values of the serializer back", () => {
    const codec = valueCodecOf(
      createClient({ "j:": { compressor: stored(), serializer: json() }, "m:": { serializer: msgpack() } }),
    );
    for (const value of [{ user: "ada" }, [1], "long ".repeat(20), "42", 42, true, null]) {
      assert.deepEqual(codec.decode("j:1", codec.encode("j:1", value)), value);
      assert.deepEqual(codec.decode("m:1", codec.encode("m:1", value)), value);
    }
    const bytes = { data: Buffer.from([0xff]) };
    assert.deepEqual(codec.decode("m:1", codec.encode("m:1", bytes)), bytes);
    assert.deepEqual(codec.encode("j:1", 42), Buffer.from("42"));
    assert.throws(() => codec.encode("j:1", undefined), { code: "CODEC_SERIALIZE", key: "j:1", command: "encode" });
  });

  test("gives short text back that the serializer's rule holds raw", () => {
    const codec = valueCodecOf(createClient({ "m:": { serializer: msgpack() } }));
    assert.equal(codec.decode("m:1", codec.encode("m:1", "hi")), "hi");
  });

  test("takes values as SET does", async () => {
    const client = createClient(PREFIXES);
    const codec = valueCodecOf(client);
    const bytes = new Uint8Array(300).fill(7);
    const views = [bytes.buffer, new DataView(bytes.buffer, 100, 100), bytes.subarray(100, 200)];
    for (const value of [undefined, null, 1, 1.5, 10n, true, LONG, ...views]) {
      await loosen(client)["set"]?.("a:1", value);
      assert.deepEqual(codec.encode("a:1", value), client.server.held("a:1"), String(value));
      assert.deepEqual(codec.decode("x:1", codec.encode("x:1", value)), codec.encode("x:1", value));
    }
  });

  test("refuses objects where there is no serializer, and held values that are no bytes", () => {
    const codec = valueCodecOf(createClient(PREFIXES));
    for (const value of [{}, [1], new Date(0), new Float64Array(1)]) {
      for (const key of ["a:1", "x:1"]) assert.throws(() => codec.encode(key, value), TypeError);
    }
    for (const held of [undefined, null, 1, {}, [1], new ArrayBuffer(1), new Float64Array(1)]) {
      assert.throws(() => codec.decode("a:1", held as never), TypeError);
    }
  });

  test("refuses text in the place of what Redis holds", () => {
    const codec = valueCodecOf(createClient(PREFIXES));
    assert.throws(() => codec.decode("a:1", "text" as never), TypeError);
  });

  test("says under which key a value could not be decoded, and counts it", () => {
    const codec = valueCodecOf(createClient(PREFIXES));
    const frame = codec.encode("a:1", LONG);
    frame[30] = 0;
    assert.throws(
      () => codec.decode("a:1", frame),
      (error: CodecError) => {
        assert.equal(error.code, "CODEC_CHECKSUM_MISMATCH");
        assert.equal(error.key, "a:1");
        assert.equal(error.command, "decode");
        assert.deepEqual(error.frame, frame);
        return !error.message.includes(LONG);
      },
    );
    assert.deepEqual(codec.stats()["a:"]?.errors, { CODEC_CHECKSUM_MISMATCH: 1 });
  });

  test("says under which key a value is too large", () => {
    const codec = valueCodecOf(createClient({ "a:": { compressor: stored(), maxContentBytes: 50 } }));
    assert.throws(() => codec.encode("a:1", LONG), { code: "CODEC_SIZE_LIMIT", key: "a:1", command: "encode" });
  });

  test("shows the rules in force", () => {
    const codec = valueCodecOf(createClient(PREFIXES));
    assert.deepEqual([...codec.rules.keys()], ["a:"]);
    codec.setRules({ prefixes: { "b:": {} } });
    assert.deepEqual([...codec.rules.keys()], ["b:"]);
  });

  test("changes channels and scripts with the rules", async () => {
    const client = createClient({}, {}, { channels: { "a.": { compressor: stored() } } });
    client.server.answer("publish", () => 1);
    client.server.answer("fcall", () => Buffer.from("OK"));
    valueCodecOf(client).setRules({
      prefixes: PREFIXES,
      channels: { "b.": { compressor: stored() } },
      scripts: { save: { argv: [0] } },
    });
    await client.publish("a.1", LONG);
    await client.publish("b.1", LONG);
    await client.fcall("save", 1, "a:1", LONG);
    const framed = client.server.received.map((one) => Buffer.isBuffer(one.at(-1)));
    assert.deepEqual(framed, [false, true, true]);
  });

  test("changes the rules from the next command on, for duplicates too", async () => {
    const client = createClient(PREFIXES);
    const copy: StubClient = client.duplicate();
    await client.set("a:1", LONG);
    valueCodecOf(copy).setRules({ prefixes: { "a:": { compressor: stored(), frame: "never" }, "x:": { compressor: stored() } } });
    await client.set("a:2", LONG);
    await client.set("x:1", LONG);
    assert.equal(client.server.held("a:2")?.toString(), LONG);
    assert.ok(isFrame(client.server.held("x:1") ?? Buffer.alloc(0)));
    assert.equal(await client.get("a:1"), LONG);
    assert.equal(await copy.get("a:1"), LONG);
  });

  test("reads a reply by the rules under which its command was sent", async () => {
    const client = createClient(PREFIXES);
    await client.set("a:1", LONG);
    const reply = client.get("a:1");
    valueCodecOf(client).setRules({ prefixes: {} });
    assert.equal(await reply, LONG);
  });

  test("changes maxReplyBytes and onError with the rules", async () => {
    const client = createClient(PREFIXES);
    const codes: string[] = [];
    await client.set("a:1", LONG);
    valueCodecOf(client).setRules({
      prefixes: { "a:": { compressor: stored(), onDecodeError: "miss" } },
      maxReplyBytes: 99,
      onError: ({ code }) => codes.push(code),
    });
    assert.equal(await client.get("a:1"), null);
    assert.deepEqual(codes, ["CODEC_SIZE_LIMIT"]);
  });

  test("keeps the rules when new ones are wrong", () => {
    const codec = valueCodecOf(createClient(PREFIXES));
    assert.throws(() => codec.setRules({ prefixes: { "b:": { numbers: "none" } } } as never), RangeError);
    assert.throws(() => codec.setRules({ prefixes: {}, maxReplyBytes: 0 }), RangeError);
    assert.deepEqual([...codec.rules.keys()], ["a:"]);
    assert.ok(isFrame(codec.encode("a:1", LONG)));
  });

  test("counts for the client and its duplicates together", async () => {
    const client = createClient(PREFIXES);
    const copy: StubClient = client.duplicate();
    await client.set("a:1", LONG);
    await copy.set("a:2", LONG);
    await copy.set("a:3", "short");
    await client.get("a:2");
    await client.get("a:3");
    const stats = { encoded: 2, decoded: 1, raw: 1, unframed: 1, contentBytes: 205, heldBytes: 241, errors: {} };
    assert.deepEqual(valueCodecOf(client).stats()["a:"], stats);
    assert.deepEqual(valueCodecOf(copy).stats()["a:"], stats);
  });

  test("is frozen", () => {
    assert.ok(Object.isFrozen(valueCodecOf(createClient(PREFIXES))));
  });
});

function reverse(record: object): object {
  return Object.fromEntries(Object.entries(record).reverse());
}
