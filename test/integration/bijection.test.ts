import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createValueCodec, isFrame } from "@tightwire/codec-core";
import { brotli, type CodecError, deflate, lz4, type RuleOptions, stored, valueCodecOf, zstd } from "@tightwire/ioredis";
import fc from "fast-check";
import { useRedis } from "./support/clients.ts";
import { BAD, DAMAGES } from "./support/damage.ts";
import { failureOf } from "./support/failures.ts";
import { BINARY, LONG, MEDIUM } from "./support/scripts.ts";

const redis = useRedis();

const frame = createValueCodec().encode(Buffer.from(LONG));
const MAGIC = Buffer.from("52564300", "hex");

function withMagic(magic: string): Buffer {
  return Buffer.concat([Buffer.from(magic, "hex"), frame.subarray(4)]);
}

/** Values that could be taken for something else. */
const VALUES: Readonly<Record<string, Buffer>> = {
  "an empty value": Buffer.alloc(0),
  "a frame": frame,
  "a frame of a frame": createValueCodec().encode(frame),
  "a damaged frame": BAD,
  "the magic alone": MAGIC,
  "the magic and a cut header": frame.subarray(0, 17),
  "a header alone": frame.subarray(0, 18),
  "three bytes of the magic": MAGIC.subarray(0, 3),
  "the magic after a space": Buffer.concat([Buffer.from(" "), frame]),
  "a byte c1": Buffer.of(0xc1),
  "content that begins with c1": Buffer.concat([Buffer.of(0xc1), BINARY]),
  "a frame whose magic is damaged": withMagic("53564300"),
  "a frame whose magic is UTF-8 damage": withMagic("efbfbd00"),
  "a short frame whose magic is damaged": Buffer.concat([
    Buffer.from("00000000", "hex"),
    createValueCodec().encode(Buffer.from("a")).subarray(4),
  ]),
  "a gzip stream": Buffer.from("1f8b0800000000000003030000000000000000", "hex"),
  "a zstd frame": Buffer.from("28b52ffd2000010000", "hex"),
  "a number": Buffer.from("42"),
  "a number with a sign": Buffer.from("+42"),
  "a long number": Buffer.from("1".repeat(100)),
  "a NUL": Buffer.of(0),
  "line ends": Buffer.from("\r\n$5\r\nhello\r\n".repeat(20)),
  "no UTF-8": BINARY,
  text: Buffer.from(LONG),
  QUEUED: Buffer.from("QUEUED"),
};

const RULES: Readonly<Record<string, Partial<RuleOptions>>> = {
  "default:": {},
  "zstd:": { compressor: zstd({ level: 19 }), minCompressBytes: 0, minFrameBytes: 0, numbers: "framed" },
  "brotli:": { compressor: brotli(), minCompressBytes: 0 },
  "deflate:": { compressor: deflate(), minCompressBytes: 0, frameVersion: 1 },
  "lz4:": { compressor: lz4(), minCompressBytes: 0 },
  "stored:": { compressor: stored(), minFrameBytes: 0 },
  "smaller:": { frame: "when-smaller", minFrameBytes: 0 },
  "never:": { frame: "never" },
  "strict:": { unframed: "reject", minFrameBytes: 0, numbers: "framed" },
};

suite("every value comes back equal, byte for byte", () => {
  for (const prefix of Object.keys(RULES)) {
    test(`under ${prefix} also a value that looks like something else`, async () => {
      const client = redis.openWrapped({ prefixes: RULES });
      for (const [name, value] of Object.entries(VALUES)) {
        const key = prefix + name;
        await Promise.all([
          client.set(key, value),
          client.hset(`${prefix}hash`, name, value),
          client.hset(`${prefix}hash`, value, name),
        ]);
        assert.deepStrictEqual(await client.getBuffer(key), value, name);
        assert.equal(await client.get(key), value.toString(), name);
        assert.deepStrictEqual(await client.hgetBuffer(`${prefix}hash`, name), value, name);
        assert.equal(await client.hget(`${prefix}hash`, value), name);
        const text = value.toString();
        await client.set(key, text);
        assert.equal(await client.get(key), text, `${name} as text`);
      }
      client.disconnect();
    });
  }

  test("for any bytes and any text, under every rule", async () => {
    const client = redis.openWrapped({ prefixes: RULES });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
      fc
        .tuple(fc.uint8Array({ maxLength: 4 }), fc.uint8Array({ minLength: 14, maxLength: 40 }))
        .map((parts) => Buffer.concat(parts)),
      fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.concat([MAGIC, array])),
      fc.constantFrom(...DAMAGES.map((damage) => damage.frame)),
    );
    const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 400 }), fc.double().map(String), fc.bigInt().map(String));
    const property = fc.asyncProperty(fc.constantFrom(...Object.keys(RULES)), bytes, text, async (prefix, content, string) => {
      const [, , buffer, reply] = await Promise.all([
        client.set(`${prefix}bytes`, content),
        client.set(`${prefix}text`, string),
        client.getBuffer(`${prefix}bytes`),
        client.get(`${prefix}text`),
      ]);
      assert.deepStrictEqual(buffer, content);
      assert.equal(reply, string);
    });
    await fc.assert(property, { numRuns: 1500 });
    client.disconnect();
  });

  test("what begins like a frame is always framed, also below minFrameBytes, when it does not shrink and under frame: never", async () => {
    const client = redis.openWrapped({ prefixes: RULES });
    const names = [
      "a frame",
      "the magic alone",
      "a header alone",
      "a byte c1",
      "a frame whose magic is damaged",
      "a short frame whose magic is damaged",
    ];
    for (const prefix of Object.keys(RULES)) {
      for (const name of names) {
        await client.set(prefix + name, VALUES[name] ?? "");
        const held = await redis.bare.getBuffer(prefix + name);
        assert.ok(held !== null && isFrame(held), `${name} under ${prefix}`);
        assert.notDeepStrictEqual(held, VALUES[name]);
      }
    }
    client.disconnect();
  });
});

suite("a value whose magic alone is damaged", () => {
  test("is CODEC_FRAME_INVALID and not taken for a raw value, whatever the damage", async () => {
    const client = redis.openWrapped({ prefixes: { "r:": {} } });
    await client.set("r:v1", MEDIUM);
    for (let offset = 0; offset < 4; offset++) {
      for (let bit = 0; bit < 8; bit++) {
        const damaged = Buffer.from(frame);
        damaged.writeUInt8(damaged.readUInt8(offset) ^ (1 << bit), offset);
        await redis.bare.set("r:damaged", damaged);
        const error = await failureOf(client.get("r:damaged"));
        assert.deepStrictEqual([error.code, error.frame], ["CODEC_FRAME_INVALID", damaged]);
      }
    }
    await redis.bare.set("r:damaged", withMagic("efbfbdef"));
    assert.equal((await failureOf(client.getBuffer("r:damaged"))).code, "CODEC_FRAME_INVALID");
    client.disconnect();
  });

  test("is a miss or passed on if the rule says so", async () => {
    const errors: CodecError[] = [];
    const client = redis.openWrapped({
      prefixes: { "miss:": { onDecodeError: "miss" }, "pass:": { onDecodeError: "pass" } },
      onError: (error) => errors.push(error),
    });
    const damaged = withMagic("53564300");
    await redis.bare.mset("miss:a", damaged, "pass:a", damaged);
    assert.equal(await client.get("miss:a"), null);
    assert.deepStrictEqual(await client.getBuffer("pass:a"), damaged);
    assert.deepStrictEqual(
      errors.map(({ code, key }) => [code, key]),
      [
        ["CODEC_FRAME_INVALID", "miss:a"],
        ["CODEC_FRAME_INVALID", "pass:a"],
      ],
    );
    assert.deepStrictEqual(valueCodecOf(client).stats()["miss:"]?.errors, { CODEC_FRAME_INVALID: 1 });
    client.disconnect();
  });

  test("cannot be told from a raw value if more than the magic is damaged, or if it is cut before its payload", async () => {
    const client = redis.openWrapped({ prefixes: { "r:": {} } });
    const twice = withMagic("53564300");
    twice.writeUInt8(twice.readUInt8(twice.length - 1) ^ 1, twice.length - 1);
    for (const held of [twice, withMagic("53564300").subarray(0, -1), frame.subarray(0, 3)]) {
      await redis.bare.set("r:unknown", held);
      assert.deepStrictEqual(await client.getBuffer("r:unknown"), held);
    }
    client.disconnect();
  });
});
