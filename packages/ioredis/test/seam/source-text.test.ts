import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isWrittenAs, writesByBufferMode } from "../../src/seam/source-text.ts";

suite("isWrittenAs()", () => {
  const candidate = new Function("a", "return  a;");

  test("compares the source without white space, every time", () => {
    for (let i = 0; i < 2; i++) {
      assert.equal(isWrittenAs(candidate, "functionanonymous(a){returna;}"), true);
      assert.equal(isWrittenAs(candidate, "functionanonymous(a){returnb;}"), false);
    }
  });

  test("is not taken in by a function of the same name and length, nor by its own toString", () => {
    const other = new Function("a", "return -a;");
    other.toString = () => candidate.toString();
    assert.equal(isWrittenAs(other, "functionanonymous(a){returna;}"), false);
    assert.equal(isWrittenAs(candidate.bind(undefined), "functionanonymous(a){returna;}"), false);
  });
});

suite("writesByBufferMode()", () => {
  test("tells what branches on it, minified or not, from what wraps that", () => {
    const writing = new Function("return this.bufferMode?`*1\\r\n`:2");
    const wrapper = function (this: unknown): unknown {
      return writing.call(this);
    };
    const looking = function (this: { readonly bufferMode: boolean }): unknown {
      return this.bufferMode ? writing.call(this) : "";
    };
    wrapper.toString = () => writing.toString();
    for (let i = 0; i < 2; i++) {
      assert.equal(writesByBufferMode(writing), true);
      assert.equal(writesByBufferMode(wrapper), false);
      assert.equal(writesByBufferMode(looking), false);
      assert.equal(writesByBufferMode(writing.bind({})), false);
    }
  });
});
