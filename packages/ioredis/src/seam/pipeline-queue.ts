import type { CommandLike, PipelineLike } from "./ioredis.ts";
import { isWrittenAs } from "./source-text.ts";

/** Of ioredis' `Pipeline`: what it does with a command's outcome. */
interface ResultTable {
  fillResult(result: readonly unknown[], position: number): void;
}

type Queue = PipelineLike["sendCommand"];

// `sendCommand` of the Pipeline of ioredis 5.4 to 6 and of iovalkey, without white space.
const QUEUE =
  "sendCommand(command){if(this._transactions>0){command.inTransaction=true;}constposition=this._queue.length;command.pipelineIndex=position;command.promise.then((result)=>{this.fillResult([null,result],position);}).catch((error)=>{this.fillResult([error],position);});this._queue.push(command);returnthis;}";

/**
 * Queues a command as ioredis does, with one promise for its outcome instead of two: overhead/…/64-pipelined, where that is more than
 * all that the wrapper adds.
 */
function queueWithOnePromise(pipeline: PipelineLike, command: CommandLike): PipelineLike {
  const table = pipeline as PipelineLike & ResultTable;
  const queue = pipeline._queue as CommandLike[];
  if ((pipeline._transactions ?? 0) > 0) command.inTransaction = true;
  const position = queue.length;
  command.pipelineIndex = position;
  const fail = (error: unknown): void => table.fillResult([error], position);
  command.promise.then((result) => {
    try {
      table.fillResult([null, result], position);
    } catch (error) {
      fail(error);
    }
  }, fail);
  queue.push(command);
  return pipeline;
}

/**
 * How pipelines that inherit from `base` queue a command.
 *
 * @returns ioredis' own way if that is what `base` has, else what `base` has when it is called: a patch of a prototype counts
 */
export function createQueue(base: PipelineLike): Queue {
  const own = base.sendCommand;
  if (!isWrittenAs(own, QUEUE)) return callBase;
  return function queue(this: PipelineLike, command): unknown {
    return base.sendCommand === own ? queueWithOnePromise(this, command) : base.sendCommand.call(this, command);
  };

  function callBase(this: PipelineLike, command: CommandLike): unknown {
    return base.sendCommand.call(this, command);
  }
}
