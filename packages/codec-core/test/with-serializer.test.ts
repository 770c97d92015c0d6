import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { deflate } from "../src/compressors/deflate.ts";
import { stored } from "../src/compressors/stored.ts";
import { isCodecError } from "../src/errors.ts";
import { bytes } from "../src/serializers/bytes.ts";
import { json } from "../src/serializers/json.ts";
import { msgpack } from "../src/serializers/msgpack.ts";
import { isSerializer } from "../src/serializers/serializer.ts";
import { utf8 } from "../src/serializers/utf8.ts";
import { createValueCodec } from "../src/value-codec.ts";
import { withSerializer } from "../src/with-serializer.ts";

const codec = createValueCodec({ compressor: deflate(), minCompressBytes: 0 });

suite("withSerializer()", () => {
  test("encodes values to frames of their serialized bytes, and decodes them", () => {
    const sessions = withSerializer(codec, json<{ user: string; roles: string[] }>());
    const value = { user: "ada", roles: Array.from({ length: 50 }, () => "admin") };
    const frame = sessions.encode(value);
    assert.ok(Buffer.isBuffer(frame));
    assert.deepEqual(codec.decode(frame), Buffer.from(JSON.stringify(value)));
    assert.deepStrictEqual(sessions.decode(frame), value);
  });

  test("round-trips values with every serializer", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const content = Buffer.from(text);
        assert.deepStrictEqual(
          withSerializer(codec, json<string[]>()).decode(withSerializer(codec, json<string[]>()).encode([text])),
          [text],
        );
        assert.deepStrictEqual(
          withSerializer(codec, msgpack<Buffer>()).decode(withSerializer(codec, msgpack<Buffer>()).encode(content)),
          content,
        );
        assert.equal(withSerializer(codec, utf8()).decode(withSerializer(codec, utf8()).encode(text)), text);
        assert.deepStrictEqual(withSerializer(codec, bytes()).decode(withSerializer(codec, bytes()).encode(content)), content);
      }),
      { numRuns: 50 },
    );
  });

  test("frames an empty value", () => {
    const texts = withSerializer(codec, utf8());
    assert.equal(texts.encode("").length, 18);
    assert.equal(texts.decode(texts.encode("")), "");
  });

  test("does not call the serializer for a frame that the codec refuses", () => {
    let calls = 0;
    const counting = withSerializer(codec, json({ validate: () => calls++ }));
    const frame = withSerializer(codec, json()).encode({ a: 1 });
    frame[frame.length - 1] = (frame[frame.length - 1] ?? 0) ^ 1;
    assert.throws(() => counting.decode(frame), { code: "CODEC_CHECKSUM_MISMATCH" });
    assert.equal(calls, 0);
  });

  test("does not call the codec for a value that the serializer refuses", () => {
    const unreachable = { encode: () => assert.fail("encoded"), decode: () => assert.fail("decoded") };
    assert.throws(() => withSerializer(unreachable, json()).encode(undefined), { code: "CODEC_SERIALIZE" });
  });

  test("refuses content that is too large with the codec's own code", () => {
    const small = withSerializer(createValueCodec({ compressor: stored(), maxContentBytes: 4 }), utf8());
    assert.throws(() => small.encode("12345"), { code: "CODEC_SIZE_LIMIT" });
  });

  test("refuses content that the serializer cannot read", () => {
    const frame = codec.encode(Buffer.from("no json"));
    assert.throws(
      () => withSerializer(codec, json()).decode(frame),
      (error) => isCodecError(error) && error.code === "CODEC_DESERIALIZE",
    );
  });

  test("shares no memory with the caller's bytes", () => {
    const blobs = withSerializer(createValueCodec({ compressor: stored() }), bytes());
    const value = Buffer.from("abc");
    const frame = blobs.encode(value);
    value.fill(0);
    const back = blobs.decode(frame);
    frame.fill(0);
    assert.deepStrictEqual(back, Buffer.from("abc"));
  });

  test("is frozen, and refuses what is no codec or no serializer", () => {
    assert.ok(Object.isFrozen(withSerializer(codec, json())));
    for (const wrong of [null, undefined, {}, { encode: 1, decode: 2 }])
      assert.throws(() => withSerializer(wrong as never, json()), TypeError);
    for (const wrong of [null, undefined, {}, json, JSON]) assert.throws(() => withSerializer(codec, wrong as never), TypeError);
    assert.ok(isSerializer(json()));
  });
});
