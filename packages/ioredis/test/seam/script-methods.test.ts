import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { suite, test } from "node:test";
import { createValueCodec, isFrame, json, stored } from "@tightwire/codec-core";
import type { ScriptOptions } from "../../src/scripts.ts";
import { attachmentOf } from "../../src/seam/attachment.ts";
import { findScript, SCRIPT_METHODS } from "../../src/seam/script-methods.ts";
import { valueCodecOf, withValueCodec } from "../../src/with-value-codec.ts";
import { createClient, loosen, StubClient, type StubOptions } from "../support/client.ts";
import { createCluster } from "../support/cluster.ts";

const TEXT = "return redis.call('SET', KEYS[1], ARGV[1])";
const SHA = createHash("sha1").update(TEXT).digest("hex");
const LONG = "v".repeat(100);
const PREFIXES = {
  "a:": { compressor: stored() },
  "j:": { compressor: stored(), serializer: json() },
  "hash:": { compressor: stored(), types: ["hash"] },
  "raw:": "raw",
} as const;
const codec = createValueCodec({ compressor: stored() });
const frame = (text: string) => codec.encode(Buffer.from(text));

interface Setting {
  readonly scripts: Readonly<Record<string, ScriptOptions>>;
  readonly options?: StubOptions;
  /** What the server answers to a script. */
  readonly reply?: () => unknown;
}

function createScripted({ scripts, options, reply = () => Buffer.from("OK") }: Setting) {
  const client = createClient(PREFIXES, options, { scripts });
  for (const name of ["eval", "evalsha", "eval_ro", "evalsha_ro", "fcall", "fcall_ro"]) client.server.answer(name, reply);
  return { client, methods: loosen(client) };
}

/** The last command that the server received, with `frame` in the place of frames. */
function lastReceived({ server }: StubClient): unknown[] {
  return (server.received.at(-1) ?? []).map((one) => (Buffer.isBuffer(one) && isFrame(one) ? "frame" : one.toString()));
}

suite("SCRIPT_METHODS", () => {
  test("are EVAL and its like, each with its Buffer form", () => {
    const names = ["eval", "eval_ro", "evalsha", "evalsha_ro", "fcall", "fcall_ro"];
    assert.deepEqual([...SCRIPT_METHODS.keys()].sort(), names.flatMap((name) => [name, `${name}Buffer`]).sort());
  });
});

suite("methods that run scripts", () => {
  const forms: readonly (readonly [method: string, script: string, name: string])[] = [
    ["eval", TEXT, SHA],
    ["evalBuffer", TEXT, SHA],
    ["eval_ro", TEXT, SHA],
    ["evalsha", SHA, SHA],
    ["evalsha", SHA.toUpperCase(), SHA],
    ["evalsha_roBuffer", SHA, SHA],
    ["fcall", "save", "save"],
    ["fcall_roBuffer", "save", "save"],
  ];
  for (const [method, script, name] of forms) {
    test(`encode the arguments that are named, by the key that is named: ${method} of ${script.slice(0, 6)}`, async () => {
      const { client, methods } = createScripted({ scripts: { [name]: { argv: [1, 2], key: 1 } } });
      await methods[method]?.(script, 2, "x:1", "a:1", LONG, LONG, LONG);
      assert.deepEqual(lastReceived(client).slice(2), ["2", "x:1", "a:1", LONG, "frame", "frame"]);
    });

    test(`decode a reply that is a value or values: ${method} of ${script.slice(0, 6)}`, async () => {
      const bytes = method.endsWith("Buffer");
      const shown = (text: string) => (bytes ? Buffer.from(text) : text);
      const one = createScripted({ scripts: { [name]: { reply: "value" } }, reply: () => frame("é") });
      assert.deepEqual(await one.methods[method]?.(script, 1, "a:1"), shown("é"));
      const many = createScripted({
        scripts: { [name]: { reply: "values" } },
        reply: () => [frame("é"), null, Buffer.from("x")],
      });
      assert.deepEqual(await many.methods[method]?.(script, 1, "a:1"), [shown("é"), null, shown("x")]);
    });
  }

  test("take no argument for a key where the call has fewer keys than the options name", async () => {
    const options = { argv: [0, 1], key: 1, reply: "value" } as const;
    const { client, methods } = createScripted({ scripts: { [SHA]: options }, reply: () => frame("é") });
    const reply = await methods["evalBuffer"]?.(TEXT, 1, "a:1", "a:2", LONG);
    assert.deepEqual(lastReceived(client).slice(2), ["1", "a:1", "a:2", LONG]);
    assert.deepEqual(reply, frame("é"));
  });

  test("leave scripts without options alone, arguments and reply", async () => {
    const { client, methods } = createScripted({ scripts: { other: { argv: [0], reply: "value" } }, reply: () => frame("x") });
    assert.deepEqual(await methods["evalBuffer"]?.(TEXT, 1, "a:1", LONG), frame("x"));
    assert.deepEqual(lastReceived(client), ["eval", TEXT, "1", "a:1", LONG]);
    const none = createScripted({ scripts: {} });
    await none.methods["eval"]?.(TEXT, 1, "a:1", LONG);
    assert.deepEqual(lastReceived(none.client), ["eval", TEXT, "1", "a:1", LONG]);
  });

  test("leave the arguments where the key is under no rule, or not there", async () => {
    for (const keys of [["x:1"], ["raw:1"], []]) {
      const { client, methods } = createScripted({ scripts: { [SHA]: { argv: [0] } } });
      await methods["eval"]?.(TEXT, keys.length, ...keys, LONG);
      assert.deepEqual(lastReceived(client), ["eval", TEXT, String(keys.length), ...keys, LONG]);
    }
  });

  test("follow a rule whatever types it covers: only the script knows what it holds", async () => {
    const { client, methods } = createScripted({ scripts: { [SHA]: { argv: [0] } } });
    await methods["eval"]?.(TEXT, 1, "hash:1", LONG);
    assert.equal(lastReceived(client).at(-1), "frame");
  });

  test("leave arguments alone that are not there", async () => {
    const { client, methods } = createScripted({ scripts: { [SHA]: { argv: [0, 1] } } });
    await methods["eval"]?.(TEXT, 1, "a:1", LONG);
    assert.deepEqual(lastReceived(client), ["eval", TEXT, "1", "a:1", "frame"]);
  });

  test("take values of a serializer, and give them back", async () => {
    const user = { user: "ada" };
    const { client, methods } = createScripted({
      scripts: { [SHA]: { argv: [0], reply: "value" } },
      reply: () => client.server.received.at(-1)?.at(-1),
    });
    assert.deepEqual(await methods["eval"]?.(TEXT, 1, "j:1", user), user);
    assert.deepEqual(lastReceived(client).at(-1), "frame");
  });

  test("take a list of arguments, as ioredis does", async () => {
    const { client, methods } = createScripted({ scripts: { [SHA]: { argv: [0] } } });
    await methods["eval"]?.([TEXT, 1, "a:1", LONG]);
    assert.deepEqual(lastReceived(client), ["eval", TEXT, "1", "a:1", "frame"]);
    await methods["eval"]?.(TEXT, 1, ["a:1"], [LONG]);
    assert.deepEqual(lastReceived(client), ["eval", TEXT, "1", "a:1", "frame"]);
  });

  test("take an array in the place of one argument for a value of the serializer", async () => {
    const client = createScripted({ scripts: { [SHA]: { argv: [1], reply: "value" }, save: { argv: [1] } } }).client;
    client.server.answer("eval", (args) => args.at(-1));
    client.defineCommand("save", { lua: "return 1", numberOfKeys: 1 });
    const methods = loosen(client);
    assert.deepEqual(await methods["eval"]?.(TEXT, 1, "j:1", "first", [1, [2]]), [1, [2]]);
    await methods["save"]?.("j:1", "first", [1, [2]]);
    assert.deepEqual(lastReceived(client).slice(2), ["1", "j:1", "first", "frame"]);
    await methods["eval"]?.(TEXT, 1, "a:1", ["first", LONG]);
    assert.deepEqual(lastReceived(client).slice(2), ["1", "a:1", "first", "frame"]);
  });

  test("match keys without the keyPrefix", async () => {
    const { client, methods } = createScripted({
      scripts: { [SHA]: { argv: [0], reply: "value" } },
      options: { keyPrefix: "app:" },
      reply: () => frame("x"),
    });
    assert.equal(await methods["eval"]?.(TEXT, 1, "a:1", LONG), "x");
    assert.deepEqual(lastReceived(client), ["eval", TEXT, "1", "app:a:1", "frame"]);
  });

  test("match keys of a cluster's node without the cluster's keyPrefix", async () => {
    const cluster = createCluster(PREFIXES, { keyPrefix: "app:" });
    valueCodecOf(cluster).setRules({ prefixes: PREFIXES, scripts: { [SHA]: { argv: [0] } } });
    cluster.server.answer("eval", () => Buffer.from("OK"));
    for (const [key, held] of [
      ["app:a:1", "frame"],
      ["a:1", LONG],
    ] as const) {
      await loosen(cluster.node)["eval"]?.(TEXT, 1, key, LONG);
      assert.deepEqual(lastReceived(cluster), ["eval", TEXT, "1", key, held]);
    }
  });

  test("reject a value that has no form, in its place, and run nothing", async () => {
    const { client, methods } = createScripted({ scripts: { [SHA]: { argv: [0] } } });
    await assert.rejects(async () => methods["eval"]?.(TEXT, 1, "j:1", undefined), {
      code: "CODEC_SERIALIZE",
      key: "j:1",
      command: "eval",
    });
    await assert.rejects(async () => methods["eval"]?.(TEXT, 1, "a:1", { user: "ada" }), TypeError);
    assert.deepEqual(client.server.received, [
      ["type", "j:1"],
      ["type", "a:1"],
    ]);
  });

  test("keep the place of a rejected call by the key that is named", async () => {
    const { client, methods } = createScripted({ scripts: { [SHA]: { argv: [0], key: 1 }, save: { argv: [0], key: 1 } } });
    client.defineCommand("save", { lua: "return 1", numberOfKeys: 2 });
    client.defineCommand("store", { lua: TEXT });
    valueCodecOf(client).setRules({ prefixes: PREFIXES, scripts: { save: { argv: [0], key: 1 }, store: { argv: [0], key: 1 } } });
    for (const call of [
      () => methods["save"]?.("x:1", "a:1", {}),
      () => methods["store"]?.(2, "x:1", "a:1", {}),
      () => methods["eval"]?.(TEXT, 2, "x:1", "a:1", {}),
      () => methods["call"]?.("eval", TEXT, 2, "x:1", "a:1", {}),
    ]) {
      await assert.rejects(async () => call(), TypeError);
      assert.deepEqual(client.server.received.at(-1), ["type", "a:1"]);
    }
  });

  test("call the client's own methods of before, but not in its pipelines", async () => {
    const client = new StubClient();
    client.server.answer("eval", () => Buffer.from("OK"));
    const seen: unknown[] = [];
    const { eval: inherited } = client;
    Object.assign(client, {
      eval(this: StubClient, ...args: unknown[]) {
        seen.push(args.flat().length);
        return Reflect.apply(inherited, this, args);
      },
    });
    withValueCodec(client, { prefixes: PREFIXES, scripts: { [SHA]: { argv: [0] } } });
    await loosen(client)["eval"]?.(TEXT, 1, "a:1", LONG);
    assert.equal(lastReceived(client).at(-1), "frame");
    assert.deepEqual(seen, [4]);
    const results = await client.pipeline().eval(TEXT, 1, "a:1", LONG).exec();
    assert.deepEqual(results, [[null, "OK"]]);
    assert.equal(lastReceived(client).at(-1), "frame");
    assert.deepEqual(seen, [4]);
  });

  test("work in pipelines, transactions and with auto-pipelining", async () => {
    const scripts = { [SHA]: { argv: [0], reply: "value" } } as const;
    for (const begin of ["pipeline", "multi"] as const) {
      const { client } = createScripted({ scripts, reply: () => frame("x") });
      const made = client[begin]();
      made.eval(TEXT, 1, "a:1", LONG);
      assert.deepEqual(await made.exec(), [[null, "x"]]);
      const { received } = client.server;
      assert.ok(received.some(([name, , , , value]) => name === "eval" && isFrame(value as Buffer)));
    }
    const { client, methods } = createScripted({ scripts, options: { enableAutoPipelining: true }, reply: () => frame("x") });
    assert.equal(await methods["eval"]?.(TEXT, 1, "a:1", LONG), "x");
    assert.equal(lastReceived(client).at(-1), "frame");
  });

  test("decode the reply also of a call by name", async () => {
    const { methods } = createScripted({ scripts: { [SHA]: { reply: "value" } }, reply: () => frame("x") });
    assert.equal(await methods["call"]?.("EVALSHA", SHA, 1, "a:1"), "x");
  });

  test("encode the arguments also of a call by name", async () => {
    const { client, methods } = createScripted({ scripts: { [SHA]: { argv: [0] } } });
    await methods["call"]?.("EVAL", TEXT, 1, "a:1", LONG);
    assert.deepEqual(lastReceived(client), ["EVAL", TEXT, "1", "a:1", "frame"]);
  });
});

suite("defineCommand()", () => {
  const definition = { lua: TEXT, numberOfKeys: 1 };
  const scripts = { save: { argv: [0], reply: "value" } } as const;

  test("makes a method that encodes and decodes as its options say", async () => {
    const { client, methods } = createScripted({ scripts, reply: () => frame("x") });
    client.defineCommand("save", definition);
    assert.equal(await methods["save"]?.("a:1", LONG), "x");
    assert.deepEqual(lastReceived(client), ["evalsha", SHA, "1", "a:1", "frame"]);
    assert.deepEqual(await methods["saveBuffer"]?.("a:1", LONG), Buffer.from("x"));
    assert.equal(await methods["evalsha"]?.(SHA, 1, "a:1", LONG), "x");
    assert.equal(lastReceived(client).at(-1), "frame");
  });

  test("makes a method whose first argument counts the keys where no number is given", async () => {
    const { client, methods } = createScripted({ scripts });
    client.defineCommand("save", { lua: TEXT });
    await methods["save"]?.(2, "a:1", "a:2", LONG, LONG);
    assert.deepEqual(lastReceived(client), ["evalsha", SHA, "2", "a:1", "a:2", "frame", LONG]);
    await methods["save"]?.([1, "x:1", LONG]);
    assert.deepEqual(lastReceived(client), ["evalsha", SHA, "1", "x:1", LONG]);
  });

  test("takes over what was defined before the client was wrapped, and before it had options", async () => {
    const client = new StubClient();
    client.defineCommand("save", definition);
    client.server.answer("evalsha", () => Buffer.from("OK"));
    withValueCodec(client, { prefixes: PREFIXES });
    await loosen(client)["save"]?.("a:1", LONG);
    assert.equal(lastReceived(client).at(-1), LONG);
    valueCodecOf(client).setRules({ prefixes: PREFIXES, scripts });
    await loosen(client)["save"]?.("a:1", LONG);
    assert.equal(lastReceived(client).at(-1), "frame");
  });

  test("leaves a method without options to ioredis, arguments and reply", async () => {
    const { client, methods } = createScripted({ scripts: {}, reply: () => frame("x") });
    client.defineCommand("save", definition);
    assert.deepEqual(await methods["saveBuffer"]?.("a:1", LONG), frame("x"));
    assert.equal(lastReceived(client).at(-1), LONG);
  });

  test("reads values when the method is called, and sends them once more as they were", async () => {
    const { client, methods } = createScripted({ scripts, reply: () => Buffer.from("ok") });
    client.defineCommand("save", definition);
    let calls = 0;
    client.server.answer("evalsha", () => (calls++ === 0 ? new Error("NOSCRIPT No matching script") : Buffer.from("ok")));
    const value = Buffer.alloc(100, "v");
    const saved = methods["save"]?.("a:1", value);
    value.fill("w");
    assert.equal(await saved, "ok");
    const [first, second] = client.server.received.map((one) => one.at(-1));
    assert.deepEqual(codec.decode(first as Buffer), Buffer.alloc(100, "v"));
    assert.deepEqual(second, first);
    assert.equal(valueCodecOf(client).stats()["a:"]?.encoded, 1);
  });

  test("works in pipelines, with auto-pipelining and with a keyPrefix", async () => {
    const made = createScripted({ scripts, options: { keyPrefix: "app:" }, reply: () => frame("x") });
    made.client.defineCommand("save", definition);
    const pipeline = made.client.pipeline();
    assert.equal(Reflect.apply(Reflect.get(pipeline, "save"), pipeline, ["a:1", LONG]), pipeline);
    const results = await pipeline.exec();
    assert.deepEqual(results, [[null, "x"]]);
    assert.deepEqual(lastReceived(made.client), ["evalsha", SHA, "1", "app:a:1", "frame"]);
    const auto = createScripted({ scripts, options: { enableAutoPipelining: true }, reply: () => frame("x") });
    auto.client.defineCommand("save", definition);
    assert.equal(await auto.methods["save"]?.("a:1", LONG), "x");
    assert.equal(lastReceived(auto.client).at(-1), "frame");
  });

  test("hands results and refusals to a callback", async () => {
    const { client, methods } = createScripted({ scripts, reply: () => frame("x") });
    client.defineCommand("save", definition);
    const result = await new Promise((resolve) => methods["save"]?.("a:1", LONG, (_: unknown, one: unknown) => resolve(one)));
    assert.equal(result, "x");
    const error = await new Promise((resolve) => {
      methods["save"]?.("a:1", {}, resolve)?.catch(() => {});
    });
    assert.ok(error instanceof TypeError);
    assert.deepEqual(client.server.received.at(-1), ["type", "a:1"]);
  });

  test("calls the client's own defineCommand of before", () => {
    const client = new StubClient();
    const seen: string[] = [];
    const inherited = client.defineCommand;
    client.defineCommand = function (this: StubClient, name, options) {
      seen.push(name);
      inherited.call(this, name, options);
    };
    withValueCodec(client, { prefixes: PREFIXES, scripts });
    client.defineCommand("save", definition);
    assert.deepEqual(seen, ["save"]);
    assert.equal(typeof loosen(client)["save"], "function");
  });
});

suite("findScript()", () => {
  const { client } = createScripted({ scripts: { [SHA]: { argv: [0] }, save: { argv: [1] }, later: { argv: [2] } } });
  const find = (name: string, script: unknown) => {
    const attachment = attachmentOf(client);
    assert.ok(attachment !== undefined);
    return findScript(attachment, name, script)?.argv[0];
  };

  test("finds a script by its text, its SHA-1 in either case or its name", () => {
    assert.equal(find("eval", TEXT), 0);
    assert.equal(find("EVAL", TEXT), 0);
    assert.equal(find("eval", Buffer.from(TEXT)), 0);
    assert.equal(find("evalsha_ro", SHA.toUpperCase()), 0);
    assert.equal(find("fcall", "save"), 1);
    assert.equal(find("FCALL_RO", Buffer.from("save")), 1);
  });

  test("finds a script that was defined by its text and its SHA-1", () => {
    const lua = "return 1";
    assert.equal(find("eval", lua), undefined);
    client.defineCommand("later", { lua });
    assert.equal(find("eval", lua), 2);
    assert.equal(find("evalsha", createHash("sha1").update(lua).digest("hex")), 2);
  });

  test("finds nothing for other commands and other scripts", () => {
    assert.equal(find("get", "save"), undefined);
    assert.equal(find("eval", "save"), undefined);
    assert.equal(find("fcall", SHA.toUpperCase()), undefined);
    assert.equal(find("eval", undefined), undefined);
  });
});
