import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Redis } from "ioredis";
import type { PipelineLike } from "../../src/seam/ioredis.ts";
import { createQueue } from "../../src/seam/pipeline-queue.ts";
import { createCommand } from "../support/commands.ts";

/** The prototype of ioredis' pipelines. */
function basePrototype(): PipelineLike {
  return Object.getPrototypeOf(new Redis({ lazyConnect: true }).pipeline());
}

interface Filled {
  readonly result: readonly unknown[];
  readonly position: number;
}

/** A pipeline that notes what it is filled with; `fail` throws the first time. */
function createPipeline(base: PipelineLike, { transactions = 0, fail = false } = {}) {
  const filled: Filled[] = [];
  let fails = fail;
  const pipeline = Object.assign(Object.create(base), {
    _queue: [] as unknown[],
    _transactions: transactions,
    fillResult(result: readonly unknown[], position: number): void {
      if (fails) {
        fails = false;
        throw new Error("broken");
      }
      filled.push({ result, position });
    },
  });
  return { pipeline, filled };
}

suite("createQueue()", () => {
  test("does what ioredis' own sendCommand does with a command and its outcome", async () => {
    const base = basePrototype();
    for (const transactions of [0, 1]) {
      const outcomes = [];
      for (const queue of [createQueue(base), base.sendCommand]) {
        const { pipeline, filled } = createPipeline(base, { transactions });
        const commands = [createCommand("get", ["a"]), createCommand("get", ["b"])];
        for (const command of commands) assert.equal(queue.call(pipeline, command), pipeline);
        commands[0]?.resolve(Buffer.from("x"));
        commands[1]?.reject(new Error("refused"));
        await new Promise(setImmediate);
        assert.deepEqual(pipeline._queue, commands);
        outcomes.push({ filled, marks: commands.map(({ inTransaction, pipelineIndex }) => [inTransaction, pipelineIndex]) });
      }
      assert.deepEqual(outcomes[0], outcomes[1]);
      assert.equal(outcomes[0]?.filled.length, 2);
    }
  });

  test("fills in the error of a result that could not be filled in, as ioredis does", async () => {
    const base = basePrototype();
    const outcomes = [];
    for (const queue of [createQueue(base), base.sendCommand]) {
      const { pipeline, filled } = createPipeline(base, { fail: true });
      const command = createCommand("get", ["a"]);
      queue.call(pipeline, command);
      command.resolve(Buffer.from("x"));
      await new Promise(setImmediate);
      outcomes.push(filled);
    }
    assert.deepEqual(outcomes[0], outcomes[1]);
    assert.ok(outcomes[0]?.[0]?.result[0] instanceof Error);
  });

  test("leaves it to a sendCommand that is not ioredis' own, put there before or later", () => {
    const seen: unknown[] = [];
    const patched: PipelineLike = Object.create(basePrototype());
    const later: PipelineLike = Object.create(basePrototype());
    Object.defineProperty(later, "sendCommand", { value: basePrototype().sendCommand, writable: true });
    const note = (command: unknown): string => {
      seen.push(command);
      return "patched";
    };
    patched.sendCommand = note;
    const queues = [createQueue(patched), createQueue(later)];
    later.sendCommand = note;
    const command = createCommand("get", ["a"]);
    for (const queue of queues) assert.equal(queue.call(createPipeline(patched).pipeline, command), "patched");
    assert.deepEqual(seen, [command, command]);
  });
});
