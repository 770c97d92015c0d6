import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { json, withValueCodec } from "@tightwire/ioredis";
import { Redis } from "ioredis";
import { type RedisServer, startRedis } from "../../scripts/redis-server.mjs";
import { serializersSuite } from "../src/cases/serializers.ts";
import { createSampleObject, OBJECT_SIZES, type SampleObject } from "../src/cases/serializers-objects.ts";
import { runQuickly } from "./support/run-suite.ts";

suite("createSampleObject()", () => {
  test("has as much of each kind as its size says", () => {
    const shapes = OBJECT_SIZES.map((size) => {
      const { name, measurements, references } = createSampleObject(size);
      return [name.length, measurements.length, references?.length ?? null];
    });
    assert.deepEqual(shapes, [
      [10, 2, null],
      [100, 10, 10],
      [1_000, 10_000, 5_000],
    ]);
  });

  test("has an integer above 32 bits, letters and digits, fractions, a time and GUIDs", () => {
    const { id, name, measurements, createdAt, references } = createSampleObject("medium");
    assert.ok(Number.isSafeInteger(id) && id > 2 ** 32);
    assert.match(name, /^[A-Za-z0-9]+$/);
    assert.ok(measurements.every((value) => value > 0 && value < 1));
    assert.equal(new Date(createdAt).toISOString(), createdAt);
    for (const guid of references ?? []) assert.match(guid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

suite("suite serializers", () => {
  test("lists 36 cases, each once", () => {
    const names = serializersSuite.listCases().map(({ name }) => name);
    assert.equal(names.length, 36);
    assert.equal(new Set(names).size, 36);
  });

  test("measures every path in both directions, with its bytes", async () => {
    const run = await runQuickly(serializersSuite, /\/small\//);
    assert.deepEqual([...run.failed], []);
    assert.deepEqual([...run.skipped], []);
    assert.equal(run.ended.length, 12);
    for (const { metrics, parameters } of run.results.values()) {
      for (const name of ["ns", "heapBytes", "externalBytes"]) assert.ok((metrics[name]?.samples.length ?? 0) > 0, name);
      assert.equal(parameters["sizeBytes"], 156);
    }
    const sizeOf = (path: string): unknown => run.results.get(`serializers/serialize/small/${path}`)?.facts["contentBytes"];
    assert.deepEqual(["json-string", "json-string-sent", "json-bytes", "msgpack-bytes"].map(sizeOf), [156, 156, 156, 108]);
  });

  test("records nothing once the user interrupted", async () => {
    const run = await runQuickly(serializersSuite, /\/small\//, AbortSignal.abort());
    assert.deepEqual(run.ended, []);
  });
});

suite("JSON on the wire", () => {
  let server: RedisServer;
  let plain: Redis;

  before(async () => {
    server = await startRedis();
    plain = new Redis(server.url);
  });

  after(async () => {
    plain?.disconnect();
    await server?.stop();
  });

  test("is the same whether a string or a value is set, and either is read", async () => {
    const wrapped = withValueCodec(new Redis(server.url), {
      prefixes: { "object:": { serializer: json<SampleObject>(), frame: "never" } },
    });
    try {
      for (const size of OBJECT_SIZES) {
        const value = createSampleObject(size);
        const key = `object:${size}` as const;
        await wrapped.set(key, value);
        assert.equal(await plain.get(key), JSON.stringify(value));
        await plain.set(key, JSON.stringify({ ...value, id: 1 }));
        assert.deepEqual(await wrapped.get(key), { ...value, id: 1 });
      }
    } finally {
      wrapped.disconnect();
    }
  });
});
