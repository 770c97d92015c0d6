import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { isCodecError } from "../src/errors.ts";
import { json } from "../src/serializers/json.ts";
import type { Serializer } from "../src/serializers/serializer.ts";

const SERIALIZE = { code: "CODEC_SERIALIZE" };
const DESERIALIZE = { code: "CODEC_DESERIALIZE" };

const anything = fc.anything({
  maxDepth: 4,
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
  withBoxedValues: true,
  withUnicodeString: true,
});

function roundTrip<T>(serializer: Serializer<T>, value: T): T {
  return serializer.deserialize(serializer.serialize(value));
}

function accepts(serializer: Serializer<unknown>, value: unknown): boolean {
  try {
    serializer.serialize(value);
    return true;
  } catch (error) {
    assert.ok(isCodecError(error));
    assert.equal(error.code, "CODEC_SERIALIZE");
    return false;
  }
}

/** The definition of strict, in the words of the platform. */
function survivesJson(value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);
  } catch {
    return false;
  }
}

suite("json()", () => {
  test("writes what JSON.stringify writes, and reads what JSON.parse reads", () => {
    const serializer = json();
    fc.assert(
      fc.property(anything, (value) => {
        if (ArrayBuffer.isView(value) || !accepts(serializer, value)) return;
        const bytes = serializer.serialize(value);
        assert.deepEqual(Buffer.from(bytes), Buffer.from(JSON.stringify(value)));
        assert.deepStrictEqual(serializer.deserialize(bytes), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("refuses only what has no JSON", () => {
    const serializer = json();
    fc.assert(
      fc.property(anything, (value) => {
        let hasJson = !ArrayBuffer.isView(value);
        try {
          hasJson &&= JSON.stringify(value) !== undefined;
        } catch {
          hasJson = false;
        }
        assert.equal(accepts(serializer, value), hasJson);
      }),
    );
  });

  test("refuses undefined, functions, symbols, BigInt, cycles and bytes at the top", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const without = { toJSON: () => undefined };
    const refused = [
      undefined,
      () => 1,
      Symbol("s"),
      1n,
      cycle,
      Buffer.from("x"),
      new Uint8Array(1),
      new ArrayBuffer(1),
      new DataView(new ArrayBuffer(1)),
      without,
    ];
    for (const value of refused) assert.throws(() => json().serialize(value), SERIALIZE);
  });

  test("gives the native error of a cycle and of a BigInt as the cause", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    for (const value of [cycle, { n: 1n }]) {
      assert.throws(
        () => json().serialize(value),
        (error) => isCodecError(error) && error.cause instanceof TypeError,
      );
    }
  });

  test("keeps lone surrogates, which JSON escapes", () => {
    for (const text of ["\ud800", "a\udfff", "\udc00\ud800"]) assert.equal(roundTrip(json(), text), text);
  });

  test("refuses bytes that are no UTF-8 where JSON.parse would read U+FFFD", () => {
    for (const hex of ["22ff22", "22c322", "22eda08022", "22c0af22", "22f490808022"]) {
      assert.throws(() => json().deserialize(Buffer.from(hex, "hex")), DESERIALIZE);
    }
  });

  test("reads U+FFFD that was written", () => {
    assert.equal(roundTrip(json(), "a\ufffdb"), "a\ufffdb");
  });

  test("refuses a byte order mark before the value and keeps one inside", () => {
    assert.throws(() => json().deserialize(Buffer.from("\ufeff1")), DESERIALIZE);
    assert.equal(roundTrip(json(), "\ufeffx"), "\ufeffx");
  });

  test("refuses what is not JSON, with a cause", () => {
    for (const text of ["", "{", "undefined", "NaN", "{'a':1}", "[1,]", "1 2", "\u0000"]) {
      assert.throws(
        () => json().deserialize(Buffer.from(text)),
        (error) => isCodecError(error) && error.code === "CODEC_DESERIALIZE" && error.cause instanceof SyntaxError,
      );
    }
  });

  test("quotes nothing of a value that is not JSON", () => {
    for (const text of ["hunter2", '{"password":"hunter2"', '["hunter2",]', "hunter2".repeat(100)]) {
      assert.throws(
        () => json().deserialize(Buffer.from(text)),
        (error) => isCodecError(error) && !`${error.stack} ${(error.cause as Error).stack}`.includes("hunter2"),
      );
    }
  });

  test("reads a view into a larger buffer, and one that is no Buffer", () => {
    const bytes = Uint8Array.from(Buffer.from('xx{"a":1}yy'));
    assert.deepStrictEqual(json().deserialize(bytes.subarray(2, 9)), { a: 1 });
  });

  test("gives what validate returns, and makes what it throws the cause", () => {
    const failure = new Error("not a session");
    const sessions = json<{ user: string }>({
      validate: (value) => {
        if (typeof value === "object" && value !== null && "user" in value) return { user: String(value.user) };
        throw failure;
      },
    });
    assert.deepStrictEqual(sessions.deserialize(Buffer.from('{"user":7}')), { user: "7" });
    assert.throws(
      () => sessions.deserialize(Buffer.from("{}")),
      (error) => isCodecError(error) && error.code === "CODEC_DESERIALIZE" && error.cause === failure,
    );
  });

  test("refuses options of the wrong kind and unknown ones", () => {
    for (const options of [{ strict: 1 }, { validate: "yes" }, { Strict: true }, null, []]) {
      assert.throws(() => json(options as never), TypeError);
    }
  });

  test("is frozen and tells its options", () => {
    const validate = (value: unknown): unknown => value;
    assert.ok(Object.isFrozen(json()) && Object.isFrozen(json().options));
    assert.equal(json().name, "json");
    assert.deepStrictEqual(json().options, { strict: false });
    assert.deepStrictEqual(json({ strict: true, validate }).options, { strict: true, validate });
  });
});

suite("json({ strict: true })", () => {
  const strict = json({ strict: true });

  test("accepts exactly the values that come back equal", () => {
    let accepted = 0;
    fc.assert(
      fc.property(anything, (value) => {
        const survives = survivesJson(value);
        if (survives) accepted++;
        assert.equal(accepts(strict, value), survives);
        if (survives) assert.deepStrictEqual(roundTrip(strict, value), value);
      }),
      { numRuns: 3000 },
    );
    assert.ok(accepted > 100);
  });

  test("accepts every JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        if (!survivesJson(value)) return; // −0
        assert.deepStrictEqual(roundTrip(strict, value), value);
      }),
    );
  });

  test("refuses each kind of value that JSON changes", () => {
    class Point {
      x = 1;
    }
    class List extends Array<number> {}
    const named: unknown[] & { name?: string } = [1];
    named.name = "x";
    const hidden = {};
    Object.defineProperty(hidden, Symbol.toStringTag, { value: "Tagged" });
    const changed: Record<string, unknown> = {
      "nested undefined": { a: undefined },
      "undefined in an array": [undefined],
      function: { a: () => 1 },
      symbol: [Symbol("s")],
      NaN: [Number.NaN],
      Infinity: Number.POSITIVE_INFINITY,
      "negative zero": { z: -0 },
      Date: [new Date(0)],
      "invalid Date": new Date(Number.NaN),
      Map: new Map(),
      Set: { s: new Set([1]) },
      RegExp: [/x/],
      Error: new Error("x"),
      Buffer: { b: Buffer.from("x") },
      "typed array": [new Float32Array(1)],
      ArrayBuffer: [new ArrayBuffer(1)],
      "sparse array": Object.assign(new Array(3), { 0: 1, 2: 3 }),
      "array with a named property": named,
      "hole and named property": Object.assign(new Array(2), { 0: 1, name: 1 }),
      "class instance": new Point(),
      "subclass of Array": new List(),
      "null prototype": Object.create(null),
      toJSON: { toJSON: () => 1 },
      URL: new URL("http://localhost/"),
      "symbol key": { [Symbol("k")]: 1 },
      "hidden tag": hidden,
      "boxed number": [Object(1)],
      "arguments object": (function collect(..._values: number[]) {
        // biome-ignore lint/complexity/noArguments: the arguments object is the case
        return arguments;
      })(1),
    };
    for (const [kind, value] of Object.entries(changed)) {
      assert.throws(() => strict.serialize(value), SERIALIZE, kind);
      assert.equal(survivesJson(value), false, kind);
    }
  });

  test("keeps a key named __proto__, which JSON.parse makes an own property", () => {
    const value: unknown = JSON.parse('{"__proto__":{"x":1},"a":2}');
    assert.deepStrictEqual(roundTrip(strict, value), value);
  });

  test("keeps shared references as copies, which are equal", () => {
    const shared = { x: [1] };
    assert.deepStrictEqual(roundTrip(strict, { a: shared, b: shared }), { a: shared, b: shared });
  });

  test("reads what json() reads", () => {
    assert.equal(strict.deserialize(Buffer.from("-0")), -0);
  });
});
