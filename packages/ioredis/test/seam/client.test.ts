import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame, stored } from "@tightwire/codec-core";
import { Redis as OldRedis } from "ioredis-5.4";
import { createCodecClasses } from "../../src/classes.ts";
import { attachmentOf } from "../../src/seam/attachment.ts";
import { OWN_METHOD_NAMES } from "../../src/seam/methods.ts";
import { valueCodecOf, withValueCodec } from "../../src/with-value-codec.ts";
import { createClient, loosen, StubClient } from "../support/client.ts";
import { createCluster, StubCluster } from "../support/cluster.ts";

const LONG = "v".repeat(100);
const PREFIXES = { "a:": { compressor: stored() } } as const;

const isFramed = (client: StubClient, key: string) => isFrame(client.server.held(key) ?? Buffer.alloc(0));

suite("attachClient()", () => {
  test("keeps class, prototype and enumerable properties of the client", () => {
    const client = new StubClient();
    const before = Object.keys(client);
    withValueCodec(client, { prefixes: PREFIXES });
    assert.equal(Object.getPrototypeOf(client), StubClient.prototype);
    assert.deepEqual(Object.keys(client), before);
  });

  test("puts methods on the client that others can replace", async () => {
    const client = createClient(PREFIXES);
    const inner = client.set;
    client.set = function (this: StubClient, ...args: unknown[]) {
      return Reflect.apply(inner, this, args);
    } as never;
    await client.set("a:1", LONG);
    assert.ok(isFramed(client, "a:1"));
  });

  test("works on objects that are derived from the client", async () => {
    const client = createClient(PREFIXES);
    const derived: StubClient = Object.create(client);
    await derived.set("a:1", LONG);
    assert.ok(isFramed(client, "a:1"));
    assert.equal(await derived.get("a:1"), LONG);
    assert.deepEqual(await derived.pipeline().get("a:1").exec(), [[null, LONG]]);
    assert.deepEqual(await derived.multi().get("a:1").exec(), [[null, LONG]]);
  });

  test("honours a method that is put on the class later", async () => {
    class Patched extends StubClient {}
    const client = withValueCodec(new Patched(), { prefixes: PREFIXES });
    const seen: string[] = [];
    Patched.prototype.sendCommand = function (this: Patched, command) {
      const { name, args } = command as never as { name: string; args: unknown[] };
      seen.push(`${name} ${Buffer.isBuffer(args[1])}`);
      return StubClient.prototype.sendCommand.call(this, command);
    };
    Patched.prototype.set = function (this: Patched, ...args: unknown[]) {
      seen.push("set method");
      return Reflect.apply(StubClient.prototype.set, this, args);
    } as never;
    await client.set("a:1", LONG);
    assert.deepEqual(seen, ["set method", "set true"]);
    assert.equal(await client.get("a:1"), LONG);
  });

  test("calls the client's own methods of before, under the wrapper's", async () => {
    const client = new StubClient();
    const seen: string[] = [];
    for (const name of ["set", "call", "sendCommand", "pipeline", "multi", "duplicate"] as const) {
      const inherited = client[name];
      Object.assign(client, {
        [name](this: StubClient, ...args: unknown[]) {
          seen.push(name);
          return Reflect.apply(inherited, this, args);
        },
      });
    }
    withValueCodec(client, { prefixes: PREFIXES });
    await client.set("a:1", LONG);
    assert.deepEqual(seen.splice(0), ["set", "sendCommand"]);
    assert.ok(isFramed(client, "a:1"));
    await client.call("set", "a:2", LONG);
    assert.deepEqual(seen.splice(0), ["call", "sendCommand"]);
    await client.pipeline().set("a:3", LONG).exec();
    assert.deepEqual(seen.splice(0), ["pipeline", "sendCommand"]);
    await client.multi().get("a:1").exec();
    assert.deepEqual(seen.splice(0), ["multi", "sendCommand", "sendCommand", "sendCommand"]);
    const copy: StubClient = client.duplicate();
    assert.deepEqual(seen.splice(0), ["duplicate"]);
    assert.equal(await copy.get("a:3"), LONG);
  });
});

suite("attachClient() on what sends no commands", () => {
  class MockClient {
    readonly options = {};
    readonly sent: unknown[] = [];
    set(...args: unknown[]) {
      this.sent.push(args);
      return Promise.resolve("OK");
    }
    duplicate() {}
    pipeline() {}
    multi() {}
  }

  test("warns, and leaves it as it was", async () => {
    const client = new MockClient();
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
    assert.equal(withValueCodec(client as never, { prefixes: PREFIXES }), client);
    await client.set("a:1", LONG);
    assert.deepEqual(client.sent, [["a:1", LONG]]);
    assert.deepEqual(Object.keys(client), ["options", "sent"]);
    assert.equal(client.set, MockClient.prototype.set);
    const warning = await warned;
    assert.equal(Reflect.get(warning, "code"), "TIGHTWIRE_INERT");
    assert.match(warning.message, /MockClient/);
  });

  test("still encodes and decodes by hand", async () => {
    const client = new MockClient();
    const warned = new Promise((resolve) => process.once("warning", resolve));
    withValueCodec(client as never, { prefixes: PREFIXES });
    await warned;
    const codec = valueCodecOf(client);
    assert.deepEqual(codec.decode("a:1", codec.encode("a:1", LONG)), Buffer.from(LONG));
    assert.equal(withValueCodec(client as never, { prefixes: PREFIXES }), client);
  });
});

suite("attachClient() on a client that gets another prototype later", () => {
  test("calls the methods of that one", async () => {
    const called: string[] = [];
    const client = createClient(PREFIXES);
    const later = Object.create(StubClient.prototype);
    for (const name of ["set", "call", "pipeline", "sendCommand"]) {
      later[name] = function (this: StubClient, ...args: unknown[]): unknown {
        called.push(name);
        return Reflect.apply(Reflect.get(StubClient.prototype, name), this, args);
      };
    }
    Object.setPrototypeOf(client, later);
    await client.set("b:1", LONG);
    await client.set("a:1", LONG);
    assert.deepEqual(called.splice(0), ["set", "sendCommand", "set", "sendCommand"]);
    assert.equal(await client.call("GET", "a:1"), LONG);
    assert.deepEqual(called.splice(0), ["call", "sendCommand"]);
    await client.pipeline().get("a:1").exec();
    assert.deepEqual(called, ["pipeline", "sendCommand"]);
  });
});

suite("attachClient() on an ioredis that lacks commands", () => {
  test("makes no methods for them, on the client and on its pipelines", () => {
    const options = { lazyConnect: true };
    const plain = new OldRedis(options);
    const client = withValueCodec(new OldRedis(options), { prefixes: PREFIXES });
    const names = [...OWN_METHOD_NAMES];
    const here = (target: object) => names.filter((name) => name in target);
    assert.ok(here(plain).length < names.length);
    assert.deepEqual(here(client), here(plain));
    assert.deepEqual(here(client.pipeline()), here(plain.pipeline()));
  });
});

suite("duplicate()", () => {
  test("gives a client under the same rules, and so does its own", async () => {
    const client = createClient(PREFIXES);
    const copy: StubClient = client.duplicate();
    const second: StubClient = copy.duplicate();
    await client.set("a:1", LONG);
    assert.equal(await copy.get("a:1"), LONG);
    await second.set("a:2", LONG);
    assert.ok(isFramed(client, "a:2"));
    assert.equal(attachmentOf(second)?.shared, attachmentOf(client)?.shared);
    assert.notEqual(attachmentOf(second), attachmentOf(client));
  });

  test("hands its argument on", () => {
    const copy: StubClient = createClient(PREFIXES).duplicate({ keyPrefix: "other:" });
    assert.equal(copy.options.keyPrefix, "other:");
    assert.equal(attachmentOf(copy)?.keyPrefix, "other:");
  });

  test("gives a client of the codec class of the client", async () => {
    const { Redis: CodecStub } = createCodecClasses({ Redis: StubClient as never }, { prefixes: PREFIXES });
    const client = new (CodecStub as unknown as typeof StubClient)();
    const copy = client.duplicate() as StubClient;
    assert.ok(copy instanceof (CodecStub as unknown as typeof StubClient));
    await copy.set("a:1", LONG);
    assert.ok(isFramed(client, "a:1"));
  });

  test("leaves a copy that ioredis made of its own class alone", () => {
    class Secretive extends StubClient {
      readonly #secret = "kept";
      get secret(): string {
        return this.#secret;
      }
      override duplicate(): never {
        return new StubClient({}, this.server) as never;
      }
    }
    const client = withValueCodec(new Secretive(), { prefixes: PREFIXES }) as unknown as Secretive;
    const copy = client.duplicate() as Secretive;
    assert.equal(copy.secret, undefined);
  });

  test("leaves a copy alone that is wrapped already", () => {
    const copy = createClient({});
    const client = new StubClient();
    Object.assign(client, { duplicate: () => copy });
    withValueCodec(client, { prefixes: PREFIXES });
    const own = attachmentOf(copy);
    assert.equal(client.duplicate(), copy);
    assert.equal(attachmentOf(copy), own);
  });
});

suite("pipeline() and multi()", () => {
  test("encode what they are given as a batch", async () => {
    const client = createClient(PREFIXES);
    await client.pipeline([["set", "a:1", LONG] as never, ["call", "SET", "a:2", LONG]]).exec();
    await client.multi([["set", "a:3", LONG]]).exec();
    for (const key of ["a:1", "a:2", "a:3"]) assert.ok(isFramed(client, key), key);
    const results = await client.pipeline([["get", "a:1"]]).exec();
    assert.deepEqual(results, [[null, LONG]]);
  });

  test("take values of a batch as methods do", async () => {
    const client = createClient(PREFIXES);
    const results = await client
      .pipeline([
        ["set", "a:1", new Uint8Array(100).fill(7)],
        ["set", "a:2", { user: "ada" }],
        ["getBuffer", "a:1"],
      ])
      .exec();
    assert.deepEqual(results?.[2], [null, Buffer.alloc(100, 7)]);
    assert.ok(results?.[1]?.[0] instanceof TypeError);
  });

  test("return ioredis' own kind of pipeline", () => {
    const plain = new StubClient();
    const client = createClient(PREFIXES);
    for (const [ours, theirs] of [
      [client.pipeline(), plain.pipeline()],
      [client.multi(), plain.multi()],
    ] as const) {
      assert.equal(ours.constructor, theirs.constructor);
      assert.equal(Object.getPrototypeOf(Object.getPrototypeOf(ours)), Object.getPrototypeOf(theirs));
      assert.deepEqual(Object.keys(ours), Object.keys(theirs));
      assert.equal(ours.length, theirs.length);
    }
  });

  test("share one prototype among all pipelines", () => {
    const prototypes = [createClient(PREFIXES), createClient({})].flatMap((client) => [
      Object.getPrototypeOf(client.pipeline()),
      Object.getPrototypeOf(client.multi()),
    ]);
    assert.equal(new Set(prototypes).size, 1);
  });

  test("leave a pipeline alone that is wrapped already", () => {
    const wrapped = createClient({}).pipeline();
    const client = new StubClient();
    Object.assign(client, { pipeline: () => wrapped });
    withValueCodec(client, { prefixes: PREFIXES });
    const own = attachmentOf(wrapped);
    assert.equal(client.pipeline(), wrapped);
    assert.equal(attachmentOf(wrapped), own);
  });

  test("begin a transaction without a pipeline where they are asked to, in either form", async () => {
    for (const begin of [
      (client: StubClient) => client.multi({ pipeline: false }),
      (client: StubClient) => loosen(client)["multi"]?.([["set", "a:9", LONG]], { pipeline: false }),
      (client: StubClient) => loosen(client)["multi"]?.(null, { pipeline: false }),
    ]) {
      const client = createClient(PREFIXES);
      assert.equal(await begin(client), "OK");
      assert.equal(await client.set("a:1", LONG), "QUEUED");
      assert.deepEqual(await client.exec(), [[null, "OK"]]);
      assert.deepEqual(client.server.names(), ["multi", "set", "exec"]);
    }
  });

  test("take options beside a batch and without one", async () => {
    const client = createClient(PREFIXES);
    const made = loosen(client)["multi"]?.([["set", "a:1", LONG]], { pipeline: true }) as never as ReturnType<
      StubClient["multi"]
    >;
    const results = await made.exec();
    assert.deepEqual(results, [[null, "OK"]]);
    const second = await client.multi({ pipeline: true }).get("a:1").exec();
    assert.deepEqual(second, [[null, LONG]]);
  });
});

suite("nodes of a cluster", () => {
  test("are wrapped when the cluster is, those to come too", async () => {
    const cluster = new StubCluster();
    withValueCodec(cluster, { prefixes: PREFIXES });
    const late = new StubClient({}, cluster.server);
    cluster.emit("+node", late);
    for (const [i, node] of [cluster.node, late].entries()) {
      await node.set(`a:${i}`, LONG);
      assert.ok(isFramed(cluster, `a:${i}`));
      assert.equal(await node.get(`a:${i}`), LONG);
      assert.equal(attachmentOf(node)?.shared, attachmentOf(cluster)?.shared);
    }
  });

  test("are wrapped once", () => {
    const cluster = createCluster(PREFIXES);
    const first = attachmentOf(cluster.node);
    assert.ok(first !== undefined);
    cluster.emit("+node", cluster.node);
    assert.equal(attachmentOf(cluster.node), first);
  });

  test("take keys with the cluster's keyPrefix for their own", async () => {
    const cluster = createCluster(PREFIXES, { keyPrefix: "app:" });
    await cluster.node.set("app:a:1", LONG);
    await cluster.node.set("a:1", LONG);
    assert.ok(isFramed(cluster, "app:a:1"));
    assert.equal(isFramed(cluster, "a:1"), false);
    assert.equal(await cluster.get("a:1"), LONG);
    await assert.rejects(cluster.node.append("app:a:1", "x"), { code: "CODEC_COMMAND_UNSAFE", key: "a:1" });
  });

  test("hand the cluster's keyPrefix on to their duplicates", async () => {
    const cluster = createCluster(PREFIXES, { keyPrefix: "app:" });
    const copy: StubClient = cluster.node.duplicate();
    await cluster.set("a:1", LONG);
    assert.equal(await copy.get("app:a:1"), LONG);
  });

  test("need not be there yet", () => {
    const bare = new StubClient();
    Object.assign(bare, { isCluster: true });
    assert.equal(withValueCodec(bare, { prefixes: PREFIXES }), bare);
  });
});
