import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import * as zlib from "node:zlib";
import { type RedisServer, startRedis } from "../support/redis.ts";
import { assertSuccess, type Consumer, createConsumer, hasZstdNapi, ROOT } from "./consumer.ts";
import { ROUND_TRIP } from "./round-trip.ts";

const JEST: string = join(ROOT, "node_modules/jest/bin/jest.js");

const WITHOUT_ZSTD: boolean = !hasZstdNapi && !("zstdCompressSync" in zlib);

const CJS_TEST = `
const assert = require("node:assert/strict");
const { Redis } = require("ioredis");
const core = require("@tightwire/codec-core");
const wrapper = require("@tightwire/ioredis");
${ROUND_TRIP}
test("round trips", () => checkRoundTrips(core, wrapper, Redis, { withoutZstd: ${WITHOUT_ZSTD} }));
`;

const ESM_TEST = `
import assert from "node:assert/strict";
import * as core from "@tightwire/codec-core";
import * as wrapper from "@tightwire/ioredis";
import { Redis } from "ioredis";
${ROUND_TRIP}
test("round trips", () => checkRoundTrips(core, wrapper, Redis, { withoutZstd: ${WITHOUT_ZSTD} }));
`;

suite("under Jest 30", () => {
  let server: RedisServer;
  let consumer: Consumer;
  before(async () => {
    server = await startRedis();
    consumer = createConsumer();
    consumer.write("cjs/round-trip.test.js", CJS_TEST);
    consumer.write("esm/round-trip.test.mjs", ESM_TEST);
  });
  after(async () => {
    consumer?.remove();
    await server?.stop();
  });

  test("works with the default configuration", () => {
    const outcome = consumer.runNode([JEST, "--rootDir", join(consumer.folder, "cjs")], { REDIS_URL: server.url });
    assertSuccess(outcome, "jest");
  });

  test("works with ES modules", () => {
    const match = ["--testMatch", "**/*.test.mjs", "--transform", "{}"];
    const args = ["--experimental-vm-modules", JEST, "--rootDir", join(consumer.folder, "esm"), ...match];
    assertSuccess(consumer.runNode(args, { REDIS_URL: server.url }), "jest");
  });
});
