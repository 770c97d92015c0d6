import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame, stored } from "@tightwire/codec-core";
import { Cluster, Redis } from "ioredis";
import { Redis as LastRedis5 } from "ioredis-5";
import { Redis as OldRedis } from "ioredis-5.4";
import { attachmentOf } from "../../src/seam/attachment.ts";
import type { PipelineLike } from "../../src/seam/ioredis.ts";
import { withValueCodec } from "../../src/with-value-codec.ts";
import { createClient, loosen, StubClient } from "../support/client.ts";

type Pipeline = ReturnType<StubClient["pipeline"]>;

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

  /** A client whose `pipeline()` is somebody else's: `change` gets what ioredis has made, and returns what the program shall get. */
  function createClientOf(change: (made: Pipeline) => Pipeline): StubClient {
    class Client extends StubClient {
      override pipeline(...args: []): Pipeline {
        return change(super.pipeline(...args));
      }
    }
    return withValueCodec(new Client(), { prefixes: PREFIXES });
  }

  const SOMEBODY_ELSES = {
    "a subclass": createClientOf,
    "the client itself": (change: (made: Pipeline) => Pipeline) => {
      const client = new StubClient();
      client.pipeline = (...args: []) => change(StubClient.prototype.pipeline.apply(client, args));
      return withValueCodec(client, { prefixes: PREFIXES });
    },
  };
  for (const [where, create] of Object.entries(SOMEBODY_ELSES)) {
    test(`keeps the object that a pipeline() of ${where} has made and may hold`, async () => {
      const held: object[] = [];
      const client = create((made) => {
        held.push(made);
        return made;
      });
      const pipeline = client.pipeline();
      assert.equal(held.at(-1), pipeline);
      await pipeline.set("a:1", LONG).exec();
      assert.ok(isFramed(client, "a:1"));
    });
  }

  test("keeps the object that a patched prototype has made, once it is patched", () => {
    const held: object[] = [];
    const client = createClient(PREFIXES);
    client.pipeline();
    const { pipeline } = Redis.prototype;
    Redis.prototype.pipeline = function (...args) {
      const made = pipeline.apply(this, args);
      held.push(made);
      return made;
    };
    try {
      assert.equal(client.pipeline(), held.at(-1));
    } finally {
      Redis.prototype.pipeline = pipeline;
    }
  });

  // Its own property gives the object away that ioredis has made; where it is kept, pipelines are slow.
  const isMoved = (pipeline: object) => !Object.hasOwn(pipeline, "length");
  for (const [name, Client] of Object.entries({ Redis, Cluster, LastRedis5, OldRedis })) {
    test(`moves the fields of what pipeline() of ${name} has made`, () => {
      const options = { lazyConnect: true };
      const client = Client === Cluster ? new Cluster([], options) : new (Client as typeof Redis)(options);
      assert.equal(isMoved(client.pipeline()), false);
      assert.equal(isMoved(withValueCodec(client, { prefixes: PREFIXES }).pipeline()), true);
    });
  }

  test("executes commands that somebody else's pipeline() has queued", async () => {
    const client = createClientOf((made) => made.set("a:0", LONG).get("a:0") as Pipeline);
    const results = await client.pipeline().set("a:1", LONG).get("a:1").exec();
    assert.deepEqual(results, [
      [null, "OK"],
      [null, LONG],
      [null, "OK"],
      [null, LONG],
    ]);
    assert.ok(isFramed(client, "a:0") && isFramed(client, "a:1"));
  });

  test("keeps private fields of a subclass of Pipeline", async () => {
    const Pipeline = new StubClient().pipeline().constructor as new (client: object) => Pipeline;
    class Counting extends Pipeline {
      #count = 0;
      override exec(...args: []): ReturnType<Pipeline["exec"]> {
        this.#count++;
        return super.exec(...args);
      }
      get count(): number {
        return this.#count;
      }
    }
    const client: StubClient = createClientOf(() => new Counting(client));
    const pipeline = client.pipeline().set("a:1", LONG).get("a:1") as Counting;
    assert.deepEqual(await pipeline.exec(), [
      [null, "OK"],
      [null, LONG],
    ]);
    assert.equal(pipeline.count, 1);
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

  test("encodes what a pipeline's own sendCommand has queued past the wrapper's", async () => {
    class Client extends StubClient {
      override pipeline(...args: []): Pipeline {
        const made = super.pipeline(...args);
        const { sendCommand } = made as unknown as PipelineLike;
        return Object.assign(made, { sendCommand: (command: never) => sendCommand.call(made as never, command) });
      }
    }
    const client = withValueCodec(new Client(), { prefixes: PREFIXES });
    assert.deepEqual(await client.pipeline().set("a:1", LONG).get("a:1").exec(), [
      [null, "OK"],
      [null, LONG],
    ]);
    assert.ok(isFramed(client, "a:1"));
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
