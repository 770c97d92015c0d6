import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isCodecError, withValueCodec } from "@tightwire/ioredis";
import type { RedisOptions } from "ioredis";
import type { Redis } from "../support/ioredis-versions.ts";
import { invoke } from "./support/calls.ts";
import { MODES, useRedis } from "./support/clients.ts";
import { rejectionOf } from "./support/failures.ts";
import { LONG } from "./support/scripts.ts";

const redis = useRedis();

const RULES = { prefixes: { "r:": { maxContentBytes: 4096 } } };
const TOO_LARGE = "x".repeat(4097);

/** Calls that are refused before they are sent, and how. */
const REFUSED: Readonly<Record<string, { call: readonly [string, ...unknown[]]; is: (error: unknown) => boolean }>> = {
  "an unsafe command": {
    call: ["append", "r:a", "tail"],
    is: (error) => isCodecError(error) && error.code === "CODEC_COMMAND_UNSAFE",
  },
  "a value that is too large": {
    call: ["set", "r:a", TOO_LARGE],
    is: (error) => isCodecError(error) && error.code === "CODEC_SIZE_LIMIT",
  },
  "one value of many that is too large": {
    call: ["mset", "r:a", "short", "r:b", TOO_LARGE],
    is: (error) => isCodecError(error) && error.code === "CODEC_SIZE_LIMIT" && error.key === "r:b",
  },
  "an object as value": { call: ["set", "r:a", { an: "object" }], is: (error) => error instanceof TypeError },
  "an object in a hash": { call: ["hset", "r:hash", { field: { an: "object" } }], is: (error) => error instanceof TypeError },
};

/** Clients before, at and after the time they connect. */
const CLIENTS: Readonly<Record<string, RedisOptions>> = {
  "a client": {},
  "a lazy client": { lazyConnect: true },
  "a client with auto-pipelining": { enableAutoPipelining: true },
  "a lazy client with auto-pipelining": { enableAutoPipelining: true, lazyConnect: true },
  "a client with friendly stacks": { showFriendlyErrorStack: true },
};

async function assertUntouched(client: Redis): Promise<void> {
  assert.deepStrictEqual(await client.mget("r:a", "r:b"), [LONG, null]);
  assert.equal(await redis.bare.exists("r:hash"), 0);
}

for (const { name: mode, options } of MODES) {
  for (const [what, { call, is }] of Object.entries(REFUSED)) {
    const [command, ...args] = call;
    suite(`${what} in ${mode}`, () => {
      for (const [kind, more] of Object.entries(CLIENTS)) {
        const open = async (): Promise<Redis> => {
          const writer = withValueCodec(redis.bare.duplicate(), RULES);
          await writer.flushall();
          await writer.set("r:a", LONG);
          writer.disconnect();
          return redis.openWrapped(RULES, { ...options, ...more });
        };

        test(`${kind} rejects the call and never throws`, async () => {
          const client = await open();
          const settled = await Promise.allSettled([
            client.get("r:a"),
            invoke(client, command, args),
            invoke(client, "call", [command.toUpperCase(), ...args]),
            client.get("r:a"),
          ]);
          assert.deepStrictEqual(
            settled.map((one) => (one.status === "fulfilled" ? one.value : is(one.reason))),
            [LONG, true, true, LONG],
          );
          await assertUntouched(client);
          client.disconnect();
        });

        test(`${kind} gives the error to a callback, once`, async () => {
          const client = await open();
          const errors: unknown[] = [];
          await new Promise<void>((resolve) => {
            const callback = (error: unknown): void => {
              errors.push(error);
              setImmediate(resolve);
            };
            const promise = invoke(client, command, [...args, callback]);
            (promise as Promise<unknown>).catch(() => undefined);
          });
          assert.deepStrictEqual(errors.map(is), [true]);
          client.disconnect();
        });

        test(`${kind} keeps every other reply of a pipeline in its place`, async () => {
          const client = await open();
          const queue = client.pipeline().get("r:a");
          invoke(queue, command, args);
          queue.set("r:new", LONG).mget("r:a", "r:new");
          invoke(queue, command, args);
          const results = (await queue.exec()) ?? [];
          const errors = [results[1]?.[0], results[4]?.[0]];
          assert.deepStrictEqual(errors.map(is), [true, true]);
          assert.deepStrictEqual(
            [0, 2, 3].map((i) => results[i]),
            [
              [null, LONG],
              [null, "OK"],
              [null, [LONG, LONG]],
            ],
          );
          assert.equal(results.length, 5);
          await assertUntouched(client);
          client.disconnect();
        });

        test(`${kind} settles a pipeline of refusals alone`, async () => {
          const client = await open();
          const results = (await client.pipeline([[...call], [...call]]).exec()) ?? [];
          assert.deepStrictEqual(
            results.map(([error]) => is(error)),
            [true, true],
          );
          assert.equal(await client.ping(), "PONG");
          client.disconnect();
        });

        test(`${kind} aborts a transaction on the server: EXECABORT, with the error in previousErrors`, async () => {
          const client = await open();
          const queue = client.multi().set("r:a", "must not be written");
          invoke(queue, command, args);
          const error = await rejectionOf(queue.get("r:a").exec());
          assert.match(String(error), /EXECABORT/);
          const { previousErrors } = error as { previousErrors: unknown[] };
          assert.deepStrictEqual(previousErrors.map(is), [true]);
          await assertUntouched(client);
          assert.deepStrictEqual(await client.multi().get("r:a").exec(), [[null, LONG]]);
          client.disconnect();
        });

        test(`${kind} aborts a transaction inside a pipeline, whose other replies keep their places`, async () => {
          const client = await open();
          const queue = client.pipeline().get("r:a");
          invoke(queue, "multi", []);
          queue.set("r:a", "must not be written");
          invoke(queue, command, args);
          invoke(queue, "exec", []);
          const results = (await queue.get("r:a").exec()) ?? [];
          assert.equal(results.length, 6);
          assert.deepStrictEqual(
            [results[0], results[5]],
            [
              [null, LONG],
              [null, LONG],
            ],
          );
          assert.deepStrictEqual([is(results[3]?.[0]), /EXECABORT/.test(String(results[4]?.[0]))], [true, true]);
          await assertUntouched(client);
          client.disconnect();
        });

        test(`${kind} aborts a transaction of refusals alone`, async () => {
          const client = await open();
          await assert.rejects(client.multi([[...call]]).exec(), /EXECABORT/);
          assert.equal(await client.ping(), "PONG");
          client.disconnect();
        });
      }

      test("multi({ pipeline: false }) rejects the call and aborts the transaction", async () => {
        const client = redis.openWrapped(RULES, options);
        await client.set("r:a", LONG);
        await client.multi({ pipeline: false });
        const settled = await Promise.allSettled([
          client.get("r:a"),
          invoke(client, command, args),
          client.set("r:a", ""),
          client.exec(),
        ]);
        assert.deepStrictEqual(
          settled.map((one) => (one.status === "fulfilled" ? one.value : is(one.reason))),
          ["QUEUED", true, "QUEUED", false],
        );
        assert.match(String((settled[3] as PromiseRejectedResult).reason), /EXECABORT/);
        assert.equal(await client.get("r:a"), LONG);
        client.disconnect();
      });

      test("multi({ pipeline: false }) may be discarded after it", async () => {
        const client = redis.openWrapped(RULES, options);
        await client.set("r:a", LONG);
        await client.multi({ pipeline: false });
        await Promise.allSettled([invoke(client, command, args)]);
        assert.equal(await client.discard(), "OK");
        assert.equal(await client.get("r:a"), LONG);
        client.disconnect();
      });
    });
  }
}
