import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { valueCodecOf } from "@tightwire/ioredis";
import { useRedis } from "./support/clients.ts";
import { BAD } from "./support/damage.ts";
import { failureOf } from "./support/failures.ts";
import { LONG, MEDIUM, SHORT } from "./support/scripts.ts";

const redis = useRedis();
const RULES = { prefixes: { "r:": {} } };

async function assertFramed(key: string, framed = true): Promise<void> {
  const held = await redis.bare.getBuffer(key);
  assert.equal(held !== null && isFrame(held), framed, key);
}

suite("valueCodecOf()", () => {
  test("is a TypeError for a client that is not wrapped", () => {
    assert.throws(() => valueCodecOf(redis.bare), TypeError);
    assert.throws(() => valueCodecOf({}), TypeError);
  });

  test("encode and decode are what the client writes and reads", async () => {
    const client = redis.openWrapped({ prefixes: { "r:": {}, "raw:": "raw" } });
    const codec = valueCodecOf(client);
    for (const value of [LONG, SHORT, "42", "", Buffer.from([0xc1, 1])]) {
      for (const key of ["r:x", Buffer.from("r:x"), "raw:x", "other"]) {
        await client.set(key, value);
        const held = await redis.bare.getBuffer(key);
        assert.deepStrictEqual(codec.encode(key, value), held);
        assert.deepStrictEqual(codec.decode(key, codec.encode(key, value)), Buffer.from(value as string));
      }
    }
    const bytes = Buffer.from(SHORT);
    const results = [
      codec.encode("r:x", bytes),
      codec.decode("r:x", bytes),
      codec.encode("other", bytes),
      codec.decode("other", bytes),
    ];
    bytes.fill(0);
    for (const result of results) assert.equal(result.toString(), SHORT);
    client.disconnect();
  });

  test("decode throws an error that names the key, encode one for a value that is too large", () => {
    const client = redis.openWrapped({ prefixes: { "r:": { maxContentBytes: 1000 } } });
    const codec = valueCodecOf(client);
    assert.throws(() => codec.decode("r:bad", BAD), { code: "CODEC_SIZE_LIMIT", key: "r:bad" });
    assert.throws(() => codec.encode("r:big", "x".repeat(1001)), { code: "CODEC_SIZE_LIMIT", key: "r:big" });
    assert.throws(() => codec.decode("r:x", SHORT as never), TypeError);
    assert.throws(() => codec.encode("r:x", { an: "object" }), TypeError);
    assert.equal(codec.encode("r:x", 5).toString(), "5");
    client.disconnect();
  });

  test("rules lists the rules in force without the raw ones", () => {
    const client = redis.openWrapped({ prefixes: { "a:": {}, "b:": "raw", "": { minFrameBytes: 10 } } });
    const { rules } = valueCodecOf(client);
    assert.deepStrictEqual([...rules.keys()].sort(), ["", "a:"]);
    assert.equal(rules.get("")?.minFrameBytes, 10);
    client.disconnect();
  });

  test("setRules counts from the next command on, also for duplicates, and leaves the rules in force if they are wrong", async () => {
    const client = redis.openWrapped(RULES);
    const copy = redis.keep(client.duplicate());
    await client.set("r:1", LONG);
    valueCodecOf(client).setRules({ prefixes: { "r:": { frame: "never" }, "s:": {} } });
    await Promise.all([client.set("r:2", LONG), copy.set("s:1", LONG)]);
    assert.deepStrictEqual(await copy.mget("r:1", "r:2", "s:1"), [LONG, LONG, LONG]);
    await assertFramed("r:1");
    await assertFramed("r:2", false);
    await assertFramed("s:1");
    assert.throws(() => valueCodecOf(copy).setRules({ prefixes: { "s:": { frame: "sometimes" as never } } }), RangeError);
    await copy.set("s:2", LONG);
    await assertFramed("s:2");
    client.disconnect();
    copy.disconnect();
  });

  test("a reply follows the rules that its command was issued under", async () => {
    const client = redis.openWrapped(RULES);
    await client.set("r:1", LONG);
    const reply = client.get("r:1");
    valueCodecOf(client).setRules({ prefixes: {} });
    assert.equal(await reply, LONG);
    client.disconnect();
  });

  test("stats counts what was encoded, decoded, held raw and refused, together with duplicates", async () => {
    const client = redis.openWrapped(RULES);
    const copy = redis.keep(client.duplicate());
    await client.mset("r:1", LONG, "r:2", SHORT, "other", LONG);
    await copy.hset("r:h", "f", MEDIUM, "g", 42);
    await Promise.all([client.mget("r:1", "r:2", "other"), copy.hgetall("r:h")]);
    await redis.bare.set("r:bad", BAD);
    await failureOf(copy.get("r:bad"));
    const frames = (await redis.bare.strlen("r:1")) + (await redis.bare.hstrlen("r:h", "f"));
    const contents = Buffer.byteLength(LONG) + Buffer.byteLength(MEDIUM);
    const raw = SHORT.length + "42".length;
    const expected = {
      "r:": {
        encoded: 2,
        decoded: 2,
        raw: 2,
        unframed: 2,
        contentBytes: contents + raw,
        heldBytes: frames + raw,
        errors: { CODEC_CHECKSUM_MISMATCH: 1 },
      },
    };
    assert.deepStrictEqual(valueCodecOf(client).stats(), expected);
    assert.deepStrictEqual(valueCodecOf(copy).stats(), expected);
    client.disconnect();
    copy.disconnect();
  });
});
