import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { chooseNames, sizeName } from "../src/names.ts";

suite("sizeName()", () => {
  test("uses k and m for whole multiples", () => {
    assert.deepEqual([64, 1_000, 1_024, 16_384, 1_048_576, 1_536].map(sizeName), ["64", "1000", "1k", "16k", "1m", "1536"]);
  });
});

suite("chooseNames()", () => {
  const names = ["a/get/text-1k", "a/get/text-16k", "b/get", "b/get/text-1k"];

  test("takes every name without patterns", () => {
    assert.deepEqual(chooseNames(names, []), names);
  });

  test("takes names that contain a pattern, or match it as a whole where it has a star", () => {
    assert.deepEqual(chooseNames(names, ["1k"]), ["a/get/text-1k", "b/get/text-1k"]);
    assert.deepEqual(chooseNames(names, ["a/*k"]), ["a/get/text-1k", "a/get/text-16k"]);
    assert.deepEqual(chooseNames(names, ["*-16k", "b/"]), ["a/get/text-16k", "b/get", "b/get/text-1k"]);
  });

  test("takes one case by its whole name, not the others that contain it", () => {
    assert.deepEqual(chooseNames(names, ["b/get"]), ["b/get"]);
  });

  test("takes characters of expressions as they are", () => {
    assert.deepEqual(chooseNames(names, ["a.get"]), []);
    assert.deepEqual(chooseNames(names, ["(*"]), []);
  });
});
