import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame, stored } from "@tightwire/codec-core";
import { attachmentOf } from "../../src/seam/attachment.ts";
import { withValueCodec } from "../../src/with-value-codec.ts";
import { createClient, loosen, StubClient } from "../support/client.ts";

const LONG = "v".repeat(100);
const PREFIXES = { "a:": { compressor: stored() } } as const;

const isFramed = (client: StubClient, key: string) => isFrame(client.server.held(key) ?? Buffer.alloc(0));

/** The methods that a pipeline has of its own, one for each of its commands and for what it does with them. */
function describe(pipeline: object): object {
  return {
    constructor: pipeline.constructor,
    keys: Object.keys(pipeline),
    length: (pipeline as { length: number }).length,
    text: Object.prototype.toString.call(pipeline),
  };
}

suite("attachPipeline()", () => {
  test("gives a pipeline of the same class with the same fields and length", () => {
    const [wrapped, plain] = [createClient(PREFIXES).pipeline(), new StubClient().pipeline()];
    assert.ok(wrapped instanceof plain.constructor);
    assert.deepEqual(describe(wrapped), describe(plain));
    for (const pipeline of [wrapped, plain]) pipeline.get("a:1").set("b:1", "1");
    assert.deepEqual(describe(wrapped), describe(plain));
    assert.equal(wrapped.length, 2);
  });

  test("gives it the attachment of its client", () => {
    const client = createClient(PREFIXES);
    assert.equal(attachmentOf(client.pipeline()), attachmentOf(client));
    assert.equal(attachmentOf(Object.create(client).pipeline()), attachmentOf(client));
  });

  test("is executed more than once, as ioredis' own", async () => {
    const [wrapped, plain] = [createClient(PREFIXES), new StubClient()];
    const results = await Promise.all(
      [wrapped, plain].map(async (client) => {
        const pipeline = client.pipeline().set("a:1", LONG).get("a:1");
        return [await pipeline.exec(), await pipeline.exec(), pipeline.length];
      }),
    );
    assert.deepEqual(results[0], results[1]);
  });

  test("keeps the object where a script's methods are on it", async () => {
    const client = new StubClient();
    client.defineCommand("twice", { lua: "return 2", numberOfKeys: 1 });
    withValueCodec(client, { prefixes: PREFIXES });
    const pipeline = client.pipeline();
    assert.equal(typeof loosen(pipeline)["twice"], "function");
    await pipeline.set("a:1", LONG).exec();
    assert.ok(isFramed(client, "a:1"));
  });

  test("keeps the object that somebody else's pipeline() has made and may hold", async () => {
    const held: object[] = [];
    const client = new StubClient();
    client.pipeline = function (this: StubClient, ...args: []) {
      const made = StubClient.prototype.pipeline.apply(this, args);
      held.push(made);
      return made;
    } as never;
    withValueCodec(client, { prefixes: PREFIXES });
    const pipeline = client.pipeline();
    assert.equal(held.at(-1), pipeline);
    await pipeline.set("a:1", LONG).exec();
    assert.ok(isFramed(client, "a:1"));
  });
});

suite("attachTransaction()", () => {
  test("keeps the object that ioredis has put an exec on", async () => {
    const client = createClient(PREFIXES);
    const transaction = client.multi();
    assert.ok(Object.hasOwn(transaction, "exec"));
    assert.equal(attachmentOf(transaction), attachmentOf(client));
    assert.deepEqual(await transaction.set("a:1", LONG).get("a:1").exec(), [
      [null, "OK"],
      [null, LONG],
    ]);
    assert.ok(isFramed(client, "a:1"));
  });
});

suite("exec() of a pipeline", () => {
  test("hands on no argument that it was not given", async () => {
    const client = createClient(PREFIXES);
    const pipeline = client.pipeline();
    loosen(pipeline)["multi"]?.();
    pipeline.set("a:1", LONG);
    loosen(pipeline)["exec"]?.();
    await pipeline.exec();
    assert.deepEqual(client.server.received.at(-1), ["exec"]);
  });

  test("sends what was encoded when it was queued, each command once", async () => {
    const client = createClient(PREFIXES);
    const value = Buffer.from(LONG);
    const pipeline = client.pipeline().set("a:1", value).set("b:1", "x").get("a:1");
    value.fill(0);
    assert.deepEqual(await pipeline.exec(), [
      [null, "OK"],
      [null, "OK"],
      [null, LONG],
    ]);
    assert.equal(client.passed.length, 3);
  });

  test("leaves commands to be encoded that other pipelines than the wrapper's bring", async () => {
    const client = new StubClient();
    const before = client.pipeline().set("a:1", LONG);
    withValueCodec(client, { prefixes: PREFIXES });
    await before.exec();
    assert.ok(isFramed(client, "a:1"));
    await client.pipeline().set("a:2", LONG).exec();
    await client.set("a:3", LONG);
    assert.ok(isFramed(client, "a:2") && isFramed(client, "a:3"));
  });

  test("does not stay in force when it throws", async () => {
    const client = createClient(PREFIXES);
    const pipeline = client.pipeline().set("a:1", LONG);
    assert.throws(() =>
      Reflect.apply(pipeline.exec, Object.create(pipeline, { _queue: { get: () => assert.fail("broken") } }), []),
    );
    const foreign = new StubClient({}, client.server).pipeline().set("a:2", LONG);
    Object.assign(foreign, { redis: client });
    await foreign.exec();
    assert.ok(isFramed(client, "a:2"));
  });
});
