// Every way in which ioredis sends commands goes through the codec: pipelines, transactions, callbacks, Buffers.
import assert from "node:assert/strict";
import { isFrame } from "@tightwire/codec-core";
import { isCodecError, lz4, valueCodecOf, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";

const url = process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379";
const bare = new Redis(url);
const redis = withValueCodec(new Redis(url), { prefixes: { "feed:": { compressor: lz4() } } });
const keys = ["feed:a", "feed:b", "feed:c", "feed:hash"];
const [first, second] = ["first ".repeat(200), "second ".repeat(200)];

try {
  // A pipeline: one round trip, each reply in its place and of its usual type.
  const pipeline = redis.pipeline().set("feed:a", first).hset("feed:hash", { title: first, body: second });
  const replies = await pipeline.get("feed:a").hgetall("feed:hash").exec();
  assert.deepEqual(replies, [
    [null, "OK"],
    [null, 2],
    [null, first],
    [null, { title: first, body: second }],
  ]);
  console.log("pipeline: four replies, decoded in place");

  // A transaction: the values inside MULTI are frames, and EXEC's reply is decoded.
  const results = await redis.multi().mset({ "feed:b": first, "feed:c": second }).mget("feed:b", "feed:c").exec();
  assert.deepEqual(results, [
    [null, "OK"],
    [null, [first, second]],
  ]);
  assert.ok(isFrame((await bare.getBuffer("feed:c")) ?? Buffer.alloc(0)));
  console.log("transaction: two values written and read atomically, held as frames");

  // Buffers in, Buffers out.
  await redis.set("feed:b", Buffer.from(second));
  assert.deepEqual(await redis.getBuffer("feed:b"), Buffer.from(second));
  console.log("getBuffer: the content, as bytes");

  // One damaged value hurts only itself: its neighbours in the same reply are still there.
  const damaged = await bare.getBuffer("feed:b");
  assert.ok(damaged !== null);
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 1, damaged.length - 1);
  await bare.set("feed:b", damaged);
  await assert.rejects(redis.mget("feed:a", "feed:b"), (error) => {
    assert.ok(isCodecError(error) && Array.isArray(error.reply));
    assert.equal(error.code, "CODEC_CHECKSUM_MISMATCH");
    assert.equal(error.reply[0], first);
    assert.ok(isCodecError(error.reply[1]) && error.reply[1].key === "feed:b");
    return true;
  });
  console.log("mget: the damaged value is named by key and code, the good one is in error.reply");

  const { encoded, contentBytes, heldBytes } = valueCodecOf(redis).stats()["feed:"] ?? assert.fail("no counters");
  assert.equal(encoded, 6);
  console.log(`stats: ${encoded} values encoded, ${contentBytes} bytes in, ${heldBytes} held`);
} finally {
  await bare.del(...keys);
  await Promise.all([redis.quit(), bare.quit()]);
}
