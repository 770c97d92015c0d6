import { createHash } from "node:crypto";
import { encodeOne } from "../call-arguments.ts";
import type { CommandRow } from "../commands.ts";
import { type KeySpace, logicalCallKey, ruleOfCallKey } from "../keys.ts";
import type { Rule } from "../rules.ts";
import { FIRST_SCRIPT_KEY, type ScriptRule } from "../scripts.ts";
import type { Shared } from "../shared.ts";
import { type Attachment, attachmentOf } from "./attachment.ts";
import { type ClientLike, type CommanderLike, type CommandLike, inheritedMethod, type Method } from "./ioredis.ts";
import { passPrepared } from "./prepared-calls.ts";

const BY_TEXT: ReadonlySet<string> = new Set(["eval", "eval_ro"]);
const BY_SHA: ReadonlySet<string> = new Set(["evalsha", "evalsha_ro"]);
const BY_NAME: ReadonlySet<string> = new Set(["fcall", "fcall_ro"]);
const SCRIPT_COMMANDS: readonly string[] = [...BY_TEXT, ...BY_SHA, ...BY_NAME];

/** The options of the script that a command runs, if the client has some for it. */
export function findScript({ shared, client }: Attachment, name: string, script: unknown): ScriptRule | undefined {
  if (shared.scripts.size === 0) return undefined;
  const command = name.toLowerCase();
  if (BY_NAME.has(command)) return shared.scripts.get(String(script));
  if (!BY_TEXT.has(command) && !BY_SHA.has(command)) return undefined;
  const sha = BY_SHA.has(command) ? String(script).toLowerCase() : createHash("sha1").update(String(script)).digest("hex");
  return shared.scripts.get(sha) ?? findDefined(shared, client, sha);
}

/** How a command's reply is decoded if it runs a script with options whose reply holds values of one of its keys. */
export function findScriptRow(attachment: Attachment, command: CommandLike): CommandRow | undefined {
  const script = findScript(attachment, command.name, command.args[0]);
  return script !== undefined && script.key < Number(command.args[1]) ? script.row : undefined;
}

function findDefined(shared: Shared, client: ClientLike, sha: string): ScriptRule | undefined {
  for (const [name, rule] of shared.scripts) {
    if (client.scriptsSet?.[name]?.sha === sha) return rule;
  }
  return undefined;
}

/** EVAL and its like, by method name: ARGV is encoded when the method is called, because ioredis may send it twice (NOSCRIPT). */
export const SCRIPT_METHODS: ReadonlyMap<string, Method> = new Map(
  SCRIPT_COMMANDS.flatMap((name) => [name, `${name}Buffer`].map((method) => [method, createScriptMethod(name, method)] as const)),
);

function createScriptMethod(name: string, method: string): Method {
  return function (this: CommanderLike, ...given: unknown[]): unknown {
    const attachment = attachmentOf(this);
    const inner = inheritedMethod(this, this.isPipeline === true ? undefined : attachment?.previous, method);
    const send = (args: readonly unknown[]): unknown => inner.apply(this, [...args]);
    return attachment === undefined ? send(given) : passScript(attachment, this, name, given, send);
  };
}

/** Calls EVAL or its like with the values in ARGV encoded, if the client has options for the script. */
export function passScript(
  attachment: Attachment,
  target: CommanderLike,
  name: string,
  given: readonly unknown[],
  send: (args: readonly unknown[]) => unknown,
): unknown {
  const rule = findScript(attachment, name, given.flat()[0]);
  if (rule === undefined) return send(given);
  return passPrepared(
    target,
    given,
    (args) => encodeArgv(attachment, rule, name, args, FIRST_SCRIPT_KEY),
    send,
    (args) => args.flat()[FIRST_SCRIPT_KEY + rule.key],
  );
}

/** Makes the methods of a script that defineCommand put on the client encode ARGV; pipelines take them over from the client. */
export function wrapDefined(client: ClientLike, name: string): void {
  for (const method of [name, `${name}Buffer`]) {
    const inner = Reflect.get(client, method) as Method;
    Reflect.set(client, method, createDefinedMethod(client, name, inner));
  }
}

function createDefinedMethod(client: ClientLike, name: string, inner: Method): Method {
  return function (this: CommanderLike, ...given: unknown[]): unknown {
    const attachment = attachmentOf(client);
    const rule = attachment?.shared.scripts.get(name);
    if (attachment === undefined || rule === undefined) return inner.apply(this, given);
    const keys = client.scriptsSet?.[name]?.numberOfKeys ?? undefined;
    const first = keys === undefined ? 1 : 0;
    const prepare = (args: readonly unknown[]): readonly unknown[] => encodeArgv(attachment, rule, name, args, first, keys);
    return passPrepared(
      this,
      given,
      prepare,
      (args) => inner.apply(this, [...args]),
      (args) => args.flat()[first + rule.key],
    );
  };
}

/** The client's own defineCommand. */
export const defineCommand: Method = function (this: ClientLike, ...args: unknown[]): unknown {
  const result = inheritedMethod(this, attachmentOf(this)?.previous, "defineCommand").apply(this, args);
  wrapDefined(this, String(args[0]));
  return result;
};

/** @param keys how many there are; if absent, the argument before the first says so */
function encodeArgv(
  space: KeySpace,
  rule: ScriptRule,
  name: string,
  given: readonly unknown[],
  firstKey: number,
  keys?: number,
): unknown[] {
  const args: unknown[] = [];
  for (const argument of given) {
    const { argv, keyRule } = locateArgv(space, rule, args, firstKey, keys);
    const isOneValue = keyRule?.serializer !== undefined && rule.argv.includes(args.length - argv);
    if (!Array.isArray(argument) || isOneValue) args.push(argument);
    else for (const element of argument) args.push(element);
  }
  const { argv, keyRule, key } = locateArgv(space, rule, args, firstKey, keys);
  if (keyRule === undefined) return args;
  for (const index of rule.argv) {
    const at = argv + index;
    if (at < args.length) args[at] = encodeOne(space.shared, name, keyRule, logicalCallKey(space, key), args[at]);
  }
  return args;
}

interface ArgvLocation {
  /** Where ARGV begins; NaN until the number of keys is known. */
  readonly argv: number;
  readonly key: unknown;
  readonly keyRule: Rule | undefined;
}

function locateArgv(
  space: KeySpace,
  rule: ScriptRule,
  args: readonly unknown[],
  firstKey: number,
  keys: number | undefined,
): ArgvLocation {
  const count = Number(keys ?? args[firstKey - 1]);
  // Beyond the keys stand arguments of the script.
  const key = rule.key < count ? args[firstKey + rule.key] : undefined;
  const keyRule = key === undefined ? undefined : ruleOfCallKey(space, key instanceof Buffer ? key : String(key), "script");
  return { argv: firstKey + count, key, keyRule };
}
