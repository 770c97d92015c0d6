import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { suite, test } from "node:test";
import { PASSED_COMMANDS } from "../../packages/ioredis/src/command-classes.ts";
import { COMMANDS } from "../../packages/ioredis/src/commands.ts";
import { useRedis } from "./support/clients.ts";
import { COMMAND_NAMES } from "./support/typed-command-names.ts";

const redis = useRedis();
const PASSED = Object.values(PASSED_COMMANDS).flat();
const CLASSIFIED: ReadonlySet<string> = new Set([...COMMANDS.keys(), ...PASSED]);

/** What of a list of commands is in no class; sub-commands ("config|get") follow their command. */
function unclassified(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.toLowerCase().split("|")[0] ?? ""))].filter((name) => !CLASSIFIED.has(name));
}

/** The commands that the installed copy of an ioredis knows. */
function listOfIoredis(name: string): string[] {
  const require = createRequire(createRequire(import.meta.url).resolve(name));
  return (require("@ioredis/commands") as { list: string[] }).list;
}

// Valkey has commands that Redis lacks.
const VALKEY = ["delifeq", "commandlog", "clusterscan"];

suite("the table of commands", () => {
  test("classifies every command of the server", async () => {
    const names = (await redis.bare.command("LIST")) as string[];
    assert.ok(names.length > 200);
    assert.deepStrictEqual(unclassified(names), []);
  });

  for (const name of ["ioredis", "ioredis-5", "ioredis-5.4"]) {
    test(`classifies every command that ${name} knows`, () => {
      const names = listOfIoredis(name);
      assert.ok(names.length > 200);
      assert.deepStrictEqual(unclassified(names), []);
    });
  }

  test("classifies every command of newer servers", () => {
    assert.equal(COMMAND_NAMES.length, 316);
    assert.deepStrictEqual(unclassified(COMMAND_NAMES), []);
  });

  test("classifies no command twice, and none that nobody knows", () => {
    const all = [...COMMANDS.keys(), ...PASSED];
    assert.deepStrictEqual(
      all.filter((name, i) => all.indexOf(name) !== i),
      [],
    );
    const known = new Set([...COMMAND_NAMES, "sentinel", ...VALKEY]);
    assert.deepStrictEqual(
      all.filter((name) => !known.has(name)),
      [],
    );
  });

  test("notices a command that it does not classify", () => {
    assert.deepStrictEqual(unclassified(["get", "config|get", "newcommand", "NEWCOMMAND|sub"]), ["newcommand"]);
  });
});

suite("keys of commands with values", () => {
  /** One call of each row that a server before 8 knows, with the words KEY and KEY2 where the table says the keys are. */
  const CALLS: readonly string[] = [
    ...["set KEY v", "setex KEY 1 v", "psetex KEY 1 v", "setnx KEY v", "getset KEY v", "get KEY", "getdel KEY", "getex KEY"],
    ...["mget KEY KEY2", "mset KEY v KEY2 v", "msetnx KEY v KEY2 v"],
    ...["hset KEY f v", "hmset KEY f v", "hsetnx KEY f v", "hget KEY f", "hmget KEY f", "hvals KEY", "hgetall KEY"],
    ...["hrandfield KEY", "hscan KEY 0", "lpush KEY v", "rpush KEY v", "lpushx KEY v", "rpushx KEY v", "lset KEY 0 v"],
    ...["linsert KEY BEFORE p v", "lrem KEY 0 v", "lpos KEY v", "lindex KEY 0", "lrange KEY 0 -1", "lpop KEY", "rpop KEY"],
    ...["blpop KEY KEY2 0", "brpop KEY KEY2 0", "lmpop 2 KEY KEY2 LEFT", "blmpop 0 2 KEY KEY2 LEFT"],
    ...["rpoplpush KEY KEY2", "brpoplpush KEY KEY2 0", "lmove KEY KEY2 LEFT LEFT", "blmove KEY KEY2 LEFT LEFT 0"],
    ...["xadd KEY * f v", "xrange KEY - +", "xrevrange KEY + -", "xclaim KEY g c 0 1-1", "xautoclaim KEY g c 0 0"],
    ...["xread STREAMS KEY KEY2 0 0", "xreadgroup GROUP g c STREAMS KEY KEY2 > >", "xinfo STREAM KEY"],
    ...["append KEY v", "setrange KEY 0 v", "setbit KEY 0 1", "bitfield KEY GET u8 0", "bitop AND KEY KEY2", "pfadd KEY e"],
    ...["pfmerge KEY KEY2", "getrange KEY 0 1", "substr KEY 0 1", "getbit KEY 0", "bitcount KEY", "bitpos KEY 0"],
    ...["bitfield_ro KEY GET u8 0", "lcs KEY KEY2", "pfcount KEY KEY2", "strlen KEY", "hstrlen KEY f", "sort KEY", "sort_ro KEY"],
    ...["rename KEY KEY2", "renamenx KEY KEY2", "copy KEY KEY2"],
  ];
  /** Rows whose keys stand in a reply, or are named by a count. */
  const NAMED_ELSEWHERE: ReadonlySet<string> = new Set(["keyed", "streams"]);

  test("have an example for every row", () => {
    const names = new Set(CALLS.map((call) => call.split(" ")[0]));
    const newer = [
      "msetex",
      "delex",
      "delifeq",
      "hsetex",
      "himport",
      "hgetex",
      "hgetdel",
      "lmovem",
      "blmovem",
      "publish",
      "spublish",
    ];
    assert.deepStrictEqual(
      [...COMMANDS.keys()].filter((name) => !names.has(name)),
      newer,
    );
  });

  for (const call of CALLS) {
    const [name = "", ...args] = call.split(" ");
    test(`${call}: are where the server says`, async () => {
      const keys = ((await redis.bare.command("GETKEYS", name, ...args)) as string[]).sort();
      assert.deepStrictEqual(keys, args.filter((argument) => argument.startsWith("KEY")).sort());
      const row = COMMANDS.get(name);
      if (NAMED_ELSEWHERE.has(row?.reply ?? "") || row?.unsafe !== undefined) return;
      assert.equal(args[row?.values?.keyBefore === true ? 0 : (row?.key ?? 0)], "KEY");
    });
  }
});
