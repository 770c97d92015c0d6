import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import { json } from "@tightwire/ioredis";
import RedisStore from "connect-redis";
import session from "express-session";
import type { Redis } from "ioredis";
import { useRedis, WAYS } from "./support/clients.ts";
import { assertHeldRaw, contentOf } from "./support/held.ts";

const redis = useRedis();

const RULES = { prefixes: { "sess:": {} } };
const CART = Array.from({ length: 30 }, (_, i) => ({ article: `article-${i}`, count: 1, note: "as in the catalogue" }));
const COOKIE = { originalMaxAge: 60_000, expires: new Date(Date.now() + 60_000).toISOString(), path: "/" };

type Callback<T> = (error: unknown, value?: T) => void;

function promised<T>(run: (done: Callback<T>) => unknown): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    run((error, value) => (error ? reject(error) : resolve(value)));
  });
}

interface SessionRequest extends IncomingMessage {
  session: session.Session;
}

/** A shop whose every visit adds to the session's cart. */
async function openShop(
  client: Redis,
): Promise<{ visit(path: string, cookie?: string): Promise<{ cookie: string; body: unknown }> }> {
  const middleware = session({ store: new RedisStore({ client }), secret: "s", resave: false, saveUninitialized: false });
  const server: Server = createServer((request, response) => {
    middleware(request, response, (error) => {
      if (error) return void response.writeHead(500).end(String(error));
      answer(request as SessionRequest, (body) => response.end(JSON.stringify(body)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  redis.onEnd(() => server.close());
  const { port } = server.address() as AddressInfo;
  const visit = async (path: string, cookie = "") => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
    assert.equal(response.status, 200);
    return { cookie: (response.headers.get("set-cookie") ?? cookie).split(";")[0] ?? "", body: await response.json() };
  };
  return { visit };
}

function answer(request: SessionRequest, reply: (body: unknown) => void): void {
  if (request.url === "/buy") {
    request.session["cart"] = CART;
    reply({ id: request.session.id });
    return;
  }
  if (request.url === "/leave") {
    request.session.destroy(() => reply({}));
    return;
  }
  reply({ cart: request.session["cart"] ?? null });
}

for (const way of WAYS) {
  suite(`connect-redis on ${way.name}`, () => {
    test("keeps a visitor's session as a frame from visit to visit", async () => {
      const shop = await openShop(redis.open(way, RULES));
      const { cookie, body } = await shop.visit("/buy");
      const key = `sess:${(body as { id: string }).id}`;
      const content = JSON.parse(contentOf(await redis.bare.getBuffer(key)).toString());
      assert.deepEqual(content.cart, CART);
      assert.ok((await redis.bare.ttl(key)) > 0, "with a time to live");
      assert.deepEqual((await shop.visit("/cart", cookie)).body, { cart: CART });
      await shop.visit("/leave", cookie);
      assert.equal(await redis.bare.exists(key), 0);
      assert.deepEqual((await shop.visit("/cart", cookie)).body, { cart: null });
    });

    test("lists, counts, touches and clears sessions", async () => {
      await redis.bare.flushdb();
      const store = new RedisStore({ client: redis.open(way, RULES), scanCount: 2 });
      const ids = ["a", "b", "c", "d"];
      for (const id of ids) await promised((done) => store.set(id, { cookie: COOKIE, user: id, cart: CART }, done));
      contentOf(await redis.bare.getBuffer("sess:a"));
      const all = await promised<{ id: string; user: string; cart: unknown }[]>((done) => store.all(done));
      assert.deepEqual(
        all?.map(({ id, user, cart }) => ({ id, user, cart })).sort((x, y) => (x.id < y.id ? -1 : 1)),
        [...ids.map((id) => ({ id, user: id, cart: CART }))],
      );
      assert.deepEqual((await promised<string[]>((done) => store.ids(done)))?.sort(), ids);
      assert.equal(await promised((done) => store.length(done)), ids.length);
      await redis.bare.expire("sess:a", 1);
      await promised((done) => store.touch("a", { cookie: COOKIE }, done));
      assert.ok((await redis.bare.ttl("sess:a")) > 1);
      await promised((done) => store.clear(done));
      assert.equal(await promised((done) => store.length(done)), 0);
    });

    test("works with ioredis' keyPrefix, under rules that do not name it", async () => {
      await redis.bare.flushdb();
      const client = redis.open(way, RULES, { keyPrefix: "shop:" });
      const store = new RedisStore({ client });
      await promised((done) => store.set("a", { cookie: COOKIE, cart: CART }, done));
      contentOf(await redis.bare.getBuffer("shop:sess:a"));
      const read = await promised<{ cart: unknown }>((done) => store.get("a", done));
      assert.deepEqual(read?.cart, CART);
    });

    test("leaves serializing to the rule, if the store does not", async () => {
      const asItIs = { stringify: (value: unknown) => value as string, parse: (value: unknown) => value as session.SessionData };
      const client = redis.open(way, { prefixes: { "sess:": { serializer: json() } } });
      const store = new RedisStore({ client, serializer: asItIs });
      await promised((done) => store.set("typed", { cookie: COOKIE, cart: CART }, done));
      contentOf(await redis.bare.getBuffer("sess:typed"));
      assert.deepEqual(await promised((done) => store.get("typed", done)), { cookie: COOKIE, cart: CART });
    });

    test("reads sessions that were held before it was wrapped", async () => {
      const bareStore = new RedisStore({ client: redis.bare });
      await promised((done) => bareStore.set("old", { cookie: COOKIE, cart: CART }, done));
      assertHeldRaw(await redis.bare.getBuffer("sess:old"));
      const store = new RedisStore({ client: redis.open(way, RULES) });
      assert.deepEqual((await promised<{ cart: unknown }>((done) => store.get("old", done)))?.cart, CART);
    });
  });
}
