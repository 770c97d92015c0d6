import { firstKey, needsPreparing, prepareArguments } from "../call-arguments.ts";
import { COMMANDS, findCommand } from "../commands.ts";
import { attachmentOf } from "./attachment.ts";
import { type CommanderLike, inheritedMethod } from "./ioredis.ts";
import { isSentLater, passPrepared } from "./prepared-calls.ts";
import { passScript } from "./script-methods.ts";

type OwnMethod = (this: CommanderLike, ...args: unknown[]) => unknown;

const GENERIC = ["call", "callBuffer", "send_command"];

/** Own methods of a client and of its pipelines, by name: they take values when they are called, as the caller passed them. */
export const OWN_METHODS: ReadonlyMap<string, OwnMethod> = new Map([
  ...[...COMMANDS]
    .filter(([, row]) => row.values !== undefined || row.comparands !== undefined)
    .flatMap(([name]) => [name, `${name}Buffer`].map((method) => [method, createMethod(name, method)] as const)),
  ...GENERIC.map((method) => [method, createGenericMethod(method)] as const),
]);

function createMethod(name: string, method: string): OwnMethod {
  return function (...given): unknown {
    return invoke(this, method, name, given, []);
  };
}

/** `call(name, ...args)`: the same by the command that it names. */
function createGenericMethod(method: string): OwnMethod {
  return function (name, ...given): unknown {
    return invoke(this, method, String(name), given, [name]);
  };
}

/** @param before arguments that are no arguments of the command */
function invoke(target: CommanderLike, method: string, name: string, given: unknown[], before: unknown[]): unknown {
  const attachment = attachmentOf(target);
  const inner = inheritedMethod(target, target.isPipeline === true ? undefined : attachment?.previous, method);
  const mayBeScript = before.length > 0 && attachment !== undefined && attachment.shared.scripts.size > 0;
  if (attachment === undefined || !(mayBeScript || isSentLater(target) || needsPreparing(attachment.shared, given))) {
    return inner.call(target, ...before, ...given);
  }
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
