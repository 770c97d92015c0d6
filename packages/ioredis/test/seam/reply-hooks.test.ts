import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createValueCodec, stored } from "@tightwire/codec-core";
import { findCommand } from "../../src/commands.ts";
import { Attachment } from "../../src/seam/attachment.ts";
import { CommandState, markCommand } from "../../src/seam/command-state.ts";
import { transformExecReply, transformReply } from "../../src/seam/reply-hooks.ts";
import { StubClient } from "../support/client.ts";
import { createCommand, type StubCommand, type StubCommandOptions } from "../support/commands.ts";
import { createShared, ruleOf } from "../support/keys.ts";

const shared = createShared({ "a:": { compressor: stored() } });
const attachment = new Attachment(new StubClient() as never, shared, undefined, new Map());
const codec = createValueCodec({ compressor: stored() });
const frame = (text: string) => codec.encode(Buffer.from(text));
const QUEUED = () => Buffer.from("QUEUED");
const BUFFER: StubCommandOptions = { replyEncoding: null };

function damage(text: string): Buffer {
  const bytes = frame(text);
  bytes[18] = (bytes[18] ?? 0) ^ 1;
  return bytes;
}

/** A command that the seam has taken charge of; `rule`: its reply holds values. */
function prepare(name: string, rule = true, options: StubCommandOptions = {}): { command: StubCommand; state: CommandState } {
  const command = createCommand(name, ["a:1"], options);
  const state = markCommand(command, new CommandState(attachment, findCommand(name, ["a:1"])));
  if (rule) state.rule = ruleOf(shared, "a:");
  command.transformReply = transformReply;
  return { command, state };
}

suite("transformReply()", () => {
  test("decodes first, then converts as ioredis does", () => {
    const reply = () => [Buffer.from("f"), frame("é")];
    assert.equal(prepare("get").command.transformReply(frame("é")), "é");
    assert.deepEqual(prepare("get", true, BUFFER).command.transformReply(frame("é")), Buffer.from("é"));
    assert.deepEqual(prepare("hgetall").command.transformReply(reply()), { f: "é" });
    assert.deepEqual(prepare("hgetall", true, BUFFER).command.transformReply(reply()), { f: Buffer.from("é") });
  });

  test("leaves the reply of a command without a rule, or without a mark, to ioredis", () => {
    assert.equal(prepare("get", false).command.transformReply(Buffer.from("x")), "x");
    const unmarked = createCommand("get", ["a:1"]);
    unmarked.transformReply = transformReply;
    assert.equal(unmarked.transformReply(Buffer.from("x")), "x");
  });

  test("throws what a refused command was refused with", () => {
    const { command, state } = prepare("append", false);
    state.refusal = { error: new Error("refused") };
    assert.throws(() => command.transformReply(Buffer.from("string")), state.refusal.error as Error);
  });

  test("throws the error of a bad value", () => {
    assert.throws(() => prepare("get").command.transformReply(damage("x")), { code: "CODEC_CHECKSUM_MISMATCH", key: "a:1" });
  });

  test("throws an error with the converted reply for a reply of many", () => {
    const reply = () => [Buffer.from("f"), frame("x"), Buffer.from("g"), damage("y")];
    assert.throws(
      () => prepare("hgetall").command.transformReply(reply()),
      (error: { reply: Record<string, unknown> }) => {
        assert.equal(error.reply["f"], "x");
        assert.equal(Reflect.get(error.reply["g"] as object, "code"), "CODEC_CHECKSUM_MISMATCH");
        return Reflect.get(error.reply["g"] as object, "field") === "g";
      },
    );
  });

  test("takes the first QUEUED of a command in a transaction for the server's word", () => {
    const { command, state } = prepare("get");
    state.awaitsQueued = true;
    assert.equal(command.transformReply(QUEUED()), "QUEUED");
    assert.equal(command.transformReply(frame("x")), "x");
  });

  test("takes a second QUEUED for a value", () => {
    const rejecting = createShared({
      "a:": { compressor: stored(), minFrameBytes: 0, numbers: "framed", unframed: "reject" },
    });
    const { command, state } = prepare("get");
    state.rule = ruleOf(rejecting, "a:");
    state.awaitsQueued = true;
    command.transformReply(QUEUED());
    assert.throws(() => command.transformReply(QUEUED()), { code: "CODEC_UNFRAMED" });
  });

  test("takes QUEUED outside a transaction for a value", () => {
    const { command } = prepare("get");
    assert.equal(command.transformReply(frame("QUEUED")), "QUEUED");
    assert.equal(command.transformReply(QUEUED()), "QUEUED");
  });

  test("notes in its transaction that a command was queued", () => {
    const { command, state } = prepare("get");
    state.awaitsQueued = true;
    state.transaction = { stream: undefined, queued: [] };
    command.transformReply(QUEUED());
    assert.deepEqual(state.transaction.queued, [command]);
  });

  test("notes nothing when the server did not queue it", () => {
    const { command, state } = prepare("get");
    state.awaitsQueued = true;
    state.transaction = { stream: undefined, queued: [] };
    command.transformReply(frame("x"));
    assert.deepEqual(state.transaction.queued, []);
  });
});

suite("transformExecReply()", () => {
  function prepareExec(queued: StubCommand[], options: StubCommandOptions = {}): StubCommand {
    const { command, state } = prepare("exec", false, options);
    state.transaction = { stream: undefined, queued };
    command.transformReply = transformExecReply;
    return command;
  }

  test("decodes each element by the command that was queued in its place", () => {
    const queued = [prepare("get").command, createCommand("ping"), prepare("hgetall").command, prepare("incr", false).command];
    const exec = prepareExec(queued);
    assert.deepEqual(exec.transformReply([frame("x"), Buffer.from("PONG"), [Buffer.from("f"), frame("y")], 7]), [
      "x",
      "PONG",
      ["f", "y"],
      7,
    ]);
  });

  test("converts elements as EXEC's own encoding says", () => {
    const exec = prepareExec([prepare("get").command, createCommand("ping")], BUFFER);
    assert.deepEqual(exec.transformReply([frame("x"), Buffer.from("PONG")]), [Buffer.from("x"), Buffer.from("PONG")]);
  });

  test("puts the error of a bad value in its place", () => {
    const exec = prepareExec([prepare("get").command, prepare("get").command]);
    const [bad, good] = exec.transformReply([damage("x"), frame("y")]) as unknown[];
    assert.equal(Reflect.get(bad as object, "code"), "CODEC_CHECKSUM_MISMATCH");
    assert.equal(good, "y");
  });

  test("leaves the server's errors in their place", () => {
    const error = new Error("WRONGTYPE");
    const exec = prepareExec([prepare("get").command, prepare("hgetall").command]);
    assert.deepEqual(exec.transformReply([error, error]), [error, error]);
  });

  test("leaves the null of an aborted transaction to ioredis", () => {
    assert.equal(prepareExec([prepare("get").command]).transformReply(null), null);
  });

  test("refuses a reply of another length than the commands that were queued", () => {
    const exec = prepareExec([prepare("get").command]);
    assert.throws(() => exec.transformReply([Buffer.from("x"), Buffer.from("y")]), { code: "CODEC_COMMAND_UNSAFE" });
  });

  test("leaves the reply of an EXEC that the server did not carry out to ioredis", () => {
    const exec = createCommand("exec");
    exec.transformReply = transformExecReply;
    assert.equal(exec.transformReply(null), null);
  });
});
