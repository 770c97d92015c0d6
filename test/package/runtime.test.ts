import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import * as zlib from "node:zlib";
import { type RedisServer, startRedis } from "../support/redis.ts";
import { assertSuccess, type Consumer, createConsumer, hasZstdNapi, PACKAGES } from "./consumer.ts";
import { ROUND_TRIP } from "./round-trip.ts";

const esmProgram = (withoutZstd: boolean): string => `
import assert from "node:assert/strict";
import * as core from "@tightwire/codec-core";
import * as wrapper from "@tightwire/ioredis";
import { Redis } from "ioredis";
${ROUND_TRIP}
await checkRoundTrips(core, wrapper, Redis, { withoutZstd: ${withoutZstd} });
`;

const cjsProgram = (withoutZstd: boolean): string => `
const assert = require("node:assert/strict");
${ROUND_TRIP}
checkRoundTrips(require("@tightwire/codec-core"), require("@tightwire/ioredis"), require("ioredis").Redis, { withoutZstd: ${withoutZstd} });
`;

const TWO_COPIES = `
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import * as esm from "@tightwire/codec-core";
const cjs = createRequire(import.meta.url)("@tightwire/codec-core");
assert.notEqual(esm.CodecError, cjs.CodecError);
for (const [thrower, judge] of [[esm, cjs], [cjs, esm]]) {
  const codec = thrower.createValueCodec({ compressor: thrower.stored() });
  assert.throws(() => codec.decode(Buffer.alloc(40)), (error) => judge.isCodecError(error) && error.code === "CODEC_FRAME_INVALID");
  // A compressor of one copy in a codec of the other.
  const mixed = judge.createValueCodec({ compressor: thrower.lz4(), minCompressBytes: 1 });
  assert.equal(mixed.decode(mixed.encode(Buffer.from("x".repeat(99)))).toString(), "x".repeat(99));
}
`;

// npm then leaves out the native parts of xxhash and LZ4 too, which are optional dependencies of theirs, one per platform.
const WITHOUT_NATIVES = `
import assert from "node:assert/strict";
import { brotli, createValueCodec, deflate, isCodecError, lz4, stored } from "@tightwire/codec-core";
import "@tightwire/ioredis";
const content = Buffer.from("a value that repeats itself, ".repeat(100));
for (const compressor of [stored(), brotli(), deflate()]) {
  const codec = createValueCodec({ compressor, frameVersion: 1 });
  assert.deepEqual(codec.decode(codec.encode(content)), content);
}
const missing = { "@node-rs/xxhash": { compressor: stored() }, "lz4-napi": { compressor: lz4(), frameVersion: 1 } };
for (const [packageName, options] of Object.entries(missing)) {
  assert.throws(() => createValueCodec(options), (error) => {
    assert.equal(error.packageName, packageName);
    return isCodecError(error) && error.code === "CODEC_UNAVAILABLE" && error.message.includes("npm install " + packageName);
  });
}
`;

let server: RedisServer;
before(async () => {
  server = await startRedis();
});
after(() => server?.stop());

interface Installation {
  readonly title: string;
  readonly flags?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** What it leaves of zstd-napi. */
  readonly zstd: "built" | "unbuilt" | "absent";
}

function describeInstallation({ title, flags = [], environment = {}, zstd }: Installation): void {
  suite(title, () => {
    const withoutZstd = zstd !== "built" && !("zstdCompressSync" in zlib);
    let consumer: Consumer;
    before(() => {
      consumer = createConsumer(flags, environment);
    });
    after(() => consumer?.remove());

    test(`leaves zstd-napi ${zstd}`, () => {
      const folder = join(consumer.folder, "node_modules/zstd-napi");
      assert.equal(existsSync(folder), zstd !== "absent");
      assert.equal(existsSync(join(folder, "build/Release/binding.node")), zstd === "built");
    });

    const zstdWorks = withoutZstd ? "; zstd() is refused with its remedy" : "";
    test(`works from ES modules${zstdWorks}`, () => {
      const file = consumer.write("esm.mjs", esmProgram(withoutZstd));
      assertSuccess(consumer.runNode([file], { REDIS_URL: server.url }), "the ES module");
    });

    test(`works from CommonJS${zstdWorks}`, () => {
      const file = consumer.write("cjs.cjs", cjsProgram(withoutZstd));
      assertSuccess(consumer.runNode([file], { REDIS_URL: server.url }), "the CommonJS module");
    });

    test("recognises errors and compressors of the other copy", () => {
      assertSuccess(consumer.runNode([consumer.write("copies.mjs", TWO_COPIES)]), "the program with two copies");
    });

    for (const name of PACKAGES) {
      test(`loads every entry of ${name} with import and require`, () => {
        const manifest = JSON.parse(readFileSync(join(consumer.folder, "node_modules", name, "package.json"), "utf8")) as {
          exports: object;
        };
        const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith(".json"));
        for (const specifier of entries.map((entry) => name + entry.slice(1))) {
          const compare = `
            import { createRequire } from "node:module";
            const [esm, cjs] = [await import("${specifier}"), createRequire(import.meta.url)("${specifier}")];
            const names = (module) => Object.keys(module).filter((name) => name !== "default" && name !== "module.exports").sort().join();
            if (names(esm) !== names(cjs) || names(esm) === "") throw new Error(names(esm) + " is not " + names(cjs));
          `;
          assertSuccess(consumer.runNode([consumer.write("entry.mjs", compare)]), `loading ${specifier}`);
        }
      });
    }
  });
}

describeInstallation({ title: "npm install", zstd: hasZstdNapi ? "built" : "absent" });
describeInstallation({
  title: "npm install --ignore-scripts, case 92 (pnpm/pnpm#9073, WiseLibs/better-sqlite3#146)",
  flags: ["--ignore-scripts"],
  zstd: "unbuilt",
});
describeInstallation({
  title: "npm install without download and compiler, case 93 (emdash-cms/emdash#2148, mscdex/ssh2#1114)",
  environment: { npm_config_build_from_source: "true", CC: "false", CXX: "false" },
  zstd: "absent",
});

// What an installation on a platform that the lock file lacks leaves, too: an error that names the package.
suite("npm install --omit=optional, case 94 (npm/cli#4828, napi-rs/napi-rs#2934)", () => {
  let consumer: Consumer;
  before(() => {
    consumer = createConsumer(["--omit=optional"]);
  });
  after(() => consumer?.remove());

  test("leaves what needs no native package, and names the missing one where it does", () => {
    assertSuccess(consumer.runNode([consumer.write("natives.mjs", WITHOUT_NATIVES)]), "the program without native packages");
  });
});
