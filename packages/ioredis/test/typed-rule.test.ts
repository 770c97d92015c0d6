import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { json, lz4 } from "@tightwire/codec-core";
import { createRuleSet } from "../src/rules.ts";
import { rule } from "../src/typed-rule.ts";

suite("rule()", () => {
  test("returns the settings that it was given, frozen", () => {
    const settings = { serializer: json<number>(), compressor: lz4(), minFrameBytes: 0 };
    const made = rule<number>(settings);
    assert.deepEqual(made, settings);
    assert.notEqual(made, settings);
    assert.ok(Object.isFrozen(made));
  });

  test("makes a rule that a client takes", () => {
    const serializer = json<number>();
    const { rules } = createRuleSet([["count:", rule<number>({ serializer, onDecodeError: "miss" })]]);
    assert.equal(rules.get("count:")?.serializer, serializer);
    assert.equal(rules.get("count:")?.onDecodeError, "miss");
  });

  test("refuses what a client would refuse", () => {
    const serializer = json();
    assert.throws(() => rule({ serializer, minFrameByte: 0 } as never), TypeError);
    assert.throws(() => rule({ serializer: JSON } as never), TypeError);
    assert.throws(() => rule({ serializer, unframed: "reject" }), TypeError);
    assert.throws(() => rule({ serializer, minFrameBytes: -1 }), RangeError);
    assert.throws(() => rule(undefined as never), TypeError);
  });
});
