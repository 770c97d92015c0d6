import { type Call, isInCall, withCall } from "./calls.ts";
import { type ClientLike, type CommanderLike, superMethod } from "./ioredis.ts";

type Callback = (error: unknown, result?: unknown) => void;

/** The arguments of a call after an own method has taken its values. */
export interface PreparedCall {
  readonly args: unknown[];
  /** Whether they are what Redis is to hold; otherwise the seam encodes them. */
  readonly encoded: boolean;
}

/**
 * Calls ioredis' method with prepared arguments, so that they are prepared only once however many own methods ioredis passes
 * them through (auto-pipelining calls the pipeline's method in turn). An error becomes the command's rejection, in its place.
 *
 * @param prepare takes the flat arguments without the callback; its list may be changed
 * @param send calls ioredis' method
 * @param findKey finds the key by which a refused command keeps its place
 */
export function passPrepared(
  target: CommanderLike,
  given: readonly unknown[],
  prepare: (args: readonly unknown[]) => PreparedCall,
  send: (args: readonly unknown[]) => unknown,
  findKey: (args: readonly unknown[]) => unknown,
): unknown {
  if (isInCall()) return send(given);
  const held = heldArguments.get(given[0] as object);
  if (held !== undefined) return withCall(held, () => send(given));
  const callback = given.at(-1);
  const after = typeof callback === "function" ? [callback as Callback] : [];
  const own = after.length === 0 ? given : given.slice(0, -1);
  const late = isSentLater(target);
  try {
    const { args, encoded } = prepare(own);
    // As one array, which ioredis flattens once: arguments that are arrays still stay what they are.
    if (late) return send([holdAll(args, encoded), ...after]);
    return withCall(encoded ? { encoded } : {}, () => send([args, ...after]));
  } catch (error) {
    if (late) return rejectLater(error, after[0]);
    return withCall({ refusal: error as Error }, () => superMethod(target, "type").call(target, keyOf(findKey, own), ...after));
  }
}

function keyOf(findKey: (args: readonly unknown[]) => unknown, args: readonly unknown[]): unknown {
  try {
    return findKey(args);
  } catch {
    // What made the call fail is a getter among its arguments, and its error is on its way; any key keeps the place.
    return "";
  }
}

/** With auto-pipelining a cluster makes the command only once it knows its slots: until then nobody holds the values. */
export function isSentLater(target: CommanderLike): boolean {
  const { isCluster, slots } = target as ClientLike;
  return isCluster === true && target.isPipeline !== true && target.options.enableAutoPipelining === true && slots?.length === 0;
}

// Arguments of calls that a cluster makes later: it then calls the pipeline's own method, which must not encode them again.
const heldArguments = new WeakMap<object, Call>();

function holdAll(args: readonly unknown[], encoded: boolean): unknown[] {
  const held = args.map((value) => (value instanceof Buffer ? Buffer.from(value) : value));
  heldArguments.set(held, encoded ? { encoded } : {});
  return held;
}

function rejectLater(error: unknown, callback: Callback | undefined): Promise<never> {
  const rejection = Promise.reject(error);
  if (callback !== undefined) rejection.catch((reason) => process.nextTick(callback, reason));
  return rejection;
}
