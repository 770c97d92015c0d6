import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { inheritedMethod, superMethod, transformReplyOf } from "../../src/seam/ioredis.ts";
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

  test("finds them also from an object that is derived from a client or a pipeline", () => {
    const client = createClient({});
    const plain = new StubClient().pipeline();
    for (const derived of [Object.create(client), Object.create(Object.create(client))]) {
      assert.equal(superMethod(derived, "set"), StubClient.prototype.set);
    }
    assert.equal(superMethod(Object.create(client.pipeline()), "set"), plain.set);
  });
});

suite("inheritedMethod()", () => {
  test("is the one of before the client was wrapped, or that of its class", () => {
    const client = createClient({});
    const before = () => {};
    assert.equal(inheritedMethod(client, new Map([["set", before]]), "set"), before);
    assert.equal(inheritedMethod(client, new Map(), "set"), StubClient.prototype.set);
    assert.equal(inheritedMethod(client, undefined, "set"), StubClient.prototype.set);
  });
});

suite("transformReplyOf()", () => {
  test("converts as ioredis does, past the command's own transformReply", () => {
    const command = createCommand("hgetall", ["k"]);
    command.transformReply = () => "own";
    assert.deepEqual(transformReplyOf(command, [Buffer.from("f"), Buffer.from("v")]), { f: "v" });
  });
});
