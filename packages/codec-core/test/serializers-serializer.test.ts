import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { CodecError, isCodecError } from "../src/errors.ts";
import { bytes } from "../src/serializers/bytes.ts";
import { json } from "../src/serializers/json.ts";
import { msgpack } from "../src/serializers/msgpack.ts";
import { defineSerializer, isSerializer, type SerializerDefinition } from "../src/serializers/serializer.ts";
import { utf8 } from "../src/serializers/utf8.ts";

const hex: SerializerDefinition<string> = {
  name: "hex",
  serialize: (value) => Buffer.from(value, "hex"),
  deserialize: (content) => Buffer.from(content).toString("hex"),
};

suite("defineSerializer()", () => {
  test("makes a frozen serializer of two functions", () => {
    const serializer = defineSerializer(hex);
    assert.ok(Object.isFrozen(serializer) && Object.isFrozen(serializer.options));
    assert.equal(serializer.name, "hex");
    assert.deepStrictEqual(serializer.options, {});
    assert.equal(serializer.deserialize(serializer.serialize("00ff")), "00ff");
  });

  test("keeps its functions when the definition changes afterwards", () => {
    const definition = { ...hex };
    const serializer = defineSerializer(definition);
    definition.serialize = () => Buffer.from("changed");
    assert.deepEqual(serializer.serialize("00"), Buffer.of(0));
  });

  test("makes what the functions throw the cause of a typed error, whatever it is", () => {
    for (const cause of [new Error("boom"), new RangeError("deep"), "text"]) {
      const throwing = defineSerializer<unknown>({
        name: "throwing",
        serialize: () => {
          throw cause;
        },
        deserialize: () => {
          throw cause;
        },
      });
      const hasCause = (code: string) => (error: unknown) => isCodecError(error) && error.code === code && error.cause === cause;
      assert.throws(() => throwing.serialize(1), hasCause("CODEC_SERIALIZE"));
      assert.throws(() => throwing.deserialize(Buffer.of(1)), hasCause("CODEC_DESERIALIZE"));
    }
  });

  test("lets a CodecError of the functions through, but a failed read is always CODEC_DESERIALIZE", () => {
    const limit = new CodecError("CODEC_SIZE_LIMIT", "too large");
    const throwing = defineSerializer<unknown>({
      name: "throwing",
      serialize: () => {
        throw limit;
      },
      deserialize: () => {
        throw limit;
      },
    });
    assert.throws(() => throwing.serialize(1), { code: "CODEC_SIZE_LIMIT" });
    assert.throws(() => throwing.deserialize(Buffer.of(1)), { code: "CODEC_DESERIALIZE", cause: limit });
  });

  test("refuses a result that is not bytes", () => {
    for (const result of ["text", undefined, [1], new ArrayBuffer(1)]) {
      const wrong = defineSerializer<unknown>({ name: "wrong", serialize: () => result as never, deserialize: () => 1 });
      assert.throws(() => wrong.serialize(1), { code: "CODEC_SERIALIZE" });
    }
  });

  test("refuses to read what is not a Uint8Array", () => {
    for (const content of ["text", undefined, null, [1], new ArrayBuffer(1)]) {
      for (const serializer of [defineSerializer(hex), json(), msgpack(), utf8(), bytes()]) {
        assert.throws(() => serializer.deserialize(content as never), TypeError);
      }
    }
  });

  test("shows validate and other options", () => {
    const validate = (value: unknown): string => String(value);
    const serializer = defineSerializer({ ...hex, validate, options: { upper: false } });
    assert.deepStrictEqual(serializer.options, { upper: false, validate });
  });

  test("refuses incomplete and unknown definitions", () => {
    const wrong: unknown[] = [
      null,
      { ...hex, name: 1 },
      { ...hex, serialize: undefined },
      { ...hex, deserialize: "x" },
      { ...hex, validate: null },
      { ...hex, options: null },
      { ...hex, extra: 1 },
    ];
    for (const definition of wrong) assert.throws(() => defineSerializer(definition as never), TypeError);
    assert.throws(() => defineSerializer({ ...hex, name: "" }), RangeError);
    assert.throws(() => defineSerializer({ ...hex, name: "json" }), RangeError);
  });
});

suite("isSerializer()", () => {
  test("holds for every serializer of this package", () => {
    for (const serializer of [json(), msgpack(), utf8(), bytes(), defineSerializer(hex)]) assert.ok(isSerializer(serializer));
  });

  test("holds for one of another copy, by its brand", () => {
    assert.ok(isSerializer({ [Symbol.for("tightwire.Serializer")]: true }));
  });

  test("does not hold for anything else", () => {
    for (const value of [hex, null, undefined, "json", {}, json]) assert.equal(isSerializer(value), false);
  });
});
