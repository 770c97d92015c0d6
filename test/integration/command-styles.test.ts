import { once } from "node:events";
import { suite, test } from "node:test";
import type { RedisOptions } from "ioredis";
import { AUTO_PIPELINED, STYLES, type Style } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { compareWithBare, RULES, scriptsFor } from "./support/comparison.ts";

// Hash tables from the first field on: a listpack keeps its fields in another order, and frames decide which of the two a hash is.
const redis = useRedis({ args: ["--hash-max-listpack-entries", "0"] });

function testStyles(styles: Readonly<Record<string, Style>>, options: RedisOptions): void {
  for (const [name, style] of Object.entries(styles)) {
    for (const script of scriptsFor(name)) {
      test(`${name}: ${script.name} commands reply as on a bare client, and Redis holds frames where they are due`, async () => {
        const wrapped = redis.openWrapped(RULES, options);
        const plain = redis.open(options);
        await Promise.all([once(wrapped, "ready"), once(plain, "ready")]);
        await compareWithBare(redis, style, wrapped, plain, script);
        wrapped.disconnect();
        plain.disconnect();
      });
    }
  }
}

for (const { name, options } of MODES) {
  suite(`commands in ${name}`, () => testStyles(STYLES, options));
  suite(`commands in ${name} with auto-pipelining`, () => testStyles(AUTO_PIPELINED, { ...options, enableAutoPipelining: true }));
}
