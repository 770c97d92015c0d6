import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, type TestContext, test } from "node:test";
import { createAdapter, createShardedAdapter } from "@socket.io/redis-adapter";
import { isFrame } from "@tightwire/codec-core";
import type { ValueCodecClientOptions } from "@tightwire/ioredis";
import { Server } from "socket.io";
import { io, type Socket } from "socket.io-client";
import { waitFor } from "../support/wait.ts";
import { useRedis, WAYS, type Way } from "./support/clients.ts";
import { contentOf } from "./support/held.ts";

const redis = useRedis();

// Messages of a few bytes are framed too, so that the tests see a frame in every one.
const RULES: ValueCodecClientOptions = { prefixes: {}, channels: { "socket.io": { minFrameBytes: 0 } } };
const NEWS = { headline: "again", lines: Array.from({ length: 60 }, (_, i) => `line ${i} is like the others`) };
const BYTES = Buffer.from([0, 255, 128, 254, 1, ...Buffer.alloc(200, 7)]);

/** The two adapters of the package, and the events in which a bare client sees their messages. */
const ADAPTERS = {
  "the adapter": { create: createAdapter, subscribe: "psubscribe", pattern: "socket.io*", event: "pmessageBuffer" },
  "the sharded adapter": {
    create: createShardedAdapter,
    subscribe: "ssubscribe",
    pattern: "socket.io#/#",
    event: "smessageBuffer",
  },
} as const;

type AdapterName = keyof typeof ADAPTERS;

interface Node {
  readonly server: Server;
  connect(): Promise<Socket>;
}

async function openNode(t: TestContext, way: Way, adapter: AdapterName, rules = RULES): Promise<Node> {
  const client = redis.open(way, rules);
  const http = createServer();
  const server = new Server(http, { adapter: ADAPTERS[adapter].create(client, redis.keep(client.duplicate())) });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = http.address() as AddressInfo;
  server.on("connection", (socket) => {
    socket.on("join", async (room: string, done: () => void) => {
      await socket.join(room);
      done();
    });
  });
  const connect = async (): Promise<Socket> => {
    const socket = io(`http://127.0.0.1:${port}`, { transports: ["websocket"], forceNew: true });
    t.after(() => socket.disconnect());
    await new Promise<void>((resolve) => socket.once("connect", resolve));
    return socket;
  };
  return { server, connect };
}

/** Two nodes that know of each other. */
async function openNodes(t: TestContext, way: Way, adapter: AdapterName, rules = RULES): Promise<[Node, Node]> {
  const nodes: [Node, Node] = [await openNode(t, way, adapter), await openNode(t, way, adapter, rules)];
  await waitFor("the nodes see each other", async () => (await nodes[0].server.of("/").adapter.serverCount()) === 2, 3000);
  return nodes;
}

/** A sharded adapter takes every subscriber for a node: nothing else may listen while answers of all nodes are awaited. */
async function listenBare(t: TestContext, adapter: AdapterName): Promise<Buffer[]> {
  const { subscribe, pattern, event } = ADAPTERS[adapter];
  const listener = redis.bare.duplicate();
  t.after(() => listener.disconnect());
  const messages: Buffer[] = [];
  listener.on(event, (...args: Buffer[]) => messages.push(args.at(-1) ?? Buffer.alloc(0)));
  await listener[subscribe](pattern);
  return messages;
}

function next(socket: Socket, event: string): Promise<unknown> {
  return new Promise((resolve) => socket.once(event, resolve));
}

for (const way of WAYS) {
  for (const name of Object.keys(ADAPTERS) as AdapterName[]) {
    suite(`${name} of socket.io on ${way.name}`, () => {
      test("carries text and bytes to the clients of another node in frames", async (t) => {
        const [here, there] = await openNodes(t, way, name);
        const messages = await listenBare(t, name);
        const socket = await there.connect();
        for (const payload of [NEWS, BYTES]) {
          const received = next(socket, "news");
          here.server.emit("news", payload);
          assert.deepEqual(await received, payload);
        }
        assert.ok(messages.length >= 2 && messages.every(isFrame), "every message is a frame");
        assert.ok(messages.some((message) => contentOf(message).includes("line 59 is like the others")));
        assert.ok(messages.some((message) => contentOf(message).includes(BYTES)));
      });

      test("reads what nodes write that frame nothing yet, and is read by them", async (t) => {
        const rules = { prefixes: {}, channels: { "socket.io": { frame: "never" } } } as const;
        const [framing, raw] = await openNodes(t, way, name, rules);
        const messages = await listenBare(t, name);
        for (const [from, to] of [
          [framing, raw],
          [raw, framing],
        ] as const) {
          const received = next(await to.connect(), "news");
          from.server.emit("news", NEWS);
          assert.deepEqual(await received, NEWS);
        }
        assert.deepEqual(messages.map(isFrame), [true, false]);
      });

      test("reaches a room, collects acknowledgements and asks other nodes", async (t) => {
        const [here, there] = await openNodes(t, way, name);
        const [inside, outside] = [await there.connect(), await there.connect()];
        await new Promise<void>((resolve) => inside.emit("join", "room", resolve));
        let heardOutside = 0;
        outside.on("news", () => heardOutside++);
        const received = next(inside, "news");
        // The sharded adapter subscribes to a room's channel after the join: what is sent before that reaches nobody.
        const sending = setInterval(() => here.server.to("room").emit("news", NEWS), 50);
        t.after(() => clearInterval(sending));
        assert.deepEqual(await received, NEWS);
        clearInterval(sending);

        for (const socket of [inside, outside]) socket.on("ask", (_question, reply) => reply({ from: socket.id, ...NEWS }));
        const answers = await here.server.timeout(5000).emitWithAck("ask", "who?");
        assert.deepEqual(answers.map(({ from }: { from: string }) => from).sort(), [inside.id, outside.id].sort());
        assert.equal((await here.server.fetchSockets()).length, 2);
        assert.equal((await here.server.in("room").fetchSockets())[0]?.id, inside.id);

        there.server.on("count", (text: string, reply: (size: number) => void) => reply(text.length));
        const text = NEWS.lines.join("\n");
        assert.deepEqual(await here.server.serverSideEmitWithAck("count", text), [text.length]);
        assert.equal(heardOutside, 0);
      });
    });
  }
}
