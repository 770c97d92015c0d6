import { isMarkedHeld } from "../encode-value.ts";
import { withRefusal } from "./calls.ts";
import { type ClientLike, type CommanderLike, superMethod } from "./ioredis.ts";

type Callback = (error: unknown, result?: unknown) => void;

const MAX_SPREAD = 1000;

/**
 * Calls ioredis' method with prepared arguments. An error becomes the command's rejection, in its place.
 *
 * @param prepare takes the flat arguments without the callback; its list may be changed
 * @param send calls ioredis' method
 * @param findKey finds the key by which a refused command keeps its place
 */
export function passPrepared(
  target: CommanderLike,
  given: readonly unknown[],
  prepare: (args: readonly unknown[]) => readonly unknown[],
  send: (args: readonly unknown[]) => unknown,
  findKey: (args: readonly unknown[]) => unknown,
): unknown {
  const callback = given.at(-1);
  const after = typeof callback === "function" ? [callback as Callback] : [];
  const own = after.length === 0 ? given : given.slice(0, -1);
  const late = isSentLater(target);
  let args: readonly unknown[];
  try {
    const prepared = prepare(own);
    args = late ? prepared.map(copyBytes) : prepared;
  } catch (error) {
    if (late) return rejectLater(error, after[0]);
    return withRefusal(error, () => superMethod(target, "type").call(target, keyOf(findKey, own), ...after));
  }
  // Within one array an argument that is an array stays what it is: ioredis flattens one level. So do very many arguments, which
  // would overflow the stack one by one.
  const packed = args.length > MAX_SPREAD || args.some(Array.isArray);
  return send([...(packed ? [args] : args), ...after]);
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

function copyBytes(value: unknown): unknown {
  return value instanceof Buffer && !isMarkedHeld(value) ? Buffer.from(value) : value;
}

function rejectLater(error: unknown, callback: Callback | undefined): Promise<never> {
  const rejection = Promise.reject(error);
  if (callback !== undefined) rejection.catch((reason) => process.nextTick(callback, reason));
  return rejection;
}
