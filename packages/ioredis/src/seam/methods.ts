import { firstKey, needsPreparing, prepareArguments } from "../call-arguments.ts";
import { COMMANDS, findCommand, ONE_KEY_COMMANDS, type ValueHome } from "../commands.ts";
import { ruleOfCallKey } from "../keys.ts";
import { type Attachment, attachmentOf } from "./attachment.ts";
import { type CommanderLike, type Method, prototypeOf } from "./ioredis.ts";
import { isSentLater, passPrepared } from "./prepared-calls.ts";
import { passScript } from "./script-methods.ts";

type OwnMethod = (this: CommanderLike, ...args: unknown[]) => unknown;
type Methods = ReadonlyMap<string, OwnMethod>;
type Inherited = Readonly<Record<string, Method | undefined>>;

const GENERIC = ["call", "callBuffer", "send_command"];
const TAKING = [...COMMANDS].filter(([, row]) => row.values !== undefined || row.comparands !== undefined);

/** Every name of an own method. */
export const OWN_METHOD_NAMES: readonly string[] = [...TAKING.flatMap(([name]) => [name, `${name}Buffer`]), ...GENERIC];

const methods = new WeakMap<object, Methods>();

/**
 * Own methods of a client or of its pipelines, by name: they take values when they are called, as the caller passed them.
 *
 * @param base what the client inherits from; an older ioredis has fewer commands
 */
export function ownMethodsOf(base: object): Methods {
  const known = methods.get(base);
  if (known !== undefined) return known;
  const made = new Map(
    [
      ...TAKING.flatMap(([name]) => [name, `${name}Buffer`].map((method) => [method, createMethod(name, method, base)] as const)),
      ...GENERIC.map((method) => [method, createGenericMethod(method, base)] as const),
    ].filter(([method]) => method in base),
  );
  methods.set(base, made);
  return made;
}

/** The same for commands that the client alone has: by `addBuiltinCommand()` of an ioredis whose list is older than the server. */
export function addedMethodsOf(client: object, base: object): Methods {
  const added = TAKING.flatMap(([name]) => [name, `${name}Buffer`].map((method) => [name, method] as const)).filter(
    ([, method]) => method in client && !(method in base),
  );
  return new Map(added.map(([name, method]) => [method, createMethod(name, method, base)]));
}

function createMethod(name: string, method: string, base: object): OwnMethod {
  const oneKey = ONE_KEY_COMMANDS.get(name);
  const home = oneKey?.key === 0 ? oneKey.home : undefined;
  const take: OwnMethod = function (...given) {
    const attachment = attachmentOf(this);
    if (attachment === undefined) return ((base as Inherited)[method] as Method).apply(this, given);
    const inner = innerMethod(attachment, this, base, method);
    if (!isTaken(attachment, this, given) || (home !== undefined && isUnruled(attachment, this, name, given[0], home))) {
      return inner.apply(this, given);
    }
    return invoke(attachment, this, inner, name, given, []);
  };
  return function (key, value): unknown {
    const attachment = attachmentOf(this);
    // overhead/set/text-100/64-direct: most calls of most programs are of two texts. For them no array of arguments is made.
    // biome-ignore lint/complexity/noArguments: where they are counted and handed on alone V8 makes no array of them
    if (arguments.length === 2 && attachment !== undefined && isPassedPair(attachment, this, name, home, key, value)) {
      return innerMethod(attachment, this, base, method).call(this, key, value);
    }
    // biome-ignore lint/complexity/noArguments: as above
    return Reflect.apply(take, this, arguments);
  };
}

/** Whether a call of two arguments is surely one of texts that ioredis may be given as they are. */
function isPassedPair(
  attachment: Attachment,
  target: CommanderLike,
  name: string,
  home: ValueHome | undefined,
  key: unknown,
  value: unknown,
): boolean {
  if (typeof key !== "string" || typeof value !== "string" || attachment.isCluster) return false;
  return !hasSerializer(attachment) || (home !== undefined && isUnruled(attachment, target, name, key, home));
}

function hasSerializer({ shared }: Attachment): boolean {
  return shared.rules.hasSerializer || shared.channels.hasSerializer;
}

/** Whether values of a call may have to be taken before ioredis makes text of them. */
function isTaken(attachment: Attachment, target: CommanderLike, given: readonly unknown[]): boolean {
  return needsPreparing(attachment.shared, given) || (attachment.isCluster && isSentLater(target));
}

/** Whether a call is surely under no rule, by its key as it is given. */
function isUnruled(attachment: Attachment, target: CommanderLike, name: string, key: unknown, home: ValueHome): boolean {
  if (typeof key !== "string" || (attachment.isCluster && isSentLater(target))) return false;
  if (ruleOfCallKey(attachment, key, home) !== undefined) return false;
  attachment.noteUnruled(name, key);
  return true;
}

/** The method that the caller would have reached: asked at call time, so that a later patch of a prototype counts. */
function innerMethod({ previous, client }: Attachment, target: CommanderLike, base: object, method: string): Method {
  const isPipeline = target.isPipeline === true;
  // Of a client not `base`: it may have got another prototype since it was wrapped.
  const inherited = ((isPipeline ? base : prototypeOf(client)) as Inherited)[method];
  if (previous.size === 0) return inherited as Method;
  const own = previous.get(method) as Method | undefined;
  // A pipeline has methods of its own, but those that were added to the client are the client's.
  return (isPipeline ? (inherited ?? own) : (own ?? inherited)) as Method;
}

/** `call(name, ...args)`: the same by the command that it names. */
function createGenericMethod(method: string, base: object): OwnMethod {
  return function (name, ...given): unknown {
    // Of bytes ioredis 5.4 would send the name, but nobody would know the command.
    const before = [name instanceof Buffer ? String(name) : name];
    const attachment = attachmentOf(this);
    if (attachment === undefined) return ((base as Inherited)[method] as Method).call(this, ...before, ...given);
    const inner = innerMethod(attachment, this, base, method);
    if (attachment.shared.scripts.size === 0 && !isTaken(attachment, this, given)) return inner.call(this, ...before, ...given);
    return invoke(attachment, this, inner, String(name), given, before);
  };
}

/**
 * @param inner ioredis' method
 * @param before arguments that are no arguments of the command
 */
function invoke(
  attachment: Attachment,
  target: CommanderLike,
  inner: Method,
  name: string,
  given: unknown[],
  before: unknown[],
): unknown {
  const send = (args: readonly unknown[]): unknown => inner.call(target, ...before, ...args);
  const row = findCommand(name, given.flat());
  if (row === undefined) return passScript(attachment, target, name, given, send);
  return passPrepared(
    target,
    given,
    (args) => prepareArguments(attachment, name.toLowerCase(), row, args),
    send,
    (args) => firstKey(row, args),
  );
}
