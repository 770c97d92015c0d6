import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { bytes, defineSerializer, json, lz4, msgpack, utf8, zstd } from "@tightwire/codec-core";
import { DEFAULT_MIN_FRAME_BYTES, DEFAULT_RULE_MIN_COMPRESS_BYTES, resolveRuleOptions } from "../src/options.ts";
import { createRule } from "../src/rules.ts";

const resolve = (options: unknown) => resolveRuleOptions(options, "rule", false);
const resolveChannel = (options: unknown) => resolveRuleOptions(options, "rule", true);
const custom = defineSerializer<string>({ name: "custom", serialize: (text) => Buffer.from(text), deserialize: String });
const OTHER_KINDS: readonly unknown[] = [null, true, 7n, Symbol("s"), () => {}, {}, new Date(0)];
const NO_OBJECTS: readonly unknown[] = [undefined, null, true, 7, 7n, "raw", Symbol("s"), () => {}, []];

suite("resolveRuleOptions()", () => {
  test("fills in the defaults", () => {
    assert.deepEqual(resolve({}), {
      minCompressBytes: DEFAULT_RULE_MIN_COMPRESS_BYTES,
      minFrameBytes: DEFAULT_MIN_FRAME_BYTES,
      frame: "always",
      numbers: "raw",
      serializer: undefined,
      unframed: "accept",
      onDecodeError: "throw",
      comparands: "refuse",
      unsafe: "refuse",
      types: ["string", "hash", "list", "stream"],
    });
    assert.equal(DEFAULT_RULE_MIN_COMPRESS_BYTES, 256);
    assert.equal(DEFAULT_MIN_FRAME_BYTES, 65);
  });

  test("takes undefined for an option that is not given", () => {
    const names = ["compressor", "frameVersion", "maxContentBytes", "minCompressBytes", "accept", "frame", "minFrameBytes"];
    const more = ["numbers", "serializer", "unframed", "types", "onDecodeError", "comparands", "unsafe"];
    const options = Object.fromEntries([...names, ...more].map((name) => [name, undefined]));
    assert.deepEqual(resolve(options), resolve({}));
  });

  test("keeps every setting it is given", () => {
    const compressor = lz4();
    const given = {
      compressor,
      frameVersion: 1,
      maxContentBytes: 1000,
      minCompressBytes: 1,
      accept: [compressor],
      frame: "always",
      minFrameBytes: 0,
      numbers: "framed",
      serializer: msgpack(),
      unframed: "reject",
      types: ["hash"],
      onDecodeError: "pass",
      comparands: "encode",
      unsafe: "allow",
    };
    assert.deepEqual(resolve(given), given);
  });

  for (const options of NO_OBJECTS) {
    test(`refuses ${describe(options)} in the place of options`, () => {
      assert.throws(() => resolve(options), TypeError);
    });
  }

  for (const name of ["level", "Compressor", "compress", "prefix", "codec", "constructor", "toString", "minFrameByte"]) {
    test(`refuses the unknown option ${name}`, () => {
      assert.throws(() => resolve({ [name]: undefined }), TypeError);
    });
  }

  const CHOICES = {
    frame: ["always", "when-smaller", "never"],
    numbers: ["raw", "framed"],
    unframed: ["accept"],
    onDecodeError: ["throw", "miss", "pass"],
    comparands: ["refuse", "encode"],
    unsafe: ["refuse", "allow"],
  };
  for (const [name, choices] of Object.entries(CHOICES)) {
    test(`takes each choice of ${name}`, () => {
      for (const choice of choices) assert.equal(Reflect.get(resolve({ [name]: choice }), name), choice);
    });

    test(`refuses a kind that is no ${name}`, () => {
      for (const value of [...OTHER_KINDS, 0, 1, Number.NaN, [choices[0]]]) {
        assert.throws(() => resolve({ [name]: value }), TypeError, describe(value));
      }
    });

    test(`refuses a word that is no ${name}`, () => {
      for (const value of ["", "Always", "RAW", "yes", "toString", `${choices[0]} `]) {
        assert.throws(() => resolve({ [name]: value }), RangeError, value);
      }
    });
  }

  test("refuses a minFrameBytes of another kind", () => {
    for (const value of [...OTHER_KINDS, "65", [65]]) assert.throws(() => resolve({ minFrameBytes: value }), TypeError);
  });

  test("refuses a minFrameBytes that is no size", () => {
    for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      assert.throws(() => resolve({ minFrameBytes: value }), RangeError, String(value));
    }
    assert.equal(resolve({ minFrameBytes: 0 }).minFrameBytes, 0);
  });

  test("refuses types of another kind", () => {
    for (const value of [null, "string", 1, {}, new Set(["string"])]) assert.throws(() => resolve({ types: value }), TypeError);
  });

  test("refuses a type that is none", () => {
    for (const type of ["set", "String", "", "constructor", undefined, null, 1]) {
      assert.throws(() => resolve({ types: ["string", type] }), RangeError, String(type));
    }
  });

  test("orders types and names each once, in an array of its own", () => {
    const types = ["stream", "string", "stream"];
    const resolved = resolve({ types }).types;
    types.push("hash");
    assert.deepEqual(resolved, ["string", "stream"]);
    assert.ok(Object.isFrozen(resolved));
    assert.ok(Object.isFrozen(resolve({}).types));
    assert.deepEqual(resolve({ types: [] }).types, []);
  });

  test("takes unframed: reject only where everything is framed", () => {
    const everything = { unframed: "reject", minFrameBytes: 0, numbers: "framed", frame: "always" };
    assert.equal(resolve(everything).unframed, "reject");
    for (const hole of [{ minFrameBytes: 1 }, { numbers: "raw" }, { frame: "when-smaller" }, { frame: "never" }]) {
      assert.throws(() => resolve({ ...everything, ...hole }), TypeError, JSON.stringify(hole));
    }
    assert.throws(() => resolve({ unframed: "reject" }), TypeError);
  });
});

suite("the settings of a rule", () => {
  test("are frozen", () => {
    assert.ok(Object.isFrozen(resolve({})));
  });
});

suite("the serializer of a rule", () => {
  for (const serializer of [json(), msgpack(), utf8(), bytes(), custom]) {
    test(`is ${serializer.name} where that is given`, () => {
      assert.equal(resolve({ serializer }).serializer, serializer);
    });
  }

  test("is refused where it is none", () => {
    for (const serializer of [null, "json", json, JSON, { serialize() {}, deserialize() {} }, {}, true]) {
      assert.throws(() => resolve({ serializer }), TypeError, describe(serializer));
    }
  });

  test("decides what becomes of values that are no frames, unless that is said", () => {
    const unframedOf = (options: object) => resolve(options).unframed;
    assert.equal(unframedOf({ serializer: json() }), "deserialize");
    assert.equal(unframedOf({ serializer: utf8() }), "deserialize");
    assert.equal(unframedOf({ serializer: msgpack() }), "accept");
    assert.equal(unframedOf({ serializer: bytes() }), "accept");
    assert.equal(unframedOf({ serializer: custom }), "accept");
    assert.equal(unframedOf({ serializer: json(), unframed: "accept" }), "accept");
    assert.equal(unframedOf({ serializer: msgpack(), unframed: "deserialize" }), "deserialize");
  });

  test("is needed to deserialize values that are no frames", () => {
    assert.throws(() => resolve({ unframed: "deserialize" }), TypeError);
  });

  test("needs unframed: deserialize where no frames are written", () => {
    assert.equal(resolve({ serializer: json(), frame: "never" }).frame, "never");
    assert.equal(resolve({ serializer: msgpack(), frame: "never", unframed: "deserialize" }).frame, "never");
    assert.throws(() => resolve({ serializer: msgpack(), frame: "never" }), TypeError);
    assert.throws(() => resolve({ serializer: json(), frame: "never", unframed: "accept" }), TypeError);
  });
});

suite("the rule of a channel", () => {
  test("has the defaults of a rule", () => {
    assert.deepEqual(resolveChannel({}), resolve({}));
  });

  test("takes what means something for messages", () => {
    const given = {
      compressor: lz4(),
      frame: "when-smaller",
      minFrameBytes: 0,
      numbers: "framed",
      serializer: json(),
      unframed: "accept",
    };
    const resolved = resolveChannel(given);
    for (const [name, value] of Object.entries(given)) assert.equal(Reflect.get(resolved, name), value, name);
  });

  for (const name of ["types", "comparands", "unsafe", "onDecodeError"]) {
    test(`refuses ${name}, which is for keys`, () => {
      assert.equal(resolve({ [name]: undefined }).frame, "always");
      assert.throws(() => resolveChannel({ [name]: undefined }), TypeError);
    });
  }
});

suite("settings of the value codec in a rule", () => {
  const kinds: readonly (readonly [name: string, value: unknown])[] = [
    ["compressor", null],
    ["compressor", "zstd"],
    ["compressor", zstd],
    ["compressor", { id: 4 }],
    ["frameVersion", null],
    ["frameVersion", "2"],
    ["maxContentBytes", "1"],
    ["maxContentBytes", null],
    ["minCompressBytes", 1n],
    ["minCompressBytes", null],
    ["accept", zstd()],
    ["accept", null],
    ["accept", ["zstd"]],
  ];
  for (const [name, value] of kinds) {
    test(`refuses a ${name} that is ${describe(value)}`, () => {
      assert.throws(() => createRule("a:", { [name]: value }), TypeError);
    });
  }

  const values: readonly (readonly [name: string, value: unknown])[] = [
    ["frameVersion", 0],
    ["frameVersion", 3],
    ["frameVersion", Number.NaN],
    ["maxContentBytes", -1],
    ["maxContentBytes", 2 ** 32],
    ["maxContentBytes", 0.5],
    ["minCompressBytes", -1],
    ["minCompressBytes", Number.NaN],
    ["accept", [lz4(), lz4()]],
  ];
  for (const [name, value] of values) {
    test(`refuses a ${name} of ${describe(value)}`, () => {
      assert.throws(() => createRule("a:", { [name]: value }), RangeError);
    });
  }
});

function describe(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : `${typeof value} ${String(value)}`;
}
