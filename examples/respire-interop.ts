// Values shared with .NET programs that use Respire: the same bytes, written by either side.
import assert from "node:assert/strict";
import { lz4, type PrefixRule, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { acceptedVectors, contentOf, frameOf } from "../test/vectors/vectors.ts";

// Respire frames every value, also short ones and numbers, and compresses from 1,024 bytes on.
const respire = { compressor: lz4(), minCompressBytes: 1024, minFrameBytes: 0, numbers: "framed" } satisfies PrefixRule;

const url = process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379";
const bare = new Redis(url);
const redis = withValueCodec(new Redis(url), {
  prefixes: {
    "respire/": { ...respire, frameVersion: 2 },
    "respire/v1/": { ...respire, frameVersion: 1 },
  },
});

// Frames of Respire's tests and benchmarks; zstd is left out, as not every Node here can read it.
const vectors = acceptedVectors.filter(({ id, codec }) => id.startsWith("respire/") && codec !== 4);
assert.ok(vectors.length >= 6);
const keys = vectors.map(({ id, version }) => (version === 1 ? id.replace("respire/", "respire/v1/") : id));

try {
  for (const [index, vector] of vectors.entries()) {
    const key = keys[index] ?? "";
    const [content, frame] = [contentOf(vector), frameOf(vector)];
    await bare.set(key, frame);
    assert.deepEqual(await redis.getBuffer(key), content);
    if (vector.codec === 0) {
      await redis.set(key, content);
      assert.deepEqual(await bare.getBuffer(key), frame);
    }
    console.log(
      `${key}: read${vector.codec === 0 ? " and written byte for byte" : ""}, frame ${frame.subarray(0, 18).toString("hex")}…`,
    );
  }

  // Numbers are framed like any other value, so such a prefix cannot be counted with INCR.
  await redis.set("respire/number", "42");
  await assert.rejects(redis.incr("respire/number"), /not an integer/);
  assert.equal(await redis.get("respire/number"), "42");
  console.log("respire/number: GET gives 42, INCR is refused by Redis");
} finally {
  await bare.del(...keys, "respire/number");
  await Promise.all([redis.quit(), bare.quit()]);
}
