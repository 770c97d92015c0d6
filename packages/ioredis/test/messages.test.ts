import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { bytes, CodecError, createValueCodec, defineSerializer, isFrame, json, msgpack, stored } from "@tightwire/codec-core";
import { decodeMessage, MESSAGE_EVENTS } from "../src/messages.ts";
import type { ChannelRuleOptions } from "../src/options.ts";
import type { Shared } from "../src/shared.ts";
import { createShared } from "./support/keys.ts";

const codec = createValueCodec({ compressor: stored() });
const frame = (text: string) => codec.encode(Buffer.from(text));

function damage(text: string): Buffer {
  const bad = frame(text);
  bad[18] = (bad[18] ?? 0) ^ 1;
  return bad;
}

function createFeed(options: Partial<ChannelRuleOptions>): Shared {
  return createShared({}, { channels: { "feed.": { compressor: stored(), ...options } } });
}

function decode(shared: Shared, held: Buffer) {
  const rule = shared.channels.rules.get("feed.");
  assert.ok(rule !== undefined);
  return decodeMessage(shared, rule, "feed.1", held);
}

suite("MESSAGE_EVENTS", () => {
  test("are those of ioredis, each as text and as bytes", () => {
    assert.deepEqual([...MESSAGE_EVENTS.keys()].sort(), [
      ...["message", "messageBuffer", "pmessage", "pmessageBuffer", "smessage", "smessageBuffer"],
    ]);
    for (const [name, event] of MESSAGE_EVENTS) {
      assert.equal(event.bytes, name.endsWith("Buffer"));
      assert.equal(event.textEvent, name.replace("Buffer", ""));
      assert.equal(event.channelAt, name.startsWith("pmessage") ? 1 : 0);
      assert.equal(event.prefixed, name.startsWith("smessage"));
      assert.ok(Object.isFrozen(event));
    }
  });
});

suite("decodeMessage()", () => {
  const USER = { user: "ada" };
  const rows: readonly (readonly [
    name: string,
    options: Partial<ChannelRuleOptions>,
    held: Buffer,
    value: unknown,
    content: string,
  ])[] = [
    ["text in a frame", {}, frame("é"), "é", "é"],
    ["text without a frame", {}, Buffer.from("é"), "é", "é"],
    ["a number without a frame", {}, Buffer.from("42"), "42", "42"],
    ["nothing", {}, Buffer.alloc(0), "", ""],
    ["an object in a frame", { serializer: json() }, frame('{"user":"ada"}'), USER, '{"user":"ada"}'],
    ["text of a serializer in a frame", { serializer: json() }, frame('"text"'), "text", '"text"'],
    ["an object without a frame", { serializer: json() }, Buffer.from('{"user":"ada"}'), USER, '{"user":"ada"}'],
    ["a number under a serializer", { serializer: json() }, Buffer.from("42"), 42, "42"],
    ["text that a serializer leaves raw", { serializer: msgpack() }, Buffer.from("text"), "text", "text"],
    ["null", { serializer: json() }, frame("null"), null, "null"],
    ["bytes of a serializer", { serializer: bytes() }, frame("x"), Buffer.from("x"), "x"],
  ];
  for (const [name, options, held, value, content] of rows) {
    test(`gives ${name} in both forms`, () => {
      const shared = createFeed(options);
      assert.deepEqual(decode(shared, Buffer.from(held)), { value, content: Buffer.from(content) });
      assert.equal(shared.stats.of("channel:feed.").decoded, isFrame(held) ? 1 : 0);
    });
  }

  const failures: readonly (readonly [name: string, options: Partial<ChannelRuleOptions>, held: Buffer, code: string])[] = [
    ["a damaged frame", {}, damage("x"), "CODEC_CHECKSUM_MISMATCH"],
    ["a cut frame", {}, frame("x").subarray(0, 10), "CODEC_FRAME_TRUNCATED"],
    ["a frame over the limit", { maxContentBytes: 2 }, frame("xyz"), "CODEC_SIZE_LIMIT"],
    ["content that is no value", { serializer: json() }, frame("{"), "CODEC_DESERIALIZE"],
    ["what is no value, without a frame", { serializer: json() }, Buffer.from("{"), "CODEC_DESERIALIZE"],
    [
      "what is no frame where only frames may be",
      { unframed: "reject", minFrameBytes: 0, numbers: "framed" },
      Buffer.from("x"),
      "CODEC_UNFRAMED",
    ],
  ];
  for (const [name, options, held, code] of failures) {
    test(`returns the error of ${name}, counted`, () => {
      const shared = createFeed(options);
      const error = decode(shared, held);
      assert.ok(error instanceof CodecError);
      assert.equal(error.code, code);
      assert.equal(error.key, "feed.1");
      assert.equal(error.command, "message");
      assert.equal(error.frame, held);
      assert.deepEqual(shared.stats.of("channel:feed.").errors, { [code]: 1 });
    });
  }

  test("deserializes a frame once, and not for those who want bytes", () => {
    let calls = 0;
    const counting = defineSerializer<string>({
      name: "counting",
      serialize: (text) => Buffer.from(text),
      deserialize: (content) => {
        calls++;
        return content.toString();
      },
    });
    decode(createFeed({ serializer: counting }), frame("x"));
    assert.equal(calls, 1);
  });

  test("throws on what is no error of a message", () => {
    const shared = createFeed({});
    const [rule] = shared.channels.rules.values();
    assert.ok(rule !== undefined);
    const fault = () => {
      throw new RangeError("a fault of ours");
    };
    const faulty = { ...rule, codec: { ...rule.codec, decode: fault } };
    assert.throws(() => decodeMessage(shared, faulty, "feed.1", frame("x")), RangeError);
  });
});
