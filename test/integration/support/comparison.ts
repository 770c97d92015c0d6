import assert from "node:assert/strict";
import type { Redis } from "../../support/ioredis-versions.ts";
import type { Call, Style } from "./calls.ts";
import type { TestRedis } from "./clients.ts";
import { assertSameContents } from "./held.ts";
import * as scripts from "./scripts.ts";

/** Calls, and the keys that they leave behind. */
export interface Script {
  readonly name: string;
  readonly calls: (k: (name: string) => string) => Call[];
  readonly keys: readonly string[];
}

const RECORDS: Script = { name: "record", calls: scripts.recordCalls, keys: scripts.RECORD_KEYS };
const WRONG: Script = { name: "wrong", calls: scripts.wrongCalls, keys: scripts.WRONG_KEYS };
const VALUES: readonly Script[] = [
  { name: "string", calls: scripts.stringCalls, keys: scripts.STRING_KEYS },
  { name: "hash", calls: scripts.hashCalls, keys: scripts.HASH_KEYS },
];

/** The scripts that plain ioredis itself can send in a style. */
export function scriptsFor(style: string): readonly Script[] {
  const takesRecords = !/call|send_command/i.test(style);
  // A command that the server refuses to queue makes it discard the whole transaction.
  const survivesWrongCalls = !style.includes("multi");
  return [...VALUES, ...(takesRecords ? [RECORDS] : []), ...(survivesWrongCalls ? [WRONG] : [])];
}

export const RULES = { prefixes: { "ruled:": {}, "ruled:raw:": "raw" } } as const;

/** What a run under each prefix must leave behind: frames, or the bytes that a bare client would. */
export interface Expectation {
  readonly keyPrefix: string;
  readonly prefixes: Readonly<Record<string, "frames" | "bytes">>;
}

const UNPREFIXED: Expectation = {
  keyPrefix: "",
  prefixes: { "ruled:": "frames", "ruled:raw:": "bytes", "other:": "bytes" },
};

let runs = 0;

/**
 * Runs a script through a bare client and through a wrapped one, under ruled, raw and unruled prefixes: all must reply the same,
 * and Redis must hold frames under the ruled prefix and the same bytes under the others.
 */
export async function compareWithBare(
  redis: TestRedis,
  style: Style,
  wrapped: Redis,
  plain: Redis,
  script: Script,
  { keyPrefix, prefixes }: Expectation = UNPREFIXED,
): Promise<void> {
  const run = `${++runs}:`;
  const expected = await style(
    plain,
    script.calls((name) => `plain:${run}${name}`),
  );
  assert.ok(
    expected.some((outcome) => "reply" in outcome),
    "the bare client replies",
  );
  for (const [prefix, held] of Object.entries(prefixes)) {
    const actual = await style(
      wrapped,
      script.calls((name) => prefix + run + name),
    );
    assert.deepStrictEqual(actual, expected, `replies under ${prefix}`);
    const check = held === "frames" ? assertSameContents : assertSameBytes;
    for (const key of script.keys) await check(redis.bare, keyPrefix + prefix + run + key, `${keyPrefix}plain:${run}${key}`);
  }
}

async function assertSameBytes(bare: Redis, key: string, plainKey: string): Promise<void> {
  const type = await bare.type(plainKey);
  const read = (from: string): Promise<unknown> => (type === "hash" ? bare.hgetallBuffer(from) : bare.getBuffer(from));
  assert.deepStrictEqual(await read(key), await read(plainKey), `the bytes of ${key}`);
}
