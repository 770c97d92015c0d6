import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Attachment } from "../../src/seam/attachment.ts";
import { CommandState } from "../../src/seam/command-state.ts";
import { standIn } from "../../src/seam/refusals.ts";
import { StubClient } from "../support/client.ts";
import { createCommand, type StubCommand } from "../support/commands.ts";
import { createShared } from "../support/keys.ts";

const refusal = new Error("refused");

function refusedState(): CommandState {
  const state = new CommandState(new Attachment(new StubClient() as never, createShared({}), undefined, new Map()), undefined);
  state.refusal = { error: refusal };
  return state;
}

suite("standIn()", () => {
  const bytesOf = (command: StubCommand) => command.toWritable({}).toString();

  test("asks for the type of the key in the command's place", () => {
    const command = createCommand("append", ["a:1", "value"]);
    standIn(command, refusedState(), false);
    assert.equal(bytesOf(command), "*2\r\n$4\r\ntype\r\n$3\r\na:1\r\n");
  });

  test("keeps a key that is bytes", () => {
    const command = createCommand("append", [Buffer.from([0xff, 0x00]), "value"]);
    standIn(command, refusedState(), false);
    assert.deepEqual(command.args, [Buffer.from([0xff, 0x00])]);
    assert.ok(Buffer.from(command.toWritable({})).includes(Buffer.from([0xff, 0x00])));
  });

  test("is the same however often the command is sent", () => {
    const command = createCommand("append", ["a:1", "value"]);
    const state = refusedState();
    for (let i = 0; i < 3; i++) standIn(command, state, false);
    assert.deepEqual([command.name, ...command.args], ["type", "a:1"]);
    for (let i = 0; i < 3; i++) standIn(command, state, true);
    assert.equal(command.args.length, 2);
    standIn(command, state, false);
    assert.deepEqual(command.args, ["a:1"]);
  });

  test("takes the empty key where the command has none", () => {
    const command = createCommand("append", []);
    standIn(command, refusedState(), false);
    assert.deepEqual(command.args, [""]);
  });

  test("is a command that the server refuses in a transaction, and rejects with the refusal then", async () => {
    const command = createCommand("append", ["a:1", "value"]);
    standIn(command, refusedState(), true);
    assert.equal(command.args.length, 2);
    command.reject(new Error("ERR wrong number of arguments for 'type' command"));
    await assert.rejects(command.promise, refusal);
  });

  test("rejects with the refusal also after a pipeline has been sent to another node", async () => {
    const command = createCommand("append", ["a:1", "value"]);
    const state = refusedState();
    standIn(command, state, true);
    command.initPromise();
    standIn(command, state, true);
    command.reject(new Error("ERR wrong number of arguments for 'type' command"));
    await assert.rejects(command.promise, refusal);
  });

  test("rejects with the refusal where the user may not ask for a type", async () => {
    const command = createCommand("append", ["a:1", "value"]);
    standIn(command, refusedState(), false);
    command.reject(new Error("NOPERM this user has no permissions to run the 'type' command"));
    await assert.rejects(command.promise, refusal);
  });

  test("rejects with an error of the connection as it is", async () => {
    for (const error of [new Error("Connection is closed."), new Error("MOVED 1 127.0.0.1:1"), "no error"]) {
      const command = createCommand("append", ["a:1", "value"]);
      standIn(command, refusedState(), false);
      command.reject(error);
      await assert.rejects(command.promise, (reason) => reason === error);
    }
  });
});
