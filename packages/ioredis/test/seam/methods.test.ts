import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame, json, stored } from "@tightwire/codec-core";
import { COMMANDS } from "../../src/commands.ts";
import { OWN_METHOD_NAMES, ownMethodsOf } from "../../src/seam/methods.ts";
import { valueCodecOf, withValueCodec } from "../../src/with-value-codec.ts";
import { createClient, type LooseMethods, loosen, StubClient, type StubOptions } from "../support/client.ts";
import { createCluster } from "../support/cluster.ts";

const LONG = "v".repeat(100);
const BYTES = new Uint8Array(100).fill(0xff);
const PREFIXES = { "a:": { compressor: stored() } } as const;

const isFramed = (client: StubClient, key: string) => isFrame(client.server.held(key) ?? Buffer.alloc(0));
const call = (client: object, method: string, ...args: unknown[]) => loosen(client)[method]?.(...args);

/** The same calls on a wrapped and on a plain client, and what each server received. */
async function compare(run: (methods: LooseMethods) => unknown, options: StubOptions = {}) {
  const [wrapped, plain] = [createClient(PREFIXES, options), new StubClient(options)];
  for (const client of [wrapped, plain]) await run(loosen(client));
  return { wrapped: wrapped.server.received, plain: plain.server.received };
}

suite("OWN_METHOD_NAMES", () => {
  test("has a method and its Buffer form for every command with values or comparands, and the generic ones", () => {
    const taking = [...COMMANDS].filter(([, row]) => row.values !== undefined || row.comparands !== undefined);
    const names = taking.flatMap(([name]) => [name, `${name}Buffer`]);
    assert.deepEqual([...OWN_METHOD_NAMES].sort(), [...names, "call", "callBuffer", "send_command"].sort());
  });
});

suite("ownMethodsOf()", () => {
  test("has a method for each that the base has, and makes them once", () => {
    const methods = ownMethodsOf(StubClient.prototype);
    assert.deepEqual(
      [...methods.keys()],
      OWN_METHOD_NAMES.filter((name) => name in StubClient.prototype),
    );
    assert.equal(ownMethodsOf(StubClient.prototype), methods);
    assert.deepEqual([...ownMethodsOf({ set() {}, call() {} }).keys()], ["set", "call"]);
  });
});

suite("own methods", () => {
  const forms: readonly (readonly [name: string, run: (client: StubClient) => unknown])[] = [
    ["set", (client) => call(client, "set", "a:1", BYTES)],
    ["setBuffer", (client) => call(client, "setBuffer", "a:1", BYTES)],
    ["mset with a list", (client) => call(client, "mset", ["x:1", "x", "a:1", BYTES])],
    ["mset with an object", (client) => call(client, "mset", { "x:1": "x", "a:1": BYTES })],
    ["mset with a Map", (client) => call(client, "mset", new Map([["a:1", BYTES]]))],
    ["call", (client) => call(client, "call", "set", "a:1", BYTES)],
    ["call in capitals", (client) => call(client, "call", "SET", "a:1", BYTES)],
    ["call by a name of bytes", (client) => call(client, "call", Buffer.from("set"), "a:1", BYTES)],
    ["call with a list", (client) => call(client, "call", "set", ["a:1", BYTES])],
    ["callBuffer", (client) => call(client, "callBuffer", "set", "a:1", BYTES)],
    ["send_command", (client) => call(client, "send_command", "set", "a:1", BYTES)],
    ["an ArrayBuffer", (client) => call(client, "set", "a:1", BYTES.buffer)],
    ["a DataView", (client) => call(client, "set", "a:1", new DataView(BYTES.buffer))],
  ];
  for (const [name, run] of forms) {
    test(`hold bytes as bytes: ${name}`, async () => {
      const client = createClient(PREFIXES);
      await run(client);
      assert.ok(isFramed(client, "a:1"));
      assert.deepEqual(await client.getBuffer("a:1"), Buffer.from(BYTES));
    });
  }

  for (const when of ["before", "after"]) {
    test(`take the values of a command that was added to the client ${when} it was wrapped, in its pipelines too`, async () => {
      const rule = { compressor: stored(), serializer: json(), comparands: "encode" } as const;
      const plain = new StubClient();
      if (when === "before") plain.addBuiltinCommand("delifeq");
      const client = withValueCodec(plain, { prefixes: { "a:": rule } });
      if (when === "after") plain.addBuiltinCommand("delifeq");
      const value = { user: "ada" };
      const held = valueCodecOf(client).encode("a:1", value);
      for (const target of [client, client.pipeline(), client.multi()]) {
        const sent = call(target, "delifeq", "a:1", value);
        // The server of the stub knows no such command.
        if (target === client) await assert.rejects(Promise.resolve(sent));
        else await call(target, "exec");
        assert.deepEqual(
          client.server.received.filter(([name]) => name === "delifeq"),
          [["delifeq", "a:1", held]],
        );
        client.server.received.length = 0;
      }
    });
  }

  test("stay where the client has its own command added once more", async () => {
    const client = createClient(PREFIXES);
    client.addBuiltinCommand("set");
    for (const target of [client, client.pipeline()]) {
      await call(target, "set", "a:1", BYTES);
      await call(target, "exec")?.catch(() => {});
      assert.deepEqual(await client.getBuffer("a:1"), Buffer.from(BYTES));
    }
  });

  for (const [name, record] of [
    ["an object", { f: BYTES, g: 1 }],
    ["a Map", new Map<string, unknown>(Object.entries({ f: BYTES, g: 1 }))],
  ] as const) {
    test(`hold bytes of a hash as bytes: ${name}`, async () => {
      const client = createClient(PREFIXES);
      for (const method of ["hset", "hsetBuffer"]) {
        await call(client, method, "a:1", record);
        assert.deepEqual(await client.hgetallBuffer("a:1"), { f: Buffer.from(BYTES), g: Buffer.from("1") });
      }
    });
  }

  test("hold bytes as they were at the call, in a pipeline, a transaction and with auto-pipelining", async () => {
    for (const [i, run] of [
      (client: StubClient, value: Uint8Array) => {
        const pipeline = client.pipeline();
        call(pipeline, "set", "a:1", value);
        return pipeline;
      },
      (client: StubClient, value: Uint8Array) => {
        const transaction = client.multi();
        call(transaction, "set", "a:1", value);
        return transaction;
      },
    ].entries()) {
      const client = createClient(PREFIXES);
      const value = new Uint8Array(BYTES);
      const made = run(client, value);
      value.fill(0);
      await made.exec();
      assert.deepEqual(await client.getBuffer("a:1"), Buffer.from(BYTES), String(i));
    }
    const client = createClient(PREFIXES, { enableAutoPipelining: true });
    const value = new Uint8Array(BYTES);
    const set = call(client, "set", "a:1", value);
    value.fill(0);
    await set;
    assert.deepEqual(await client.getBuffer("a:1"), Buffer.from(BYTES));
  });

  test("send what is under no rule as ioredis does", async () => {
    const runs: readonly ((methods: LooseMethods) => unknown)[] = [
      (methods) => methods["set"]?.("x:1", BYTES),
      (methods) => methods["set"]?.("x:1", { user: "ada" }),
      (methods) => methods["set"]?.(["x:1", ["v", "w"]]),
      (methods) => methods["set"]?.("x:1", ["v", "EX", 10]),
      (methods) => methods["set"]?.("x:1", null),
      (methods) => methods["mset"]?.({ "x:1": [1, 2], "x:2": null, "x:3": undefined, "x:4": true }),
      (methods) => methods["mset"]?.(new Map([["x:1", [1, [2]]]])),
      (methods) => methods["hset"]?.("x:1", { f: [1, 2], g: { h: 1 } }),
      (methods) => methods["hset"]?.("x:1", ["f", "v"], ["g", "w"]),
      (methods) => methods["call"]?.("set", ["x:1", "v"]),
      (methods) => methods["call"]?.("ping"),
      (methods) => methods["call"]?.("mget", ["x:1", "x:2"]),
    ];
    for (const run of runs) {
      for (const options of [{}, { enableAutoPipelining: true }, { keyPrefix: "app:" }]) {
        const { wrapped, plain } = await compare(run, options);
        assert.deepEqual(wrapped, plain);
        assert.equal(wrapped.length, 1);
      }
    }
  });

  test("send values under a rule that are no objects as ioredis does", async () => {
    for (const value of ["text", 12, 1.5, 10n, true, null, undefined]) {
      const { wrapped, plain } = await compare((methods) => methods["set"]?.("a:1", value));
      assert.deepEqual(wrapped, plain);
    }
    const { wrapped, plain } = await compare((methods) => methods["set"]?.("a:1", ["v", "EX", 10]));
    assert.deepEqual(wrapped, plain);
  });

  const refused: readonly (readonly [name: string, run: (client: object) => Promise<unknown> | undefined])[] = [
    ["set", (client) => call(client, "set", "a:1", { user: "ada" })],
    ["setex", (client) => call(client, "setex", "a:1", 10, new Date(0))],
    ["hset", (client) => call(client, "hset", "a:1", { f: { user: "ada" } })],
    ["call", (client) => call(client, "call", "SET", "a:1", { user: "ada" })],
  ];
  for (const [name, run] of refused) {
    test(`reject an object as a value of ${name}, and write nothing`, async () => {
      for (const options of [{}, { enableAutoPipelining: true }]) {
        const client = createClient(PREFIXES, options);
        await assert.rejects(async () => run(client), TypeError);
        assert.deepEqual(client.server.received, [["type", "a:1"]]);
      }
    });
  }

  test("reject with what a value throws, be it undefined", async () => {
    const client = createClient(PREFIXES);
    for (const thrown of [undefined, null, "text"]) {
      const record = {
        get field(): string {
          throw thrown;
        },
      };
      const outcome = await Promise.resolve(call(client, "hset", "a:1", record)).then(
        (reply) => ({ reply }),
        (error: unknown) => ({ error }),
      );
      assert.deepEqual(outcome, { error: thrown });
    }
  });

  test("hand the refusal of a value to a callback", async () => {
    const client = createClient(PREFIXES);
    const error = await new Promise((resolve) => {
      call(client, "set", "a:1", {}, resolve)?.catch(() => {});
    });
    assert.ok(error instanceof TypeError);
  });

  test("hand results to a callback where values were copied", async () => {
    const client = createClient(PREFIXES);
    const result = await new Promise((resolve, reject) => {
      call(client, "set", "a:1", BYTES, (error: Error | null, one: unknown) => (error === null ? resolve(one) : reject(error)));
    });
    assert.equal(result, "OK");
  });

  test("refuse one value of a pipeline and keep the places of the others", async () => {
    const client = createClient(PREFIXES);
    const pipeline = client.pipeline();
    pipeline.set("a:1", LONG);
    assert.equal(call(pipeline, "set", "a:2", {}), pipeline);
    pipeline.get("a:1");
    const results = await pipeline.exec();
    assert.deepEqual(
      [results?.[0], results?.[2]],
      [
        [null, "OK"],
        [null, LONG],
      ],
    );
    assert.ok(results?.[1]?.[0] instanceof TypeError);
  });

  test("abort a transaction with a refused value", async () => {
    const client = createClient(PREFIXES);
    const transaction = client.multi();
    transaction.set("a:1", LONG);
    call(transaction, "set", "a:2", {});
    await assert.rejects(transaction.exec(), (error: Error & { previousErrors: Error[] }) => {
      assert.equal(error.previousErrors.length, 1);
      return error.previousErrors[0] instanceof TypeError;
    });
    assert.equal(client.server.held("a:1"), undefined);
  });
});

suite("own methods of a cluster with auto-pipelining that does not know its slots", () => {
  const options = { enableAutoPipelining: true };

  test("hold bytes as they were at the call", async () => {
    for (const value of [new Uint8Array(BYTES), Buffer.from(BYTES)]) {
      const cluster = createCluster(PREFIXES, options);
      const set = call(cluster, "set", "a:1", value);
      value.fill(0);
      cluster.makeReady();
      await set;
      assert.ok(isFramed(cluster, "a:1"));
      assert.deepEqual(await cluster.getBuffer("a:1"), Buffer.from(BYTES));
    }
  });

  test("hold bytes under no rule as they were at the call", async () => {
    const cluster = createCluster(PREFIXES, options);
    const value = Buffer.from(BYTES);
    const set = call(cluster, "set", "x:1", value);
    value.fill(0);
    cluster.makeReady();
    await set;
    assert.deepEqual(cluster.server.held("x:1"), Buffer.from(BYTES));
  });

  test("reject an object as a value, without a word to the server", async () => {
    const cluster = createCluster(PREFIXES, options);
    await assert.rejects(async () => call(cluster, "set", "a:1", {}), TypeError);
    assert.deepEqual(cluster.server.received, []);
  });

  test("hand the refusal to a callback", async () => {
    const cluster = createCluster(PREFIXES, options);
    const error = await new Promise((resolve) => {
      call(cluster, "set", "a:1", {}, resolve)?.catch(() => {});
    });
    assert.ok(error instanceof TypeError);
  });

  test("go the usual way once the slots are known", async () => {
    const cluster = createCluster(PREFIXES, options);
    cluster.makeReady();
    await assert.rejects(async () => call(cluster, "set", "a:1", {}), TypeError);
    assert.deepEqual(cluster.server.received, [["type", "a:1"]]);
    await call(cluster, "set", "a:1", BYTES);
    assert.ok(isFramed(cluster, "a:1"));
  });
});
