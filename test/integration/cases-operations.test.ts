import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { createValueCodec } from "@tightwire/codec-core";
import {
  brotli,
  type Compressor,
  defineCompressor,
  deflate,
  isCodecError,
  lz4,
  stored,
  valueCodecOf,
  zstd,
} from "@tightwire/ioredis";
import { invoke } from "./support/calls.ts";
import { useRedis } from "./support/clients.ts";
import { asCodecError, failureOf, listOf, rejectionOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";

const redis = useRedis();
const MIB = 1024 * 1024;

function rss(): number {
  return process.memoryUsage().rss;
}

/** A frame of version 1 around any payload. */
function frameOf(codecId: number, contentSize: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(18);
  header.write("RVC\0", "latin1");
  header.writeUInt8(1, 4);
  header.writeUInt8(codecId, 5);
  header.writeUInt32LE(contentSize, 6);
  createHash("sha256").update(payload).digest().copy(header, 10, 0, 8);
  return Buffer.concat([header, payload]);
}

const numbered = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

suite("rollout and roll-back", () => {
  test("case 79 (PostHog/posthog#15749): old values read, and the codec can be switched off again", async () => {
    const [old, fresh] = [numbered("k:old", 1_000), numbered("k:new", 1_000)];
    const value = (key: string): string => `${key}:${LONG}`;
    await redis.bare.mset(old.flatMap((key) => [key, value(key)]));
    const client = redis.openWrapped({ prefixes: { "k:": {} } });
    const readAll = async (keys: readonly string[]): Promise<void> =>
      assert.deepStrictEqual(await client.mget([...keys]), keys.map(value));
    await readAll(old);
    await client.mset(fresh.flatMap((key) => [key, value(key)]));
    assert.equal(valueCodecOf(client).stats()["k:"]?.encoded, 1_000);
    valueCodecOf(client).setRules({ prefixes: { "k:": { frame: "never" } } });
    await readAll([...old, ...fresh]);
    await client.set("k:last", LONG);
    assert.equal(await redis.bare.get("k:last"), LONG, "a mode that reads frames and writes none");
  });

  test("case 80 (rails/rails#35836, argoproj/argo-cd#4270, Azure/aspnet-redis-providers#173): an old reader names what it lacks", async () => {
    const client = redis.openWrapped({ prefixes: { "k:": {} } });
    await client.set("k:1", LONG);
    assert.notEqual(await redis.bare.get("k:1"), LONG, "a reader without the codec sees the frame: readers come first");
    const old = redis.openWrapped({ prefixes: { "k:": { compressor: lz4(), accept: [lz4(), deflate()] } } });
    const error = await failureOf(old.get("k:1"));
    assert.deepStrictEqual([error.code, error.codecId, error.key], ["CODEC_UNKNOWN_ID", zstd().id, "k:1"]);
  });

  test("case 82 (celery/celery#10612, redis/redis-py#809, redis/redis-py#1006): a prefix shared with text-mode readers is switched off", async () => {
    const client = redis.openWrapped({ prefixes: { "k:": {}, "k:shared:": "raw" } });
    await client.mset("k:1", LONG, "k:shared:1", LONG);
    assert.ok((await redis.bare.get("k:1"))?.includes("\ufffd"));
    assert.equal(await redis.bare.get("k:shared:1"), LONG);
  });

  // What holds the dictionary is a compressor of one's own, and its id names it: no built-in takes one.
  test("case 91 (oleg-st/ZstdSharp#60, zchunk/zchunk#43): values are read while their dictionary's id is accepted, then named", async () => {
    const first = withDictionary(16, "a dictionary for lines of text ");
    const second = withDictionary(17, "another dictionary for lines of text ");
    const line = "another line, a dictionary for lines of text ".repeat(8);
    const client = redis.openWrapped({ prefixes: { "d:": { compressor: first } } });
    await client.set("d:1", line);
    valueCodecOf(client).setRules({ prefixes: { "d:": { compressor: second, accept: [first, second] } } });
    await client.set("d:2", line);
    assert.deepStrictEqual(await client.mget("d:1", "d:2"), [line, line]);
    valueCodecOf(client).setRules({ prefixes: { "d:": { compressor: second, accept: [second] } } });
    const error = await failureOf(client.get("d:1"));
    assert.deepStrictEqual([error.code, error.codecId, error.key], ["CODEC_UNKNOWN_ID", 16, "d:1"]);
    assert.equal(await client.get("d:2"), line);
    const zstdWithDictionary = Buffer.from("28b52ffd212a4003020041", "hex");
    await redis.bare.set("d:3", frameOf(zstd().id, 64, zstdWithDictionary));
    valueCodecOf(client).setRules({ prefixes: { "d:": {} } });
    const missing = await failureOf(client.get("d:3"));
    assert.deepStrictEqual([missing.code, missing.key], ["CODEC_DICTIONARY_MISSING", "d:3"]);
  });
});

function withDictionary(id: number, text: string): Compressor {
  const dictionary = Buffer.from(text);
  return defineCompressor({
    id,
    name: `deflate with dictionary ${id}`,
    compress: (content) => deflateRawSync(content, { dictionary }),
    decompress: (payload, contentSize) => inflateRawSync(payload, { dictionary, maxOutputLength: contentSize }),
  });
}

suite("other programs at the same keys", () => {
  test("case 84 (joeferner/redis-commander#593, redis/RedisInsight#1863): a frame that was saved as text is corrupt, and says its key", async () => {
    const client = redis.openWrapped({ prefixes: { "k:": { unframed: "accept" } } });
    for (const compressor of [zstd(), lz4(), deflate(), brotli(), stored()]) {
      for (const frameVersion of [1, 2] as const) {
        const frame = createValueCodec({ compressor, frameVersion, minCompressBytes: 1 }).encode(Buffer.from(LONG));
        const resaved = Buffer.from(frame.toString("utf8"));
        assert.notDeepEqual(resaved, frame);
        await redis.bare.set("k:1", resaved);
        const error = await failureOf(client.get("k:1"));
        assert.deepStrictEqual([error.key, error.frame], ["k:1", resaved]);
      }
    }
  });

  // The library itself is run in test/drop-in; this is what it relies on.
  test("case 85 (taskforcesh/bullmq#183, #1596, #3013): a library of scripts works where it is excluded and where it is not", async () => {
    const job = JSON.stringify({ text: "x".repeat(10_000) });
    const add =
      "redis.call('HSET', KEYS[1], 'data', ARGV[1]) redis.call('LPUSH', KEYS[2], ARGV[2]) return redis.call('INCR', KEYS[3])";
    for (const rules of [{ "": {}, "bull:": "raw" }, { "": {} }] as const) {
      await redis.bare.flushall();
      const client = redis.openWrapped({ prefixes: rules });
      const worker = redis.keep(client.duplicate());
      for (const one of [client, worker]) one.defineCommand("addJob", { numberOfKeys: 3, lua: add });
      await client.set("bull:q:id", 7);
      assert.equal(await invoke(client, "addJob", ["bull:q:1", "bull:q:wait", "bull:q:id", job, "1"]), 8);
      assert.equal(await invoke(worker, "addJob", ["bull:q:2", "bull:q:wait", "bull:q:id", job, "2"]), 9);
      assert.deepStrictEqual(await worker.brpop("bull:q:wait", 1), ["bull:q:wait", "1"]);
      assert.deepStrictEqual(await worker.hgetall("bull:q:1"), { data: job });
      assert.deepStrictEqual(await worker.hgetBuffer("bull:q:1", "data"), Buffer.from(job));
      assert.equal(await worker.lrem("bull:q:wait", 0, "2"), 1);
    }
  });

  test("case 86 (comet-ml/opik#8089): a bad stream entry is named by its id, and the good ones are delivered", async () => {
    const client = redis.openWrapped({ prefixes: { "s:": {}, "s:miss:": { onDecodeError: "miss" } } });
    const bad = frameOf(3, 1_000, Buffer.from("no LZ4 block at all"));
    for (const key of ["s:1", "s:miss:1"]) {
      await client.xadd(key, "1-1", "f", LONG);
      await redis.bare.xadd(key, "1-2", "f", bad);
      await client.xadd(key, "1-3", "f", "last");
      await client.xgroup("CREATE", key, "g", "0");
    }
    const read = (key: string): Promise<unknown> => client.xreadgroup("GROUP", "g", "c", "COUNT", 3, "STREAMS", key, ">");
    const [stream] = listOf(await rejectionOf(read("s:1"))) as [string, [string, unknown[]][]][];
    const entries = stream?.[1] ?? [];
    assert.deepStrictEqual(
      [entries[0], entries[2]],
      [
        ["1-1", ["f", LONG]],
        ["1-3", ["f", "last"]],
      ],
    );
    const own = asCodecError(entries[1]?.[1][1]);
    assert.deepStrictEqual([own.id, own.field, own.key], ["1-2", "f", "s:1"]);
    assert.equal(await client.xack("s:1", "g", own.id ?? ""), 1);
    assert.deepStrictEqual(await read("s:miss:1"), [
      [
        "s:miss:1",
        [
          ["1-1", ["f", LONG]],
          ["1-2", ["f", null]],
          ["1-3", ["f", "last"]],
        ],
      ],
    ]);
  });
});

suite("what it costs", () => {
  test("case 87 (nodejs/node#8871, nodejs/node#15301, websockets/ws#1202): 10,000 writes at once reserve no memory each", async () => {
    const everything = { compressor: deflate(), minFrameBytes: 0, minCompressBytes: 1 } as const;
    const client = redis.openWrapped({ prefixes: { "k:": everything } });
    const document = JSON.stringify({ id: 1, ok: true });
    const large = JSON.stringify({ text: "text ".repeat(4_000) });
    await client.set("k:warm", large);
    const before = rss();
    await Promise.all(numbered("k:", 10_000).map((key) => client.set(key, document)));
    await Promise.all(numbered("k:", 1_000).map((key) => client.set(key, large)));
    // A heap moves by tens of MiB on its own; a leak of one compressor for each call would be GiB.
    assert.ok(rss() - before < 300 * MIB, `${rss() - before} bytes`);
    assert.equal(await client.get("k:9999"), document);
    assert.equal(await client.get("k:999"), large);
  });

  test("case 88 (nodejs/node#27818): brotli() does not stall the loop by its default", async () => {
    const client = redis.openWrapped({ prefixes: { "k:": { compressor: brotli() } } });
    const rows = Array.from({ length: 6_000 }, (_, id) => ({
      id,
      name: `name ${id % 97}`,
      at: 1_700_000_000 + id * 61,
      note: "a note as any other",
    }));
    const document = JSON.stringify(rows).slice(0, 450_000);
    // Of this process' own time: others may be busy.
    const begin = process.cpuUsage();
    const sent = client.set("k:1", document);
    const elapsedMs = process.cpuUsage(begin).user / 1000;
    await sent;
    // The highest quality takes over a second for this, quality 4 about ten milliseconds.
    assert.ok(elapsedMs < 500, `${elapsedMs} ms`);
    assert.equal(await client.get("k:1"), document);
  });

  test("case 89 (nodejs/node#22705): 20,000 reads of garbage behind a header leave nothing behind", async () => {
    const client = redis.openWrapped({ prefixes: { "k:": {} } });
    const garbage = randomBytes(1_024);
    const checksum = frameOf(deflate().id, 4_096, garbage);
    checksum.writeUInt8(checksum.readUInt8(10) ^ 1, 10);
    await redis.bare.mset(
      "k:deflate",
      frameOf(deflate().id, 4_096, garbage),
      "k:zstd",
      frameOf(zstd().id, 4_096, garbage),
      "k:sum",
      checksum,
    );
    const readMany = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 100) {
        const settled = await Promise.allSettled(
          Array.from({ length: 100 }, (_, j) => client.get(["k:deflate", "k:zstd", "k:sum"][(i + j) % 3] ?? "")),
        );
        assert.ok(settled.every((one) => one.status === "rejected" && isCodecError(one.reason)));
      }
    };
    await readMany(2_000);
    const before = rss();
    await readMany(20_000);
    // A heap moves by tens of MiB on its own; a leak of one compressor for each call would be GiB.
    assert.ok(rss() - before < 300 * MIB, `${rss() - before} bytes`);
  });

  test("case 90 (zwb-ict/node-zstd#3, redisson/redisson#1652): compressors are not made anew for each value", async () => {
    const client = redis.openWrapped({ prefixes: { "k:": {} } });
    const content = Buffer.from(LONG.repeat(1 + 131_072 / Buffer.byteLength(LONG))).subarray(0, 131_072);
    const writeMany = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 50) await Promise.all(numbered("k:", 50).map((key) => client.set(key, content)));
    };
    await writeMany(200);
    const before = rss();
    await writeMany(2_000);
    for (let i = 0; i < 40; i++) await Promise.all(numbered("k:", 50).map((key) => client.getBuffer(key)));
    assert.ok(rss() - before < 400 * MIB, `${rss() - before} bytes`);
    assert.deepStrictEqual(await client.getBuffer("k:49"), content);
  });
});
