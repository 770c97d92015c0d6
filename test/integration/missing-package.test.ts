import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { lz4 } from "@tightwire/ioredis";
import { useRedis } from "./support/clients.ts";
import { LONG } from "./support/scripts.ts";

const redis = useRedis();
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a program in which `lz4-napi` is not installed, as on a platform that it has no binary for. */
function runWithoutLz4(program: string, environment: NodeJS.ProcessEnv = {}): unknown {
  const script = `
    import Module from "node:module";
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function (name, ...rest) {
      if (name !== "lz4-napi") return resolve.call(this, name, ...rest);
      throw Object.assign(new Error("Cannot find module 'lz4-napi'"), { code: "MODULE_NOT_FOUND" });
    };
    const { Redis } = await import("ioredis");
    const { lz4, deflate, valueCodecOf, withValueCodec } = await import("@tightwire/ioredis");
    const redis = new Redis(${JSON.stringify(redis.server.url)});
    const show = ({ name, code, packageName, key }) => ({ name, code, packageName, key });
    const result = await (async () => { ${program} })();
    process.stdout.write(JSON.stringify(result));
    redis.disconnect();
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 20_000,
    env: { ...process.env, ...environment },
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

suite("a compressor whose package is missing", () => {
  test("a rule that writes with it is CODEC_UNAVAILABLE where the client is wrapped, and the client stays as it was", () => {
    const result = runWithoutLz4(`
      try {
        withValueCodec(redis, { prefixes: { "page:": { compressor: lz4() } } });
      } catch (error) {
        await redis.set("page:raw", "as ever");
        return { ...show(error), raw: await redis.get("page:raw") };
      }
    `);
    assert.deepStrictEqual(result, { name: "CodecError", code: "CODEC_UNAVAILABLE", packageName: "lz4-napi", raw: "as ever" });
  });

  test("setRules leaves the rules in force", () => {
    const result = runWithoutLz4(`
      const codec = valueCodecOf(withValueCodec(redis, { prefixes: { "page:": { compressor: deflate() } } }));
      try {
        codec.setRules({ prefixes: { "other:": { compressor: lz4() } } });
      } catch (error) {
        return { code: error.code, rules: [...codec.rules.keys()] };
      }
    `);
    assert.deepStrictEqual(result, { code: "CODEC_UNAVAILABLE", rules: ["page:"] });
  });

  test("a frame that needs it is CODEC_UNAVAILABLE where it is read, and its neighbours are read", async () => {
    const writer = redis.openWrapped({ prefixes: { "page:": { compressor: lz4() } } });
    await writer.mset("page:lz4", LONG, "page:short", "short");
    // The kernel reads such a frame by itself.
    const program = `
      withValueCodec(redis, { prefixes: { "page:": { compressor: deflate() } } });
      const error = await redis.mget("page:short", "page:lz4").catch((error) => error);
      return [show(error), error.reply[0], show(error.reply[1]), await redis.ping()];
    `;
    const result = runWithoutLz4(program, { TIGHTWIRE_KERNEL: "off" });
    const facts = { name: "CodecError", code: "CODEC_UNAVAILABLE", key: "page:lz4" };
    assert.deepStrictEqual(result, [facts, "short", { ...facts, packageName: "lz4-napi" }, "PONG"]);
    writer.disconnect();
  });
});
