import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { findCommand } from "../../src/commands.ts";
import type { ValueForm } from "../../src/decode-value.ts";
import { Attachment } from "../../src/seam/attachment.ts";
import { CommandState } from "../../src/seam/command-state.ts";
import { CommandReply, formOf } from "../../src/seam/reply-context.ts";
import { StubClient } from "../support/client.ts";
import { createCommand, type StubCommand } from "../support/commands.ts";
import { createShared, ruleOf } from "../support/keys.ts";

const shared = createShared({ "a:": {}, "b:": {}, "hash:": { types: ["hash"] } });

function createState(command: StubCommand, keyPrefix = ""): CommandState {
  const attachment = new Attachment(new StubClient({ keyPrefix }) as never, shared, undefined, new Map());
  return new CommandState(attachment, findCommand(command.name, command.args));
}

test("formOf() says how ioredis gives a reply to its caller", () => {
  const command = (replyEncoding: string | null) => ({ replyEncoding }) as never;
  assert.equal(formOf(command("utf8")), "text");
  assert.equal(formOf(command(null)), "bytes");
  assert.equal(formOf({} as never), "bytes");
  assert.equal(formOf(command("latin1")), "buffer");
});

suite("CommandReply", () => {
  test("gives every value the rule of the first key, and its place by index", () => {
    const command = createCommand("hvals", ["a:1"]);
    const state = createState(command);
    state.rule = ruleOf(shared, "a:");
    const context = new CommandReply(command, state, "bytes");
    assert.equal(context.shape, "values");
    assert.equal(context.shared, shared);
    assert.equal(context.ruleOf({ index: 7 }), state.rule);
    assert.deepEqual(context.placeOf({ index: 7 }), { key: "a:1", command: "hvals", index: 7 });
  });

  test("gives a reply of one value no index", () => {
    const command = createCommand("GET", ["a:1"]);
    const state = createState(command);
    const context = new CommandReply(command, state, "bytes");
    assert.deepEqual(context.placeOf({}), { key: "a:1", command: "get" });
  });

  test("gives element i of a reply by key the rule and the name of key i", () => {
    const command = createCommand("mget", ["a:1", "x:1", "b:1"]);
    const state = createState(command);
    state.rules = [ruleOf(shared, "a:"), undefined, ruleOf(shared, "b:")];
    const context = new CommandReply(command, state, "bytes");
    assert.deepEqual(
      [0, 1, 2, 3].map((index) => context.ruleOf({ index })?.prefix),
      ["a:", undefined, "b:", undefined],
    );
    assert.deepEqual(context.placeOf({ index: 2 }), { key: "b:1", command: "mget", index: 2 });
  });

  test("gives the field as the reply gives it: text, or bytes", () => {
    const command = createCommand("hgetall", ["a:1"]);
    const field = Buffer.from("f");
    const place = (form: ValueForm) => new CommandReply(command, createState(command), form).placeOf({ field });
    assert.deepEqual(place("text"), { key: "a:1", command: "hgetall", field: "f" });
    assert.deepEqual(place("bytes"), { key: "a:1", command: "hgetall", field });
  });

  test("names keys without the keyPrefix", () => {
    const command = createCommand("mget", ["a:1", Buffer.from("b:1")], { keyPrefix: "app:" });
    const state = createState(command, "app:");
    state.rules = [undefined, undefined];
    const context = new CommandReply(command, state, "bytes");
    assert.equal(context.placeOf({ index: 0 }).key, "a:1");
    assert.deepEqual(context.placeOf({ index: 1 }).key, Buffer.from("b:1"));
  });

  test("takes a command without a row for one whose reply is a value", () => {
    const command = createCommand("incr", ["a:1"]);
    assert.equal(new CommandReply(command, createState(command), "bytes").shape, "value");
  });

  suite("of a reply that names its keys", () => {
    const createContext = (keyPrefix = "", form: ValueForm = "bytes") => {
      const command = createCommand("xread", ["STREAMS", `${keyPrefix}b:1`, "0"]);
      return new CommandReply(command, createState(command, keyPrefix), form);
    };

    test("finds the rule by the key", () => {
      const context = createContext();
      assert.deepEqual(
        ["a:1", "b:1", "x:1", Buffer.from("b:1")].map((key) => context.ruleOf({ key })?.prefix),
        ["a:", "b:", undefined, "b:"],
      );
    });

    test("finds it only if it covers values of that type", () => {
      assert.equal(createContext().ruleOf({ key: "hash:1" }), undefined);
    });

    test("takes the key without the keyPrefix", () => {
      const context = createContext("app:");
      assert.equal(context.ruleOf({ key: "app:b:1" })?.prefix, "b:");
      assert.equal(context.ruleOf({ key: "b:1" }), undefined);
      assert.equal(context.placeOf({ key: "app:b:1" }).key, "b:1");
      assert.deepEqual(context.placeOf({ key: Buffer.from("app:b:1") }).key, Buffer.from("b:1"));
      assert.equal(context.placeOf({ key: "other:b:1" }).key, "other:b:1");
    });

    test("says where a value stood: key, index, field and id", () => {
      const [key, field, id] = ["b:1", "f", "1-1"].map((text) => Buffer.from(text));
      assert.deepEqual(createContext("", "text").placeOf({ key: key as Buffer, index: 1 }), {
        key: "b:1",
        command: "xread",
        index: 1,
      });
      const text = createContext("", "text").placeOf({ key: key as Buffer, field, id });
      assert.deepEqual(text, { key: "b:1", command: "xread", field: "f", id: "1-1" });
      const bytes = createContext().placeOf({ key: key as Buffer, field, id });
      assert.deepEqual(bytes, { key, command: "xread", field, id: "1-1" });
    });
  });

  test("names the key of a command that has it elsewhere", () => {
    const command = createCommand("xinfo", ["STREAM", "a:1"]);
    const context = new CommandReply(command, createState(command), "bytes");
    assert.deepEqual(context.placeOf({ id: "1-1" }), { key: "a:1", command: "xinfo", id: "1-1" });
  });

  test("names the empty key where a command has none", () => {
    const command = createCommand("get", []);
    assert.equal(new CommandReply(command, createState(command), "bytes").placeOf({}).key, "");
  });
});
