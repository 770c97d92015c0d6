import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { brotli, deflate, lz4, zstd } from "@tightwire/ioredis";
import { MODES, useRedis } from "./support/clients.ts";

const redis = useRedis();

const BIG = `${"0123456789abcdef".repeat(64)}\n`.repeat(3 * 1024);
const COMPRESSORS = { zstd: zstd(), lz4: lz4(), deflate: deflate(), brotli: brotli() };
const prefixes = Object.fromEntries(Object.entries(COMPRESSORS).map(([name, compressor]) => [`${name}:`, { compressor }]));

for (const { name: mode, options } of MODES) {
  suite(`wire order is call order, in ${mode}`, () => {
    for (const name of Object.keys(COMPRESSORS)) {
      const key = (suffix: string): string => `${name}:${mode}:${suffix}`;

      test(`${name}: a set of 3 MB, a del and a get that nobody awaited`, async () => {
        const client = redis.openWrapped({ prefixes }, options);
        const replies = [client.set(key("a"), BIG), client.del(key("a")), client.get(key("a"))];
        assert.deepStrictEqual(await Promise.all(replies), ["OK", 1, null]);
        assert.equal(await redis.bare.exists(key("a")), 0);
        client.disconnect();
      });

      test(`${name}: values of 3 MB and of 10 bytes by turns on one key`, async () => {
        const client = redis.openWrapped({ prefixes }, options);
        const sent: Promise<unknown>[] = [];
        const expected: unknown[] = [];
        for (let i = 0; i < 6; i++) {
          const value = i % 2 === 0 ? `${i}${BIG}` : `${i} is short`;
          sent.push(client.set(key("b"), value), client.get(key("b")));
          expected.push("OK", value);
        }
        assert.ok((await Promise.all(sent)).every((reply, i) => reply === expected[i]));
        client.disconnect();
      });

      test(`${name}: a big set in a transaction, and in a pipeline between its neighbours`, async () => {
        const client = redis.openWrapped({ prefixes }, options);
        const expected = [
          [null, "OK"],
          [null, BIG],
          [null, "OK"],
          [null, "small"],
        ];
        for (const open of ["multi", "pipeline"] as const) {
          const queue = client[open]().set(key("c"), BIG).get(key("c")).set(key("c"), "small").get(key("c"));
          assert.deepStrictEqual(await queue.exec(), expected);
        }
        client.disconnect();
      });

      test(`${name}: with auto-pipelining and before a lazy client connects`, async () => {
        for (const more of [
          { enableAutoPipelining: true },
          { lazyConnect: true },
          { enableAutoPipelining: true, lazyConnect: true },
        ]) {
          const client = redis.openWrapped({ prefixes }, { ...options, ...more });
          const replies = [
            client.set(key("d"), BIG),
            client.get(key("d")),
            client.set(key("d"), "s"),
            client.get(key("d")),
            client.del(key("d")),
          ];
          assert.deepStrictEqual(await Promise.all(replies), ["OK", BIG, "OK", "s", 1]);
          client.disconnect();
        }
      });
    }
  });
}
