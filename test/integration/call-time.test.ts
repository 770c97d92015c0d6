import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { RedisOptions } from "ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";

const redis = useRedis();
const RULES = { prefixes: { "r:": {} } };
const SIZES = { "held raw": 32, framed: 200, "framed and compressed": 5000, large: 300_000 };

/** What is sent between the call and its reply: `call` gets the method and its arguments. */
type Way = (client: Redis, calls: readonly (readonly [string, ...unknown[]])[], spoil: () => void) => Promise<unknown>;

const direct: Way = async (client, calls, spoil) => {
  const replies = calls.map(([name, ...args]) => invoke(client, name, args));
  spoil();
  await Promise.all(replies);
};

const generic: Way = (client, calls, spoil) =>
  direct(
    client,
    calls.map(([name, ...args]) => ["call", name.toUpperCase(), ...args]),
    spoil,
  );

function queued(open: "pipeline" | "multi"): Way {
  return async (client, calls, spoil) => {
    const queue = client[open]();
    for (const [name, ...args] of calls) invoke(queue, name, args);
    spoil();
    for (const [error] of (await queue.exec()) ?? []) assert.equal(error, null);
  };
}

function batch(open: "pipeline" | "multi"): Way {
  return async (client, calls, spoil) => {
    const queue = client[open](calls.map((call) => [...call]));
    spoil();
    for (const [error] of (await queue.exec()) ?? []) assert.equal(error, null);
  };
}

const transaction: Way = async (client, calls, spoil) => {
  const replies = [
    client.multi({ pipeline: false }),
    ...calls.map(([name, ...args]) => invoke(client, name, args)),
    client.exec(),
  ];
  spoil();
  await Promise.all(replies);
};

const WAYS: readonly (readonly [name: string, way: Way, options: RedisOptions])[] = [
  ["a direct call", direct, {}],
  ["call()", generic, {}],
  ["a direct call before the client connects", direct, { lazyConnect: true }],
  ["call() before the client connects", generic, { lazyConnect: true }],
  ["auto-pipelining", direct, { enableAutoPipelining: true }],
  ["auto-pipelined call()", generic, { enableAutoPipelining: true }],
  ["auto-pipelining before the client connects", direct, { enableAutoPipelining: true, lazyConnect: true }],
  ["a pipeline", queued("pipeline"), {}],
  ["a pipeline before the client connects", queued("pipeline"), { lazyConnect: true }],
  ["pipeline([...])", batch("pipeline"), {}],
  ["a transaction", queued("multi"), {}],
  ["a transaction before the client connects", queued("multi"), { lazyConnect: true }],
  ["multi([...])", batch("multi"), {}],
  ["multi({ pipeline: false })", transaction, {}],
  ["multi({ pipeline: false }) before the client connects", transaction, { lazyConnect: true }],
];

/** The same value in every kind of bytes, each with memory of its own. */
function bytesOf(size: number): {
  values: Record<string, Uint8Array | ArrayBuffer | DataView>;
  content: Buffer;
  spoil: () => void;
} {
  const content = Buffer.from(Array.from({ length: size }, (_, i) => (i % 50) + 65));
  const memory = Array.from({ length: 4 }, () => Uint8Array.from(content).buffer);
  const [a, b, c, d] = memory;
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error("four memories");
  const values = { buffer: Buffer.from(a), array: new Uint8Array(b), memory: c, view: new DataView(d) };
  return { values, content, spoil: () => memory.forEach((one) => void new Uint8Array(one).fill(0)) };
}

for (const { name: mode, options } of MODES) {
  suite(`a value is read when the call is made, and the caller's bytes are never modified, in ${mode}`, () => {
    for (const [way, send, more] of WAYS) {
      for (const [kind, size] of Object.entries(SIZES)) {
        test(`${way}, ${kind}`, async () => {
          const client = redis.openWrapped(RULES, { ...options, ...more });
          const { values, content, spoil } = bytesOf(size);
          const { buffer } = values;
          const calls: (readonly [string, ...unknown[]])[] = Object.entries(values).map(([name, value]) => [
            "set",
            `r:${name}`,
            value,
          ]);
          calls.push(["mset", ["r:m", buffer]], ["hset", "r:h", "f", buffer], ["hset", "r:h", ["g", buffer]]);
          if (!/call\(\)/.test(way)) calls.push(["hset", "r:h", { o: buffer }], ["mset", new Map([["r:map", buffer]])]);
          const unchanged = structuredClone({ values, calls: calls.slice(0, 7) });
          await send(client, calls, () => {
            assert.deepStrictEqual(structuredClone({ values, calls: calls.slice(0, 7) }), unchanged);
            spoil();
          });
          for (const name of Object.keys(values)) assert.deepStrictEqual(await client.getBuffer(`r:${name}`), content, name);
          assert.deepStrictEqual(await client.getBuffer("r:m"), content);
          const hash = await client.hgetallBuffer("r:h");
          assert.deepStrictEqual([hash["f"], hash["g"]], [content, content]);
          if (calls.length > 7) assert.deepStrictEqual([hash["o"], await client.getBuffer("r:map")], [content, content]);
          client.disconnect();
        });
      }
    }
  });
}

suite("bytes that a reply gave", () => {
  test("stay as they are while other replies arrive, and while the caller changes its own", async () => {
    const client = redis.openWrapped(RULES);
    await client.mset("r:s1", Buffer.alloc(65_527, "a"), "r:s2", Buffer.alloc(65_527, "b"), "r:tiny", "0123456789");
    const [first, tiny] = await Promise.all([client.getBuffer("r:s1"), client.getBuffer("r:tiny")]);
    for (let i = 0; i < 100; i++) await client.getBuffer("r:s2");
    assert.deepStrictEqual([first, tiny], [Buffer.alloc(65_527, "a"), Buffer.from("0123456789")]);
    first?.fill("z");
    assert.deepStrictEqual(await client.getBuffer("r:s1"), Buffer.alloc(65_527, "a"));
    client.disconnect();
  });
});
