import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { LINK_CELLS } from "../src/cases/link-cells.ts";
import { redisSuite } from "../src/cases/redis.ts";
import { REDIS_CELLS } from "../src/cases/redis-cells.ts";
import { SIZED_DIGESTS } from "../src/corpus/digests.ts";
import { PEERS } from "../src/peers/peers.ts";
import { listFaults, runQuickly } from "./support/run-suite.ts";

const METRICS = ["opsPerSecond", "ratioToRaw", "p50Us", "p99Us", "cpuUs", "mainThreadUs"];

function values<Key extends keyof (typeof REDIS_CELLS)[number]>(key: Key): Set<unknown> {
  return new Set(REDIS_CELLS.map((cell) => cell[key]));
}

suite("redisSuite", () => {
  test("lists cases of every operation, size, corpus, load, style and peer, each name once", () => {
    const names = redisSuite.listCases().map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(values("operation"), new Set(["set", "get", "mget", "hset", "hgetall"]));
    assert.deepEqual(values("sizeBytes"), new Set([100, 1_024, 16_384, 262_144, 1_048_576]));
    assert.deepEqual(values("inFlight"), new Set([64, 1, 256]));
    assert.deepEqual(values("style"), new Set(["direct", "pipelined"]));
    assert.equal(values("corpus").size, 3);
    for (const { name } of PEERS) assert.ok(names.some((one) => one.endsWith(`/${name}`)));
  });

  test("has all cells that bars are set for, with 15 rounds or more", () => {
    const names = new Set(redisSuite.listCases().map(({ name }) => name));
    for (const operation of ["set", "get"]) {
      for (const size of ["100", "1k", "16k", "256k"]) {
        for (const corpus of ["record-text", "random"]) {
          const cell = `redis/${operation}/${corpus}-${size}/64-direct`;
          for (const peer of ["ioredis-raw", "tightwire-lz4", "tightwire-zstd-3", "glide-lz4", "glide-zstd-3"]) {
            assert.ok(names.has(`${cell}/${peer}`), `${cell}/${peer}`);
          }
          assert.ok((REDIS_CELLS.find(({ name }) => name === cell)?.rounds ?? 0) >= 15);
        }
      }
    }
  });

  test("has contents of recorded digests alone", () => {
    for (const { corpus, sizeBytes } of [...REDIS_CELLS, ...LINK_CELLS]) {
      assert.ok(Object.hasOwn(SIZED_DIGESTS, `${corpus.name}/${sizeBytes}`), `${corpus.name}/${sizeBytes}`);
    }
  });

  test("fits into 25 minutes", () => {
    const ms = redisSuite.listCases().reduce((sum, { estimateMs }) => sum + estimateMs, 0);
    assert.ok(ms < 25 * 60_000, `${ms} ms`);
  });

  test("measures every peer of a cell, and says what each puts on the wire and the server", async () => {
    const run = await runQuickly(redisSuite, /^redis\/get\/record-text-1k\/64-direct\//);
    const { results, failed, ended, versions, notes } = run;
    assert.deepEqual(listFaults(run), []);
    assert.equal(ended.length, PEERS.length);
    assert.equal(results.size + failed.size, PEERS.length);
    assert.ok(versions.has("redis-server") && versions.has("ioredis"));
    for (const { name, metrics, facts } of results.values()) {
      assert.deepEqual(Object.keys(metrics), METRICS, name);
      assert.ok(
        Object.values(metrics).every(({ samples }) => samples.length === 1 && samples.every((sample) => sample > 0)),
        name,
      );
      assert.ok(Number(facts["heldBytes"]) > 0 && Number(facts["wireBytes"]) > Number(facts["heldBytes"]), name);
    }
    for (const { name, difference } of PEERS)
      assert.ok(
        notes.some((note) => note.includes(name) && note.endsWith(`: ${difference}`)),
        name,
      );
    const raw = results.get("redis/get/record-text-1k/64-direct/ioredis-raw");
    // "*2 $3 GET $9 p00:00000", and a bulk string of 1,024 bytes.
    assert.equal(raw?.facts["wireBytes"], 28 + 1_033);
    assert.deepEqual(new Set(raw?.metrics["ratioToRaw"]?.samples), new Set([1]));
    const compressed = results.get("redis/get/record-text-1k/64-direct/tightwire-lz4");
    assert.equal(compressed?.facts["codecId"], 3);
    assert.ok(Number(compressed?.facts["wireBytes"]) < 200);
    assert.ok(Number(compressed?.facts["usedMemoryBytes"]) < Number(raw?.facts["usedMemoryBytes"]));
  });

  test("runs what else there is: pipelines, many values, hashes, bytes, one call at a time", async () => {
    const cells = [
      /set\/record-text-1k\/64-pipelined/,
      /mget\/record-text-1k\/64-pipelined/,
      /mget\/random-1k\/64-direct/,
      /hset\/random-1k\/64-direct/,
      /hgetall\/record-text-1k\/(1-direct|64-pipelined)/,
      /get\/random-1k\/64-pipelined/,
      /get\/json-documents-1k\/1-direct/,
    ];
    const pattern = new RegExp(
      `(${cells.map(({ source }) => source).join("|")})/(ioredis-raw|tightwire-zstd-3|glide-raw|glide-lz4)$`,
    );
    const run = await runQuickly(redisSuite, pattern);
    const { results, failed, ended } = run;
    assert.deepEqual(listFaults(run), []);
    assert.ok(results.size >= 2 * 9, String(results.size));
    assert.equal(results.size + failed.size, ended.length);
    const hash = results.get("redis/hset/random-1k/64-direct/tightwire-zstd-3");
    assert.equal(hash?.facts["codecId"], 0);
  });

  test("compares with raw ioredis also where that was not chosen, and records only what was", async () => {
    const { results, ended } = await runQuickly(redisSuite, /^redis\/set\/record-text-100\/64-direct\/tightwire-stored$/);
    assert.deepEqual(ended, ["redis/set/record-text-100/64-direct/tightwire-stored"]);
    assert.equal([...results.values()][0]?.metrics["ratioToRaw"]?.samples.length, 1);
  });

  test("ends without results when it is interrupted", async () => {
    const { ended } = await runQuickly(redisSuite, /record-text-1k\/64-direct/, AbortSignal.abort());
    assert.deepEqual(ended, []);
  });
});
