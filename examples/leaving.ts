// npm run examples — leaves for good: makes plain values of all frames under some prefixes, while other programs go on.
import assert from "node:assert/strict";
import { isFrame, json, lz4, type ValueCodecClientOptions, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";

const url = process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379";
const run = `tightwire-leaving:${process.pid}:`;
const bare = new Redis(url);

const PAGE = "<p>The same paragraph again.</p>".repeat(20);
const USER = { name: "ada", notes: "likes long notes ".repeat(10) };

// Before: frames. `frame: "never"` must be deployed everywhere before the pass: whoever still writes frames would add new ones.
const before = rulesOf("always");
const after = rulesOf("never");

function rulesOf(frame: "always" | "never") {
  return {
    prefixes: {
      [`${run}page:`]: { compressor: lz4(), frame },
      [`${run}user:`]: { compressor: lz4(), serializer: json<unknown>(), frame },
    },
  } satisfies ValueCodecClientOptions;
}

/** A client for the pass alone: WATCH is of the connection, so that nobody else may use it meanwhile. */
const redis = withValueCodec(new Redis(url), after);

try {
  await fill();
  const outcome = { plain: 0, framed: 0 };
  for (const prefix of Object.keys(after.prefixes)) {
    for await (const keys of bare.scanStream({ match: `${prefix}*`, count: 1000 })) {
      for (const key of keys as string[]) outcome[(await unframe(key)) ? "plain" : "framed"]++;
    }
  }
  console.table(outcome);
  await verify();
  console.log("A bare client reads every value, null and TTL included; only the stream still holds a frame.");
} finally {
  await removeKeys();
  await Promise.all([redis.quit(), bare.quit()]);
}

/** Writes a key again if it holds frames; whether it holds none now. */
async function unframe(key: string): Promise<boolean> {
  for (;;) {
    await redis.watch(key);
    const values = await frameless(key);
    if (values === undefined) {
      await redis.unwatch();
      return !(await holdsFrames(key));
    }
    // Null if somebody else has written the key, or it has expired, since it was watched: look again.
    if ((await values.exec()) !== null) return !(await holdsFrames(key));
  }
}

/** A transaction that writes what the key holds; undefined if it holds no frame or is of a type that cannot be written again. */
async function frameless(key: string) {
  if (!(await holdsFrames(key))) return undefined;
  // Bytes for values that may be no text; under a serializer the values themselves, null too.
  const isTyped = key.startsWith(`${run}user:`);
  const transaction = redis.multi();
  switch (await redis.type(key)) {
    case "string":
      return transaction.set(key, (isTyped ? await redis.get(key) : await redis.getBuffer(key)) as string, "KEEPTTL");
    case "hash":
      // Ends the TTL of single fields (HEXPIRE).
      return transaction.hset(key, (isTyped ? await redis.hgetall(key) : await redis.hgetallBuffer(key)) as object);
    case "list": {
      const elements = isTyped ? await redis.lrange(key, 0, -1) : await redis.lrangeBuffer(key, 0, -1);
      for (const [index, element] of elements.entries()) transaction.lset(key, index, element as string);
      return transaction;
    }
    default:
      return undefined;
  }
}

/** Whether a bare client sees a frame. */
async function holdsFrames(key: string): Promise<boolean> {
  switch (await bare.type(key)) {
    case "string":
      return isFrame((await bare.getBuffer(key)) ?? Buffer.alloc(0));
    case "hash":
      return (await bare.hvalsBuffer(key)).some(isFrame);
    case "list":
      return (await bare.lrangeBuffer(key, 0, -1)).some(isFrame);
    case "stream":
      return (await bare.xrangeBuffer(key, "-", "+")).some(([, fields]) => fields.some(isFrame));
    default:
      return false;
  }
}

async function fill(): Promise<void> {
  const writer = withValueCodec(new Redis(url), before);
  await writer.set(`${run}page:1`, PAGE, "EX", 1000);
  await writer.rpush(`${run}page:list`, PAGE, "short", PAGE);
  await writer.xadd(`${run}page:stream`, "*", "html", PAGE);
  await writer.set(`${run}user:1`, USER);
  await writer.set(`${run}user:null`, null);
  await writer.hset(`${run}user:hash`, { a: USER, b: [1, 2], c: "text" });
  await writer.quit();
  for (const key of ["page:1", "page:list", "page:stream", "user:1", "user:null", "user:hash"]) {
    assert.ok(await holdsFrames(run + key), `${key} holds frames`);
  }
}

async function verify(): Promise<void> {
  assert.equal(await bare.get(`${run}page:1`), PAGE);
  assert.ok((await bare.ttl(`${run}page:1`)) > 0);
  assert.deepEqual(await bare.lrange(`${run}page:list`, 0, -1), [PAGE, "short", PAGE]);
  assert.deepEqual(JSON.parse((await bare.get(`${run}user:1`)) ?? ""), USER);
  assert.equal(await bare.get(`${run}user:null`), "null");
  assert.deepEqual(await bare.hgetall(`${run}user:hash`), { a: JSON.stringify(USER), b: "[1,2]", c: '"text"' });
  assert.ok(await holdsFrames(`${run}page:stream`));
}

async function removeKeys(): Promise<void> {
  for await (const keys of bare.scanStream({ match: `${run}*`, count: 1000 })) {
    if (keys.length > 0) await bare.unlink(...keys);
  }
}
