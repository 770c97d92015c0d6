import type { CommandRow } from "./commands.ts";

/** What a script's arguments and reply hold. */
export interface ScriptOptions {
  /**
   * Indexes of ARGV, counted from 0, whose values are encoded.
   * @default []
   */
  argv?: readonly number[];
  /**
   * Index of the key in KEYS, counted from 0, whose rule the values follow.
   * @default 0
   */
  key?: number;
  /**
   * Whether the reply is a value under that key, or a list of values.
   * @default none
   */
  reply?: "value" | "values";
}

/** A script's options, checked. */
export interface ScriptRule {
  readonly argv: readonly number[];
  readonly key: number;
  /** The row by which the reply of EVAL and its like is decoded; undefined if it holds no values. */
  readonly row: CommandRow | undefined;
}

const OPTIONS: ReadonlySet<string> = new Set(["argv", "key", "reply"]);
const REPLIES: ReadonlySet<unknown> = new Set([undefined, "value", "values"]);

/** EVAL script numkeys key… arg…: where the keys begin. */
export const FIRST_SCRIPT_KEY = 2;

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function resolveScript(name: string, options: unknown): ScriptRule {
  const what = `script "${name}"`;
  if (typeof options !== "object" || options === null) throw new TypeError(`${what} must be an object`);
  for (const option of Object.keys(options)) {
    if (!OPTIONS.has(option)) throw new TypeError(`${what}: unknown option "${option}"; known are ${[...OPTIONS].join(", ")}`);
  }
  const { argv = [], key = 0, reply } = options as ScriptOptions;
  if (!Array.isArray(argv)) throw new TypeError(`${what}: argv must be an array of indexes`);
  if (!argv.every(isIndex)) throw new RangeError(`${what}: argv must hold whole numbers ≥ 0`);
  if (!isIndex(key)) throw new RangeError(`${what}: key must be a whole number ≥ 0`);
  if (!REPLIES.has(reply)) throw new RangeError(`${what}: reply must be "value" or "values"`);
  const row: CommandRow | undefined = reply && Object.freeze({ home: "script", key: FIRST_SCRIPT_KEY + key, reply });
  return Object.freeze({ argv: Object.freeze([...argv]), key, row });
}

/**
 * Checks the options of scripts.
 *
 * @param scripts by the name that defineCommand or FUNCTION gave them, or by the SHA-1 of their text in lower-case hexadecimal
 * @throws TypeError, RangeError
 */
export function resolveScripts(scripts: unknown): ReadonlyMap<string, ScriptRule> {
  if (scripts === undefined) return new Map();
  if (typeof scripts !== "object" || scripts === null || Symbol.iterator in scripts) {
    throw new TypeError("scripts must be an object of options by the script's name");
  }
  return new Map(Object.entries(scripts).map(([name, options]) => [name, resolveScript(name, options)]));
}
