import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as core from "@tightwire/codec-core";
import * as index from "../src/index.ts";

const SHARED = [
  ...["brotli", "deflate", "lz4", "stored", "zstd", "defineCompressor"],
  ...["bytes", "json", "msgpack", "utf8"],
  ...["CodecError", "CodecErrorCode", "isCodecError", "isFrame"],
];

suite("the package's exports", () => {
  for (const name of SHARED) {
    test(`hand on ${name} as it is`, () => {
      assert.ok(Object.hasOwn(index, name));
      assert.equal(Reflect.get(index, name), Reflect.get(core, name));
    });
  }

  test("hold what wraps a client", () => {
    assert.equal(typeof index.withValueCodec, "function");
    assert.equal(typeof index.valueCodecOf, "function");
    assert.equal(typeof index.createCodecClasses, "function");
    for (const name of ["DEFAULT_MAX_REPLY_BYTES", "DEFAULT_MIN_FRAME_BYTES", "DEFAULT_RULE_MIN_COMPRESS_BYTES"]) {
      assert.equal(typeof Reflect.get(index, name), "number");
    }
  });

  test("hold no default", () => {
    assert.equal(Object.hasOwn(index, "default"), false);
  });
});
