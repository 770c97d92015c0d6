import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createCodecClasses, lz4, valueCodecOf, withValueCodec } from "@tightwire/ioredis";
import { Redis as Valkey, Cluster as ValkeyCluster } from "iovalkey";
import { type Cluster as ServerCluster, startCluster } from "../support/cluster.ts";
import { type Ioredis, OTHER_IOREDIS, OWN_IOREDIS, useRedis } from "./support/clients.ts";
import { contentOf } from "./support/held.ts";

const redis = useRedis();

const RULES = { prefixes: { "page:": { compressor: lz4() } } };
const PAGE = "<li>the same line</li>\n".repeat(100);

const VALKEY = { name: "iovalkey", Redis: Valkey, Cluster: ValkeyCluster } as unknown as Ioredis;

for (const { name, Redis, Cluster } of [OWN_IOREDIS, OTHER_IOREDIS, VALKEY]) {
  suite(`codec classes of ${name}`, () => {
    const classes = createCodecClasses({ Redis, Cluster }, RULES) as unknown as Ioredis;

    test("have the names of the classes that they extend, and construct what is an instance of both", () => {
      assert.deepEqual([classes.Redis.name, classes.Cluster.name], ["Redis", "Cluster"]);
      const client = redis.keep(new classes.Redis(redis.server.url));
      assert.ok(client instanceof classes.Redis && client instanceof Redis);
      assert.equal(client.constructor.name, "Redis");
      assert.equal(Object.getPrototypeOf(classes.Redis), Redis);
      assert.ok(!(redis.bare instanceof classes.Redis));
    });

    test("construct clients from every form of arguments", async () => {
      const { port, url } = redis.server;
      const forms: unknown[][] = [[port], [port, "127.0.0.1"], [url], [{ port }], [port, { db: 0 }]];
      for (const [index, form] of forms.entries()) {
        const client = redis.keep(new classes.Redis(...(form as [])));
        await client.set(`page:${index}`, PAGE);
        assert.equal(await client.get(`page:${index}`), PAGE);
        contentOf(await redis.bare.getBuffer(`page:${index}`));
      }
    });

    test("share their rules, each client with statistics of its own", async () => {
      const [one, other] = [1, 2].map(() => redis.keep(new classes.Redis(redis.server.url)));
      await one?.set("page:shared", PAGE);
      assert.equal(await other?.get("page:shared"), PAGE);
      assert.deepEqual(
        [valueCodecOf(one ?? {}).stats()["page:"]?.encoded, valueCodecOf(other ?? {}).stats()["page:"]?.encoded],
        [1, 0],
      );
      assert.equal(withValueCodec(one ?? redis.bare, RULES), one, "wrapping with the same rules once more changes nothing");
    });

    test("can be extended and keep the methods of the extension", async () => {
      class Mine extends classes.Redis {
        getPage(id: string): Promise<string | null> {
          return this.get(`page:${id}`);
        }
      }
      const client = redis.keep(new Mine(redis.server.url));
      assert.ok(client instanceof Mine);
      await client.set("page:mine", PAGE);
      assert.equal(await client.getPage("mine"), PAGE);
    });

    test("construct clients whose duplicates frame and decode", async () => {
      const client = redis.keep(new classes.Redis(redis.server.url));
      const copy = redis.keep(client.duplicate({ db: 1 }));
      assert.ok(copy instanceof Redis);
      const again = redis.keep(copy.duplicate());
      await copy.set("page:copy", PAGE);
      assert.equal(await again.get("page:copy"), PAGE);
      assert.equal(await client.get("page:copy"), null);
      assert.equal(valueCodecOf(copy).stats()["page:"]?.encoded, valueCodecOf(client).stats()["page:"]?.encoded);
    });

    test("construct clients whose duplicates are of the codec class", () => {
      const client = redis.keep(new classes.Redis(redis.server.url));
      assert.ok(redis.keep(client.duplicate()) instanceof classes.Redis);
    });

    test("name codec classes where a class of ioredis names classes", async () => {
      const statics = classes.Redis as unknown as {
        Cluster: unknown;
        Redis: unknown;
        createClient(url: string): typeof redis.bare;
      };
      const client = redis.keep(statics.createClient(redis.server.url));
      await client.set("page:created", PAGE);
      contentOf(await redis.bare.getBuffer("page:created"));
      assert.deepEqual([statics.Redis, statics.Cluster], [classes.Redis, classes.Cluster]);
    });

    test("refuse bad options before a client is constructed", () => {
      assert.throws(() => createCodecClasses({ Redis }, { prefixes: { "page:": { minFrameBytes: -1 } } }), RangeError);
    });
  });
}

suite("a codec class of Cluster", () => {
  let servers: ServerCluster;

  before(async () => {
    servers = await startCluster({ nodes: 3 });
  });
  after(() => servers?.stop());

  for (const { name, Redis, Cluster } of [OWN_IOREDIS, OTHER_IOREDIS, VALKEY]) {
    test(`frames and decodes on every node, also in transactions and on duplicates, with ${name}`, async (t) => {
      const classes = createCodecClasses({ Redis, Cluster }, RULES) as unknown as Ioredis;
      const client = new classes.Cluster([...servers.startupNodes]);
      t.after(() => client.disconnect());
      assert.ok(client instanceof classes.Cluster && client instanceof Cluster);
      assert.equal(client.constructor.name, "Cluster");
      const keys = Array.from({ length: 12 }, (_, i) => `page:${i}`);
      await Promise.all(keys.map((key) => client.set(key, PAGE)));
      for (const key of keys) assert.equal(await client.get(key), PAGE);
      assert.deepEqual(await client.multi().set("page:1", PAGE).get("page:1").exec(), [
        [null, "OK"],
        [null, PAGE],
      ]);
      const copy = client.duplicate();
      t.after(() => copy.disconnect());
      assert.ok(copy instanceof Cluster);
      await copy.set("page:copy", PAGE);
      assert.equal(await client.get("page:copy"), PAGE);
      const owner = await servers.ownerOf(await servers.slotOf("page:copy"));
      const bare = new Redis(owner.port);
      t.after(() => bare.disconnect());
      contentOf(await bare.getBuffer("page:copy"));
    });
  }
});
