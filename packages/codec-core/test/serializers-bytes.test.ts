import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { bytes } from "../src/serializers/bytes.ts";
import type { Serializer } from "../src/serializers/serializer.ts";

const SERIALIZE = { code: "CODEC_SERIALIZE" };

// Its type speaks of Buffers alone, so that one comes back; what it takes is wider.
const serializer = bytes() as Serializer<unknown>;

suite("bytes()", () => {
  test("gives bytes back as an equal Buffer", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (value) => {
        assert.deepStrictEqual(bytes().deserialize(serializer.serialize(value)), Buffer.from(value));
      }),
    );
  });

  test("takes ArrayBuffer, SharedArrayBuffer and DataView, of a view only its own part", () => {
    const { buffer } = Uint8Array.of(1, 2, 3, 4);
    const shared = new SharedArrayBuffer(2);
    assert.deepEqual(Buffer.from(serializer.serialize(buffer)), Buffer.of(1, 2, 3, 4));
    assert.deepEqual(Buffer.from(serializer.serialize(new DataView(buffer, 1, 2))), Buffer.of(2, 3));
    assert.deepEqual(Buffer.from(serializer.serialize(shared)), Buffer.of(0, 0));
  });

  test("copies what it reads", () => {
    const source = Buffer.of(1, 2, 3);
    const value = bytes().deserialize(source);
    source.fill(9);
    assert.deepStrictEqual(value, Buffer.of(1, 2, 3));
  });

  test("copies nothing when it writes a Uint8Array", () => {
    const value = Uint8Array.of(1);
    assert.equal(serializer.serialize(value), value);
  });

  test("refuses typed arrays of other items, strings and everything else", () => {
    for (const value of [new Uint16Array(1), new Float64Array(1), "text", 1, null, undefined, [1], {}]) {
      assert.throws(() => serializer.serialize(value), SERIALIZE);
    }
  });

  test("refuses memory that was transferred away, which would look empty", () => {
    const value = new Uint8Array(4);
    const view = new DataView(value.buffer);
    structuredClone(value.buffer, { transfer: [value.buffer] });
    assert.throws(() => serializer.serialize(value), SERIALIZE);
    assert.throws(() => serializer.serialize(view), SERIALIZE);
    assert.throws(() => serializer.serialize(view.buffer), SERIALIZE);
    assert.throws(() => bytes().deserialize(value), TypeError);
  });

  test("is frozen and named", () => {
    assert.ok(Object.isFrozen(bytes()));
    assert.equal(bytes().name, "bytes");
  });
});
