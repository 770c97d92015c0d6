import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startRedis } from "./redis.ts";

const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

suite("npm start with REDIS_URL", () => {
  test("prints a row per prefix and leaves the reader's server as it was", async () => {
    const server = await startRedis();
    try {
      await server.command("SET", "session:1", "the reader's own");
      const outcome = spawnSync(process.execPath, ["--import", "tsx", "examples/quickstart.ts"], {
        cwd: ROOT,
        encoding: "utf8",
        env: { ...process.env, REDIS_URL: server.url },
      });
      assert.equal(outcome.status, 0, outcome.stderr);
      for (const prefix of ["session:", "page:", "hits:"]) assert.match(outcome.stdout, new RegExp(`${prefix}.*all`));
      assert.equal(await server.command("DBSIZE"), 1);
      assert.equal(await server.command("GET", "session:1"), "the reader's own");
    } finally {
      await server.stop();
    }
  });
});
