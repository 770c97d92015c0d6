import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { stored } from "@tightwire/codec-core";
import { encodeArguments, encodeComparands } from "../src/arguments.ts";
import { COMMANDS, type CommandRow, findCommand, ONE_KEY_COMMANDS, type ReplyShape } from "../src/commands.ts";
import type { ValueType } from "../src/options.ts";
import { replyHoldsValues } from "../src/positions.ts";
import { findUnsafe } from "../src/unsafe.ts";
import { createCommand, type StubCommand } from "./support/commands.ts";
import { createSpace } from "./support/keys.ts";

interface Sample {
  /** The command's name and its arguments, in words. */
  readonly call: string;
  /** Arguments that are values, counted from 0 after the name. */
  readonly values?: readonly number[];
  readonly reply?: ReplyShape;
  /** Arguments that the server compares with what it holds. */
  readonly comparands?: readonly number[];
  /** Types of the values that the command brings from its first key to its second. */
  readonly moves?: readonly ValueType[];
  /** Arguments that are keys whose frames the command would read or change. */
  readonly unsafe?: readonly number[];
}

const ANY_TYPE: readonly ValueType[] = ["string", "hash", "list", "stream"];

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
  { call: "set k v IFEQ GET", values: [1], comparands: [3] },
  { call: "set k v IFEQ GET GET", values: [1], comparands: [3], reply: "value" },
  { call: "set k v ifne w EX 10", values: [1], comparands: [3] },
  { call: "set k v EX IFEQ IFNE w", values: [1], comparands: [5] },
  { call: "set k v IFDEQ IFEQ", values: [1] },
  { call: "set k IFEQ IFDNE d", values: [1] },
  { call: "set k v IFEQ", values: [1] },
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
  { call: "msetex 1 k v", values: [2] },
  { call: "msetex 2 k v l w EX 10", values: [2, 4] },
  { call: "msetex 1 k v NX KEEPTTL", values: [2] },
  { call: "msetex 3 k v", values: [2] },
  { call: "msetex 0 k v" },
  { call: "msetex k v" },
  { call: "delifeq k v", comparands: [1] },
  { call: "delex k" },
  { call: "delex k IFEQ v", comparands: [2] },
  { call: "delex k ifne v", comparands: [2] },
  { call: "delex IFEQ IFNE IFEQ", comparands: [2] },
  { call: "delex k IFDEQ IFEQ" },
  { call: "hset k f v", values: [2] },
  { call: "hset k f v g w h x", values: [2, 4, 6] },
  { call: "hmset k f v g w", values: [2, 4] },
  { call: "hsetnx k f v", values: [2] },
  { call: "hsetex k FIELDS 1 f v", values: [4] },
  { call: "hsetex k FNX EX 10 FIELDS 2 f v g w", values: [7, 9] },
  { call: "hsetex k KEEPTTL fields 2 f v", values: [5] },
  { call: "hsetex FIELDS EX FIELDS FIELDS 1 FIELDS FIELDS", values: [6] },
  { call: "hsetex k FIELDS 1 f v FXX", values: [4] },
  { call: "hsetex k FIELDS 1 f v EX 10", values: [4] },
  { call: "hsetex k FIELDS f v" },
  { call: "hsetex k f v" },
  { call: "himport SET k s v w", values: [3, 4] },
  { call: "himport set k s v", values: [3] },
  { call: "hgetex k EX 10 FIELDS 1 f", reply: "values" },
  { call: "hgetdel k FIELDS 2 f g", reply: "values" },
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
  { call: "rename k l", moves: ANY_TYPE },
  { call: "renamenx k l", moves: ANY_TYPE },
  { call: "copy k l REPLACE", moves: ANY_TYPE },

  { call: "lpush k v", values: [1] },
  { call: "lpush k v w x", values: [1, 2, 3] },
  { call: "rpush k v w", values: [1, 2] },
  { call: "lpushx k v w", values: [1, 2] },
  { call: "rpushx k v", values: [1] },
  { call: "lset k 0 v", values: [2] },
  { call: "linsert k BEFORE p v", values: [3], comparands: [2] },
  { call: "lrem k 0 v", comparands: [2] },
  { call: "lpos k v RANK 1 COUNT 2", comparands: [1] },
  { call: "lindex k 0", reply: "value" },
  { call: "lrange k 0 -1", reply: "values" },
  { call: "lpop k", reply: "value" },
  { call: "rpop k 2", reply: "value" },
  { call: "blpop k l 0", reply: "keyed" },
  { call: "brpop k 0", reply: "keyed" },
  { call: "lmpop 1 k LEFT COUNT 2", reply: "keyed" },
  { call: "blmpop 0 2 k l RIGHT", reply: "keyed" },
  { call: "rpoplpush k l", reply: "value", moves: ["list"] },
  { call: "brpoplpush k l 1", reply: "value", moves: ["list"] },
  { call: "lmove k l LEFT RIGHT", reply: "value", moves: ["list"] },
  { call: "blmove k l LEFT RIGHT 1", reply: "value", moves: ["list"] },
  { call: "lmovem k l LEFT RIGHT COUNT 2", reply: "value", moves: ["list"] },
  { call: "blmovem k l LEFT RIGHT 1 COUNT 2", reply: "value", moves: ["list"] },

  { call: "xadd k * f v", values: [3] },
  { call: "xadd k 1-1 f v g w", values: [3, 5] },
  { call: "xadd k NOMKSTREAM MAXLEN ~ 1000 LIMIT 10 * f v g w", values: [9, 11] },
  { call: "xadd k maxlen = 5 1-1 f v", values: [6] },
  { call: "xadd k MINID 5-0 * f v", values: [5] },
  { call: "xadd k MINID ~ 5-0 * f v", values: [6] },
  { call: "xadd k KEEPREF * f v", values: [4] },
  { call: "xadd k DELREF MAXLEN 5 * f v", values: [6] },
  { call: "xadd k ACKED * f v", values: [4] },
  { call: "xadd k IDMP p i * f v", values: [6] },
  { call: "xadd k IDMPAUTO p * f v", values: [5] },
  { call: "xadd MAXLEN * MAXLEN LIMIT", values: [3] },
  { call: "xadd k * MINID MAXLEN MAXLEN NOMKSTREAM", values: [3, 5] },
  { call: "xadd k *" },
  { call: "xadd k MAXLEN" },
  { call: "xrange k - + COUNT 2", reply: "entries" },
  { call: "xrevrange k + -", reply: "entries" },
  { call: "xclaim k g c 0 1-1 JUSTID", reply: "entries" },
  { call: "xautoclaim k g c 0 0-0", reply: "claimed" },
  { call: "xread COUNT 2 STREAMS k l 0 0", reply: "streams" },
  { call: "xreadgroup GROUP g c STREAMS k >", reply: "streams" },
  { call: "xinfo STREAM k FULL", reply: "streamInfo" },

  { call: "publish c v", values: [1] },
  { call: "spublish c v", values: [1] },
];

const PREFIX = "ruled:";
const framing = { compressor: stored(), minFrameBytes: 0, numbers: "framed" } as const;
const everywhere = createSpace({ "": { ...framing, unsafe: "allow", comparands: "encode" } }, undefined, undefined, {
  channels: { "": framing },
});
const ruled = createSpace({ [PREFIX]: framing });

function parse(call: string): { name: string; args: string[]; row: CommandRow } {
  const [name = "", ...args] = call.split(" ");
  const row = findCommand(name, args);
  assert.ok(row !== undefined, `no row for ${call}`);
  return { name, args, row };
}

/** Indexes of the arguments that `encode` replaces. */
function findReplaced(name: string, args: readonly string[], encode: (command: StubCommand) => boolean): number[] {
  const command = createCommand(name, args);
  const replaced = encode(command);
  const indexes = command.args.flatMap((argument, i) => (argument === args[i] ? [] : [i]));
  assert.equal(replaced, indexes.length > 0);
  return indexes;
}

suite("the table of commands", () => {
  test("has a sample of every command, and every sample a command", () => {
    const sampled = new Set(SAMPLES.map(({ call }) => parse(call).name.toLowerCase()));
    assert.deepEqual([...COMMANDS.keys()].sort(), [...sampled].sort());
  });

  for (const { call, values = [], reply, comparands = [], unsafe = [], moves } of SAMPLES) {
    test(`${call}: ${describe({ values, comparands, unsafe }, reply)}`, () => {
      const { name, args, row } = parse(call);
      assert.deepEqual(
        findReplaced(name, args, (command) => encodeArguments(everywhere, row, command)),
        values,
      );
      assert.deepEqual(
        findReplaced(name, args, (command) => encodeComparands(everywhere, row, command)),
        comparands,
      );
      assert.equal(replyHoldsValues(row, args) ? row.reply : undefined, reply);
      assert.deepEqual(row.moves, moves);
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

const SHAPES_OF_KEYS: readonly unknown[] = ["byKey", "keyed", "streams"];

suite("ONE_KEY_COMMANDS", () => {
  for (const { call } of SAMPLES.filter((sample) => ONE_KEY_COMMANDS.has(parse(sample.call).name))) {
    test(`${call}: nothing happens to it where all but its key is under a rule`, () => {
      const { name, args, row } = parse(call);
      const { key, home } = ONE_KEY_COMMANDS.get(name) ?? assert.fail();
      assert.equal(home, row.home);
      const space =
        home === "channel"
          ? createSpace({ "": framing }, undefined, undefined, { channels: { other: framing } })
          : createSpace({ "": framing, [args[key] ?? ""]: "raw" }, undefined, undefined, { channels: { "": framing } });
      const command = createCommand(name, args);
      assert.equal(encodeArguments(space, row, command), false);
      assert.equal(encodeComparands(space, row, command), false);
      assert.equal(findUnsafe(space, row, command), undefined);
      assert.ok(!SHAPES_OF_KEYS.includes(row.reply), "the reply holds values of no other key");
    });
  }

  test("are not those whose other arguments are keys too", () => {
    for (const name of [
      "mget",
      "mset",
      "msetex",
      "bitop",
      "pfcount",
      "lcs",
      "rename",
      "lmove",
      "blpop",
      "xread",
      "xinfo",
      "sort",
    ]) {
      assert.equal(ONE_KEY_COMMANDS.has(name), false, name);
    }
  });
});

suite("findCommand()", () => {
  test("finds a command in whatever case it is spelled", () => {
    const row = COMMANDS.get("hgetall");
    assert.ok(row !== undefined);
    for (const name of ["hgetall", "HGETALL", "HGetAll"]) assert.equal(findCommand(name, ["k"]), row);
  });

  test("finds nothing for a command without values", () => {
    for (const name of ["incr", "expire", "json.get", "zadd", "sadd", "constructor", "", "set "]) {
      assert.equal(findCommand(name, ["k"]), undefined);
    }
  });

  test("finds a command with subcommands only for the one that its row is for", () => {
    for (const subcommand of ["STREAM", "stream", Buffer.from("Stream")]) {
      assert.equal(findCommand("xinfo", [subcommand, "k"]), COMMANDS.get("xinfo"));
    }
    for (const args of [["GROUPS", "k"], ["CONSUMERS", "k", "g"], ["HELP"], []]) {
      assert.equal(findCommand("XINFO", args), undefined);
    }
    assert.equal(findCommand("himport", ["SET", "k", "s", "v"]), COMMANDS.get("himport"));
    for (const subcommand of ["PREPARE", "DISCARD", "DISCARDALL"]) {
      assert.equal(findCommand("himport", [subcommand, "s", "f"]), undefined);
    }
  });

  test("has rows that nobody can change", () => {
    for (const row of COMMANDS.values()) assert.ok(Object.isFrozen(row));
  });
});

type Indexes = Readonly<Record<"values" | "comparands" | "unsafe", readonly number[]>>;

function describe({ values, comparands, unsafe }: Indexes, reply: ReplyShape | undefined): string {
  const places = values.length > 0 ? `values at ${values.join(", ")}` : "no values";
  const compared = comparands.length > 0 ? `, compared at ${comparands.join(", ")}` : "";
  const refused = unsafe.length > 0 ? `, refused for keys at ${unsafe.join(", ")}` : "";
  return `${places}, ${reply === undefined ? "none in the reply" : `the reply is ${reply}`}${compared}${refused}`;
}
