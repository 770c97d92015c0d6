import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { stored } from "@tightwire/codec-core";
import { DEFAULT_MAX_REPLY_BYTES, resolveClientOptions } from "../src/options.ts";

const NO_OBJECTS: readonly unknown[] = [undefined, null, true, 7, 7n, "raw", Symbol("s"), () => {}, []];

suite("resolveClientOptions()", () => {
  const rule = { compressor: stored() };

  test("fills in the defaults", () => {
    const resolved = resolveClientOptions({ prefixes: {} });
    assert.deepEqual(resolved, {
      prefixes: [],
      channels: [],
      scripts: new Map(),
      maxReplyBytes: DEFAULT_MAX_REPLY_BYTES,
      onError: undefined,
    });
    assert.equal(DEFAULT_MAX_REPLY_BYTES, 512 * 1024 * 1024);
  });

  test("gives a frozen result", () => {
    const resolved = resolveClientOptions({ prefixes: { "a:": rule }, channels: { "a.": rule } });
    for (const one of [resolved, resolved.prefixes, resolved.prefixes[0], resolved.channels, resolved.channels[0]]) {
      assert.ok(one !== undefined && Object.isFrozen(one));
    }
  });

  const forms: readonly (readonly [name: string, prefixes: unknown])[] = [
    ["an object", { "a:": rule, "b:": "raw" }],
    ["an object without a prototype", Object.assign(Object.create(null), { "a:": rule, "b:": "raw" })],
    [
      "pairs",
      [
        ["a:", rule],
        ["b:", "raw"],
      ],
    ],
    [
      "a Map",
      new Map<string, unknown>([
        ["a:", rule],
        ["b:", "raw"],
      ]),
    ],
    [
      "a generator",
      (function* () {
        yield ["a:", rule];
        yield ["b:", "raw"];
      })(),
    ],
  ];
  for (const [name, prefixes] of forms) {
    test(`takes prefixes as ${name}`, () => {
      assert.deepEqual(resolveClientOptions({ prefixes }).prefixes, [
        ["a:", rule],
        ["b:", "raw"],
      ]);
    });
  }

  test("takes channels in the forms of prefixes", () => {
    const channels = { "a.": rule, "b.": "raw" };
    for (const form of [channels, Object.entries(channels), new Map(Object.entries(channels))]) {
      assert.deepEqual(resolveClientOptions({ prefixes: {}, channels: form }).channels, Object.entries(channels));
    }
    assert.deepEqual(resolveClientOptions({ prefixes: {}, channels: undefined }).channels, []);
  });

  test("refuses a prefix that is half a character, which string keys alone could have", () => {
    for (const prefix of ["\ud83d", "a\ude00", "\ude00:"]) {
      assert.throws(() => resolveClientOptions({ prefixes: { [prefix]: rule } }), RangeError);
      assert.throws(() => resolveClientOptions({ prefixes: {}, channels: { [prefix]: rule } }), RangeError);
    }
    assert.equal(resolveClientOptions({ prefixes: { "😀": rule } }).prefixes.length, 1);
  });

  test("refuses channels of another kind, and two rules for one prefix", () => {
    for (const channels of ["feed.", 1, null, () => {}, [["a."]].map(() => 1)]) {
      assert.throws(() => resolveClientOptions({ prefixes: {}, channels }), TypeError, describe(channels));
    }
    const twice = [
      ["a.", "raw"],
      ["a.", rule],
    ];
    assert.throws(() => resolveClientOptions({ prefixes: {}, channels: twice }), RangeError);
    assert.equal(resolveClientOptions({ prefixes: { "a.": rule }, channels: { "a.": rule } }).channels.length, 1);
  });

  test("refuses objects that are no records and would be taken for empty ones", () => {
    for (const kind of [new Date(), /a:/, Promise.resolve({}), new WeakMap()]) {
      assert.throws(() => resolveClientOptions({ prefixes: kind }), TypeError);
      assert.throws(() => resolveClientOptions({ prefixes: {}, channels: kind }), TypeError);
    }
    for (const empty of [{}, Object.create(null), [], new Map()]) {
      assert.equal(resolveClientOptions({ prefixes: empty }).prefixes.length, 0);
    }
  });

  test("checks the options of scripts", () => {
    const { scripts } = resolveClientOptions({ prefixes: {}, scripts: { save: { argv: [1] } } });
    assert.deepEqual(scripts.get("save"), { argv: [1], key: 0, row: undefined });
    assert.throws(() => resolveClientOptions({ prefixes: {}, scripts: { save: { args: [1] } } }), TypeError);
    assert.throws(() => resolveClientOptions({ prefixes: {}, scripts: { save: { argv: [-1] } } }), RangeError);
  });

  test("keeps the rules it was given when the caller's object changes", () => {
    const prefixes: Record<string, unknown> = { "a:": "raw" };
    const resolved = resolveClientOptions({ prefixes });
    prefixes["b:"] = "raw";
    assert.deepEqual(resolved.prefixes, [["a:", "raw"]]);
  });

  for (const options of NO_OBJECTS) {
    test(`refuses ${describe(options)} in the place of options`, () => {
      assert.throws(() => resolveClientOptions(options), TypeError);
    });
  }

  test("refuses unknown options", () => {
    for (const name of ["prefix", "rules", "codec", "onerror"]) {
      assert.throws(() => resolveClientOptions({ prefixes: {}, [name]: undefined }), TypeError, name);
    }
  });

  test("refuses prefixes of another kind", () => {
    for (const prefixes of [undefined, null, "session:", 1, () => {}]) {
      assert.throws(() => resolveClientOptions({ prefixes }), TypeError, describe(prefixes));
    }
  });

  test("refuses what is no pair of a prefix and a rule", () => {
    for (const one of ["a:", null, { prefix: "a:" }, [], [Buffer.from("a:"), "raw"], [1, "raw"], [undefined, "raw"]]) {
      assert.throws(() => resolveClientOptions({ prefixes: [one] }), TypeError, describe(one));
    }
  });

  test("refuses two rules for one prefix", () => {
    const twice = [
      ["a:", "raw"],
      ["a:", rule],
    ];
    assert.throws(() => resolveClientOptions({ prefixes: twice }), RangeError);
    assert.throws(
      () =>
        resolveClientOptions({
          prefixes: [
            ["", "raw"],
            ["", "raw"],
          ],
        }),
      RangeError,
    );
  });

  test("refuses a maxReplyBytes that is no number of bytes", () => {
    for (const value of [null, "1", 1n, {}]) {
      assert.throws(() => resolveClientOptions({ prefixes: {}, maxReplyBytes: value }), TypeError);
    }
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => resolveClientOptions({ prefixes: {}, maxReplyBytes: value }), RangeError, String(value));
    }
    assert.equal(resolveClientOptions({ prefixes: {}, maxReplyBytes: 1 }).maxReplyBytes, 1);
  });

  test("refuses an onError that is no function", () => {
    for (const onError of [null, "log", {}, true]) {
      assert.throws(() => resolveClientOptions({ prefixes: {}, onError }), TypeError);
    }
    const onError = () => {};
    assert.equal(resolveClientOptions({ prefixes: {}, onError }).onError, onError);
  });
});

function describe(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : `${typeof value} ${String(value)}`;
}
