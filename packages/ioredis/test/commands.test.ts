import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { stored } from "@tightwire/codec-core";
import { encodeArguments } from "../src/arguments.ts";
import { COMMANDS, type CommandRow, findCommand, findOption, type ReplyShape, replyHoldsValues } from "../src/commands.ts";
import { findUnsafe } from "../src/unsafe.ts";
import { createCommand } from "./support/commands.ts";
import { createSpace } from "./support/keys.ts";

interface Sample {
  /** The command's name and its arguments, in words. */
  readonly call: string;
  /** Arguments that are values, counted from 0 after the name. */
  readonly values?: readonly number[];
  readonly reply?: ReplyShape;
  /** Arguments that are keys whose frames the command would read or change. */
  readonly unsafe?: readonly number[];
}

// Written from the documentation of Redis, command by command; the source's table is not looked at.
const SAMPLES: readonly Sample[] = [
  { call: "set k v", values: [1] },
  { call: "set k v EX 10", values: [1] },
  { call: "set k v NX GET", values: [1], reply: "value" },
  { call: "set k v GET", values: [1], reply: "value" },
  { call: "set k v get", values: [1], reply: "value" },
  { call: "set k v EX 10 GET", values: [1], reply: "value" },
  { call: "set k v KEEPTTL GET", values: [1], reply: "value" },
  { call: "set k v GET PXAT 10", values: [1], reply: "value" },
  { call: "set k GET", values: [1] },
  { call: "set GET v", values: [1] },
  { call: "set GET GET", values: [1] },
  { call: "set GET GET GET", values: [1], reply: "value" },
  { call: "set EX GET EX 10", values: [1] },
  { call: "set k v IFEQ GET", values: [1] },
  { call: "set k v IFEQ GET GET", values: [1], reply: "value" },
  { call: "SET k v GET", values: [1], reply: "value" },
  { call: "setex k 10 v", values: [2] },
  { call: "psetex k 10 v", values: [2] },
  { call: "setnx k v", values: [1] },
  { call: "getset k v", values: [1], reply: "value" },
  { call: "get k", reply: "value" },
  { call: "getdel k", reply: "value" },
  { call: "getex k EX 10", reply: "value" },
  { call: "mget k", reply: "byKey" },
  { call: "mget k l m", reply: "byKey" },
  { call: "mset k v", values: [1] },
  { call: "mset k v l w m x", values: [1, 3, 5] },
  { call: "msetnx k v l w", values: [1, 3] },
  { call: "hset k f v", values: [2] },
  { call: "hset k f v g w h x", values: [2, 4, 6] },
  { call: "hmset k f v g w", values: [2, 4] },
  { call: "hsetnx k f v", values: [2] },
  { call: "hget k f", reply: "value" },
  { call: "hmget k f g", reply: "values" },
  { call: "hvals k", reply: "values" },
  { call: "hgetall k", reply: "fields" },
  { call: "hrandfield k" },
  { call: "hrandfield k 3" },
  { call: "hrandfield WITHVALUES 3" },
  { call: "hrandfield k 3 WITHVALUES", reply: "fields" },
  { call: "hrandfield k -3 withvalues", reply: "fields" },
  { call: "hscan k 0", reply: "scan" },
  { call: "hscan k 0 MATCH f* COUNT 10", reply: "scan" },
  { call: "hscan k 0 MATCH NOVALUES", reply: "scan" },
  { call: "hscan NOVALUES 0", reply: "scan" },
  { call: "hscan k 0 NOVALUES" },
  { call: "hscan k 0 COUNT 10 MATCH NOVALUES NOVALUES" },
  { call: "hscan k 0 novalues COUNT 10" },
  { call: "append k v", unsafe: [0] },
  { call: "setrange k 0 v", unsafe: [0] },
  { call: "setbit k 0 1", unsafe: [0] },
  { call: "bitfield k GET u8 0", unsafe: [0] },
  { call: "bitop AND k l m", unsafe: [1, 2, 3] },
  { call: "bitop NOT k l", unsafe: [1, 2] },
  { call: "pfadd k e f", unsafe: [0] },
  { call: "pfmerge k l m", unsafe: [0, 1, 2] },
  { call: "getrange k 0 1", unsafe: [0] },
  { call: "substr k 0 1", unsafe: [0] },
  { call: "getbit k 0", unsafe: [0] },
  { call: "bitcount k 0 1", unsafe: [0] },
  { call: "bitpos k 1 0", unsafe: [0] },
  { call: "bitfield_ro k GET u8 0", unsafe: [0] },
  { call: "lcs k l LEN", unsafe: [0, 1] },
  { call: "pfcount k l", unsafe: [0, 1] },
  { call: "strlen k", unsafe: [0] },
  { call: "hstrlen k f", unsafe: [0] },
  { call: "sort k", unsafe: [0] },
  { call: "sort k BY nosort LIMIT 0 1 GET #", unsafe: [0] },
  { call: "sort k GET w_* STORE l", unsafe: [0, 2] },
  { call: "sort k GET # GET w_*", unsafe: [0, 4] },
  { call: "sort k BY GET LIMIT 0 1 GET w_*", unsafe: [0, 7] },
  { call: "sort_ro k GET w_*->f", unsafe: [0, 2] },
  { call: "rename k l" },
  { call: "renamenx k l" },
  { call: "copy k l REPLACE" },
  { call: "rpoplpush k l" },
  { call: "brpoplpush k l 1" },
  { call: "lmove k l LEFT RIGHT" },
  { call: "blmove k l LEFT RIGHT 1" },
];

const PREFIX = "ruled:";
const framing = { compressor: stored(), minFrameBytes: 0, numbers: "framed" } as const;
const everywhere = createSpace({ "": { ...framing, unsafe: "allow" } });
const ruled = createSpace({ [PREFIX]: framing });

function parse(call: string): { name: string; args: string[]; row: CommandRow } {
  const [name = "", ...args] = call.split(" ");
  const row = findCommand(name);
  assert.ok(row !== undefined, `no row for ${name}`);
  return { name, args, row };
}

suite("the table of commands", () => {
  test("has a sample of every command, and every sample a command", () => {
    const sampled = new Set(SAMPLES.map(({ call }) => parse(call).name.toLowerCase()));
    assert.deepEqual([...COMMANDS.keys()].sort(), [...sampled].sort());
  });

  for (const { call, values = [], reply, unsafe = [] } of SAMPLES) {
    test(`${call}: ${describe(values, reply, unsafe)}`, () => {
      const { name, args, row } = parse(call);
      const command = createCommand(name, args);
      assert.equal(encodeArguments(everywhere, row, command), values.length > 0);
      const encoded = command.args.flatMap((argument, i) => (argument === args[i] ? [] : [i]));
      assert.deepEqual(encoded, values);
      assert.equal(replyHoldsValues(row, args) ? row.reply : undefined, reply);
      assert.deepEqual(
        args.flatMap((_, i) => (isRefusedUnder(name, args, row, i) ? [i] : [])),
        unsafe,
      );
    });
  }
});

/** Whether the command is refused when this argument alone is under the rule. */
function isRefusedUnder(name: string, args: readonly string[], row: CommandRow, index: number): boolean {
  if (row.moves !== undefined) return false;
  const moved = args.map((argument, i) => (i === index && argument !== "#" ? PREFIX + argument : argument));
  return findUnsafe(ruled, row, createCommand(name, moved)) !== undefined;
}

suite("findCommand()", () => {
  test("finds a command in whatever case it is spelled", () => {
    const row = COMMANDS.get("hgetall");
    assert.ok(row !== undefined);
    for (const name of ["hgetall", "HGETALL", "HGetAll"]) assert.equal(findCommand(name), row);
  });

  test("finds nothing for a command without values", () => {
    for (const name of ["incr", "expire", "json.get", "zadd", "sadd", "constructor", "", "set "]) {
      assert.equal(findCommand(name), undefined);
    }
  });

  test("has rows that nobody can change", () => {
    for (const row of COMMANDS.values()) assert.ok(Object.isFrozen(row));
  });
});

suite("findOption()", () => {
  const tokens = { first: 1, arity: { EX: 1, LIMIT: 2 } };

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

  test("goes on from a place it is given", () => {
    assert.equal(findOption(["k", "GET", "GET", "GET"], "GET", tokens, 2), 3);
  });
});

function describe(values: readonly number[], reply: ReplyShape | undefined, unsafe: readonly number[]): string {
  const places = values.length > 0 ? `values at ${values.join(", ")}` : "no values";
  const refused = unsafe.length > 0 ? `, refused for keys at ${unsafe.join(", ")}` : "";
  return `${places}, ${reply === undefined ? "none in the reply" : `the reply is ${reply}`}${refused}`;
}
