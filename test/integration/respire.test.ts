import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isFrame } from "@tightwire/codec-core";
import { brotli, type Compressor, deflate, lz4, type RuleOptions, stored, valueCodecOf, zstd } from "@tightwire/ioredis";
import { acceptedVectors, contentOf, frameOf, refusedVectors } from "../vectors/vectors.ts";
import { useRedis } from "./support/clients.ts";
import { asCodecError, failureOf } from "./support/failures.ts";

const redis = useRedis();

/** What a rule needs so that every value is a frame, as Respire writes and expects it. */
const RESPIRE: Partial<RuleOptions> = { minFrameBytes: 0, numbers: "framed", unframed: "reject" };

const COMPRESSORS: Readonly<Record<string, () => Compressor>> = { stored, brotli, deflate, lz4, zstd };
const STORED_ID = 0;
const LARGEST_CONTENT = 64 * 1024 * 1024;

const isOfRespire = ({ id }: { readonly id: string }): boolean => id.startsWith("respire/");

suite("frames of Respire and of other implementations", () => {
  for (const vector of acceptedVectors) {
    test(`${vector.id} is read as a string and as a hash value`, async () => {
      const client = redis.openWrapped({ prefixes: { "r:": { ...RESPIRE, maxContentBytes: LARGEST_CONTENT } } });
      const content = contentOf(vector);
      await Promise.all([redis.bare.set("r:theirs", frameOf(vector)), redis.bare.hset("r:hash", "f", frameOf(vector))]);
      const [bytes, text, values] = await Promise.all([
        client.getBuffer("r:theirs"),
        client.get("r:theirs"),
        client.hvalsBuffer("r:hash"),
      ]);
      assert.ok(bytes?.equals(content));
      assert.ok(text === content.toString());
      assert.ok(values[0]?.equals(content));
      client.disconnect();
    });
  }

  // The bytes of a compressed payload depend on the library that made them; those of a stored one on the format alone.
  for (const vector of acceptedVectors.filter((one) => isOfRespire(one) && one.codec === STORED_ID)) {
    test(`${vector.id} is written, byte for byte`, async () => {
      const rule = { ...RESPIRE, compressor: stored(), frameVersion: vector.version };
      const client = redis.openWrapped({ prefixes: { "r:": rule } });
      await client.set("r:ours", contentOf(vector));
      assert.deepStrictEqual(await redis.bare.getBuffer("r:ours"), frameOf(vector));
      assert.deepStrictEqual(valueCodecOf(client).encode("r:ours", contentOf(vector)), frameOf(vector));
      client.disconnect();
    });
  }

  for (const { id, code, frame, options } of refusedVectors) {
    test(`${id} is refused, and the next read works`, async () => {
      const { accept, ...limits } = options ?? {};
      const accepted = accept?.map((name) => COMPRESSORS[name]?.() ?? assert.fail(name));
      const codecOptions = { compressor: stored(), ...limits, ...(accepted !== undefined && { accept: accepted }) };
      // The limit of whole replies is no subject of the vectors.
      const maxReplyBytes = Number.MAX_SAFE_INTEGER;
      const client = redis.openWrapped({
        prefixes: { "r:": { ...RESPIRE, ...codecOptions }, "lax:": codecOptions },
        maxReplyBytes,
      });
      const bytes = Buffer.from(frame, "hex");
      await redis.bare.mset("r:bad", bytes, "lax:bad", bytes);
      const [error, pong] = await Promise.all([failureOf(client.get("r:bad")), client.ping()]);
      if (isFrame(bytes)) {
        assert.deepStrictEqual([error.code, error.frame], [code, bytes]);
        assert.equal((await failureOf(client.get("lax:bad"))).code, code);
      } else {
        assert.match(error.code, /^CODEC_(?:UNFRAMED|FRAME_INVALID)$/);
        if (error.code === "CODEC_UNFRAMED") assert.deepStrictEqual(await client.getBuffer("lax:bad"), bytes);
      }
      assert.equal(pong, "PONG");
      client.disconnect();
    });
  }
});

suite("a rule that exchanges values with Respire", () => {
  test("frames numbers, short and empty values too", async () => {
    const client = redis.openWrapped({ prefixes: { "r:": { ...RESPIRE, compressor: stored() } } });
    await client.mset("r:abc", "abc", "r:empty", "", "r:number", 42);
    const held = await redis.bare.mgetBuffer("r:abc", "r:empty");
    assert.deepStrictEqual(
      held.map((bytes) => bytes?.toString("hex")),
      ["5256430002000300000050392f89945faf78616263", "52564300020000000000c294d3380580062d"],
    );
    assert.deepStrictEqual(await client.mget("r:abc", "r:empty", "r:number"), ["abc", "", "42"]);
    await assert.rejects(client.incr("r:number"), /not an integer/);
    client.disconnect();
  });

  test("refuses a value that is no frame, and takes none for one in a transaction", async () => {
    const client = redis.openWrapped({ prefixes: { "r:": RESPIRE } });
    await redis.bare.set("r:plain", "plain text");
    await assert.rejects(client.get("r:plain"), { code: "CODEC_UNFRAMED", key: "r:plain" });
    await redis.bare.set("r:queued", "QUEUED");
    await assert.rejects(client.get("r:queued"), { code: "CODEC_UNFRAMED" });
    const [none, queued] = (await client.multi().get("r:none").get("r:queued").exec()) ?? [];
    assert.deepStrictEqual([none, asCodecError(queued?.[0]).code], [[null, null], "CODEC_UNFRAMED"]);
    await client.set("r:one", "1");
    const replies = [client.multi({ pipeline: false }), client.get("r:one"), client.exec()];
    assert.deepStrictEqual(await Promise.all(replies), ["OK", "QUEUED", [[null, "1"]]]);
    client.disconnect();
  });
});
