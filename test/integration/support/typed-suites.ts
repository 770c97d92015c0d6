import { once } from "node:events";
import { suite, test } from "node:test";
import type { ValueCodecClientOptions } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import { AUTO_PIPELINED, STYLES, type Style } from "./calls.ts";
import { MODES, type TestRedis } from "./clients.ts";
import { compareValues, type ValueForm } from "./typed-comparison.ts";
import type { ValueScript } from "./typed-scripts.ts";

/**
 * Hash tables from the first field on, and stream nodes by their number of entries alone: otherwise the size of a value shows
 * in the order of fields and in XINFO. A server that looks ten times a second when a blocked client gives up would make the
 * tests wait.
 */
export const COMPARABLE_SERVER: readonly string[] = [
  ...["--hash-max-listpack-entries", "0"],
  ...["--stream-node-max-bytes", "0"],
  ...["--hz", "500"],
];

/** What {@link testInAllStyles} compares. */
export interface StyleComparison {
  readonly redis: TestRedis;
  readonly rules: ValueCodecClientOptions;
  /** The form of values by the prefix of their rule. */
  readonly forms: Readonly<Record<string, ValueForm>>;
  readonly scriptsFor: (style: string) => readonly ValueScript[];
}

/** One test for each protocol and way of sending commands: replies and held values are those of a bare client. */
export function testInAllStyles(what: string, comparison: StyleComparison): void {
  for (const { name, options } of MODES) {
    suite(`${what} in ${name}`, () => testStyles(comparison, STYLES, options));
    suite(`${what} in ${name} with auto-pipelining`, () =>
      testStyles(comparison, AUTO_PIPELINED, { ...options, enableAutoPipelining: true }));
  }
}

function testStyles(
  { redis, rules, forms, scriptsFor }: StyleComparison,
  styles: Readonly<Record<string, Style>>,
  options: RedisOptions,
): void {
  for (const [name, style] of Object.entries(styles)) {
    test(`${name}: replies are those of a bare client, and Redis holds what the rule says`, async () => {
      const wrapped = redis.openWrapped(rules, options);
      const plain = redis.open(options);
      await Promise.all([once(wrapped, "ready"), once(plain, "ready")]);
      for (const [prefix, form] of Object.entries(forms)) {
        for (const script of scriptsFor(name)) await compareValues(redis, style, wrapped, plain, script, form, prefix);
      }
      wrapped.disconnect();
      plain.disconnect();
    });
  }
}
