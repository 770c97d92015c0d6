import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createDotnetRandom, createDotnetRandomCorpus } from "../src/corpus/dotnet-random.ts";

suite("random numbers of .NET", () => {
  // The first three results of `new Random(seed).Next()`.
  const first = {
    0: [1559595546, 1755192844, 1649316166],
    1: [534011718, 237820880, 1002897798],
    42: [1434747710, 302596119, 269548474],
  };
  for (const [seed, numbers] of Object.entries(first)) {
    test(`begin with ${numbers[0]} for seed ${seed}`, () => {
      const random = createDotnetRandom(Number(seed));
      assert.deepEqual([random.next(), random.next(), random.next()], numbers);
    });
  }

  test("as bytes are the lowest of each number", () => {
    const bytes = new Uint8Array(1_000);
    createDotnetRandom(527).fill(bytes);
    const random = createDotnetRandom(527);
    for (const byte of bytes) assert.equal(byte, random.next() % 256);
  });

  test("differ by seed", () => {
    assert.notDeepEqual(createDotnetRandomCorpus("a", 1).create(64), createDotnetRandomCorpus("b", 2).create(64));
  });

  for (const seed of [-1, 1.5, 2 ** 31, Number.NaN]) {
    test(`are refused for the seed ${seed}`, () => {
      assert.throws(() => createDotnetRandom(seed), RangeError);
    });
  }
});
