import { type Attachment, attachmentOf, setAttachment } from "./attachment.ts";
import { addOwner, type CommanderLike, defineMethod, type PipelineLike } from "./ioredis.ts";
import { ownMethodsOf } from "./methods.ts";
import { SCRIPT_METHODS } from "./script-methods.ts";
import { createExec, createQueueCommand } from "./send.ts";

/** What a Pipeline of ioredis 5.4 to 6 has of its own, in this order; a `length` of the queue follows, and methods of scripts. */
const FIELDS = [
  ...["options", "scriptsSet", "addedBuiltinSet", "redis", "isPipeline", "replyPending", "_queue", "_result", "_transactions"],
  ...["_shaToScript", "isCluster", "resolve", "reject", "promise"],
] as const;

interface PipelineFields {
  options: unknown;
  scriptsSet: unknown;
  addedBuiltinSet: unknown;
  redis: unknown;
  isPipeline: unknown;
  replyPending: unknown;
  _queue: readonly unknown[];
  _result: unknown;
  _transactions: unknown;
  _shaToScript: unknown;
  isCluster: unknown;
  resolve: unknown;
  reject: unknown;
  promise: unknown;
}

/** A class of pipelines: ioredis' own with the wrapper's methods before it. */
interface PipelineClass {
  readonly prototype: object;
  new (made: PipelineFields): object;
}

function createClass(base: object): PipelineClass {
  class AttachedPipeline {
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
      return this._queue.length;
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
  defineMethod(prototype, "sendCommand", createQueueCommand(base as CommanderLike));
  defineMethod(prototype, "exec", createExec(base));
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
 * A pipeline that ioredis has just made, with the wrapper's methods. V8 gives each pipeline whose prototype is replaced a hidden
 * class of its own, which makes every access to it slow (overhead/pipelined: +15 %); so its fields are moved to an object that has
 * the right prototype from the start. Nobody else holds the first one yet, unless somebody has wrapped `pipeline`.
 */
export function attachPipeline(attachment: Attachment, made: PipelineLike): PipelineLike {
  if (attachmentOf(made) !== undefined) return made;
  if (attachment.previous.has("pipeline") || !hasKnownFields(made)) return attachTransaction(attachment, made);
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
  return made;
}

function hasKnownFields(made: PipelineLike): boolean {
  const names = Object.keys(made);
  return names.length === FIELDS.length && names.every((name, i) => name === FIELDS[i]);
}
