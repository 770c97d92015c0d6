import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type KeySpace, logicalKey, logicalOffset, logicalReplyKey, ruleAt, ruleOfCallKey, ruleOfReplyKey } from "../src/keys.ts";
import { createCommand } from "./support/commands.ts";
import { createSpace } from "./support/keys.ts";

const PREFIXES = { "a:": {}, "a:hash:": { types: ["hash"] }, "a:raw:": "raw" } as const;
const KEY_PREFIX = "日本:";

/** The command as the client makes it, and its first key as sent. */
function firstKey(key: string | Buffer, keyPrefix: string | Buffer | undefined) {
  const command = createCommand("get", [key], keyPrefix === undefined ? {} : { keyPrefix });
  const [sent = ""] = command.args;
  return { command, sent };
}

suite("a client without keyPrefix", () => {
  for (const keyPrefix of [undefined, "", null as never]) {
    test(`takes keys as they are, with a keyPrefix of ${JSON.stringify(keyPrefix)}`, () => {
      const space = createSpace(PREFIXES, keyPrefix);
      for (const key of ["a:1", Buffer.from("a:1")]) {
        const { command, sent } = firstKey(key, undefined);
        assert.equal(logicalOffset(space, command, sent), 0);
        assert.equal(logicalKey(space, command, sent), sent);
        assert.equal(ruleAt(space, command, 0, "string")?.prefix, "a:");
      }
    });
  }
});

suite("a client with keyPrefix", () => {
  for (const keyPrefix of [KEY_PREFIX, Buffer.from(KEY_PREFIX)]) {
    for (const key of ["a:é", Buffer.from("a:é")]) {
      const name = `${key instanceof Buffer ? "a Buffer" : "a string"} under ${keyPrefix instanceof Buffer ? "a Buffer" : "a string"}`;
      test(`strips what ioredis put before a key: ${name}`, () => {
        const space = createSpace(PREFIXES, keyPrefix);
        const { command, sent } = firstKey(key, keyPrefix);
        assert.equal(sent.toString(), `${KEY_PREFIX}a:é`);
        assert.equal(logicalKey(space, command, sent).toString(), "a:é");
        assert.equal(typeof logicalKey(space, command, sent), typeof sent);
        assert.equal(ruleAt(space, command, 0, "string")?.prefix, "a:");
      });
    }
  }

  test("strips nothing from a key that ioredis does not know as one", () => {
    const space = createSpace(PREFIXES, "a:");
    const command = createCommand("json.get", ["a:1"], { keyPrefix: "a:" });
    assert.equal(logicalOffset(space, command, "a:1"), 0);
    assert.equal(logicalKey(space, command, "a:1"), "a:1");
  });

  test("does not take the keyPrefix for a part of the key", () => {
    const space = createSpace({ "app:": {} }, "app:");
    const { command } = firstKey("a:1", "app:");
    assert.equal(ruleAt(space, command, 0, "string"), undefined);
    const doubled = firstKey("app:1", "app:");
    assert.equal(ruleAt(space, doubled.command, 0, "string")?.prefix, "app:");
  });

  test("strips the keyPrefix of every key", () => {
    const space = createSpace(PREFIXES, KEY_PREFIX);
    const command = createCommand("mset", ["x", "1", Buffer.from("a:1"), "2"], { keyPrefix: KEY_PREFIX });
    assert.equal(ruleAt(space, command, 0, "string"), undefined);
    assert.equal(ruleAt(space, command, 2, "string")?.prefix, "a:");
  });
});

suite("a cluster's node with keyPrefix", () => {
  const space = createSpace(PREFIXES, KEY_PREFIX, "node");

  for (const keyPrefix of [KEY_PREFIX, Buffer.from(KEY_PREFIX)]) {
    for (const key of [`${KEY_PREFIX}a:1`, Buffer.from(`${KEY_PREFIX}a:1`)]) {
      const name = `${key instanceof Buffer ? "a Buffer" : "a string"} under ${keyPrefix instanceof Buffer ? "a Buffer" : "a string"}`;
      test(`strips the prefix from a key that bears it: ${name}`, () => {
        const node = createSpace(PREFIXES, keyPrefix, "node");
        const { command, sent } = firstKey(key, undefined);
        assert.equal(logicalKey(node, command, sent).toString(), "a:1");
        assert.equal(ruleAt(node, command, 0, "string")?.prefix, "a:");
      });
    }
  }

  test("finds no rule for a key without the prefix", () => {
    for (const key of ["a:1", Buffer.from("a:1"), "", Buffer.alloc(0), "日", Buffer.from(KEY_PREFIX).subarray(0, 4)]) {
      const { command, sent } = firstKey(key, undefined);
      assert.equal(logicalOffset(space, command, sent), -1);
      assert.equal(ruleAt(space, command, 0, "string"), undefined);
      assert.equal(logicalKey(space, command, sent), sent);
    }
  });

  test("takes keys as they are in a cluster without keyPrefix", () => {
    const { command } = firstKey("a:1", undefined);
    assert.equal(ruleAt(createSpace(PREFIXES, undefined, "node"), command, 0, "string")?.prefix, "a:");
  });
});

suite("ruleAt()", () => {
  const space: KeySpace = createSpace(PREFIXES);

  test("finds a rule only for the types that it covers", () => {
    const { command } = firstKey("a:hash:1", undefined);
    assert.equal(ruleAt(space, command, 0, "string"), undefined);
    assert.equal(ruleAt(space, command, 0, "hash")?.prefix, "a:hash:");
  });

  test("finds none for a raw prefix, an unknown one and an argument that is not there", () => {
    assert.equal(ruleAt(space, firstKey("a:raw:1", undefined).command, 0, "string"), undefined);
    assert.equal(ruleAt(space, firstKey("b:1", undefined).command, 0, "string"), undefined);
    assert.equal(ruleAt(space, firstKey("a:1", undefined).command, 1, "string"), undefined);
  });
});

suite("ruleAt() of a channel", () => {
  const channels = { "a:": {}, "a:raw:": "raw" } as const;

  test("finds the rule of the channel, not that of a key of its name", () => {
    const space = createSpace({ "a:": {}, "b:": {} }, undefined, undefined, { channels });
    const rule = ruleAt(space, createCommand("publish", ["a:1", "m"]), 0, "channel");
    assert.equal(rule?.statsName, "channel:a:");
    assert.equal(ruleAt(space, createCommand("publish", ["b:1", "m"]), 0, "channel"), undefined);
    assert.equal(ruleAt(space, createCommand("publish", ["a:raw:1", "m"]), 0, "channel"), undefined);
    assert.equal(ruleAt(space, createCommand("get", ["a:1"]), 0, "string")?.statsName, "a:");
  });

  test("takes the channel without what ioredis put before it: SPUBLISH alone has a keyPrefix", () => {
    const space = createSpace({}, KEY_PREFIX, undefined, { channels });
    const sharded = createCommand("spublish", ["a:1", "m"], { keyPrefix: KEY_PREFIX });
    const plain = createCommand("publish", ["a:1", "m"], { keyPrefix: KEY_PREFIX });
    assert.deepEqual([sharded.args[0], plain.args[0]], [`${KEY_PREFIX}a:1`, "a:1"]);
    assert.equal(ruleAt(space, sharded, 0, "channel")?.prefix, "a:");
    assert.equal(ruleAt(space, plain, 0, "channel")?.prefix, "a:");
  });
});

suite("a key that the server names in a reply", () => {
  test("is the logical key where there is no keyPrefix", () => {
    for (const keyPrefix of [undefined, ""]) {
      const space = createSpace(PREFIXES, keyPrefix);
      for (const key of ["a:1", Buffer.from("a:1")]) {
        assert.equal(logicalReplyKey(space, key), key);
        assert.equal(ruleOfReplyKey(space, space.shared.rules, key, "list")?.prefix, "a:");
      }
    }
  });

  for (const keyPrefix of [KEY_PREFIX, Buffer.from(KEY_PREFIX)]) {
    for (const cluster of [undefined, "node"] as const) {
      const of = `${cluster === undefined ? "a client" : "a cluster's node"} whose keyPrefix is a ${typeof keyPrefix}`;
      test(`is stripped of the prefix of ${of}`, () => {
        const space = createSpace(PREFIXES, keyPrefix, cluster);
        for (const key of [`${KEY_PREFIX}a:1`, Buffer.from(`${KEY_PREFIX}a:1`)]) {
          assert.deepEqual(logicalReplyKey(space, key), key instanceof Buffer ? Buffer.from("a:1") : "a:1");
          assert.equal(ruleOfReplyKey(space, space.shared.rules, key, "list")?.prefix, "a:");
        }
      });

      test(`is under no rule without the prefix of ${of}`, () => {
        const space = createSpace({ "": {} }, keyPrefix, cluster);
        for (const key of ["a:1", Buffer.from("a:1"), "", Buffer.alloc(0)]) {
          assert.equal(logicalReplyKey(space, key), undefined);
          assert.equal(ruleOfReplyKey(space, space.shared.rules, key, "list"), undefined);
        }
      });
    }
  }

  test("has a rule only for the types that this covers", () => {
    const space = createSpace(PREFIXES);
    assert.equal(ruleOfReplyKey(space, space.shared.rules, "a:hash:1", "stream"), undefined);
    assert.equal(ruleOfReplyKey(space, space.shared.rules, "a:hash:1", "hash")?.prefix, "a:hash:");
    assert.equal(ruleOfReplyKey(space, space.shared.rules, "a:raw:1", "stream"), undefined);
    assert.equal(ruleOfReplyKey(space, space.shared.rules, "b:1", "stream"), undefined);
  });
});

suite("a key as a method is called with it", () => {
  const channels = { "c:": {} };

  test("is the logical key of a client, which ioredis is still to prefix", () => {
    const space = createSpace(PREFIXES, "app:", undefined, { channels });
    for (const key of ["a:1", Buffer.from("a:1")]) assert.equal(ruleOfCallKey(space, key, "string")?.prefix, "a:");
    assert.equal(ruleOfCallKey(space, "app:a:1", "string"), undefined);
    assert.equal(ruleOfCallKey(space, "c:1", "channel")?.prefix, "c:");
  });

  test("is the key as sent of a cluster's node", () => {
    const space = createSpace(PREFIXES, "app:", "node");
    for (const key of ["app:a:1", Buffer.from("app:a:1")]) assert.equal(ruleOfCallKey(space, key, "string")?.prefix, "a:");
    assert.equal(ruleOfCallKey(space, "a:1", "string"), undefined);
  });

  test("has a rule only for what this covers", () => {
    const space = createSpace(PREFIXES, undefined, undefined, { channels });
    assert.equal(ruleOfCallKey(space, "a:hash:1", "string"), undefined);
    assert.equal(ruleOfCallKey(space, "a:hash:1", "hash")?.prefix, "a:hash:");
    assert.equal(ruleOfCallKey(space, "a:1", "script")?.prefix, "a:");
    assert.equal(ruleOfCallKey(space, "a:raw:1", "string"), undefined);
    assert.equal(ruleOfCallKey(space, "c:1", "string"), undefined);
    assert.equal(ruleOfCallKey(space, "a:1", "channel"), undefined);
  });
});
