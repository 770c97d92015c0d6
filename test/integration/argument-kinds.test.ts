import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Redis } from "../support/ioredis-versions.ts";
import { invoke } from "./support/calls.ts";
import { useRedis } from "./support/clients.ts";
import { rejectionOf } from "./support/failures.ts";
import { assertSameContents } from "./support/held.ts";
import { LONG, MEDIUM, SHORT } from "./support/scripts.ts";

const redis = useRedis();
const RULES = { prefixes: { "r:": {}, "lists:": { types: ["list"] } } } as const;

const CONTENT = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 7) & 0xff));
const memory = new Uint8Array([9, ...CONTENT, 9]).buffer;
/** Kinds of bytes; ioredis stores the text of all but Buffers. */
const BYTES: Readonly<Record<string, unknown>> = {
  Buffer: CONTENT,
  Uint8Array: new Uint8Array(CONTENT),
  "Uint8Array inside a larger memory": new Uint8Array(memory, 1, CONTENT.length),
  ArrayBuffer: Uint8Array.from(CONTENT).buffer,
  DataView: new DataView(memory, 1, CONTENT.length),
};
/** What is no value without a serializer. */
const OBJECTS: Readonly<Record<string, unknown>> = {
  object: { a: 1 },
  "object without a prototype": Object.create(null),
  "array in a list": [["a", "b"]],
  Map: new Map([["a", "b"]]),
  Set: new Set(["a"]),
  Date: new Date(0),
  RegExp: /a/,
  Float64Array: new Float64Array([1, 2]),
  "String object": Object("text"),
};
/** What ioredis itself makes text of; undefined and null become empty. */
const PRIMITIVES: Readonly<Record<string, unknown>> = {
  number: 12.5,
  "negative zero": -0,
  NaN: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  "large number": 1e21,
  bigint: 123_456_789_012_345_678_901_234_567_890n,
  true: true,
  false: false,
  null: null,
  undefined: undefined,
  symbol: Symbol(`of ${MEDIUM}`),
  "empty string": "",
  "lone surrogate": `\ud800${MEDIUM}`,
};

/** Kinds of bytes whose memory is elsewhere: they look empty. */
function transferAway(): Readonly<Record<string, unknown>> {
  const kinds = {
    Buffer: Buffer.from(new ArrayBuffer(8)),
    Uint8Array: new Uint8Array(8),
    ArrayBuffer: new ArrayBuffer(8),
    DataView: new DataView(new ArrayBuffer(8)),
  };
  for (const kind of Object.values(kinds)) {
    const transfer = kind instanceof ArrayBuffer ? kind : (kind.buffer as ArrayBuffer);
    structuredClone(transfer, { transfer: [transfer] });
  }
  return kinds;
}

type Send = (client: Redis, name: string, ...args: unknown[]) => Promise<unknown>;
const firstOf = async (queue: { exec(): Promise<unknown> }): Promise<unknown> => {
  const [result] = (await queue.exec()) as [Error | null, unknown][];
  if (result?.[0]) throw result[0];
  return result?.[1];
};

const SENDS: Readonly<Record<string, Send>> = {
  "a direct call": async (client, name, ...args) => invoke(client, name, args),
  "a *Buffer method": async (client, name, ...args) => String(await invoke(client, `${name}Buffer`, args)),
  "a callback": (client, name, ...args) =>
    new Promise((resolve, reject) => {
      const promise = invoke(client, name, [
        ...args,
        (error: unknown, reply: unknown) => (error ? reject(error) : resolve(reply)),
      ]);
      (promise as Promise<unknown>).catch(() => undefined);
    }),
  "call()": async (client, name, ...args) => invoke(client, "call", [name.toUpperCase(), ...args]),
  "a pipeline": async (client, name, ...args) => firstOf(invoke(client.pipeline(), name, args) as Redis),
  "pipeline([...])": async (client, name, ...args) => firstOf(client.pipeline([[name, ...args]])),
  "a transaction": async (client, name, ...args) =>
    firstOf(invoke(client.multi(), name, args) as Redis).catch((error) => {
      throw (error as { previousErrors?: unknown[] }).previousErrors?.[0] ?? error;
    }),
};

/** Places for a value: the call, and the key and field under which it is held. */
const PLACES: readonly (readonly [command: string, args: (key: string, value: unknown) => unknown[], field?: string])[] = [
  ["set", (key, value) => [key, value]],
  ["setex", (key, value) => [key, 100, value]],
  ["psetex", (key, value) => [key, 100_000, value]],
  ["setnx", (key, value) => [key, value]],
  ["getset", (key, value) => [key, value]],
  ["mset", (key, value) => [key, value]],
  ["mset", (key, value) => [[key, value]]],
  ["msetnx", (key, value) => [key, value]],
  ["hset", (key, value) => [key, "f", value], "f"],
  ["hset", (key, value) => [key, ["f", value]], "f"],
  ["hmset", (key, value) => [key, "f", value], "f"],
  ["hsetnx", (key, value) => [key, "f", value], "f"],
];
const RECORD_PLACES: typeof PLACES = [
  ["mset", (key, value) => [{ [key]: value }]],
  ["mset", (key, value) => [new Map([[key, value]])]],
  ["msetnx", (key, value) => [{ [key]: value }]],
  ["hset", (key, value) => [key, { f: value }], "f"],
  ["hset", (key, value) => [key, new Map([["f", value]])], "f"],
  ["hmset", (key, value) => [key, { f: value }], "f"],
];

function placesFor(send: string): typeof PLACES {
  return send === "call()" ? PLACES : [...PLACES, ...RECORD_PLACES];
}

async function readBack(client: Redis, key: string, field: string | undefined): Promise<Buffer | null> {
  return field === undefined ? client.getBuffer(key) : client.hgetBuffer(key, field);
}

// Arguments do not depend on the protocol of the replies: the default one is enough.
suite("values without a serializer", () => {
  for (const [how, send] of Object.entries(SENDS)) {
    for (const enableAutoPipelining of how.startsWith("a direct") ? [false, true] : [false]) {
      const options = { enableAutoPipelining };
      const title = enableAutoPipelining ? `${how} with auto-pipelining` : how;

      test(`${title}: Uint8Array, ArrayBuffer and DataView are stored as their bytes`, async () => {
        const client = redis.openWrapped(RULES, options);
        for (const [kind, value] of Object.entries(BYTES)) {
          for (const [command, args, field] of placesFor(how)) {
            await client.del("r:bytes");
            await send(client, command, ...args("r:bytes", value));
            assert.deepStrictEqual(await readBack(client, "r:bytes", field), CONTENT, `${kind} in ${command}`);
          }
        }
        client.disconnect();
      });

      test(`${title}: an object is a rejected TypeError and nothing is written`, async () => {
        const client = redis.openWrapped(RULES, options);
        await client.del("r:object");
        for (const [kind, value] of Object.entries(OBJECTS)) {
          for (const [command, args] of placesFor(how)) {
            const error = await rejectionOf(send(client, command, ...args("r:object", value)));
            assert.ok(error instanceof TypeError, `${kind} in ${command}: ${error}`);
          }
        }
        assert.equal(await redis.bare.exists("r:object"), 0);
        assert.equal(await client.ping(), "PONG");
        client.disconnect();
      });

      test(`${title}: bytes whose memory was transferred away are a rejected TypeError, not an empty value`, async () => {
        const client = redis.openWrapped(RULES, options);
        await client.del("r:away");
        for (const [kind, value] of Object.entries(transferAway())) {
          for (const [command, args] of placesFor(how)) {
            const error = await rejectionOf(send(client, command, ...args("r:away", value)));
            assert.ok(error instanceof TypeError, `${kind} in ${command}: ${error}`);
          }
        }
        assert.equal(await redis.bare.exists("r:away"), 0);
        client.disconnect();
      });

      test(`${title}: numbers, booleans, null, undefined and symbols are the text that ioredis makes of them`, async () => {
        const client = redis.openWrapped(RULES, options);
        const plain = redis.open(options);
        for (const [kind, value] of Object.entries(PRIMITIVES)) {
          for (const [command, args, field] of placesFor(how)) {
            await redis.bare.del("r:text", "plain:text");
            const expected = await send(plain, command, ...args("plain:text", value));
            assert.deepStrictEqual(await send(client, command, ...args("r:text", value)), expected, `${kind} in ${command}`);
            assert.deepStrictEqual(await readBack(client, "r:text", field), await readBack(plain, "plain:text", field));
            await assertSameContents(redis.bare, "r:text", "plain:text");
          }
        }
        client.disconnect();
        plain.disconnect();
      });

      test(`${title}: where no rule covers the value everything is as in ioredis`, async () => {
        const client = redis.openWrapped(RULES, options);
        const plain = redis.open(options);
        const { "object without a prototype": _breaksIoredis, ...objects } = OBJECTS;
        const values = { ...BYTES, ...objects, ...PRIMITIVES };
        for (const [kind, value] of Object.entries(values)) {
          for (const [command, args] of placesFor(how)) {
            await redis.bare.del("lists:x", "plain:x");
            const expected = await outcome(send(plain, command, ...args("plain:x", value)));
            assert.deepStrictEqual(
              await outcome(send(client, command, ...args("lists:x", value))),
              expected,
              `${kind} in ${command}`,
            );
            assert.deepStrictEqual(
              await redis.bare.dumpBuffer("lists:x"),
              await redis.bare.dumpBuffer("plain:x"),
              `${kind} in ${command}`,
            );
          }
        }
        client.disconnect();
        plain.disconnect();
      });
    }
  }
});

async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch(String);
}

suite("arguments are flattened as in ioredis", () => {
  test("set(key, [value, 'EX', seconds]) sets a time to live", async () => {
    const client = redis.openWrapped(RULES);
    assert.equal(await invoke(client, "set", ["r:flat", [LONG, "EX", 100]]), "OK");
    assert.equal(await client.ttl("r:flat"), 100);
    assert.equal(await client.get("r:flat"), LONG);
    client.disconnect();
  });

  test("140,000 arguments in one object or one Map are no more a problem than for ioredis", async () => {
    const client = redis.openWrapped(RULES);
    const fields = Array.from({ length: 70_000 }, (_, i) => [`f${i}`, SHORT] as const);
    assert.equal(await client.hset("r:many", new Map(fields)), fields.length);
    assert.equal(await client.hset("r:many", Object.fromEntries(fields)), 0);
    assert.equal((await client.hvals("r:many")).length, fields.length);
    client.disconnect();
  });

  test("keys that are numbers match as their text", async () => {
    const client = redis.openWrapped({ prefixes: { "12": { minFrameBytes: 0 } } });
    await invoke(client, "set", [1234, new Uint8Array(CONTENT)]);
    assert.deepStrictEqual(await client.getBuffer("1234"), CONTENT);
    assert.notDeepStrictEqual(await redis.bare.getBuffer("1234"), CONTENT);
    client.disconnect();
  });
});
