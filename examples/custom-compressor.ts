// A compressor of one's own: Deflate with a preset dictionary, which makes small records of a known shape much smaller.
import assert from "node:assert/strict";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { readFrameHeader } from "@tightwire/codec-core";
import { defineCompressor, deflate, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";

// What the records have in common. It belongs to the id: a value can only be read with the dictionary it was written with.
const dictionary = Buffer.from('{"type":"measurement","station":"station-","unit":"celsius","quality":"verified","value":');

const measurements = defineCompressor({
  id: 16, // 16–255 are free for applications; every reader of the values must agree on them
  name: "deflate-measurements",
  compress: (content) => deflateRawSync(content, { dictionary }),
  decompress(payload, contentSize) {
    // Payloads come from outside: bound what they may unpack to, and refuse what they do not use.
    const { buffer, engine } = inflateRawSync(payload, {
      dictionary,
      maxOutputLength: contentSize,
      info: true,
    }) as unknown as Inflated;
    if (engine.bytesWritten !== payload.length) throw new Error("bytes follow the stream");
    return buffer;
  },
});

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

const url = process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379";
const bare = new Redis(url);
const redis = withValueCodec(new Redis(url), {
  prefixes: {
    "measurement:": { compressor: measurements, minCompressBytes: 1, minFrameBytes: 0 },
    "measurement:plain:": { compressor: deflate(), minCompressBytes: 1, minFrameBytes: 0 },
  },
});

try {
  const record = JSON.stringify({ type: "measurement", station: "station-7", unit: "celsius", quality: "verified", value: 21.5 });
  const sizes: Record<string, number> = {};
  for (const key of ["measurement:1", "measurement:plain:1"]) {
    await redis.set(key, record);
    assert.equal(await redis.get(key), record);
    const held = await bare.getBuffer(key);
    assert.ok(held !== null);
    sizes[key] = held.length;
    console.log(`${key}: ${record.length} bytes, ${held.length} held in Redis, codec id ${readFrameHeader(held)?.codecId}`);
  }
  assert.ok((sizes["measurement:1"] ?? Infinity) < (sizes["measurement:plain:1"] ?? 0) / 2);
} finally {
  await bare.del("measurement:1", "measurement:plain:1");
  await Promise.all([redis.quit(), bare.quit()]);
}
