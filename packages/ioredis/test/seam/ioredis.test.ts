import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { superMethod, transformReplyOf } from "../../src/seam/ioredis.ts";
import { createClient, StubClient } from "../support/client.ts";
import { createCommand } from "../support/commands.ts";

suite("superMethod()", () => {
  test("finds the method of a client's class under the client's own", () => {
    const client = createClient({});
    assert.equal(superMethod(client, "sendCommand"), StubClient.prototype.sendCommand);
    assert.notEqual(client.sendCommand, StubClient.prototype.sendCommand);
  });

  test("finds the method of a pipeline's class under the wrapper's prototype", () => {
    const pipeline = createClient({}).pipeline();
    const plain = new StubClient().pipeline();
    assert.equal(superMethod(pipeline as never, "set"), plain.set);
    assert.notEqual(pipeline.set, plain.set);
  });
});

suite("transformReplyOf()", () => {
  test("converts as ioredis does, past the command's own transformReply", () => {
    const command = createCommand("hgetall", ["k"]);
    command.transformReply = () => "own";
    assert.deepEqual(transformReplyOf(command, [Buffer.from("f"), Buffer.from("v")]), { f: "v" });
  });
});
