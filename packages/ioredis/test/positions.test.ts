import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { type CommandRow, findCommand, type ValuePositions } from "../src/commands.ts";
import { findOption, isAt, lastIndex, locateComparands, locateValues, replyHoldsValues } from "../src/positions.ts";

function rowOf(call: string): { row: CommandRow; args: string[] } {
  const [name = "", ...args] = call.split(" ");
  const row = findCommand(name, args);
  assert.ok(row !== undefined, call);
  return { row, args };
}

/** Every index that a loop over the values of a call would visit. */
function visit(values: ValuePositions | undefined, args: readonly unknown[]): number[] {
  const positions = locateValues(values, args);
  if (positions === undefined) return [];
  const indexes: number[] = [];
  for (let i = positions.first; i <= lastIndex(positions, args); i += positions.step ?? 1) indexes.push(i);
  return indexes;
}

suite("findOption()", () => {
  const tokens = { first: 1, arity: { EX: 1, LIMIT: 2, MAXLEN: 1 }, approximate: ["MAXLEN"] };

  test("gives the place after the option, in either case", () => {
    assert.equal(findOption(["k", "GET", "x"], "GET", tokens), 2);
    assert.equal(findOption(["k", "gEt"], "GET", tokens), 2);
    assert.equal(findOption(["k", Buffer.from("get")], "GET", tokens), 2);
  });

  test("gives -1 where there is none", () => {
    assert.equal(findOption(["GET"], "GET", tokens), -1);
    assert.equal(findOption([], "GET", tokens), -1);
    assert.equal(findOption(["k", null, undefined, 7], "GET", tokens), -1);
  });

  test("does not take an option's argument for an option", () => {
    assert.equal(findOption(["k", "EX", "GET"], "GET", tokens), -1);
    assert.equal(findOption(["k", "LIMIT", "GET", "GET"], "GET", tokens), -1);
    assert.equal(findOption(["k", "LIMIT", "GET", "GET", "GET"], "GET", tokens), 5);
    assert.equal(findOption(["k", "constructor", "GET"], "GET", tokens), 3);
  });

  test("steps over the mark of an approximate limit", () => {
    for (const mark of ["~", "="]) assert.equal(findOption(["k", "MAXLEN", mark, "GET", "GET"], "GET", tokens), 5);
    assert.equal(findOption(["k", "EX", "~", "GET"], "GET", tokens), 4);
  });

  test("finds the first of several names", () => {
    assert.equal(findOption(["k", "IFNE", "x", "IFEQ", "y"], ["IFEQ", "IFNE"], tokens), 2);
    assert.equal(findOption(["k", "x"], ["IFEQ", "IFNE"], tokens), -1);
  });

  test("goes on from a place it is given", () => {
    assert.equal(findOption(["k", "GET", "GET", "GET"], "GET", tokens, 2), 3);
  });
});

suite("locateValues() and lastIndex()", () => {
  test("find none where a command has none", () => {
    assert.deepEqual(visit(undefined, ["k", "v"]), []);
  });

  const calls: readonly (readonly [call: string, values: readonly number[]])[] = [
    ["set k", []],
    ["set k v w", [1]],
    ["mset", []],
    ["mset k v l", [1]],
    ["msetex 2 k v l w NX", [2, 4]],
    ["msetex 1e9 k v", [2]],
    ["msetex -1 k v", []],
    ["msetex x k v", []],
    ["hsetex k FIELDS 1e9 f v g w", [4, 6]],
    ["hsetex k FIELDS -1 f v", []],
    ["hsetex k FIELDS", []],
    ["xadd k", []],
    ["xadd k * f", []],
    ["xadd k MAXLEN 5", []],
    ["xadd k * f v g", [3]],
  ];
  for (const [call, values] of calls) {
    test(`visit the values of ${call}, and never what is not there`, () => {
      const { row, args } = rowOf(call);
      assert.deepEqual(visit(row.values, args), values);
    });
  }

  test("stay within the arguments whatever these are", () => {
    const argument = fc.oneof(
      fc.constantFrom("FIELDS", "MAXLEN", "~", "EX", "*", "2", "-1", "1e400", ""),
      fc.string({ maxLength: 3 }),
    );
    const name = fc.constantFrom("set", "mset", "msetex", "hset", "hsetex", "xadd", "rpush", "linsert");
    fc.assert(
      fc.property(name, fc.array(argument, { maxLength: 8 }), (command, args) => {
        for (const index of visit(findCommand(command, args)?.values, args)) {
          assert.ok(Number.isInteger(index) && index > 0 && index < args.length);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

suite("isAt()", () => {
  test("holds for the one index, or for every step from the first to the last", () => {
    const hits = (positions: Parameters<typeof isAt>[0]) => [0, 1, 2, 3, 4, 5, 6, 7].filter((i) => isAt(positions, i));
    assert.deepEqual(hits(undefined), []);
    assert.deepEqual(hits({ first: 2 }), [2]);
    assert.deepEqual(hits({ first: 1, step: 1 }), [1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(hits({ first: 1, step: 2 }), [1, 3, 5, 7]);
    assert.deepEqual(hits({ first: 2, step: 2, last: 5 }), [2, 4]);
    assert.deepEqual(hits({ first: 4, step: 2, last: 3 }), []);
  });

  test("agrees with what a loop visits", () => {
    for (const call of [
      "set k v w",
      "mset k v l w",
      "msetex 1 k v l w",
      "hsetex k EX 1 FIELDS 2 f v g w",
      "xadd k MAXLEN ~ 5 * f v g w",
    ]) {
      const { row, args } = rowOf(call);
      const positions = locateValues(row.values, args);
      assert.deepEqual(
        args.flatMap((_, i) => (isAt(positions, i) ? [i] : [])),
        visit(row.values, args),
        call,
      );
    }
  });
});

suite("replyHoldsValues()", () => {
  for (const [call, holds] of [
    ["get k", true],
    ["setnx k v", false],
    ["set k v", false],
    ["set k v GET", true],
    ["hscan k 0", true],
    ["hscan k 0 NOVALUES", false],
    ["hrandfield k 1", false],
    ["hrandfield k 1 WITHVALUES", true],
  ] as const) {
    test(`is ${holds} for ${call}`, () => {
      const { row, args } = rowOf(call);
      assert.equal(replyHoldsValues(row, args), holds);
    });
  }
});

suite("locateComparands()", () => {
  for (const [call, positions] of [
    ["get k", undefined],
    ["lrem k 0 v", { first: 2 }],
    ["lpos k v", { first: 1 }],
    ["linsert k AFTER p v", { first: 2 }],
    ["set k v", undefined],
    ["set k v IFEQ w", { first: 3 }],
    ["set k v IFEQ", { first: 3 }],
    ["delex k IFDEQ IFEQ", undefined],
  ] as const) {
    test(`finds ${positions === undefined ? "none" : `one at ${positions.first}`} in ${call}`, () => {
      const { row, args } = rowOf(call);
      assert.deepEqual(locateComparands(row, args), positions);
    });
  }
});
