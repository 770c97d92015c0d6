import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import fc from "fast-check";
import { isCodecError } from "../src/errors.ts";
import { msgpack } from "../src/serializers/msgpack.ts";

const SERIALIZE = { code: "CODEC_SERIALIZE" };
const DESERIALIZE = { code: "CODEC_DESERIALIZE" };

const serializer = msgpack();

function hex(value: unknown): string {
  return Buffer.from(serializer.serialize(value)).toString("hex");
}

function read(bytes: string): unknown {
  return serializer.deserialize(Buffer.from(bytes, "hex"));
}

function roundTrip(value: unknown): unknown {
  return serializer.deserialize(serializer.serialize(value));
}

/** Values that come back equal, `extra` leaves among them. */
function values(...extra: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  const text = fc.string({ unit: "binary", maxLength: 80 });
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(null, true, false),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double().filter((number) => !Object.is(number, -0)),
    text,
    ...extra,
  );
  const key = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "0", "length"));
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie("value"), { maxLength: 20 }),
      fc.dictionary(key, tie("value"), { noNullPrototype: true }),
    ),
  })).value;
}

const date = fc.date({ noInvalidDate: true });
const buffer = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const largeBigInt = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n })
  .filter((value) => value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER);

suite("msgpack()", () => {
  test("gives back equal values", () => {
    fc.assert(
      fc.property(values(date, buffer, largeBigInt, fc.constant(-0)), (value) => {
        assert.deepStrictEqual(roundTrip(value), value);
      }),
      { numRuns: 1000 },
    );
  });

  test("writes the bytes that a second library writes", () => {
    fc.assert(
      fc.property(values(date, buffer), (value) => {
        assert.equal(hex(value), Buffer.from(encode(value, { maxDepth: 100 })).toString("hex"));
      }),
      { numRuns: 1000 },
    );
  });

  test("is read by a second library", () => {
    fc.assert(
      fc.property(values(date, fc.constant(-0)), (value) => {
        // It refuses the key, rather than to give the object another prototype.
        if (JSON.stringify(value).includes("__proto__")) return;
        assert.deepStrictEqual(decode(serializer.serialize(value)), value);
      }),
      { numRuns: 500 },
    );
  });

  test("reads what a second library writes", () => {
    fc.assert(
      fc.property(values(date, buffer), fc.boolean(), (value, forceIntegerToFloat) => {
        assert.deepStrictEqual(serializer.deserialize(encode(value, { maxDepth: 100, forceIntegerToFloat })), value);
      }),
      { numRuns: 500 },
    );
  });

  test("writes every integer in its shortest form", () => {
    const forms: [number, string][] = [
      [0, "00"],
      [127, "7f"],
      [128, "cc80"],
      [255, "ccff"],
      [256, "cd0100"],
      [65535, "cdffff"],
      [65536, "ce00010000"],
      [4294967295, "ceffffffff"],
      [4294967296, "cf0000000100000000"],
      [Number.MAX_SAFE_INTEGER, "cf001fffffffffffff"],
      [-1, "ff"],
      [-32, "e0"],
      [-33, "d0df"],
      [-128, "d080"],
      [-129, "d1ff7f"],
      [-32768, "d18000"],
      [-32769, "d2ffff7fff"],
      [-2147483648, "d280000000"],
      [-2147483649, "d3ffffffff7fffffff"],
      [Number.MIN_SAFE_INTEGER, "d3ffe0000000000001"],
    ];
    for (const [value, bytes] of forms) {
      assert.equal(hex(value), bytes);
      assert.equal(read(bytes), value);
    }
  });

  test("writes numbers beyond the safe integers as doubles", () => {
    assert.equal(hex(2 ** 53), "cb4340000000000000");
    assert.equal(roundTrip(2 ** 53), 2 ** 53);
    assert.equal(roundTrip(1e300), 1e300);
  });

  test("reads 64-bit integers exactly: as BigInt beyond the safe ones", () => {
    assert.equal(read("cf001fffffffffffff"), Number.MAX_SAFE_INTEGER);
    assert.equal(read("cf0020000000000000"), 2n ** 53n);
    assert.equal(read("cf0020000000000001"), 2n ** 53n + 1n);
    assert.equal(read("cfffffffffffffffff"), 2n ** 64n - 1n);
    assert.equal(read("d3ffe0000000000001"), Number.MIN_SAFE_INTEGER);
    assert.equal(read("d3ffe0000000000000"), -(2n ** 53n));
    assert.equal(read("d38000000000000000"), -(2n ** 63n));
    assert.equal(read("d3ffffffffffffffff"), -1);
  });

  test("writes a BigInt of up to 64 bits and refuses a larger one", () => {
    assert.equal(hex(2n ** 63n - 1n), "d37fffffffffffffff");
    assert.equal(hex(2n ** 63n), "cf8000000000000000");
    assert.equal(hex(-(2n ** 63n)), "d38000000000000000");
    assert.equal(roundTrip(5n), 5);
    for (const value of [2n ** 64n, -(2n ** 63n) - 1n, 10n ** 40n])
      assert.throws(() => serializer.serialize({ value }), SERIALIZE);
  });

  test("reads integers and lengths in any of their forms", () => {
    for (const bytes of [
      "05",
      "cc05",
      "cd0005",
      "ce00000005",
      "cf0000000000000005",
      "d005",
      "d10005",
      "d200000005",
      "d30000000000000005",
    ]) {
      assert.equal(read(bytes), 5);
    }
    for (const bytes of ["a161", "d90161", "da000161", "db0000000161"]) assert.equal(read(bytes), "a");
    for (const bytes of ["9101", "dc000101", "dd0000000101"]) assert.deepStrictEqual(read(bytes), [1]);
    for (const bytes of ["81a16101", "de0001a16101", "df00000001a16101", "81d9016101", "81da00016101", "81db0000000161cc01"]) {
      assert.deepStrictEqual(read(bytes), { a: 1 });
    }
    for (const bytes of ["c40161", "c5000161", "c60000000161"]) assert.deepStrictEqual(read(bytes), Buffer.from("a"));
    assert.equal(read("ca3fc00000"), 1.5);
  });

  test("round-trips strings, arrays, maps and bytes at the edges of their headers", () => {
    for (const size of [0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536]) {
      const keys = Array.from({ length: size }, (_, i) => [`k${i}`, i] as const);
      const samples = [
        "x".repeat(size),
        "é".repeat(size),
        Array.from({ length: size }, (_, i) => i),
        Object.fromEntries(keys),
        Buffer.alloc(size, 7),
      ];
      for (const value of samples) {
        const bytes = serializer.serialize(value);
        assert.deepEqual(bytes, Buffer.from(encode(value)));
        assert.deepStrictEqual(serializer.deserialize(bytes), value);
      }
    }
  });

  test("writes Dates as the timestamp extension in its shortest form", () => {
    const forms: [number, string][] = [
      [0, "d6ff00000000"],
      [1000, "d6ff00000001"],
      [4294967295000, "d6ffffffffff"],
      [1, "d7ff003d090000000000"],
      [4294967296000, "d7ff0000000100000000"],
      [17179869183999, "d7ffee2e1f03ffffffff"],
      [17179869184000, "c70cff000000000000000400000000"],
      [-1, "c70cff3b8b87c0ffffffffffffffff"],
      [8.64e15, "c70cff00000000000007dba8218000"],
    ];
    for (const [time, bytes] of forms) {
      const value = new Date(time);
      assert.equal(hex(value), Buffer.from(encode(value)).toString("hex"));
      assert.deepStrictEqual(roundTrip(value), value);
      if (Math.abs(time) < 8e15) assert.equal(hex(value), bytes);
    }
    assert.deepStrictEqual(roundTrip(new Date(-8.64e15)), new Date(-8.64e15));
  });

  test("cuts a finer timestamp to the millisecond", () => {
    assert.deepStrictEqual(read("d7ff003d08fc00000000"), new Date(0)); // 999,999 ns
    assert.deepStrictEqual(read("c70cff000f423fffffffffffffffff"), new Date(-1000));
  });

  test("refuses timestamps that no Date can hold, and malformed ones", () => {
    const nanoseconds = "d7ffee6b280000000000"; // 10^9 of them
    const farFuture = "c70cff000000000000084595161401";
    for (const bytes of [nanoseconds, farFuture, "d4ff00", "d5ff0000", "c700ff", "c703ff000000", `d8ff${"00".repeat(16)}`]) {
      assert.throws(() => read(bytes), DESERIALIZE);
    }
  });

  test("reads no other extension, whatever some library means by it", () => {
    for (const bytes of [
      "d40000",
      "d4724091a16101",
      "d47300920102",
      "d6690000000190",
      "d67000000001",
      "d66200000001a0a0",
      "c70342010203",
      "d4780092a178a0",
    ]) {
      assert.throws(() => read(bytes), DESERIALIZE);
    }
  });

  test("refuses the byte c1, trailing bytes and an empty input", () => {
    for (const bytes of ["c1", "91c1", "0000", "c0c0", "a161ff", ""]) assert.throws(() => read(bytes), DESERIALIZE);
  });

  test("refuses every truncation", () => {
    fc.assert(
      fc.property(values(date, buffer, largeBigInt), (value) => {
        const bytes = serializer.serialize(value);
        for (let length = 0; length < bytes.length; length++)
          assert.throws(() => serializer.deserialize(bytes.subarray(0, length)), DESERIALIZE);
      }),
      { numRuns: 100 },
    );
  });

  test("reads arbitrary bytes as a value that it can write again, or refuses them", () => {
    let values = 0;
    const tokens = fc.constantFrom(
      0x80,
      0x81,
      0x91,
      0x92,
      0xa1,
      0xc4,
      0xca,
      0xcb,
      0xcf,
      0xd3,
      0xd6,
      0xd7,
      0xd9,
      0xdc,
      0xde,
      0xff,
      0x61,
      0x00,
      0x01,
      0x08,
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(tokens, fc.nat(255)), { maxLength: 24 }), (bytes) => {
        let value: unknown;
        try {
          value = serializer.deserialize(Uint8Array.from(bytes));
        } catch (error) {
          assert.ok(isCodecError(error));
          assert.equal(error.code, "CODEC_DESERIALIZE");
          assert.equal(error.cause, undefined);
          return;
        }
        values++;
        assert.deepStrictEqual(roundTrip(value), value);
      }),
      { numRuns: 20_000 },
    );
    assert.ok(values > 100);
  });

  test("refuses strings that are no UTF-8, as values and as keys, short and long", () => {
    for (const bytes of ["a1ff", "a3eda080", "a2c0af", "a4f4908080", `d950${"61".repeat(79)}ff`, "81a1ff01", "81a3eda08001"]) {
      assert.throws(() => read(bytes), DESERIALIZE);
    }
  });

  test("refuses strings and keys with lone surrogates, short and long", () => {
    for (const text of ["\ud800", "a\udc00", `${"x".repeat(100)}\ud800`, "\ude4f\ud83d"]) {
      assert.throws(() => serializer.serialize(text), SERIALIZE);
      assert.throws(() => serializer.serialize({ [text]: 1 }), SERIALIZE);
    }
  });

  test("keeps byte order marks and U+FFFD", () => {
    for (const text of ["\ufeff", `\ufeff${"x".repeat(100)}`, `\ufeff${"é".repeat(100)}`, "\ufffd", `${"é".repeat(40)}\ufffd`]) {
      assert.equal(roundTrip(text), text);
      assert.deepStrictEqual(roundTrip({ [text]: text }), { [text]: text });
    }
  });

  test("refuses maps whose keys are not strings, which would collide as strings", () => {
    for (const bytes of [
      "8101a161",
      "8201a161a131a162",
      "81c0a161",
      "81c3a161",
      "8190a161",
      "81c40161a161",
      "81ca00000000a161",
    ]) {
      assert.throws(() => read(bytes), DESERIALIZE);
    }
  });

  test("keeps apart keys that share a slot of the key cache", () => {
    const words = Array.from({ length: 5000 }, (_, i) => `key-${(i * 2654435761) % 4294967296}`);
    const value = Object.fromEntries(words.map((word, i) => [word, i]));
    assert.deepStrictEqual(roundTrip(value), value);
    assert.deepStrictEqual(roundTrip(value), value);
  });

  test("writes undefined inside and holes as nil, and refuses undefined itself", () => {
    assert.equal(hex([undefined]), "91c0");
    assert.equal(hex({ a: undefined }), "81a161c0");
    assert.equal(hex(Object.assign(new Array(2), { 1: 1 })), "92c001");
    assert.throws(() => serializer.serialize(undefined), SERIALIZE);
  });

  test("refuses kinds of objects whose data it would lose", () => {
    const refused: unknown[] = [
      () => 1,
      Symbol("s"),
      new Date(Number.NaN),
      /x/,
      new Error("x"),
      new TypeError("x"),
      new Float32Array(1),
      new Uint16Array(1),
      new Uint8ClampedArray(1),
      new BigUint64Array(1),
      Object("x"),
      Object(1),
      Promise.resolve(),
      new WeakMap(),
      new WeakSet(),
      new Map().entries(),
      new Set().values(),
      (function* generate() {})(),
      new Map([[1, "a"]]),
    ];
    for (const value of refused) {
      assert.throws(() => serializer.serialize(value), SERIALIZE);
      assert.throws(() => serializer.serialize({ a: [value] }), SERIALIZE);
    }
  });

  test("refuses a value that contains itself, at once", () => {
    const parent: { text: string; child?: unknown } = { text: "x".repeat(100_000) };
    parent.child = [new Map([["parent", { parent }]])];
    assert.throws(() => serializer.serialize(parent), SERIALIZE);
    const array: unknown[] = [];
    array.push(array, array);
    assert.throws(() => serializer.serialize(array), SERIALIZE);
    const set = new Set();
    set.add(set);
    assert.throws(() => serializer.serialize(set), SERIALIZE);
  });

  test("writes a value twice where it is held twice", () => {
    const shared = { a: 1 };
    let deep: unknown = [shared, shared];
    for (let level = 0; level < 100; level++) deep = [deep, shared];
    assert.deepStrictEqual(roundTrip(deep), deep);
  });

  test("reads and writes 1,024 levels of nesting and no more", () => {
    let value: unknown = "x";
    for (let level = 0; level < 1024; level++) value = level % 2 ? [value] : { a: value };
    assert.deepStrictEqual(roundTrip(value), value);
    assert.throws(() => serializer.serialize([value]), SERIALIZE);
    assert.throws(() => read(`91${hex(value)}`), DESERIALIZE);
  });

  test("lets a toJSON() serialize with it while it writes", () => {
    const value = { a: { toJSON: () => Buffer.from(serializer.serialize({ inner: "x".repeat(50) })) }, b: 2 };
    const { a, b } = roundTrip(value) as { a: Uint8Array; b: number };
    assert.equal(b, 2);
    assert.deepStrictEqual(serializer.deserialize(a), { inner: "x".repeat(50) });
  });

  test("writes what toJSON() returns, told the key and asked once, as JSON.stringify does", () => {
    const keys: string[] = [];
    class Named {
      readonly form: unknown;
      constructor(form: unknown) {
        this.form = form;
      }
      toJSON(key: string): unknown {
        keys.push(key);
        return this.form;
      }
    }
    const nested = new Named({ a: new Named(1), b: [new Named("x")] });
    assert.deepStrictEqual(roundTrip(nested), { a: 1, b: ["x"] });
    assert.deepStrictEqual(keys, ["", "a", "0"]);
    const self = {
      a: 1,
      toJSON(): unknown {
        return this;
      },
    };
    assert.throws(() => serializer.serialize(self), SERIALIZE); // its own toJSON is a function
    assert.deepStrictEqual(roundTrip(new Named(new Date(5))), new Date(5));
  });

  test("writes the entries that a map had, whatever a toJSON() further down does to it", () => {
    const map = new Map<string, unknown>();
    map.set("a", { toJSON: () => map.delete("b") });
    map.set("b", 2);
    assert.deepStrictEqual(roundTrip(map), { a: true, b: 2 });
  });

  test("gives the error of a getter or a toJSON() as the cause, and writes the next value", () => {
    const failure = new Error("boom");
    const value = {
      get a(): never {
        throw failure;
      },
    };
    assert.throws(
      () => serializer.serialize(value),
      (error) => isCodecError(error) && error.code === "CODEC_SERIALIZE" && error.cause === failure,
    );
    assert.equal(hex([1]), "9101");
  });

  test("shares no memory: not of the source with a value, not of one result with the next", () => {
    const source = Buffer.from("92c403616263a3646566", "hex");
    const value = serializer.deserialize(source);
    source.fill(0);
    assert.deepStrictEqual(value, [Buffer.from("abc"), "def"]);
    const first = serializer.serialize({ a: "first" });
    const copy = Buffer.from(first);
    serializer.serialize({ b: "second" });
    assert.deepEqual(first, copy);
  });

  test("reads a view into a larger buffer, and one that is no Buffer", () => {
    const bytes = Uint8Array.from([9, 9, 0x92, 0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xa1, 0x61, 9]);
    assert.deepStrictEqual(serializer.deserialize(bytes.subarray(2, 14)), [1.5, "a"]);
    assert.throws(() => serializer.deserialize(bytes.subarray(2, 13)), DESERIALIZE);
  });

  test("refuses a view whose memory was transferred away", () => {
    const bytes = new Uint8Array(4);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    assert.throws(() => serializer.serialize({ bytes }), SERIALIZE);
  });

  test("writes large values, and small ones after them", () => {
    const large = {
      text: "é".repeat(2_000_000),
      bytes: Buffer.alloc(3_000_000, 1),
      list: Array.from({ length: 100_000 }, (_, i) => i * 1.5),
    };
    assert.deepStrictEqual(roundTrip(large), large);
    assert.equal(hex({ a: 1 }), "81a16101");
  });

  test("gives what validate returns, and makes what it throws the cause", () => {
    const failure = new Error("not a session");
    const sessions = msgpack<string>({
      validate: (value) => {
        if (typeof value === "string") return value.toUpperCase();
        throw failure;
      },
    });
    assert.equal(sessions.deserialize(Buffer.from("a161", "hex")), "A");
    assert.throws(() => sessions.deserialize(Buffer.of(1)), { code: "CODEC_DESERIALIZE", cause: failure });
  });

  test("refuses options of the wrong kind and unknown ones", () => {
    for (const options of [{ validate: 1 }, { useRecords: true }, null])
      assert.throws(() => msgpack(options as never), TypeError);
  });

  test("is frozen and tells its options", () => {
    const validate = (value: unknown): unknown => value;
    assert.ok(Object.isFrozen(serializer));
    assert.equal(serializer.name, "msgpack");
    assert.deepStrictEqual(msgpack({ validate }).options, { validate });
  });
});
