import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  brotli,
  bytes,
  type Compressor,
  defineCompressor,
  defineSerializer,
  deflate,
  json,
  lz4,
  msgpack,
  stored,
  utf8,
  zstd,
} from "@tightwire/codec-core";
import type { RuleOptions, ValueType } from "../src/options.ts";
import { canRead, createRule, createRuleSet, type RuleSet } from "../src/rules.ts";

type Settings = Partial<RuleOptions>;

const copying = {
  id: 200,
  name: "copying",
  compress: (content: Uint8Array) => Buffer.from(content),
  decompress: (payload: Uint8Array) => Buffer.from(payload),
};
const custom = defineCompressor(copying);
const sameAsCustom = defineCompressor(copying);

const copyingSerializer = { name: "custom", serialize: (text: string) => Buffer.from(text), deserialize: String };
const customSerializer = defineSerializer<string>(copyingSerializer);
const sameAsCustomSerializer = defineSerializer<string>(copyingSerializer);

const setOf = (...prefixes: string[]): RuleSet => createRuleSet(prefixes.map((prefix) => [prefix, { compressor: stored() }]));

const strict: Settings = { minFrameBytes: 0, numbers: "framed", unframed: "reject" };

suite("equals()", () => {
  const one = (settings: Settings) => createRuleSet([["a:", settings]]);
  const differing: readonly Settings[] = [
    { compressor: zstd({ level: 4 }) },
    { compressor: lz4() },
    { compressor: custom },
    { frameVersion: 1 },
    { maxContentBytes: 10 },
    { minCompressBytes: 10 },
    { accept: [zstd(), lz4()] },
    { frame: "when-smaller" },
    { minFrameBytes: 64 },
    { numbers: "framed" },
    { minFrameBytes: 0, numbers: "framed", unframed: "reject" },
    { types: ["string"] },
    { onDecodeError: "miss" },
    { unsafe: "allow" },
    { comparands: "encode" },
    { serializer: msgpack() },
    { serializer: bytes() },
    { serializer: customSerializer },
  ];
  for (const settings of differing) {
    const names = Object.keys(settings).join(", ");
    test(`tells a rule with another ${names} from the default one`, () => {
      assert.equal(one({}).equals(one(settings)), false);
      assert.equal(one(settings).equals(one({})), false);
      assert.equal(one(settings).equals(one({ ...settings })), true);
    });
  }

  const serializers: readonly (readonly [fact: string, a: Settings, b: Settings, same: boolean])[] = [
    ["json()", { serializer: json() }, { serializer: json() }, true],
    ["json({ strict })", { serializer: json({ strict: true }) }, { serializer: json({ strict: true }) }, true],
    ["json() and json({ strict })", { serializer: json() }, { serializer: json({ strict: true }) }, false],
    ["one validate", { serializer: json({ validate: String }) }, { serializer: json({ validate: String }) }, true],
    ["two validates", { serializer: json({ validate: String }) }, { serializer: json({ validate: Number }) }, false],
    ["validate and none", { serializer: msgpack({ validate: String }) }, { serializer: msgpack() }, false],
    ["json() and utf8()", { serializer: json() }, { serializer: utf8() }, false],
    ["msgpack() and bytes()", { serializer: msgpack() }, { serializer: bytes() }, false],
    ["one of one's own", { serializer: customSerializer }, { serializer: customSerializer }, true],
    ["two of one name of one's own", { serializer: customSerializer }, { serializer: sameAsCustomSerializer }, false],
  ];
  for (const [fact, a, b, same] of serializers) {
    test(`takes serializers for ${same ? "the same" : "others"}: ${fact}`, () => {
      // So that nothing but the serializer differs.
      const settings = { unframed: "accept" } as const;
      assert.equal(one({ ...a, ...settings }).equals(one({ ...b, ...settings })), same);
      assert.equal(one({ ...b, ...settings }).equals(one({ ...a, ...settings })), same);
      assert.equal(canRead(createRule("b:", a), createRule("a:", b), ["string"]), same);
    });
  }

  test("tells unframed: reject from accept", () => {
    const framed: Settings = { minFrameBytes: 0, numbers: "framed" };
    assert.equal(one(framed).equals(one({ ...framed, unframed: "reject" })), false);
  });

  test("takes defaults that are written out for defaults", () => {
    const written: Settings = {
      compressor: zstd({ level: 3 }),
      frameVersion: 2,
      maxContentBytes: 8 * 1024 * 1024,
      minCompressBytes: 256,
      frame: "always",
      minFrameBytes: 65,
      types: ["stream", "list", "hash", "string"],
    };
    assert.ok(one({}).equals(one(written)));
  });

  test("takes built-in compressors for equal by their settings, custom ones only if they are the same", () => {
    assert.ok(one({ compressor: brotli({ quality: 5 }) }).equals(one({ compressor: brotli({ quality: 5 }) })));
    assert.ok(!one({ compressor: brotli({ quality: 5 }) }).equals(one({ compressor: brotli({ quality: 6 }) })));
    assert.ok(one({ compressor: custom }).equals(one({ compressor: custom })));
    assert.ok(!one({ compressor: custom }).equals(one({ compressor: sameAsCustom })));
  });

  test("takes no notice of the order of accept", () => {
    const accept: Compressor[] = [lz4(), deflate()];
    assert.ok(one({ accept }).equals(one({ accept: accept.toReversed() })));
    assert.ok(!one({ accept }).equals(one({ accept: [lz4(), brotli()] })));
    assert.ok(!one({ accept: [custom] }).equals(one({ accept: [sameAsCustom] })));
  });

  test("takes no notice of the order of prefixes", () => {
    const pairs: [string, unknown][] = [
      ["a:", {}],
      ["b:", "raw"],
      ["", { numbers: "framed" }],
    ];
    assert.ok(createRuleSet(pairs).equals(createRuleSet(pairs.toReversed())));
  });

  test("tells sets of other prefixes apart", () => {
    assert.ok(!setOf("a:").equals(setOf("b:")));
    assert.ok(!setOf("a:").equals(setOf("a:", "b:")));
    assert.ok(!setOf("a:", "b:").equals(setOf("a:")));
    assert.ok(!setOf("a:").equals(createRuleSet([["a:", "raw"]])));
    assert.ok(!createRuleSet([["a:", "raw"]]).equals(setOf("a:")));
    assert.ok(!setOf().equals(createRuleSet([["a:", "raw"]])));
    assert.ok(createRuleSet([["a:", "raw"]]).equals(createRuleSet([["a:", "raw"]])));
    assert.ok(setOf().equals(setOf()));
  });
});

suite("canRead()", () => {
  const rows: readonly (readonly [
    fact: string,
    target: Settings,
    source: Settings,
    types: readonly ValueType[],
    can: boolean,
  ])[] = [
    ["reads what an equal rule wrote", {}, {}, ["string"], true],
    ["reads what another compressor wrote", { compressor: lz4() }, { compressor: zstd() }, ["string"], true],
    ["reads the other frame version", { frameVersion: 2 }, { frameVersion: 1 }, ["string"], true],
    ["does not read what it does not accept", { compressor: lz4(), accept: [] }, {}, ["string"], false],
    ["reads less than it accepts", {}, { compressor: lz4(), accept: [] }, ["string"], true],
    ["does not read a custom compressor it does not know", {}, { compressor: custom }, ["string"], false],
    ["reads a custom compressor it accepts", { compressor: custom }, { compressor: custom }, ["string"], true],
    ["does not read longer content than its limit", { maxContentBytes: 9 }, { maxContentBytes: 10 }, ["string"], false],
    ["reads content up to its limit", { maxContentBytes: 10 }, { maxContentBytes: 10 }, ["string"], true],
    ["does not read a type that it does not cover", { types: ["hash"] }, {}, ["string"], false],
    ["reads the types that it covers", { types: ["hash"] }, {}, ["hash"], true],
    [
      "does not need the types that the source does not cover",
      { types: ["hash"] },
      { types: ["hash"] },
      ["string", "hash"],
      true,
    ],
    ["reads frames although it writes none", { frame: "never" }, {}, ["string"], true],
    ["does not read values of a serializer without it", {}, { serializer: json() }, ["string"], false],
    ["does not read plain values with a serializer", { serializer: json() }, {}, ["string"], false],
    ["does not read another compressor of that id", { compressor: sameAsCustom }, { compressor: custom }, ["string"], false],
    ["reads every level of a compressor", { accept: [zstd({ level: 1 })] }, { accept: [zstd({ level: 9 })] }, ["string"], true],
    ["does not read raw values where only frames may be", strict, {}, ["string"], false],
    ["reads what a rule of frames alone wrote", strict, strict, ["string"], true],
    ["needs no frames of types that neither covers", { ...strict, types: ["hash"] }, { types: ["hash"] }, ["string"], true],
    ["reads values of its own serializer", { serializer: json() }, { serializer: json() }, ["string"], true],
  ];
  for (const [fact, target, source, types, can] of rows) {
    test(fact, () => {
      assert.equal(canRead(createRule("b:", target), createRule("a:", source), types), can);
    });
  }

  test("reads what the very rule wrote", () => {
    const rule = createRule("a:", { maxContentBytes: 10 });
    assert.ok(canRead(rule, rule, ["string"]));
  });

  test("does not read without a rule", () => {
    assert.ok(!canRead(undefined, createRule("a:", {}), ["string"]));
    assert.ok(canRead(undefined, createRule("a:", { types: ["hash"] }), ["string"]));
  });

  test("reads what is under no rule, unless only frames may be", () => {
    assert.ok(canRead(createRule("b:", {}), undefined, ["string"]));
    assert.ok(!canRead(createRule("b:", strict), undefined, ["string"]));
    assert.ok(canRead(createRule("b:", { ...strict, types: ["hash"] }), undefined, ["string"]));
    assert.ok(canRead(undefined, undefined, ["string"]));
  });

  const misread: readonly (readonly [fact: string, target: Settings, source: Settings])[] = [
    ["raw text as what a serializer wrote", { serializer: msgpack(), unframed: "deserialize" }, { serializer: msgpack() }],
    ["raw numbers as text", { serializer: msgpack(), numbers: "framed" }, { serializer: msgpack() }],
  ];
  for (const [fact, target, source] of misread) {
    test(`does not read ${fact}`, () => {
      assert.ok(!canRead(createRule("b:", target), createRule("a:", source), ["string"]));
    });
  }
});
