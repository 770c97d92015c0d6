import type { CommandRow } from "./commands.ts";
import { type KeySpace, logicalKey, ruleAt } from "./keys.ts";
import type { CommandLike } from "./seam/ioredis.ts";
import { encodeValue, locateError } from "./values.ts";

/**
 * Argument transformer: replaces the values of a command by what Redis is to hold. Each value follows the rule of its own key.
 *
 * @returns whether an argument was replaced
 * @throws CodecError `CODEC_SIZE_LIMIT` with key and command; the command must then not be sent
 */
export function encodeArguments(space: KeySpace, row: CommandRow, command: CommandLike): boolean {
  const { values } = row;
  if (values === undefined) return false;
  const { args } = command;
  const step = values.step ?? args.length;
  let encoded = false;
  for (let i = values.first; i < args.length; i += step) {
    encoded = encodeArgument(space, row, command, i, values.keyBefore === true ? i - 1 : 0) || encoded;
  }
  return encoded;
}

function encodeArgument(space: KeySpace, row: CommandRow, command: CommandLike, index: number, keyIndex: number): boolean {
  const rule = ruleAt(space, command, keyIndex, row.type);
  const value = command.args[index];
  if (rule === undefined || value === undefined) return false;
  try {
    command.args[index] = encodeValue(rule, space.shared.stats.of(rule.prefix), value);
    return true;
  } catch (error) {
    const key = logicalKey(space, command, command.args[keyIndex] ?? "");
    throw locateError(error, { key, command: command.name.toLowerCase() });
  }
}
