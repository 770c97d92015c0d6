import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { lz4, stored } from "@tightwire/codec-core";
import { findCommand } from "../src/commands.ts";
import type { KeySpace } from "../src/keys.ts";
import { findUnsafe } from "../src/unsafe.ts";
import { createCommand } from "./support/commands.ts";
import { createSpace } from "./support/keys.ts";

const strict = { minFrameBytes: 0, numbers: "framed", unframed: "reject" } as const;
const space = createSpace({
  "a:": { compressor: stored() },
  "a:raw:": "raw",
  "b:": { compressor: lz4() },
  "small:": { maxContentBytes: 1000 },
  "narrow:": { compressor: lz4(), accept: [] },
  "hash:": { types: ["hash"] },
  "list:": { types: ["list"] },
  "allowed:": { unsafe: "allow" },
  "strict:": strict,
  "stricthash:": { ...strict, types: ["hash"] },
  "lax:": { ...strict, unsafe: "allow" },
  "big:": { ...strict, unframed: "accept", maxContentBytes: 9_000_000 },
});

function find(one: KeySpace, call: string, keyPrefix?: string | Buffer) {
  const [name = "", ...args] = call.split(" ");
  const row = findCommand(name, args);
  assert.ok(row !== undefined, `no row for ${name}`);
  return findUnsafe(one, row, createCommand(name, args, keyPrefix === undefined ? {} : { keyPrefix }));
}

const REFUSED = [
  "append a:1 x",
  "APPEND a:1 x",
  "strlen a:1",
  "bitop AND x a:1",
  "bitop AND a:1 x",
  "bitop AND x y a:1",
  "pfmerge x y a:1",
  "pfcount x a:1",
  "lcs x a:1",
  "hstrlen hash:1 f",
  "sort list:1",
  "sort x GET a:*",
  "sort x get a:*",
  "sort x BY nosort GET # GET a:*",
  "sort x GET y:* GET a:* STORE z",
  "sort x GET *",
  "sort x GET a*",
  "sort x GET a:user:*:name",
  "sort x GET hash:*->name",
  "sort_ro x GET a:*->name",
  "rename a:1 x",
  "rename a:1 a:raw:1",
  "renamenx a:1 x",
  "copy a:1 x REPLACE",
  "copy a:1 hash:1",
  "copy a:1 small:1",
  "copy b:1 small:1",
  "copy a:1 narrow:1",
  "rpoplpush a:1 x",
  "lmove list:1 x LEFT LEFT",
  "lmove a:1 hash:1 LEFT LEFT",
  "blmove a:1 x LEFT LEFT 0",
  "brpoplpush a:1 x 0",
  "rename hash:1 list:1",
  "rename x:1 strict:1",
  "rename a:raw:1 strict:1",
  "copy b:1 strict:1",
  "sort x GET a:*->",
  "sort x GET a:->*",
];

const SENT = [
  "append x:1 x",
  "append a:raw:1 x",
  "append hash:1 x",
  "append allowed:1 x",
  "append",
  "bitop AND x y z",
  "bitop a:1 x y",
  "lcs x y a:1",
  "hstrlen list:1 f",
  "hstrlen a:raw:1 f",
  "sort x",
  "sort hash:1",
  "sort x GET #",
  "sort x GET y:*",
  "sort x GET a:raw:*",
  "sort x GET allowed:*",
  "sort x GET hash:*",
  "sort x GET y:*->a:f",
  "sort x BY a:*",
  "sort x BY GET LIMIT 0 a:*",
  "sort x STORE GET",
  "sort x GET",
  "rename x:1 a:1",
  "rename x:1 y:1",
  "rename a:raw:1 x",
  "rename a:1 a:2",
  "rename a:1 b:1",
  "rename small:1 a:1",
  "rename narrow:1 a:1",
  "rename hash:1 a:1",
  "rename hash:1 hash:2",
  "rename allowed:1 x",
  "rename a:1",
  "rename",
  "lmove hash:1 x LEFT LEFT",
  "lmove a:1 list:1 LEFT LEFT",
  "lmove a:1 b:1 LEFT LEFT",
  "sort x GET a:1",
  "sort x GET a:->f",
  "sort x GET hash:*->",
  "rename strict:1 strict:2",
  "rename strict:1 big:1",
  "lmove x:1 stricthash:1 LEFT LEFT",
  "rename x:1 lax:1",
];

suite("findUnsafe()", () => {
  for (const call of REFUSED) {
    test(`refuses ${call}`, () => {
      const error = find(space, call);
      assert.equal(error?.code, "CODEC_COMMAND_UNSAFE");
      assert.equal(error?.command, call.split(" ")[0]?.toLowerCase());
      assert.match(error?.message ?? "", /^[a-z]/);
    });
  }

  for (const call of SENT) {
    test(`lets ${call} pass`, () => {
      assert.equal(find(space, call), undefined);
    });
  }

  test("names the key that is under a rule", () => {
    assert.equal(find(space, "pfcount x a:1")?.key, "a:1");
    assert.equal(find(space, "bitop AND x a:1")?.key, "a:1");
    assert.equal(find(space, "sort x GET a:*")?.key, "a:*");
    assert.equal(find(space, "rename a:1 x")?.key, "a:1");
  });

  test("leaves commands that read and write values alone", () => {
    for (const call of ["get a:1", "set a:1 v", "hgetall a:1", "mget a:1"]) assert.equal(find(space, call), undefined);
  });

  test("takes keys without the keyPrefix, and names them so", () => {
    for (const keyPrefix of ["app:", Buffer.from("app:")]) {
      const prefixed: KeySpace = { ...space, keyPrefix };
      assert.equal(find(prefixed, "append a:1 x", keyPrefix)?.key?.toString(), "a:1");
      assert.equal(find(prefixed, "rename a:1 x", keyPrefix)?.key?.toString(), "a:1");
      assert.equal(find(prefixed, "rename a:1 a:2", keyPrefix), undefined);
      assert.equal(find(prefixed, "append x:1 x", keyPrefix), undefined);
      assert.equal(find(prefixed, "sort x GET a:*", keyPrefix)?.code, "CODEC_COMMAND_UNSAFE");
      assert.equal(find(prefixed, "sort x GET y:*", keyPrefix), undefined);
    }
  });

  test("takes no key of a cluster's node that lacks the keyPrefix", () => {
    const node: KeySpace = { ...space, keyPrefix: "app:", prefixed: true };
    assert.equal(find(node, "append a:1 x"), undefined);
    assert.equal(find(node, "append app:a:1 x")?.key, "a:1");
    assert.equal(find(node, "rename a:1 x"), undefined);
    assert.equal(find(node, "rename app:a:1 app:a:2"), undefined);
    assert.equal(find(node, "rename app:a:1 a:2")?.code, "CODEC_COMMAND_UNSAFE");
  });
});
