import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { findCommand } from "../../src/commands.ts";
import { Attachment } from "../../src/seam/attachment.ts";
import { CommandState, markCommand, stateOf } from "../../src/seam/command-state.ts";
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
