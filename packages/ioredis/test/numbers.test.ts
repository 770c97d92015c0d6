import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { isCanonicalNumber, parseCanonicalNumber } from "../src/numbers.ts";

const CANONICAL = [
  "0",
  "1",
  "-1",
  "10",
  "9223372036854775807",
  "-9223372036854775808",
  "9223372036854775806",
  "999999999999999999",
  "0.5",
  "-0.5",
  "1.5",
  "-10.25",
  "0.00000000000000001",
  "1.12345678901234567",
  "9223372036854775808.5",
  `${"9".repeat(22)}.${"1".repeat(17)}`,
];

const OTHERS = [
  "",
  "-",
  ".",
  "-.",
  "-0",
  "+1",
  "01",
  "-01",
  "00",
  "1.",
  "-1.",
  ".5",
  "-.5",
  "1.50",
  "1.0",
  "-0.0",
  "0.0",
  "01.5",
  "1e3",
  "1E3",
  "1.5e3",
  "0x10",
  "1_000",
  "1,5",
  "1.2.3",
  "1-1",
  "--1",
  " 1",
  "1 ",
  "1\n",
  "1\0",
  "١",
  "９",
  "NaN",
  "nan",
  "Infinity",
  "-Infinity",
  "inf",
  "9223372036854775808",
  "-9223372036854775809",
  "10000000000000000000",
  "-10000000000000000000",
  "0.123456789012345678",
  "1.000000000000000001",
  `${"9".repeat(23)}.${"1".repeat(17)}`,
  "9".repeat(40),
  "9".repeat(41),
  "1".repeat(100_000),
];

// Written from the rule itself, not from the source: what INCR and INCRBYFLOAT print.
function isCanonicalByRule(text: string): boolean {
  if (/^(0|-?[1-9]\d*)$/.test(text)) return BigInt.asIntN(64, BigInt(text)) === BigInt(text);
  return text.length <= 40 && /^-?(0|[1-9]\d*)\.\d{0,16}[1-9]$/.test(text);
}

suite("isCanonicalNumber()", () => {
  for (const text of CANONICAL) {
    test(`takes ${text} for a number`, () => {
      assert.equal(isCanonicalNumber(text), true);
      assert.equal(isCanonicalNumber(Buffer.from(text)), true);
    });
  }

  for (const text of OTHERS) {
    test(`does not take ${JSON.stringify(text.slice(0, 45))} for a number`, () => {
      assert.equal(isCanonicalNumber(text), false);
      assert.equal(isCanonicalNumber(Buffer.from(text)), false);
    });
  }

  test("takes every int64 as BigInt prints it", () => {
    fc.assert(fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (number) => isCanonicalNumber(String(number))));
  });

  test("takes no integer beyond int64", () => {
    const beyond = fc.oneof(
      fc.bigInt({ min: 2n ** 63n, max: 2n ** 80n }),
      fc.bigInt({ min: -(2n ** 80n), max: -(2n ** 63n) - 1n }),
    );
    fc.assert(fc.property(beyond, (number) => !isCanonicalNumber(String(number))));
  });

  test("agrees with the written rule on texts that look like numbers, as string and as bytes", () => {
    const lookalike = fc.string({ unit: fc.constantFrom(..."00123456789.-+e "), maxLength: 45 });
    fc.assert(
      fc.property(lookalike, (text) => {
        assert.equal(isCanonicalNumber(text), isCanonicalByRule(text));
        assert.equal(isCanonicalNumber(Buffer.from(text)), isCanonicalByRule(text));
      }),
      { numRuns: 2000 },
    );
  });

  test("takes no bytes that are not text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), (bytes) => {
        const text = Buffer.from(bytes).toString("latin1");
        assert.equal(isCanonicalNumber(bytes), isCanonicalByRule(text));
      }),
    );
  });
});

suite("parseCanonicalNumber()", () => {
  const rows: readonly (readonly [text: string, number: number | bigint])[] = [
    ["0", 0],
    ["-1", -1],
    ["1.5", 1.5],
    ["-0.25", -0.25],
    ["0.00000000000000001", 1e-17],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["-9007199254740991", Number.MIN_SAFE_INTEGER],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740992", -9007199254740992n],
    ["9223372036854775807", 2n ** 63n - 1n],
    ["-9223372036854775808", -(2n ** 63n)],
  ];
  for (const [text, number] of rows) {
    test(`takes ${text} for the ${typeof number} of that name`, () => {
      assert.equal(parseCanonicalNumber(text), number);
    });
  }

  test("gives a number for decimals of any size", () => {
    for (const text of ["9007199254740993.5", "-9223372036854775808.25", "9999999999999999999999.5"]) {
      assert.equal(parseCanonicalNumber(text), Number(text));
    }
  });

  test("loses no integer that Redis counts to", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
        const parsed = parseCanonicalNumber(String(integer));
        assert.equal(BigInt(parsed), integer);
        assert.equal(typeof parsed, BigInt.asIntN(54, integer) === integer && integer !== -(2n ** 53n) ? "number" : "bigint");
      }),
      { examples: [[2n ** 53n], [2n ** 53n - 1n], [-(2n ** 53n)]] },
    );
  });
});
