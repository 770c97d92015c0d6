import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { takeRefusal, withRefusal } from "../../src/seam/calls.ts";

const refusal = new Error("refused");

suite("withRefusal() and takeRefusal()", () => {
  test("tell the one command that is made meanwhile", () => {
    assert.deepEqual(
      withRefusal(refusal, () => [takeRefusal(), takeRefusal()]),
      [{ error: refusal }, undefined],
    );
  });

  test("take undefined for an error, too", () => {
    assert.deepEqual(withRefusal(undefined, takeRefusal), { error: undefined });
  });

  test("leave nothing behind when no command is made", () => {
    assert.equal(
      withRefusal(refusal, () => "made nothing"),
      "made nothing",
    );
    assert.equal(takeRefusal(), undefined);
  });

  test("leave nothing behind when making it fails", () => {
    const fail = () => {
      throw new RangeError("cannot be made");
    };
    assert.throws(() => withRefusal(refusal, fail), RangeError);
    assert.equal(takeRefusal(), undefined);
  });
});
