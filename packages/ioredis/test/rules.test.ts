import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { deflate, json, lz4, stored, zstd } from "@tightwire/codec-core";
import fc from "fast-check";
import type { ValueType } from "../src/options.ts";
import { createRule, createRuleSet, type RuleSet } from "../src/rules.ts";

const setOf = (...prefixes: string[]): RuleSet => createRuleSet(prefixes.map((prefix) => [prefix, { compressor: stored() }]));
const prefixOf = (rules: RuleSet, key: string | Uint8Array, offset = 0) => rules.match(key, offset)?.prefix;

suite("createRule()", () => {
  test("compresses with zstd from 256 bytes on by default", () => {
    const rule = createRule("a:", {});
    assert.equal(rule.codec.compressor.id, zstd().id);
    assert.equal(rule.codec.minCompressBytes, 256);
    assert.equal(rule.codec.frameVersion, 2);
    assert.equal(rule.codec.maxContentBytes, 8 * 1024 * 1024);
  });

  test("hands its settings to the value codec", () => {
    const compressor = deflate({ level: 9 });
    const rule = createRule("a:", {
      compressor,
      frameVersion: 1,
      maxContentBytes: 1000,
      minCompressBytes: 7,
      accept: [lz4()],
    });
    assert.equal(rule.codec.compressor, compressor);
    assert.equal(rule.codec.frameVersion, 1);
    assert.equal(rule.codec.maxContentBytes, 1000);
    assert.equal(rule.codec.minCompressBytes, 7);
    assert.deepEqual(
      rule.codec.accept.map(({ id }) => id),
      [stored().id, compressor.id, lz4().id],
    );
  });

  test("says which values it covers", () => {
    assert.deepEqual(createRule("a:", { types: ["hash", "stream"] }).covers, {
      string: false,
      hash: true,
      list: false,
      stream: true,
      script: true,
      channel: false,
    });
    const all = { string: true, hash: true, list: true, stream: true, script: true, channel: false };
    assert.deepEqual(createRule("a:", {}).covers, all);
    const ofChannel = createRule("a.", {}, true);
    assert.equal(ofChannel.covers.channel, true);
    assert.equal(ofChannel.covers.script, false);
  });

  test("is counted under its prefix, a channel's apart from a key's", () => {
    assert.equal(createRule("a:", {}).statsName, "a:");
    assert.equal(createRule("a:", {}, true).statsName, "channel:a:");
    assert.equal(createRule("", {}, true).statsName, "channel:");
    assert.equal(createRule("a:", {}, true).prefix, "a:");
  });

  test("keeps its serializer", () => {
    const serializer = json();
    assert.equal(createRule("a:", { serializer }).serializer, serializer);
    assert.equal(createRule("a:", {}).serializer, undefined);
  });

  test("is frozen", () => {
    const rule = createRule("a:", {});
    assert.ok(Object.isFrozen(rule));
    assert.ok(Object.isFrozen(rule.covers));
    assert.ok(Object.isFrozen(rule.codec));
  });
});

suite("createRuleSet()", () => {
  test("refuses the options of any rule that is wrong", () => {
    assert.throws(
      () =>
        createRuleSet([
          ["a:", "raw"],
          ["b:", { level: 1 }],
        ]),
      TypeError,
    );
    assert.throws(() => createRuleSet([["a:", null]]), TypeError);
    assert.throws(() => createRuleSet([["a:", "Raw"]]), TypeError);
    assert.throws(() => createRuleSet([["a:", { frame: "sometimes" }]]), RangeError);
  });

  test("lists every rule but the raw ones by prefix", () => {
    const { rules } = createRuleSet([
      ["a:", {}],
      ["b:", "raw"],
      ["", {}],
    ]);
    assert.deepEqual([...rules.keys()].sort(), ["", "a:"]);
    assert.equal(rules.get("a:")?.prefix, "a:");
  });

  test("knows whether some rule has a serializer", () => {
    const plain: [string, unknown][] = [
      ["a:", {}],
      ["b:", "raw"],
    ];
    assert.equal(createRuleSet([]).hasSerializer, false);
    assert.equal(createRuleSet(plain).hasSerializer, false);
    assert.equal(createRuleSet([...plain, ["c:", { serializer: json() }]]).hasSerializer, true);
  });

  test("makes rules of channels, which take fewer settings", () => {
    const rules = createRuleSet([["a.", {}]], true);
    assert.equal(rules.rules.get("a.")?.statsName, "channel:a.");
    assert.throws(() => createRuleSet([["a.", { types: ["string"] }]], true), TypeError);
  });
});

suite("match()", () => {
  const rows: readonly (readonly [fact: string, prefixes: readonly string[], key: string, prefix: string | undefined])[] = [
    ["finds nothing without rules", [], "a:1", undefined],
    ["finds nothing under another prefix", ["a:"], "b:1", undefined],
    ["finds a key under its prefix", ["a:"], "a:1", "a:"],
    ["finds the key that is its prefix", ["a:"], "a:", "a:"],
    ["does not find a key shorter than the prefix", ["a:b"], "a:", undefined],
    ["takes the longest prefix, given first", ["a:b:", "a:"], "a:b:1", "a:b:"],
    ["takes the longest prefix, given last", ["a:", "a:b:"], "a:b:1", "a:b:"],
    ["takes a shorter prefix where the longer ends otherwise", ["a:", "a:b:"], "a:c:1", "a:"],
    ["takes the empty prefix for every other key", ["", "a:"], "b:1", ""],
    ["takes the empty prefix last", ["", "a:"], "a:1", "a:"],
    ["takes the empty prefix where a prefix only begins alike", ["", "a:"], "ab", ""],
    ["takes the empty prefix for the empty key", ["", "a:"], "", ""],
    ["finds nothing for the empty key", ["a:"], "", undefined],
    ["tells prefixes of one first letter apart", ["ab", "ac"], "ac1", "ac"],
    ["takes capitals for other letters", ["a:"], "A:1", undefined],
    ["tells characters of one first surrogate apart", ["😀:", "😁:"], "😁:1", "😁:"],
    ["finds nothing under another character of one first surrogate", ["😀"], "😁1", undefined],
    ["tells characters of one first byte apart", ["é:", "è:"], "è:1", "è:"],
    ["does not normalize", ["é"], "e\u0301", undefined],
    ["takes longer bytes for a longer prefix", ["日", "日本"], "日本:1", "日本"],
    ["takes a NUL for a character", ["a\0", "a"], "a\0b", "a\0"],
    ["takes names of an object's own for prefixes", ["__proto__", "constructor"], "constructor:1", "constructor"],
  ];
  for (const [fact, prefixes, key, prefix] of rows) {
    test(`${fact}, in strings and bytes`, () => {
      assert.equal(prefixOf(setOf(...prefixes), key), prefix);
      assert.equal(prefixOf(setOf(...prefixes), Buffer.from(key)), prefix);
      assert.equal(prefixOf(setOf(...prefixes), new Uint8Array(Buffer.from(key))), prefix);
    });
  }

  test("finds nothing under a raw prefix inside one with a rule", () => {
    const rules = createRuleSet([
      ["a:", {}],
      ["a:raw:", "raw"],
    ]);
    assert.equal(rules.match("a:raw:1", 0), undefined);
    assert.equal(rules.match(Buffer.from("a:raw:1"), 0), undefined);
    assert.equal(prefixOf(rules, "a:raw"), "a:");
  });

  test("finds the rule of a prefix inside a raw one", () => {
    const rules = createRuleSet([
      ["", "raw"],
      ["a:", "raw"],
      ["a:b:", {}],
    ]);
    assert.equal(prefixOf(rules, "a:b:1"), "a:b:");
    assert.equal(rules.match("a:c:1", 0), undefined);
    assert.equal(rules.match("x", 0), undefined);
  });

  test("finds nothing under a raw prefix inside the empty one", () => {
    const rules = createRuleSet([
      ["", {}],
      ["a:", "raw"],
    ]);
    assert.equal(rules.match("a:1", 0), undefined);
    assert.equal(prefixOf(rules, "b:1"), "");
  });

  test("takes bytes that are no UTF-8 for other keys", () => {
    assert.equal(prefixOf(setOf("\ufffd"), Buffer.from([0xff, 0x31])), undefined);
    assert.equal(prefixOf(setOf(""), Buffer.from([0xff])), "");
  });

  test("begins at the offset, in characters of a string and bytes of a Buffer", () => {
    const rules = setOf("a:", "");
    const keyPrefix = "日😀:";
    assert.equal(prefixOf(rules, `${keyPrefix}a:1`, keyPrefix.length), "a:");
    assert.equal(prefixOf(rules, Buffer.from(`${keyPrefix}a:1`), Buffer.byteLength(keyPrefix)), "a:");
    assert.equal(prefixOf(setOf("a:"), keyPrefix, keyPrefix.length), undefined);
    assert.equal(prefixOf(setOf("a:"), Buffer.from(keyPrefix), Buffer.byteLength(keyPrefix)), undefined);
    assert.equal(prefixOf(rules, "a:1", 1), "");
  });

  test("agrees with trying every prefix, in strings and bytes", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", ":", "é", "日", "😀", "😁"), maxLength: 4 });
    const prefixes = fc.uniqueArray(fc.tuple(text, fc.boolean()), { selector: ([prefix]) => prefix, maxLength: 8 });
    fc.assert(
      fc.property(prefixes, text, text, (pairs, head, key) => {
        const rules = createRuleSet(pairs.map(([prefix, raw]) => [prefix, raw ? "raw" : { compressor: stored() }]));
        const [longest] = pairs.filter(([prefix]) => key.startsWith(prefix)).sort((a, b) => b[0].length - a[0].length);
        const expected = longest === undefined || longest[1] ? undefined : longest[0];
        assert.equal(prefixOf(rules, key), expected);
        assert.equal(prefixOf(rules, Buffer.from(key)), expected);
        assert.equal(prefixOf(rules, head + key, head.length), expected);
        assert.equal(prefixOf(rules, Buffer.from(head + key), Buffer.byteLength(head)), expected);
      }),
      { numRuns: 500 },
    );
  });
});

suite("mayCover()", () => {
  const rules = createRuleSet([
    ["a:", {}],
    ["a:raw:", "raw"],
    ["b:c:", { types: ["hash"] }],
  ]);
  const rows: readonly (readonly [head: string, type: ValueType, covers: boolean])[] = [
    ["", "string", true],
    ["a", "string", true],
    ["a:", "string", true],
    ["a:x", "string", true],
    ["a:raw", "string", true],
    ["a:raw:", "string", false],
    ["a:raw:x", "string", false],
    ["ax", "string", false],
    ["c", "string", false],
    ["b", "string", false],
    ["b", "hash", true],
    ["b:c:d", "hash", true],
    ["b:c:d", "string", false],
    ["b:d", "hash", false],
  ];
  for (const [head, type, covers] of rows) {
    test(`${covers ? "sees" : "sees no"} ${type} values under keys that begin with ${JSON.stringify(head)}`, () => {
      assert.equal(
        rules.mayCover(head, (rule) => rule.covers[type]),
        covers,
      );
    });
  }

  test("misses no key that begins with the head", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", ":"), maxLength: 4 });
    const prefixes = fc.uniqueArray(fc.tuple(text, fc.boolean()), { selector: ([prefix]) => prefix, maxLength: 6 });
    fc.assert(
      fc.property(prefixes, text, text, (pairs, head, tail) => {
        const set = createRuleSet(pairs.map(([prefix, raw]) => [prefix, raw ? "raw" : { compressor: stored() }]));
        if (set.match(head + tail, 0) !== undefined) assert.ok(set.mayCover(head, () => true));
      }),
      { numRuns: 500 },
    );
  });
});
