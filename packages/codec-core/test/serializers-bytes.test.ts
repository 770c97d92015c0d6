import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { bytes } from "../src/serializers/bytes.ts";

const SERIALIZE = { code: "CODEC_SERIALIZE" };

suite("bytes()", () => {
  test("gives bytes back as an equal Buffer", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (value) => {
        assert.deepStrictEqual(bytes().deserialize(bytes().serialize(value)), Buffer.from(value));
      }),
    );
  });

  test("takes ArrayBuffer, SharedArrayBuffer and DataView, of a view only its own part", () => {
    const { buffer } = Uint8Array.of(1, 2, 3, 4);
    const shared = new SharedArrayBuffer(2);
    assert.deepEqual(Buffer.from(bytes().serialize(buffer)), Buffer.of(1, 2, 3, 4));
    assert.deepEqual(Buffer.from(bytes().serialize(new DataView(buffer, 1, 2))), Buffer.of(2, 3));
    assert.deepEqual(Buffer.from(bytes().serialize(shared as never)), Buffer.of(0, 0));
  });

  test("copies what it reads", () => {
    const source = Buffer.of(1, 2, 3);
    const value = bytes().deserialize(source);
    source.fill(9);
    assert.deepStrictEqual(value, Buffer.of(1, 2, 3));
  });

  test("copies nothing when it writes a Uint8Array", () => {
    const value = Uint8Array.of(1);
    assert.equal(bytes().serialize(value), value);
  });

  test("refuses typed arrays of other items, strings and everything else", () => {
    for (const value of [new Uint16Array(1), new Float64Array(1), "text", 1, null, undefined, [1], {}]) {
      assert.throws(() => bytes().serialize(value as never), SERIALIZE);
    }
  });

  test("refuses memory that was transferred away, which would look empty", () => {
    const value = new Uint8Array(4);
    const view = new DataView(value.buffer);
    structuredClone(value.buffer, { transfer: [value.buffer] });
    assert.throws(() => bytes().serialize(value), SERIALIZE);
    assert.throws(() => bytes().serialize(view), SERIALIZE);
    assert.throws(() => bytes().serialize(view.buffer), SERIALIZE);
    assert.throws(() => bytes().deserialize(value), TypeError);
  });

  test("is frozen and named", () => {
    assert.ok(Object.isFrozen(bytes()));
    assert.equal(bytes().name, "bytes");
  });
});
