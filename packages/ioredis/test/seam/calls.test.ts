import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Call, isInCall, takeCall, withCall } from "../../src/seam/calls.ts";

const refusal: Call = { refusal: new Error("refused") };
const encoded: Call = { encoded: true };

suite("withCall() and takeCall()", () => {
  for (const call of [refusal, encoded, {}]) {
    test(`tell what is known to the one command that is made meanwhile: ${Object.keys(call).join() || "nothing"}`, () => {
      const taken = withCall(call, () => [takeCall(), takeCall()]);
      assert.deepEqual(taken, [call, undefined]);
    });
  }

  test("leave nothing behind when no command is made", () => {
    assert.equal(
      withCall(refusal, () => "made nothing"),
      "made nothing",
    );
    assert.equal(takeCall(), undefined);
  });

  test("leave nothing behind when making it fails", () => {
    assert.throws(
      () =>
        withCall(refusal, () => {
          throw new RangeError("cannot be made");
        }),
      RangeError,
    );
    assert.equal(takeCall(), undefined);
  });
});

suite("isInCall()", () => {
  test("holds until the command is made", () => {
    assert.equal(isInCall(), false);
    const seen = withCall(encoded, () => [isInCall(), takeCall() === encoded, isInCall()]);
    assert.deepEqual(seen, [true, true, false]);
    assert.equal(isInCall(), false);
  });
});
