/** One program for ES modules, CommonJS and Jest: round trips of every compressor, and of a wrapped client on a real server. */
export const ROUND_TRIP: string = `
async function checkRoundTrips(core, wrapper, Redis, { withoutZstd }) {
  const { createValueCodec, isCodecError } = core;
  const content = Buffer.from("a value that repeats itself, ".repeat(100));
  const compressors = { stored: core.stored, brotli: core.brotli, deflate: core.deflate, lz4: core.lz4, zstd: core.zstd };
  for (const [name, compressor] of Object.entries(compressors)) {
    if (name === "zstd" && withoutZstd) {
      assert.throws(() => createValueCodec({ compressor: compressor() }), (error) => {
        assert.equal(error.code, "CODEC_UNAVAILABLE");
        assert.equal(error.packageName, "zstd-napi");
        assert.match(error.message, /npm install zstd-napi/);
        return isCodecError(error) && wrapper.isCodecError(error);
      });
      continue;
    }
    for (const frameVersion of [1, 2]) {
      const codec = createValueCodec({ compressor: compressor(), frameVersion });
      const frame = codec.encode(content);
      assert.ok(core.isFrame(frame));
      assert.ok(name === "stored" || frame.length < content.length / 5);
      assert.deepEqual(codec.decode(frame), content);
    }
  }

  const bare = new Redis(process.env.REDIS_URL);
  const key = "page:" + process.pid + Math.random();
  const redis = wrapper.withValueCodec(new Redis(process.env.REDIS_URL), { prefixes: { "page:": { compressor: core.lz4() } } });
  await redis.set(key, content);
  assert.equal(await redis.get(key), content.toString());
  assert.deepEqual(await redis.getBuffer(key), content);
  assert.ok(core.isFrame(await bare.getBuffer(key)));
  await bare.del(key);
  await Promise.all([redis.quit(), bare.quit()]);
}
`;
