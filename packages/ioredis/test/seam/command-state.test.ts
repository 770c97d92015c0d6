import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { findCommand } from "../../src/commands.ts";
import { Attachment } from "../../src/seam/attachment.ts";
import { CommandState, createReplyContext, markCommand, stateOf } from "../../src/seam/command-state.ts";
import { StubClient } from "../support/client.ts";
import { createCommand, type StubCommand } from "../support/commands.ts";
import { createShared, ruleOf } from "../support/keys.ts";

const shared = createShared({ "a:": {}, "b:": {}, "hash:": { types: ["hash"] } });

function createState(command: StubCommand, keyPrefix = ""): CommandState {
  const attachment = new Attachment(new StubClient({ keyPrefix }) as never, shared, undefined, new Map());
  return new CommandState(attachment, findCommand(command.name, command.args));
}

suite("markCommand() and stateOf()", () => {
  test("find the state of a command that is marked, where nobody else looks", () => {
    const command = createCommand("get", ["a:1"]);
    const keys = Object.keys(command);
    assert.equal(stateOf(command), undefined);
    const state = createState(command);
    assert.equal(markCommand(command, state), state);
    assert.equal(stateOf(command), state);
    assert.deepEqual(Object.keys(command), keys);
  });

  test("keep the first state", () => {
    const command = createCommand("get", ["a:1"]);
    const state = markCommand(command, createState(command));
    assert.throws(() => markCommand(command, createState(command)), TypeError);
    assert.equal(stateOf(command), state);
  });
});

suite("CommandState", () => {
  test("decodes replies once it has a rule or rules", () => {
    const command = createCommand("get", ["a:1"]);
    const state = createState(command);
    assert.equal(state.decodesReply, false);
    state.rule = ruleOf(shared, "a:");
    assert.equal(state.decodesReply, true);
    const other = createState(command);
    other.rules = [];
    assert.equal(other.decodesReply, true);
  });

  test("decodes replies that name their keys, whatever rules there are", () => {
    const state = createState(createCommand("blpop", ["a:1", "0"]));
    state.ruleSet = shared.rules;
    assert.equal(state.decodesReply, true);
  });
});

suite("createReplyContext()", () => {
  test("gives every value the rule of the first key, and its place by index", () => {
    const command = createCommand("hvals", ["a:1"]);
    const state = createState(command);
    state.rule = ruleOf(shared, "a:");
    const context = createReplyContext(command, state, true);
    assert.equal(context.shape, "values");
    assert.equal(context.shared, shared);
    assert.equal(context.ruleOf({ index: 7 }), state.rule);
    assert.deepEqual(context.placeOf({ index: 7 }), { key: "a:1", command: "hvals", index: 7 });
  });

  test("gives a reply of one value no index", () => {
    const command = createCommand("GET", ["a:1"]);
    const state = createState(command);
    const context = createReplyContext(command, state, true);
    assert.deepEqual(context.placeOf({}), { key: "a:1", command: "get" });
  });

  test("gives element i of a reply by key the rule and the name of key i", () => {
    const command = createCommand("mget", ["a:1", "x:1", "b:1"]);
    const state = createState(command);
    state.rules = [ruleOf(shared, "a:"), undefined, ruleOf(shared, "b:")];
    const context = createReplyContext(command, state, true);
    assert.deepEqual(
      [0, 1, 2, 3].map((index) => context.ruleOf({ index })?.prefix),
      ["a:", undefined, "b:", undefined],
    );
    assert.deepEqual(context.placeOf({ index: 2 }), { key: "b:1", command: "mget", index: 2 });
  });

  test("gives the field as the reply gives it: text, or bytes", () => {
    const command = createCommand("hgetall", ["a:1"]);
    const field = Buffer.from("f");
    const place = (bytes: boolean) => createReplyContext(command, createState(command), bytes).placeOf({ field });
    assert.deepEqual(place(false), { key: "a:1", command: "hgetall", field: "f" });
    assert.deepEqual(place(true), { key: "a:1", command: "hgetall", field });
  });

  test("names keys without the keyPrefix", () => {
    const command = createCommand("mget", ["a:1", Buffer.from("b:1")], { keyPrefix: "app:" });
    const state = createState(command, "app:");
    state.rules = [undefined, undefined];
    const context = createReplyContext(command, state, true);
    assert.equal(context.placeOf({ index: 0 }).key, "a:1");
    assert.deepEqual(context.placeOf({ index: 1 }).key, Buffer.from("b:1"));
  });

  test("takes a command without a row for one whose reply is a value", () => {
    const command = createCommand("incr", ["a:1"]);
    assert.equal(createReplyContext(command, createState(command), true).shape, "value");
  });

  suite("of a reply that names its keys", () => {
    const createContext = (keyPrefix = "", bytes = true) => {
      const command = createCommand("xread", ["STREAMS", `${keyPrefix}b:1`, "0"]);
      return createReplyContext(command, createState(command, keyPrefix), bytes);
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
      assert.deepEqual(createContext("", false).placeOf({ key: key as Buffer, index: 1 }), {
        key: "b:1",
        command: "xread",
        index: 1,
      });
      const text = createContext("", false).placeOf({ key: key as Buffer, field, id });
      assert.deepEqual(text, { key: "b:1", command: "xread", field: "f", id: "1-1" });
      const bytes = createContext().placeOf({ key: key as Buffer, field, id });
      assert.deepEqual(bytes, { key, command: "xread", field, id: "1-1" });
    });
  });

  test("names the key of a command that has it elsewhere", () => {
    const command = createCommand("xinfo", ["STREAM", "a:1"]);
    const context = createReplyContext(command, createState(command), true);
    assert.deepEqual(context.placeOf({ id: "1-1" }), { key: "a:1", command: "xinfo", id: "1-1" });
  });

  test("names the empty key where a command has none", () => {
    const command = createCommand("get", []);
    assert.equal(createReplyContext(command, createState(command), true).placeOf({}).key, "");
  });
});
