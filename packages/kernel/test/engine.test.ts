import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createEngine, type Engine } from "../src/engine.ts";
import { MAX_KERNEL_BYTES } from "../src/limits.ts";
import { WASM_BASE64 } from "../src/wasm-module.ts";

const scope = globalThis as unknown as { WebAssembly: unknown };

/** What a process makes of it whose WebAssembly is another one. */
function createWith(replacement: unknown): Engine | undefined {
  const original = scope.WebAssembly;
  try {
    scope.WebAssembly = replacement;
    return createEngine();
  } finally {
    scope.WebAssembly = original;
  }
}

suite("createEngine()", () => {
  test("gives engines that share no memory", () => {
    const first = createEngine();
    assert.ok(first);
    assert.notEqual(createEngine()?.memory.buffer, first.memory.buffer);
  });

  test("gives none where there is no WebAssembly", () => {
    assert.equal(createWith(undefined), undefined);
  });

  test("gives none where the module does not compile or its memory cannot be had", () => {
    class Refusing {
      constructor() {
        throw new RangeError("refused");
      }
    }
    assert.equal(createWith({ Module: Refusing }), undefined);
    assert.equal(createWith({ Module: Object, Instance: Refusing }), undefined);
  });

  test("lays the regions out with room around each, in a memory that is not larger than needed", () => {
    const engine = createEngine();
    assert.ok(engine);
    const { CONTENT_START, DIGEST_START, MAX_BYTES, PAYLOAD_START, memory } = engine;
    const slack = 64;
    assert.equal(MAX_BYTES.value, MAX_KERNEL_BYTES);
    assert.ok(DIGEST_START.value >= 4096);
    assert.ok(CONTENT_START.value + MAX_BYTES.value + slack <= PAYLOAD_START.value - 18);
    assert.ok(PAYLOAD_START.value + MAX_BYTES.value + slack <= memory.buffer.byteLength);
    assert.ok(memory.buffer.byteLength < 2.2 * MAX_KERNEL_BYTES);
  });

  test("is at most 20 KiB", () => {
    assert.ok(Buffer.from(WASM_BASE64, "base64").length <= 20 * 1024);
  });
});
