import { type Attachment, attachmentOf, setAttachment } from "./attachment.ts";
import { addOwner, defineMethod, type PipelineLike } from "./ioredis.ts";
import { ownMethodsOf } from "./methods.ts";
import { SCRIPT_METHODS } from "./script-methods.ts";
import { createExec, createQueueCommand, prepareQueued } from "./send.ts";
import { isWrittenAs } from "./source-text.ts";

/** What a Pipeline of ioredis 5.4 to 6 has of its own, in this order; a `length` of the queue follows, and methods of scripts. */
const FIELDS = [
  ...["options", "scriptsSet", "addedBuiltinSet", "redis", "isPipeline", "replyPending", "_queue", "_result", "_transactions"],
  ...["_shaToScript", "isCluster", "resolve", "reject", "promise"],
] as const;

type PipelineFields = Record<(typeof FIELDS)[number], unknown>;

/** A class of pipelines: ioredis' own with the wrapper's methods before it. */
interface PipelineClass {
  readonly prototype: object;
  new (made: PipelineFields): object;
}

function createClass(base: object): PipelineClass {
  class AttachedPipeline {
    // One by one: a loop of keyed assignments is slow, and makes a dictionary of so many fields.
    constructor(made: PipelineFields) {
      const fields = this as unknown as PipelineFields;
      fields.options = made.options;
      fields.scriptsSet = made.scriptsSet;
      fields.addedBuiltinSet = made.addedBuiltinSet;
      fields.redis = made.redis;
      fields.isPipeline = made.isPipeline;
      fields.replyPending = made.replyPending;
      fields._queue = made._queue;
      fields._result = made._result;
      fields._transactions = made._transactions;
      fields._shaToScript = made._shaToScript;
      fields.isCluster = made.isCluster;
      fields.resolve = made.resolve;
      fields.reject = made.reject;
      fields.promise = made.promise;
    }
  }
  const { prototype } = AttachedPipeline;
  Reflect.deleteProperty(prototype, "constructor");
  Object.setPrototypeOf(prototype, base);
  Object.defineProperty(prototype, "length", {
    get(this: PipelineFields): number {
      return (this._queue as readonly unknown[]).length;
    },
  });
  addMethods(prototype, base as PipelineLike);
  return AttachedPipeline;
}

function addMethods(prototype: object, base: PipelineLike): void {
  addOwner(prototype);
  for (const [name, value] of ownMethodsOf(base)) defineMethod(prototype, name, value);
  for (const [name, value] of SCRIPT_METHODS) {
    if (name in base) defineMethod(prototype, name, value);
  }
  const queueCommand = createQueueCommand(base);
  defineMethod(prototype, "sendCommand", queueCommand);
  defineMethod(prototype, "exec", createExec(base, queueCommand));
}

const classes = new WeakMap<object, PipelineClass>();

/** The class for pipelines that inherit from `base`. */
function classOf(base: object): PipelineClass {
  const known = classes.get(base);
  if (known !== undefined) return known;
  const made = createClass(base);
  classes.set(base, made);
  return made;
}

/**
 * A pipeline that has just been made, with the wrapper's methods. V8 gives each pipeline whose prototype is replaced a hidden class
 * of its own, which makes every access to it slow (overhead/…/64-pipelined: +15 %); so its fields are moved to an object that has the
 * right prototype from the start. That is only for what ioredis itself has made: another `pipeline()`, of a subclass or of somebody
 * who patched the prototype, may hold the first object, queue commands in it, or return one with private fields or a Proxy.
 *
 * @param maker the `pipeline()` that made it
 */
export function attachPipeline(attachment: Attachment, made: PipelineLike, maker: object): PipelineLike {
  if (attachmentOf(made) !== undefined) return made;
  if (!isWrittenAs(maker, MAKER) || !hasKnownFields(made)) return attachTransaction(attachment, made);
  const PipelineClass = classOf(Object.getPrototypeOf(made));
  const pipeline = new PipelineClass(made as unknown as PipelineFields) as PipelineLike;
  setAttachment(pipeline, attachment);
  return pipeline;
}

/** The same for what `multi()` returns: ioredis has methods on it that hold it, so it stays the object that it is. */
export function attachTransaction(attachment: Attachment, made: PipelineLike): PipelineLike {
  if (attachmentOf(made) !== undefined) return made;
  Object.setPrototypeOf(made, classOf(Object.getPrototypeOf(made)).prototype);
  setAttachment(made, attachment);
  prepareQueued(attachment, made);
  return made;
}

// `pipeline()` of ioredis 5.4 to 6 and of iovalkey, without white space.
const MAKER =
  "function(commands){constpipeline=newPipeline_1.default(this);if(Array.isArray(commands)){pipeline.addBatch(commands);}returnpipeline;}";

function hasKnownFields(made: PipelineLike): boolean {
  const names = Object.keys(made);
  return names.length === FIELDS.length && names.every((name, i) => name === FIELDS[i]);
}
