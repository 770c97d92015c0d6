import assert from "node:assert/strict";
import { once } from "node:events";
import { suite, test } from "node:test";
import { createValueCodec } from "@tightwire/codec-core";
import { type CodecError, isCodecError, type RuleOptions, stored, valueCodecOf } from "@tightwire/ioredis";
import { MODES, useRedis } from "./support/clients.ts";
import { BAD } from "./support/damage.ts";
import { asCodecError, failureOf, hashOf, listOf } from "./support/failures.ts";
import { BINARY, LONG } from "./support/scripts.ts";

const redis = useRedis({}, async (bare) => {
  await bare.mset("r:bad", BAD, "r:short", "short");
  await bare.hset("r:h", "bad", BAD, "good", "short");
});
const RULES = { prefixes: { "r:": {} } };
const CODE = "CODEC_CHECKSUM_MISMATCH";

function assertBad(error: unknown, key = "r:bad"): void {
  const { code, key: found } = asCodecError(error);
  assert.deepStrictEqual([code, found], [CODE, key]);
}

for (const { name, options } of MODES) {
  suite(`one bad value hurts only itself, in ${name}`, () => {
    test("in a pipeline its own result is the error", async () => {
      const client = redis.openWrapped(RULES, options);
      const results = await client
        .pipeline()
        .set("r:new", LONG)
        .get("r:new")
        .get("r:bad")
        .getBuffer("r:bad")
        .mget("r:new", "r:bad", "r:short")
        .hgetall("r:h")
        .get("r:new")
        .exec();
      const [set, get, bad, badBuffer, many, hash, last] = results ?? [];
      assert.deepStrictEqual(
        [set, get, last],
        [
          [null, "OK"],
          [null, LONG],
          [null, LONG],
        ],
      );
      assertBad(bad?.[0]);
      assertBad(badBuffer?.[0]);
      const reply = listOf(many?.[0]);
      assert.deepStrictEqual([reply[0], reply[2]], [LONG, "short"]);
      assertBad(reply[1]);
      assert.equal(hashOf(hash?.[0])["good"], "short");
      client.disconnect();
    });

    test("in multi() the transaction commits and its own result is the error", async () => {
      const client = redis.openWrapped(RULES, options);
      const results = await client
        .multi()
        .set("r:new", LONG)
        .get("r:bad")
        .mget("r:new", "r:bad")
        .hgetall("r:h")
        .get("r:new")
        .exec();
      const [set, bad, many, hash, last] = results ?? [];
      assert.deepStrictEqual(
        [set, last],
        [
          [null, "OK"],
          [null, LONG],
        ],
      );
      assertBad(bad?.[0]);
      assert.equal(listOf(many?.[0])[0], LONG);
      assertBad(listOf(many?.[0])[1]);
      assert.equal(hashOf(hash?.[0])["good"], "short");
      client.disconnect();
    });

    test("in multi({ pipeline: false }) its element of EXEC's reply is the error, as the server's own errors are", async () => {
      const client = redis.openWrapped(RULES, options);
      await client.multi({ pipeline: false });
      const queued = [
        client.set("r:new", LONG),
        client.get("r:bad"),
        client.hincrby("r:new", "f", 1),
        client.mget("r:new", "r:bad"),
      ];
      const [set, bad, wrong, many] = (await client.exec()) ?? [];
      assert.deepStrictEqual(await Promise.all(queued), ["QUEUED", "QUEUED", "QUEUED", "QUEUED"]);
      assert.deepStrictEqual(set, [null, "OK"]);
      assertBad(bad?.[0]);
      assert.match(String(wrong?.[0]), /WRONGTYPE/);
      assert.equal(listOf(many?.[0])[0], LONG);
      assert.equal(await client.get("r:new"), LONG);
      client.disconnect();
    });

    test("with auto-pipelining the neighbours of one tick are unaffected", async () => {
      const client = redis.openWrapped(RULES, { ...options, enableAutoPipelining: true });
      await client.set("r:new", LONG);
      const settled = await Promise.allSettled([
        client.get("r:new"),
        client.get("r:bad"),
        client.hgetall("r:h"),
        client.get("r:short"),
      ]);
      assert.deepStrictEqual(
        settled.map((one) => one.status),
        ["fulfilled", "rejected", "rejected", "fulfilled"],
      );
      assertBad((settled[1] as PromiseRejectedResult).reason);
      client.disconnect();
    });

    test("a callback gets the error and is called once", async () => {
      const client = redis.openWrapped(RULES, options);
      const calls: unknown[] = [];
      await new Promise<void>((resolve) => {
        client.get("r:bad", (error) => {
          calls.push(error);
          setImmediate(resolve);
        });
      });
      assert.equal(calls.length, 1);
      assertBad(calls[0]);
      client.disconnect();
    });
  });
}

suite("onDecodeError", () => {
  const open = (rule: Partial<RuleOptions>, onError?: (error: CodecError) => void) =>
    redis.openWrapped({ prefixes: { "r:": rule }, ...(onError && { onError }) });

  test('"miss" gives null in the place of the bad value and tells onError', async () => {
    const errors: CodecError[] = [];
    const client = open({ onDecodeError: "miss" }, (error) => errors.push(error));
    assert.equal(await client.get("r:bad"), null);
    assert.equal(await client.getBuffer("r:bad"), null);
    assert.deepStrictEqual(await client.mget("r:short", "r:bad", "r:none"), ["short", null, null]);
    assert.deepStrictEqual(await client.hgetall("r:h"), { bad: null, good: "short" });
    assert.deepStrictEqual(await client.hmget("r:h", "bad", "good"), [null, "short"]);
    assert.deepStrictEqual(await client.pipeline().get("r:bad").get("r:short").exec(), [
      [null, null],
      [null, "short"],
    ]);
    assert.deepStrictEqual(await client.multi().get("r:bad").get("r:short").exec(), [
      [null, null],
      [null, "short"],
    ]);
    assert.equal(errors.length, 7);
    for (const error of errors) assert.deepStrictEqual([error.code, error.frame], [CODE, BAD]);
    assert.deepStrictEqual(valueCodecOf(client).stats()["r:"]?.errors, { [CODE]: 7 });
    client.disconnect();
  });

  test('"pass" gives the bytes to *Buffer methods and throws for the others', async () => {
    const errors: CodecError[] = [];
    const client = open({ onDecodeError: "pass" }, (error) => errors.push(error));
    assert.deepStrictEqual(await client.getBuffer("r:bad"), BAD);
    assert.deepStrictEqual(await client.mgetBuffer("r:bad", "r:short"), [BAD, Buffer.from("short")]);
    assert.deepStrictEqual(await client.hgetallBuffer("r:h"), { bad: BAD, good: Buffer.from("short") });
    assert.deepStrictEqual(await client.callBuffer("GET", "r:bad"), BAD);
    assert.equal(errors.length, 4);
    await assert.rejects(client.get("r:bad"), { code: CODE });
    await assert.rejects(client.hgetall("r:h"), { code: CODE });
    assert.equal(errors.length, 4);
    client.disconnect();
  });

  test('"throw" does not tell onError: the caller has the error', async () => {
    const client = open({}, () => assert.fail("onError is for what nobody would see otherwise"));
    await assert.rejects(client.get("r:bad"), { code: CODE });
    client.disconnect();
  });

  test("what onError throws becomes a warning, and the reply is what it would be", async () => {
    const client = open({ onDecodeError: "miss" }, () => {
      throw new RangeError("from the handler");
    });
    const warning = once(process, "warning");
    assert.equal(await client.get("r:bad"), null);
    assert.equal((await warning)[0].message, "from the handler");
    assert.equal(await client.ping(), "PONG");
    client.disconnect();
  });
});

suite("maxReplyBytes", () => {
  test("refuses the values of one reply that would decompress to more in total, and only those", async () => {
    const client = redis.openWrapped({ ...RULES, maxReplyBytes: 2 * LONG.length });
    await client.mset("r:1", LONG, "r:2", LONG, "r:3", BINARY);
    const error = await failureOf(client.mget("r:1", "r:3", "r:2", "r:short"));
    const reply = listOf(error);
    assert.equal(error.code, "CODEC_SIZE_LIMIT");
    assert.deepStrictEqual([reply[0], reply[3]], [LONG, "short"]);
    assert.equal(reply.filter(isCodecError).length, 1);
    assert.deepStrictEqual(await Promise.all([client.get("r:1"), client.get("r:2")]), [LONG, LONG]);
    client.disconnect();
  });

  test("is not used up by what a damaged value claims", async () => {
    const client = redis.openWrapped({ ...RULES, maxReplyBytes: 2 * LONG.length });
    const claim = createValueCodec({ compressor: stored() }).encode(BINARY);
    claim.writeUInt32LE(2 * LONG.length - 1, 6);
    await redis.bare.set("r:claim", claim);
    await client.set("r:good", LONG);
    assert.equal(listOf(await failureOf(client.mget("r:claim", "r:good")))[1], LONG);
    client.disconnect();
  });
});
