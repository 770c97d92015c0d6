// The same from CommonJS: NestJS, Jest, and every other program that uses require().
const assert = require("node:assert/strict");
const { Redis } = require("ioredis");
const { createValueCodec, isCodecError } = require("@tightwire/codec-core");
const { brotli, withValueCodec } = require("@tightwire/ioredis");

async function main() {
  const url = process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379";
  const bare = new Redis(url);
  const redis = withValueCodec(new Redis(url), { prefixes: { "article:": { compressor: brotli({ quality: 4 }) } } });
  const article = "Small values are read fast. ".repeat(100);
  try {
    await redis.set("article:1", article);
    assert.equal(await redis.get("article:1"), article);
    const held = await bare.strlen("article:1");
    assert.ok(held < article.length / 10);
    console.log(`article:1 is ${article.length} bytes, ${held} of them held in Redis`);

    // Errors are recognised by a mark that every copy of the packages shares, be it an ES module or CommonJS.
    const codec = createValueCodec({ compressor: brotli() });
    assert.throws(
      () => codec.decode(Buffer.from("not a frame")),
      (error) => isCodecError(error) && error.code === "CODEC_FRAME_INVALID",
    );
    console.log("bytes that are no frame are refused with CODEC_FRAME_INVALID");
  } finally {
    await bare.del("article:1");
    await Promise.all([redis.quit(), bare.quit()]);
  }
}

main();
