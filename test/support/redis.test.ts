import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { after, suite, test } from "node:test";
import { parseReply } from "../../scripts/resp.mjs";
import { type RedisServer, sendRedisCommand, startRedis } from "./redis.ts";
import { waitFor } from "./wait.ts";

const SERVER_MODULE: string = new URL("../../scripts/redis-server.mjs", import.meta.url).href;

suite("startRedis()", () => {
  const started: RedisServer[] = [];
  const start = async (options?: Parameters<typeof startRedis>[0]): Promise<RedisServer> => {
    const server = await startRedis(options);
    started.push(server);
    return server;
  };
  after(() => Promise.all(started.map((server) => server.stop())));

  test("gives a server that answers on loopback and persists nothing", async () => {
    const server = await start();
    assert.equal(server.url, `redis://127.0.0.1:${server.port}`);
    assert.equal(await server.command("SET", "key", "värde"), "OK");
    assert.equal(await server.command("GET", "key"), "värde");
    assert.deepEqual(await server.command("CONFIG", "GET", "save"), ["save", ""]);
    assert.deepEqual(await server.command("CONFIG", "GET", "appendonly"), ["appendonly", "no"]);
    assert.match(String(await server.command("INFO", "server")), new RegExp(`process_id:${server.pid}\r\n`));
  });

  test("passes further arguments on", async () => {
    const server = await start({ args: ["--maxmemory", "10mb"] });
    assert.deepEqual(await server.command("CONFIG", "GET", "maxmemory"), ["maxmemory", String(10 * 1024 * 1024)]);
  });

  test("starts many servers at once, each on its own port", async () => {
    const servers = await Promise.all(Array.from({ length: 8 }, () => start()));
    assert.equal(new Set(servers.map((server) => server.port)).size, 8);
    assert.equal(new Set(servers.map((server) => server.pid)).size, 8);
  });

  test("restart keeps the port, forgets the data and changes the pid", async () => {
    const server = await start();
    const { pid, port } = server;
    await server.command("SET", "key", "value");
    await server.restart();
    assert.notEqual(server.pid, pid);
    assert.equal(server.port, port);
    assert.equal(await server.command("GET", "key"), null);
  });

  test("kill ends the server at once, and restart brings it back", async () => {
    const server = await start();
    await server.kill();
    await assert.rejects(server.command("PING"), { code: "ECONNREFUSED" });
    await server.restart();
    assert.equal(await server.command("PING"), "PONG");
  });

  test("stop may be called twice", async () => {
    const server = await start();
    await server.stop();
    await server.stop();
    await assert.rejects(server.command("PING"), { code: "ECONNREFUSED" });
  });

  test("refuses a fixed port that is taken", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => holder.once("listening", resolve));
    const address = holder.address();
    assert.ok(typeof address === "object" && address !== null);
    await assert.rejects(startRedis({ port: address.port }));
    holder.close();
  });

  test("shows the server's own words when it cannot start", async () => {
    await assert.rejects(startRedis({ args: ["--no-such-option", "1"] }), /no-such-option/);
  });

  test("waits for a server that asks for a password", async () => {
    const server = await start({ args: ["--requirepass", "secret"] });
    await assert.rejects(server.command("PING"), /^Error: NOAUTH/);
  });
});

suite("a process that starts a server and ends", () => {
  const script = `
    import { startRedis } from ${JSON.stringify(SERVER_MODULE)};
    const server = await startRedis();
    process.stdout.write(JSON.stringify({ pid: server.pid, port: server.port, folder: (await server.command("CONFIG", "GET", "dir"))[1] }) + "\\n");
  `;

  test("is not kept running by it", async () => {
    const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 20_000,
    });
    assert.equal(status, 0);
    await assertGone(JSON.parse(stdout) as Facts);
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
    test(`takes it along when it ends by ${signal}`, async () => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", `${script} setInterval(() => {}, 1000);`]);
      const facts = JSON.parse(String(await new Promise((resolve) => child.stdout.once("data", resolve)))) as Facts;
      assert.equal(await sendRedisCommand(facts.port, ["PING"]), "PONG");
      child.kill(signal);
      await assertGone(facts);
    });
  }

  test("takes it along when it ends by an uncaught error", async () => {
    const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", `${script} throw new Error("crash");`], {
      encoding: "utf8",
    });
    assert.equal(status, 1);
    await assertGone(JSON.parse(stdout) as Facts);
  });
});

interface Facts {
  readonly pid: number;
  readonly port: number;
  readonly folder: string;
}

async function assertGone({ port, folder }: Facts): Promise<void> {
  await waitFor("the server and its folder are gone", async () => {
    const answer = await sendRedisCommand(port, ["PING"]).catch((error: NodeJS.ErrnoException) => error.code);
    return answer === "ECONNREFUSED" && !existsSync(folder);
  });
}

suite("parseReply()", () => {
  const reply = Buffer.from("*5\r\n+OK\r\n:-7\r\n$3\r\nå!\r\n$-1\r\n*2\r\n*-1\r\n-ERR no\r\n");

  test("reads every RESP2 type", () => {
    const parsed = parseReply(reply, 0);
    assert.deepEqual(parsed?.reply, ["OK", -7, "å!", null, [null, new Error("ERR no")]]);
    assert.equal(parsed?.end, reply.length);
  });

  test("waits for the rest of a reply that is cut anywhere", () => {
    for (let length = 0; length < reply.length; length++) assert.equal(parseReply(reply.subarray(0, length), 0), undefined);
  });

  test("refuses what is not RESP2", () => {
    assert.throws(() => parseReply(Buffer.from("HTTP/1.1 400\r\n"), 0));
  });
});
