import assert from "node:assert/strict";
import { once } from "node:events";
import { suite, test } from "node:test";
import { CodecError, json, stored } from "@tightwire/codec-core";
import { DEFAULT_MAX_REPLY_BYTES } from "../src/options.ts";
import { createShared, equalShared, replaceShared, report } from "../src/shared.ts";
import { collectErrors } from "./support/keys.ts";

const rule = { compressor: stored() };
const options = {
  prefixes: { "a:": rule, "raw:": "raw" },
  channels: { "feed.": rule },
  scripts: { save: { argv: [0], reply: "value" }, load: { reply: "values", key: 1 } },
} as const;

suite("createShared()", () => {
  test("makes rules of keys and of channels, and counters", () => {
    const onError = () => {};
    const shared = createShared({ ...options, maxReplyBytes: 7, onError });
    assert.equal(shared.rules.match("a:1", 0)?.statsName, "a:");
    assert.equal(shared.channels.match("feed.1", 0)?.statsName, "channel:feed.");
    assert.deepEqual([...shared.scripts.keys()], ["save", "load"]);
    assert.deepEqual([shared.maxReplyBytes, shared.onError], [7, onError]);
    assert.deepEqual(shared.stats.snapshot(), {});
  });

  test("fills in the defaults", () => {
    const shared = createShared({ prefixes: {} });
    assert.equal(shared.channels.rules.size, 0);
    assert.equal(shared.scripts.size, 0);
    assert.deepEqual([shared.maxReplyBytes, shared.onError], [DEFAULT_MAX_REPLY_BYTES, undefined]);
  });

  test("refuses wrong options", () => {
    assert.throws(() => createShared({}), TypeError);
    assert.throws(() => createShared({ prefixes: { "a:": { frame: "sometimes" } } }), RangeError);
    assert.throws(() => createShared({ prefixes: {}, channels: { "a.": { types: ["string"] } } }), TypeError);
    assert.throws(() => createShared({ prefixes: {}, scripts: { save: { key: -1 } } }), RangeError);
  });
});

suite("replaceShared()", () => {
  test("puts everything else in the place of what is in force, and goes on counting", () => {
    const shared = createShared({ ...options, maxReplyBytes: 7, onError: () => {} });
    const { stats } = shared;
    stats.of("a:").raw++;
    replaceShared(shared, { prefixes: { "b:": rule } });
    assert.ok(equalShared(shared, createShared({ prefixes: { "b:": rule } })));
    assert.equal(shared.onError, undefined);
    assert.equal(shared.stats, stats);
    assert.equal(stats.of("a:").raw, 1);
  });

  test("changes nothing where the new options are wrong", () => {
    const shared = createShared(options);
    assert.throws(() => replaceShared(shared, { prefixes: {}, scripts: { save: { key: -1 } } }), RangeError);
    assert.ok(equalShared(shared, createShared(options)));
  });
});

suite("equalShared()", () => {
  const equals = (a: object, b: object) => equalShared(createShared(a), createShared(b));

  test("holds for options that mean the same, in whatever order", () => {
    const reversed = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, reverse(value)]));
    assert.ok(equals(options, reversed));
    assert.ok(equals(options, { ...options, maxReplyBytes: DEFAULT_MAX_REPLY_BYTES }));
    assert.ok(equals(options, { ...options, onError: () => {} }));
  });

  for (const [name, changed] of Object.entries({
    prefixes: { prefixes: { "a:": { ...rule, serializer: json() }, "raw:": "raw" } },
    channels: { channels: { "feed.": { ...rule, numbers: "framed" } } },
    "no channels": { channels: {} },
    "the arguments of a script": { scripts: { ...options.scripts, save: { argv: [1], reply: "value" } } },
    "the reply of a script": { scripts: { ...options.scripts, save: { argv: [0] } } },
    "the key of a script": { scripts: { ...options.scripts, load: { reply: "values" } } },
    "one script less": { scripts: { save: options.scripts.save } },
    maxReplyBytes: { maxReplyBytes: 7 },
  })) {
    test(`does not hold for other options: ${name}`, () => {
      assert.equal(equals(options, { ...options, ...changed }), false);
      assert.equal(equals({ ...options, ...changed }, options), false);
    });
  }
});

suite("report()", () => {
  const error = new CodecError("CODEC_UNFRAMED", "no frame");
  const createReporting = (onError?: (error: CodecError) => void) =>
    createShared({ prefixes: {}, ...(onError !== undefined && { onError }) });

  test("tells onError, if there is one", () => {
    const { errors, onError } = collectErrors();
    report(createReporting(onError), error);
    report(createReporting(), error);
    assert.deepEqual(errors, [error]);
  });

  for (const [name, thrown] of [
    ["an error", new Error("from onError")],
    ["anything else", "from onError"],
  ] as const) {
    test(`makes a warning of ${name} that onError throws`, async () => {
      const warned = once(process, "warning");
      const onError = () => {
        throw thrown;
      };
      report(createReporting(onError), error);
      const [warning] = await warned;
      assert.equal(warning.message, "from onError");
    });
  }
});

function reverse(record: object): object {
  return Object.fromEntries(Object.entries(record).reverse());
}
