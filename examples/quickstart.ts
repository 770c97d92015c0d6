// npm start — wraps a client, writes through it, and reads everything back twice: through it, and through a bare client.
import assert from "node:assert/strict";
import { createValueCodec, isFrame } from "@tightwire/codec-core";
import { brotli, type Compressor, isCodecError, lz4, valueCodecOf, withValueCodec, zstd } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { makeCounter, makePage, makeSession } from "./support/sample-values.ts";

const url = process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379";
// ioredis puts this before every key. The codec's own prefixes below do not see it.
const keyPrefix = `tightwire-quickstart:${process.pid}:`;
const compressor = pickCompressor();

const bare = new Redis(url);
const redis = withValueCodec(new Redis(url, { keyPrefix }), {
  prefixes: {
    "session:": { compressor },
    "page:": { compressor: lz4() },
    "hits:": "raw", // never encoded nor decoded
  },
});

try {
  console.table({
    [`session: (${compressor.name})`]: await tryOut("session:", 500, makeSession),
    "page: (lz4)": await tryOut("page:", 100, makePage),
    "hits: (raw)": await tryOut("hits:", 200, makeCounter),
  });
  await redis.incr("hits:1");
  assert.equal(await bare.get(`${keyPrefix}hits:1`), "38");
  console.log("Every value came back equal. Counters still count: INCR made hits:1 38.");
} finally {
  await removeKeys();
  await Promise.all([redis.quit(), bare.quit()]);
}

/** Writes values, reads them back through both clients, and compares. */
async function tryOut(prefix: string, count: number, makeValue: (index: number) => string): Promise<object> {
  const values = Array.from({ length: count }, (_, index) => makeValue(index));
  const keys = values.map((_, index) => `${prefix}${index}`);
  await Promise.all(values.map((value, index) => redis.set(`${prefix}${index}`, value)));
  assert.deepEqual(await Promise.all(keys.map((key) => redis.get(key))), values);

  const held = await Promise.all(keys.map((key) => bare.getBuffer(keyPrefix + key)));
  let bytesHeld = 0;
  for (const [index, bytes] of held.entries()) {
    assert.ok(bytes !== null);
    assert.equal(isFrame(bytes), prefix !== "hits:");
    assert.equal(valueCodecOf(redis).decode(`${prefix}${index}`, bytes).toString(), values[index]);
    bytesHeld += bytes.length;
  }
  const bytesBefore = Buffer.byteLength(values.join(""));
  return {
    values: count,
    "bytes before": bytesBefore,
    "bytes held": bytesHeld,
    ratio: ratio(bytesBefore, bytesHeld),
    verified: "all",
  };
}

function ratio(before: number, held: number): string {
  return `${(before / held).toFixed(2)} ×`;
}

/** zstd, or Brotli where the optional package zstd-napi could not be installed and Node has no zstd of its own. */
function pickCompressor(): Compressor {
  try {
    return createValueCodec({ compressor: zstd({ level: 3 }) }).compressor;
  } catch (error) {
    if (isCodecError(error) && error.code === "CODEC_UNAVAILABLE") return brotli();
    throw error;
  }
}

async function removeKeys(): Promise<void> {
  for await (const keys of bare.scanStream({ match: `${keyPrefix}*`, count: 1000 })) {
    if (keys.length > 0) await bare.unlink(...keys);
  }
}
