import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { FRAME_HEADER_BYTES, isFrame, readFrameHeader } from "@tightwire/codec-core";
import { brotli, deflate, lz4, stored, zstd } from "@tightwire/ioredis";
import { useRedis } from "./support/clients.ts";
import { failureOf } from "./support/failures.ts";

const redis = useRedis();

const MAX_CONTENT_BYTES = 4 * 1024 * 1024;
const LARGEST_POWER = 22;
const COMPRESSORS = { stored: stored(), brotli: brotli(), deflate: deflate(), lz4: lz4(), zstd: zstd() };
const STORED_ID = 0;

/** 0 to 4 MiB: every power of two and every threshold of the defaults, each with its neighbours. */
function sizesAround(centers: readonly number[]): number[] {
  const sizes = new Set(centers.flatMap((center) => [center - 1, center, center + 1]));
  return [...sizes].filter((size) => size >= 0 && size <= MAX_CONTENT_BYTES).sort((a, b) => a - b);
}

const POWERS = Array.from({ length: LARGEST_POWER + 1 }, (_, power) => 2 ** power);
const THRESHOLDS = [0, 65, 256, 1024, 65_535, MAX_CONTENT_BYTES];
const SIZES = sizesAround([...POWERS, ...THRESHOLDS]);

// ASCII, so that get() must give the very same characters.
const random = Buffer.from(randomBytes(MAX_CONTENT_BYTES).map((byte) => 32 + (byte % 95)));
const noise = randomBytes(MAX_CONTENT_BYTES);
// What begins with c1 is always framed: one run in 256 would.
noise[0] = 0;
const repeating = Buffer.alloc(MAX_CONTENT_BYTES, "tenant=demo;type=event;status=active;value=12345;\n");
const CONTENTS = { "random text": random, "random bytes": noise, "repeating text": repeating };

suite("sizes from 0 to 4 MiB around every power of two and every threshold", () => {
  for (const [name, compressor] of Object.entries(COMPRESSORS)) {
    for (const [kind, source] of Object.entries(CONTENTS)) {
      test(`${name}, ${kind}: set and get, getBuffer, and what Redis holds`, async () => {
        const client = redis.openWrapped({ prefixes: { "r:": { compressor, maxContentBytes: MAX_CONTENT_BYTES } } });
        for (const size of SIZES) {
          const content = source.subarray(0, size);
          const [, buffer, held] = await Promise.all([
            client.set("r:size", content),
            client.getBuffer("r:size"),
            client.ping().then(() => redis.bare.getBuffer("r:size")),
          ]);
          assert.ok(buffer?.equals(content), `${size} bytes come back`);
          assertHeldAs(held, content, kind === "repeating text" && name !== "stored");
          if (kind === "random bytes") continue;
          const text = content.toString("latin1");
          const [, reply] = await Promise.all([client.set("r:size", text), client.get("r:size")]);
          assert.ok(reply === text, `${size} characters come back`);
        }
        client.disconnect();
      });
    }
  }

  test("maxContentBytes is the largest content that is written, in bytes and not in characters", async () => {
    const limit = 3000;
    for (const compressor of Object.values(COMPRESSORS)) {
      const client = redis.openWrapped({ prefixes: { "r:": { compressor, maxContentBytes: limit } } });
      for (const value of ["x".repeat(limit), "é".repeat(limit / 2), Buffer.alloc(limit)]) {
        assert.equal(await client.set("r:max", value), "OK");
        assert.deepStrictEqual(await client.getBuffer("r:max"), Buffer.from(value as string));
      }
      for (const value of ["x".repeat(limit + 1), `${"é".repeat(limit / 2)}x`, Buffer.alloc(limit + 1)]) {
        const error = await failureOf(client.set("r:max", value));
        assert.deepStrictEqual([error.code, error.key, error.command], ["CODEC_SIZE_LIMIT", "r:max", "set"]);
        assert.equal((await failureOf(client.hset("r:maxh", { f: value }))).code, "CODEC_SIZE_LIMIT");
      }
      client.disconnect();
    }
  });
});

function assertHeldAs(held: Buffer | null, content: Buffer, shrinks: boolean): void {
  assert.ok(held !== null);
  const framed = content.length >= 65;
  assert.equal(isFrame(held), framed, `${content.length} bytes: framed`);
  if (!framed) return;
  const header = readFrameHeader(held);
  assert.equal(header?.contentSize, content.length);
  assert.ok(held.length <= content.length + FRAME_HEADER_BYTES, "a frame is never larger than its content and a header");
  if (content.length < 256) assert.equal(header?.codecId, STORED_ID, "too short to be compressed");
  else if (shrinks) assert.notEqual(header?.codecId, STORED_ID, `${content.length} bytes are compressed`);
}
