import { needsPreparing, prepareArguments } from "../call-arguments.ts";
import { COMMANDS, type CommandRow, findCommand } from "../commands.ts";
import { type Attachment, attachmentOf } from "./attachment.ts";
import { type Call, isInCall, withCall } from "./calls.ts";
import { type ClientLike, type CommanderLike, superMethod } from "./ioredis.ts";

type Callback = (error: unknown, result?: unknown) => void;
type Method = (this: CommanderLike, ...args: unknown[]) => unknown;

const GENERIC = ["call", "callBuffer", "send_command"];

/** Own methods of a client and of its pipelines, by name: they take values when they are called, as the caller passed them. */
export const OWN_METHODS: ReadonlyMap<string, Method> = new Map([
  ...[...COMMANDS]
    .filter(([, row]) => row.values !== undefined || row.comparands !== undefined)
    .flatMap(([name]) => [name, `${name}Buffer`].map((method) => [method, createMethod(name, method)] as const)),
  ...GENERIC.map((method) => [method, createGenericMethod(method)] as const),
]);

function createMethod(name: string, method: string): Method {
  return function (...args): unknown {
    return invoke(this, method, name, args, []);
  };
}

/** `call(name, ...args)`: the same by the command that it names. */
function createGenericMethod(method: string): Method {
  return function (name, ...args): unknown {
    return invoke(this, method, String(name), args, [name]);
  };
}

/** @param before arguments that are no arguments of the command */
function invoke(target: CommanderLike, method: string, name: string, given: unknown[], before: unknown[]): unknown {
  const attachment = attachmentOf(target);
  const inner = innerMethod(target, attachment, method);
  const send = (args: unknown[]): unknown => inner.call(target, ...before, ...args);
  if (attachment === undefined || isInCall()) return send(given);
  const held = heldArguments.get(given[0] as object);
  if (held !== undefined) return withCall(held, () => send(given));
  const late = isSentLater(target);
  if (!late && !needsPreparing(attachment.shared, given)) return send(given);
  const row = findCommand(name, given.flat());
  return row === undefined ? send(given) : prepareAndSend(attachment, target, name.toLowerCase(), row, given, late, send);
}

function prepareAndSend(
  { shared }: Attachment,
  target: CommanderLike,
  name: string,
  row: CommandRow,
  given: readonly unknown[],
  late: boolean,
  send: (args: unknown[]) => unknown,
): unknown {
  const callback = given.at(-1);
  const after = typeof callback === "function" ? [callback] : [];
  const own = after.length === 0 ? given : given.slice(0, -1);
  try {
    const { args, encoded } = prepareArguments(shared, name, row, own);
    // As one array, which ioredis flattens once: arguments that are arrays still stay what they are.
    if (late) return send([holdAll(args, encoded), ...after]);
    return withCall(encoded ? { encoded } : {}, () => send([args, ...after]));
  } catch (error) {
    if (late) return rejectLater(error, after[0] as Callback | undefined);
    return withCall({ refusal: error as Error }, () =>
      superMethod(target, "type").call(target, own.flat()[row.key ?? 0], ...after),
    );
  }
}

function innerMethod(target: CommanderLike, attachment: Attachment | undefined, method: string): Method {
  const previous = target.isPipeline === true ? undefined : (attachment?.previous.get(method) as Method | undefined);
  return previous ?? superMethod(target, method);
}

/** With auto-pipelining a cluster makes the command only once it knows its slots: until then nobody holds the values. */
function isSentLater(target: CommanderLike): boolean {
  const { isCluster, slots } = target as ClientLike;
  return isCluster === true && target.isPipeline !== true && target.options.enableAutoPipelining === true && slots?.length === 0;
}

// Arguments of calls that a cluster makes later: it then calls the pipeline's own method, which must not encode them again.
const heldArguments = new WeakMap<object, Call>();

function holdAll(args: unknown[], encoded: boolean): unknown[] {
  const held = args.map((value) => (value instanceof Buffer ? Buffer.from(value) : value));
  heldArguments.set(held, encoded ? { encoded } : {});
  return held;
}

function rejectLater(error: unknown, callback: Callback | undefined): Promise<never> {
  const rejection = Promise.reject(error);
  if (callback !== undefined) rejection.catch((reason) => process.nextTick(callback, reason));
  return rejection;
}
