import { COMMANDS, type CommandRow, findCommand } from "../commands.ts";
import { needsNormalizing, normalizeArguments } from "../plain-values.ts";
import { type Attachment, attachmentOf } from "./attachment.ts";
import { type ClientLike, type CommanderLike, superMethod } from "./ioredis.ts";
import { withRefusal } from "./refusals.ts";

type Callback = (error: Error | null, result?: unknown) => void;
type Method = (this: CommanderLike, ...args: unknown[]) => unknown;

const GENERIC = ["call", "callBuffer", "send_command"];

/** Own methods of a client and of its pipelines, by name: they take values when they are called, as the caller passed them. */
export const OWN_METHODS: ReadonlyMap<string, Method> = new Map([
  ...[...COMMANDS]
    .filter(([, row]) => row.values !== undefined)
    .flatMap(([name, row]) => [name, `${name}Buffer`].map((method) => [method, createMethod(name, method, row)] as const)),
  ...GENERIC.map((method) => [method, createGenericMethod(method)] as const),
]);

function createMethod(name: string, method: string, row: CommandRow): Method {
  return function (...args): unknown {
    return invoke(this, method, name, row, args, []);
  };
}

/** `call(name, ...args)`: the same by the command that it names. */
function createGenericMethod(method: string): Method {
  return function (name, ...args): unknown {
    const row = typeof name === "string" ? findCommand(name) : undefined;
    return invoke(this, method, String(name), row, args, [name]);
  };
}

function invoke(
  target: CommanderLike,
  method: string,
  name: string,
  row: CommandRow | undefined,
  args: unknown[],
  before: unknown[],
): unknown {
  const attachment = attachmentOf(target);
  const inner = ownBefore(target, attachment, method) ?? superMethod(target, method);
  if (attachment === undefined || row === undefined) return inner.call(target, ...before, ...args);
  const late = isSentLater(target);
  if (!late && !needsNormalizing(args)) return inner.call(target, ...before, ...args);
  const callback = typeof args.at(-1) === "function" ? (args.pop() as Callback) : undefined;
  const after = callback === undefined ? [] : [callback];
  try {
    const flat = normalizeArguments(name, row, args, (key) => attachment.shared.rules.match(key, 0));
    return inner.call(target, ...before, flat.map(late ? copyBytes : keep), ...after);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return late ? rejectLater(error, callback) : refuseCall(target, error, args.flat()[0], after);
  }
}

function ownBefore(target: CommanderLike, attachment: Attachment | undefined, method: string): Method | undefined {
  return target.isPipeline === true ? undefined : (attachment?.previous.get(method) as Method | undefined);
}

/** With auto-pipelining a cluster makes the command only once it knows its slots: until then nobody holds the values. */
function isSentLater(target: CommanderLike): boolean {
  const { isCluster, slots } = target as ClientLike;
  return isCluster === true && target.isPipeline !== true && target.options.enableAutoPipelining === true && slots?.length === 0;
}

function keep(value: unknown): unknown {
  return value;
}

function copyBytes(value: unknown): unknown {
  return value instanceof Buffer ? Buffer.from(value) : value;
}

function refuseCall(target: CommanderLike, error: TypeError, key: unknown, after: unknown[]): unknown {
  return withRefusal(error, () => superMethod(target, "type").call(target, key, ...after));
}

function rejectLater(error: TypeError, callback: Callback | undefined): Promise<never> {
  const rejection = Promise.reject(error);
  if (callback !== undefined) rejection.catch((reason) => process.nextTick(callback, reason));
  return rejection;
}
