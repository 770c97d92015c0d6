import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, before, suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type RedisServer, startRedis } from "../../scripts/redis-server.mjs";
import { type Calibration, calibrate } from "../src/link/calibration.ts";
import { createLinkClock } from "../src/link/link-clock.ts";
import { startLinkProxy } from "../src/link/proxy.ts";
import { queueLimit } from "../src/link/shaping-proxy.ts";

const MEGABIT = 1_000_000;
// A link must never be better than it says: only the bucket, of 100 µs, may make it look so.
const TOO_FAST = 1.03;
// It may be worse when this machine has no time for the proxy, so the best of some attempts counts.
const ATTEMPTS = 8;
const FAST_ENOUGH = 0.9;
const TOO_LATE_US = 250;
const READ_BYTES = 65_536;

let server: RedisServer;

before(async () => {
  server = await startRedis();
});

after(() => server.stop());

suite("startLinkProxy()", () => {
  for (const [bitsPerSecond, roundTripMs] of [
    [100 * MEGABIT, 0.2],
    [440 * MEGABIT, 2],
  ] as const) {
    test(`carries ${bitsPerSecond / MEGABIT} Mbit/s with a round trip of ${roundTripMs} ms`, async () => {
      const proxy = await startLinkProxy({ targetPort: server.port, bitsPerSecond, roundTripMs });
      try {
        const direct = await calibrate(server.port, { bytes: 1_000, pings: 100 });
        const best = await calibrateWell(proxy.port, bitsPerSecond, roundTripMs);
        assert.ok(best.toServerBitsPerSecond >= FAST_ENOUGH * bitsPerSecond, `${best.toServerBitsPerSecond} bit/s to the server`);
        assert.ok(best.toClientBitsPerSecond >= FAST_ENOUGH * bitsPerSecond, `${best.toClientBitsPerSecond} bit/s to the client`);
        const latest = roundTripMs * 1_000 + direct.roundTripUs + TOO_LATE_US;
        assert.ok(best.roundTripUs <= latest, `${best.roundTripUs} µs, ${latest} allowed`);
      } finally {
        await proxy.stop();
      }
    });
  }

  test("delays no less and carries every byte equal, also of many connections at once", async () => {
    const echo = createServer((socket) => socket.pipe(socket));
    echo.listen(0, "127.0.0.1");
    await once(echo, "listening");
    const targetPort = (echo.address() as AddressInfo).port;
    const proxy = await startLinkProxy({ targetPort, bitsPerSecond: 1_000 * MEGABIT, roundTripMs: 1 });
    try {
      const begin = performance.now();
      const contents = Array.from({ length: 4 }, (_, n) =>
        Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => (i * (n + 7)) % 251)),
      );
      const back = await Promise.all(contents.map((content) => sendAndEnd(proxy.port, content)));
      assert.ok(performance.now() - begin >= 1 + (4 * 300_000 * 8) / (1_000 * 1_000) - 0.5);
      assert.deepEqual(back, contents);
      const { bytesToServer, bytesToClient } = await proxy.readUsage();
      assert.deepEqual([bytesToServer, bytesToClient], [1_200_000, 1_200_000]);
    } finally {
      await proxy.stop();
      echo.close();
    }
  });

  test("holds no more than its limit when a receiver takes nothing", async () => {
    const sockets: Socket[] = [];
    const deaf = createServer({ pauseOnConnect: true }, (socket) => sockets.push(socket));
    deaf.listen(0, "127.0.0.1");
    await once(deaf, "listening");
    const settings = { bitsPerSecond: 10_000 * MEGABIT, roundTripMs: 2 };
    const proxy = await startLinkProxy({ ...settings, targetPort: (deaf.address() as AddressInfo).port });
    const socket = connect(proxy.port, "127.0.0.1");
    socket.on("error", () => {});
    try {
      await once(socket, "connect");
      for (let i = 0; i < 64; i++) socket.write(Buffer.alloc(1_048_576));
      await delay(500);
      const before = await proxy.readUsage();
      assert.ok(before.peakQueuedBytes <= queueLimit(createLinkClock(settings)) + READ_BYTES, String(before.peakQueuedBytes));
      assert.ok(before.bytesToServer < 64 * 1_048_576, "the proxy must stop reading");
      await delay(200);
      const after = await proxy.readUsage();
      assert.equal(after.bytesToServer, before.bytesToServer);
      // It waits to be told, and does not look again and again.
      assert.ok(after.cpuUs - before.cpuUs < 100_000, `${after.cpuUs - before.cpuUs} µs while nothing happened`);
    } finally {
      socket.destroy();
      for (const one of sockets) one.destroy();
      await proxy.stop();
      deaf.close();
    }
  });

  test("closes a client's connection when the server refuses", async () => {
    const closed = createServer();
    closed.listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, "close");
    const proxy = await startLinkProxy({ targetPort: port, bitsPerSecond: 100 * MEGABIT, roundTripMs: 0.2 });
    try {
      const socket = connect(proxy.port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "close");
    } finally {
      await proxy.stop();
    }
  });

  test("rejects once its process has ended", async () => {
    const proxy = await startLinkProxy({ targetPort: server.port, bitsPerSecond: 100 * MEGABIT, roundTripMs: 0.2 });
    await proxy.stop();
    await assert.rejects(proxy.readUsage());
    await proxy.stop();
  });
});

/** The best of each quantity; none of them may be better than the link. */
async function calibrateWell(port: number, bitsPerSecond: number, roundTripMs: number): Promise<Calibration> {
  const best = { toServerBitsPerSecond: 0, toClientBitsPerSecond: 0, roundTripUs: Number.POSITIVE_INFINITY };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await calibrate(port, { bytes: Math.floor(bitsPerSecond / 8 / 10), pings: 50 });
    assert.ok(found.toServerBitsPerSecond <= TOO_FAST * bitsPerSecond, `${found.toServerBitsPerSecond} bit/s to the server`);
    assert.ok(found.toClientBitsPerSecond <= TOO_FAST * bitsPerSecond, `${found.toClientBitsPerSecond} bit/s to the client`);
    assert.ok(found.roundTripUs >= roundTripMs * 1_000, `${found.roundTripUs} µs`);
    best.toServerBitsPerSecond = Math.max(best.toServerBitsPerSecond, found.toServerBitsPerSecond);
    best.toClientBitsPerSecond = Math.max(best.toClientBitsPerSecond, found.toClientBitsPerSecond);
    best.roundTripUs = Math.min(best.roundTripUs, found.roundTripUs);
  }
  return best;
}

async function sendAndEnd(port: number, content: Buffer): Promise<Buffer> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const pieces: Buffer[] = [];
  socket.on("data", (piece) => pieces.push(piece));
  socket.end(content);
  await once(socket, "end");
  return Buffer.concat(pieces);
}
