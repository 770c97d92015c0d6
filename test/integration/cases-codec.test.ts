import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { createValueCodec, FRAME_HEADER_BYTES, isFrame, readFrameHeader } from "@tightwire/codec-core";
import { brotli, type Compressor, deflate, lz4, type RuleOptions, stored, valueCodecOf, zstd } from "@tightwire/ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { useRedis } from "./support/clients.ts";
import { asCodecError, failureOf, hashOf, listOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";

const redis = useRedis();

const COMPRESSORS: Readonly<Record<string, Compressor>> = { brotli: brotli(), deflate: deflate(), lz4: lz4(), zstd: zstd() };
const CODEC_IDS = { brotli: 1, deflate: 2, lz4: 3, zstd: 4 } as const;
const MIB = 1024 * 1024;

/** A frame with any payload under any codec id; its checksum is right. */
function frameOf(codecId: number, contentSize: number, payload: Buffer): Buffer {
  const frame = createValueCodec({ compressor: stored() }).encode(payload);
  frame.writeUInt8(codecId, 5);
  frame.writeUInt32LE(contentSize, 6);
  return frame;
}

async function withClient(rule: Partial<RuleOptions>, use: (client: Redis) => Promise<void>): Promise<void> {
  const client = redis.openWrapped({ prefixes: { "r:": rule } });
  await use(client);
  client.disconnect();
}

async function codeOf(client: Redis, held: Buffer): Promise<string> {
  await redis.bare.set("r:case", held);
  return (await failureOf(client.get("r:case"))).code;
}

/** How much the process grew in the meantime, in bytes. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  await work();
  return process.memoryUsage.rss() - before;
}

suite("failures of other systems: codecs", () => {
  test("1 redisson/redisson#6574: an LZ4 payload that claims 2 GB is refused without allocating it", () =>
    withClient({}, async (client) => {
      const growth = await growthDuring(async () => {
        assert.equal(
          await codeOf(client, frameOf(CODEC_IDS.lz4, 1000, Buffer.from("ffffff7f11223344", "hex"))),
          "CODEC_PAYLOAD_CORRUPT",
        );
        assert.equal(
          await codeOf(client, frameOf(CODEC_IDS.lz4, 0x7fff_ffff, Buffer.from("11223344", "hex"))),
          "CODEC_SIZE_LIMIT",
        );
      });
      // A heap moves by tens of MiB on its own; what was claimed are 2 GiB.
      assert.ok(growth < 256 * MIB, `${growth} bytes`);
    }));

  test("6 lz4/lz4#1227, lz4/lz4#302, coolbutuseless/zstdlite#21: a bad payload does not spoil the reads after it", () =>
    withClient({ compressor: zstd() }, async (client) => {
      await client.set("r:healthy", LONG);
      const frame = valueCodecOf(client).encode("r:x", LONG);
      for (let cut = FRAME_HEADER_BYTES; cut < frame.length; cut++) {
        const held = frameOf(CODEC_IDS.zstd, LONG.length, frame.subarray(FRAME_HEADER_BYTES, cut));
        assert.match(await codeOf(client, held), /^CODEC_(?:PAYLOAD_CORRUPT|DICTIONARY_MISSING)$/);
        assert.equal(await client.get("r:healthy"), LONG);
      }
    }));

  for (const [name, compressor] of Object.entries(COMPRESSORS)) {
    test(`11 valkey-io/valkey-glide#5895: ${name} reads up to the reader's limit and refuses a byte more, in every reply`, async () => {
      const content = Buffer.alloc(MIB);
      await withClient({ compressor }, async (writer) => {
        await writer.set("r:zeros", content);
        await writer.hset("r:zerosh", "f", content, "g", "short");
      });
      await withClient({ maxContentBytes: MIB }, async (client) => {
        assert.deepStrictEqual(await client.getBuffer("r:zeros"), content);
      });
      for (const maxContentBytes of [1024, MIB - 1]) {
        await withClient({ maxContentBytes }, async (client) => {
          const code = "CODEC_SIZE_LIMIT";
          await assert.rejects(client.get("r:zeros"), { code });
          assert.equal(listOf(await failureOf(client.mget("r:none", "r:zeros")))[0], null);
          assert.equal(hashOf(await failureOf(client.hgetall("r:zerosh")))["g"], "short");
          const results = await client.pipeline().get("r:zeros").hget("r:zerosh", "g").exec();
          assert.equal(asCodecError(results?.[0]?.[0]).code, code);
          assert.deepStrictEqual(results?.[1], [null, "short"]);
        });
      }
    });

    test(`14 Netflix/curator#193, kurrent-io/KurrentDB#5480, gchq/CyberChef#1273: empty values under ${name}`, () =>
      withClient({ compressor, minFrameBytes: 0, minCompressBytes: 0 }, async (client) => {
        await Promise.all([client.set("r:e1", ""), client.set("r:e2", Buffer.alloc(0)), client.hset("r:eh", "f", "")]);
        assert.deepStrictEqual(await client.mget("r:e1", "r:e2", "r:none"), ["", "", null]);
        assert.deepStrictEqual(await client.hgetall("r:eh"), { f: "" });
        assert.ok(isFrame((await redis.bare.getBuffer("r:e1")) ?? Buffer.alloc(0)));
        const id = CODEC_IDS[name as keyof typeof CODEC_IDS];
        assert.match(await codeOf(client, frameOf(id, 0, Buffer.alloc(0))), /^CODEC_(?:SIZE_MISMATCH|PAYLOAD_CORRUPT)$/);
        assert.equal(await codeOf(client, frameOf(id, 10, Buffer.alloc(0))), "CODEC_PAYLOAD_CORRUPT");
      }));

    test(`17 redisson/redisson#1145: ${name} above its block sizes, repeating and random`, () =>
      withClient({ compressor, minCompressBytes: 0, minFrameBytes: 0 }, async (client) => {
        const random = Buffer.from(Array.from({ length: 131_073 }, (_, i) => (Math.imul(i, 2_654_435_761) >>> 24) & 0xff));
        for (const size of [
          0, 1, 11, 12, 13, 32_767, 32_768, 49_999, 50_001, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073,
        ]) {
          const contents = [random.subarray(0, size), Buffer.alloc(size, "abc")];
          await client.mset("r:random", contents[0] ?? "", "r:repeating", contents[1] ?? "");
          assert.deepStrictEqual(await client.mgetBuffer("r:random", "r:repeating"), contents);
        }
      }));
  }

  test("12 vm0-ai/vm0#10128, nodejs/node#27253: the limit holds before the output is made", () =>
    withClient({ maxContentBytes: 1_000_000 }, async (client) => {
      const bomb = brotliCompressSync(Buffer.alloc(400_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
      const growth = await growthDuring(async () => {
        assert.equal(await codeOf(client, frameOf(CODEC_IDS.brotli, 400_000_000, bomb)), "CODEC_SIZE_LIMIT");
        assert.equal(await codeOf(client, frameOf(CODEC_IDS.brotli, 1_000_000, bomb)), "CODEC_PAYLOAD_CORRUPT");
      });
      assert.ok(growth < 200 * MIB, `${growth} bytes`);
    }));

  test("13 nodejs/node#58247, nodejs/node#64023: what follows a complete stream is not ignored", () =>
    withClient({}, async (client) => {
      const content = Buffer.alloc(1000, "x");
      const junk = Buffer.from("junk");
      const streams = { brotli: brotliCompressSync(content), deflate: deflateRawSync(content) };
      for (const [name, stream] of Object.entries(streams)) {
        const id = CODEC_IDS[name as keyof typeof streams];
        await redis.bare.set("r:case", frameOf(id, content.length, stream));
        assert.deepStrictEqual(await client.getBuffer("r:case"), content);
        for (const tail of [junk, stream, Buffer.of(0)]) {
          assert.equal(await codeOf(client, frameOf(id, content.length, Buffer.concat([stream, tail]))), "CODEC_PAYLOAD_CORRUPT");
        }
      }
      assert.equal(
        await codeOf(client, frameOf(CODEC_IDS.deflate, content.length, deflateSync(content))),
        "CODEC_PAYLOAD_CORRUPT",
      );
      assert.equal(await codeOf(client, frameOf(CODEC_IDS.deflate, content.length, gzipSync(content))), "CODEC_PAYLOAD_CORRUPT");
    }));
});

suite("failures of other systems: frames on the way in", () => {
  test("27 colinmollenhour/Cm_Cache_Backend_Redis#82, phpredis/phpredis#1753: nothing grows by more than a header", async () => {
    const random = randomBytes(50_000);
    for (const compressor of [stored(), ...Object.values(COMPRESSORS)]) {
      await withClient({ compressor }, async (client) => {
        await client.set("r:random", random);
        const held = (await redis.bare.getBuffer("r:random")) ?? Buffer.alloc(0);
        assert.ok(held.length <= random.length + FRAME_HEADER_BYTES);
        assert.deepStrictEqual(await client.getBuffer("r:random"), random);
      });
    }
    await withClient({ frame: "never" }, async (client) => {
      await client.set("r:off", LONG);
      assert.equal(await redis.bare.get("r:off"), LONG);
    });
    await withClient({ frame: "when-smaller" }, async (client) => {
      await client.mset("r:small", LONG, "r:same", random);
      assert.deepStrictEqual(await redis.bare.getBuffer("r:same"), random);
      assert.ok(isFrame((await redis.bare.getBuffer("r:small")) ?? Buffer.alloc(0)));
    });
  });

  test("28 rails/rails#48660: bare strings and Buffers are compressed alike, and come back as what was asked for", async () => {
    const text = "a".repeat(20_000);
    for (const compressor of Object.values(COMPRESSORS)) {
      await withClient({ compressor }, async (client) => {
        await client.mset("r:text", text, "r:bytes", Buffer.from(text));
        for (const key of ["r:text", "r:bytes"]) {
          const held = (await redis.bare.getBuffer(key)) ?? Buffer.alloc(0);
          assert.ok(held.length < 500, `${held.length} bytes`);
          assert.equal(readFrameHeader(held)?.codecId, compressor.id);
          assert.equal(await client.get(key), text);
          assert.deepStrictEqual(await client.getBuffer(key), Buffer.from(text));
        }
      });
    }
  });
});
