import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isWrittenAs, readsBufferMode } from "../../src/seam/source-text.ts";

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

suite("readsBufferMode()", () => {
  test("tells what branches on it, minified or not, from what wraps that", () => {
    const writing = new Function("return this.bufferMode?1:2");
    const wrapper = function (this: unknown): unknown {
      return writing.call(this);
    };
    wrapper.toString = () => writing.toString();
    for (let i = 0; i < 2; i++) {
      assert.equal(readsBufferMode(writing), true);
      assert.equal(readsBufferMode(wrapper), false);
      assert.equal(readsBufferMode(writing.bind({})), false);
    }
  });
});
