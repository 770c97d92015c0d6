import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { suite, test } from "node:test";
import { Cluster, ioredisVersion, Redis } from "./ioredis-versions.ts";

const require = createRequire(import.meta.url);
const MODULES = { "6": "ioredis", "5": "ioredis-5", "5.4": "ioredis-5.4" } as const;

suite("ioredis under test", () => {
  test("is the release that TIGHTWIRE_IOREDIS names, or 6", () => {
    assert.equal(ioredisVersion, process.env["TIGHTWIRE_IOREDIS"] ?? "6");
    const { version } = require(`${MODULES[ioredisVersion]}/package.json`) as { version: string };
    assert.ok(version.startsWith(`${ioredisVersion}.`));
    assert.equal((require(MODULES[ioredisVersion]) as { Redis: unknown }).Redis, Redis);
    assert.equal((require(MODULES[ioredisVersion]) as { Cluster: unknown }).Cluster, Cluster);
  });
});
