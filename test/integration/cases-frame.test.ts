import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createValueCodec } from "@tightwire/codec-core";
import { brotli, type CodecError, deflate, isCodecError, lz4, type RuleOptions, valueCodecOf, zstd } from "@tightwire/ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { useRedis } from "./support/clients.ts";
import { BAD } from "./support/damage.ts";
import { asCodecError, failureOf, hashOf, listOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";

const redis = useRedis();
const COMPRESSORS = [zstd(), lz4(), brotli(), deflate()];

async function withClient(
  rule: Partial<RuleOptions>,
  use: (client: Redis) => Promise<void>,
  onError?: (error: CodecError) => void,
): Promise<void> {
  const client = redis.openWrapped({ prefixes: { "r:": rule }, ...(onError && { onError }) });
  await use(client);
  client.disconnect();
}

/** Every value is written by a bare client and must be read as it is. */
async function assertReadAsIs(client: Redis, values: readonly Buffer[]): Promise<void> {
  for (const value of values) {
    await redis.bare.set("r:foreign", value);
    assert.deepStrictEqual(await client.getBuffer("r:foreign"), value);
    assert.equal(await client.get("r:foreign"), value.toString());
  }
}

const fromHex = (hex: string): Buffer => Buffer.from(hex, "hex");

suite("failures of other systems: telling frames from other values", () => {
  test("18 phpredis/phpredis#1936: values written before compression was switched on are read as they are", async () => {
    const values = ["123", "hello there", '{"a":1}'].map((text) => Buffer.from(text));
    for (const compressor of COMPRESSORS) await withClient({ compressor }, (client) => assertReadAsIs(client, values));
  });

  test("19 phpredis/phpredis#1939, redisson/redisson#4140: lengths around every width of a length field", async () => {
    for (const compressor of COMPRESSORS) {
      await withClient({ compressor, minFrameBytes: 0, minCompressBytes: 0 }, async (client) => {
        for (const size of [127, 128, 255, 256, 65_535, 65_536]) {
          const content = Buffer.alloc(size, "length ");
          await client.set("r:length", content);
          const held = (await redis.bare.getBuffer("r:length")) ?? Buffer.alloc(0);
          assert.equal(held.readUInt32LE(6), size);
          assert.deepStrictEqual(createValueCodec().decode(held), content);
        }
      });
    }
  });

  test("20 sorentwo/readthis#13: thresholds matter on write only; the header alone decides on read", async () => {
    const value = "a".repeat(5000);
    const thresholds = [0, 1024, 1_000_000];
    for (const written of thresholds) {
      await withClient({ minCompressBytes: written, minFrameBytes: written }, async (client) => {
        await client.set("r:threshold", value);
        for (const read of thresholds) {
          valueCodecOf(client).setRules({
            prefixes: { "r:": { minCompressBytes: read, minFrameBytes: read, compressor: lz4() } },
          });
          assert.equal(await client.get("r:threshold"), value);
        }
      });
    }
  });

  test("21 zendesk/large_object_store#3: values that are compressed already are not taken for ours", () =>
    withClient({}, async (client) => {
      const values = ["789c4b040000620062", "1f8b0800000000000003030000000000", "28b52ffd2000010000", "04224d186440a700"].map(
        fromHex,
      );
      await assertReadAsIs(client, values);
      for (const value of values) {
        await client.set("r:own", value);
        assert.deepStrictEqual(await client.getBuffer("r:own"), value);
        await client.set("r:own", Buffer.concat(Array(20).fill(value)));
        assert.deepStrictEqual(await client.getBuffer("r:own"), Buffer.concat(Array(20).fill(value)));
      }
    }));

  test("22 neomutt/neomutt#2152: short bytes that happen to be a valid payload are returned untouched", () =>
    withClient({ compressor: lz4() }, (client) => assertReadAsIs(client, ["7f9edb7f", "050000005068656c6c6f"].map(fromHex))));

  test("24 go-redis/cache#81: a foreign value passes, an unknown codec id is an error that names it", () =>
    withClient({}, async (client) => {
      await assertReadAsIs(client, [Buffer.from("abc="), Buffer.from("x9")]);
      const frame = valueCodecOf(client).encode("r:x", LONG);
      frame.writeUInt8(0x7f, 5);
      await redis.bare.set("r:unknown", frame);
      const { code, codecId } = await failureOf(client.get("r:unknown"));
      assert.deepStrictEqual([code, codecId], ["CODEC_UNKNOWN_ID", 0x7f]);
    }));

  // A cut below the four bytes of the magic leaves nothing to know a frame by; anything longer is refused.
  test("25 redisson/redisson#5837: every prefix of a frame is refused but those shorter than the magic, which read as raw bytes", () =>
    withClient({ compressor: lz4() }, async (client) => {
      const frame = valueCodecOf(client).encode("r:x", LONG.slice(0, 2000));
      for (let cut = 4; cut < frame.length; cut++) {
        await redis.bare.set("r:cut", frame.subarray(0, cut));
        const error = await failureOf(client.getBuffer("r:cut"));
        assert.match(error.code, /^CODEC_(?:FRAME_TRUNCATED|SIZE_MISMATCH|CHECKSUM_MISMATCH)$/);
      }
      await assertReadAsIs(client, [frame.subarray(0, 3), frame.subarray(0, 2), frame.subarray(0, 1)]);
      await assertReadAsIs(
        client,
        Array.from({ length: 256 }, (_, byte) => Buffer.of(byte)),
      );
      for (let size = 0; size <= 16; size++) {
        await client.set("r:short", "x".repeat(size));
        assert.equal(await client.get("r:short"), "x".repeat(size));
      }
    }));

  // Bits of the magic too: content that looks like a frame with another magic is always framed, so it cannot be a raw value.
  test("29 rails/rails#40005, rails/rails#56729: every flipped bit is an error or a counted miss, never another value", async () => {
    const frames = COMPRESSORS.map((compressor) => createValueCodec({ compressor }).encode(Buffer.from(LONG.repeat(3))));
    const misses: CodecError[] = [];
    const thrower = redis.openWrapped({ prefixes: { "r:": {} } });
    const misser = redis.openWrapped({ prefixes: { "r:": { onDecodeError: "miss" } }, onError: (error) => misses.push(error) });
    let flips = 0;
    for (const frame of frames) {
      const sent: Promise<unknown>[] = [];
      for (let bit = 0; bit < frame.length * 8; bit++) {
        const flipped = Buffer.from(frame);
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        sent.push(redis.bare.set(`r:flip${bit}`, flipped));
      }
      await Promise.all(sent);
      const keys = sent.map((_, bit) => `r:flip${bit}`);
      for (const settled of await Promise.allSettled(keys.map((key) => thrower.get(key)))) {
        assert.equal(settled.status, "rejected");
        const { code, key } = asCodecError((settled as PromiseRejectedResult).reason);
        assert.match(code, /^CODEC_/);
        assert.match(String(key), /^r:flip/);
      }
      assert.ok((await Promise.all(keys.map((key) => misser.get(key)))).every((reply) => reply === null));
      flips += keys.length;
    }
    assert.equal(misses.length, flips);
    const counts: Record<string, number> = valueCodecOf(misser).stats()["r:"]?.errors ?? {};
    assert.equal(
      Object.values(counts).reduce((sum, count) => sum + count, 0),
      flips,
    );
    thrower.disconnect();
    misser.disconnect();
  });

  // Under "throw" the command rejects: a caller that looks at the reply alone must not take an error for a value.
  test("30 OpenBankProject/OBP-API#2859: the neighbours of a bad value are delivered with the error, or it is a miss", async () => {
    await withClient({}, async (client) => {
      await client.mset("r:a", LONG, "r:c", "short");
      await redis.bare.set("r:bad", BAD);
      await client.hset("r:h", "a", LONG, "c", "short");
      await redis.bare.hset("r:h", "bad", BAD);
      const [a, bad, c] = listOf(await failureOf(client.mget("r:a", "r:bad", "r:c")));
      assert.deepStrictEqual([a, isCodecError(bad), c], [LONG, true, "short"]);
      const hash = hashOf(await failureOf(client.hgetall("r:h")));
      assert.deepStrictEqual([hash["a"], isCodecError(hash["bad"]), hash["c"]], [LONG, true, "short"]);
    });
    await withClient({ onDecodeError: "miss" }, async (client) => {
      assert.deepStrictEqual(await client.mget("r:a", "r:bad", "r:c"), [LONG, null, "short"]);
      assert.deepStrictEqual(await client.hgetall("r:h"), { a: LONG, bad: null, c: "short" });
    });
  });
});
