import type { CodecError } from "@tightwire/codec-core";
import type { CommandRow } from "./commands.ts";
import { encodeValue, type FramePlace, isHeldRaw, isMarkedHeld } from "./encode-value.ts";
import { type KeySpace, logicalKey, ruleAt } from "./keys.ts";
import { lastIndex, locateComparands, locateValues } from "./positions.ts";
import type { Rule } from "./rules.ts";
import type { CommandLike } from "./seam/ioredis.ts";
import type { Shared } from "./shared.ts";
import { countError, locateError, refuseCommand } from "./value-errors.ts";

/** Where frames are to lie: among the bytes of their command. */
export interface ArgumentPlace extends FramePlace {
  /** The argument that is being encoded. */
  index: number;
}

/**
 * Argument transformer: replaces the values of a command by what Redis is to hold. Each value follows the rule of its own key.
 *
 * @param known the rule of the command's one key, if it has only one
 * @param place where the frames are to lie
 * @returns whether there were values under a rule
 * @throws CodecError `CODEC_SIZE_LIMIT`, `CODEC_SERIALIZE`, with key and command; the command must then not be sent
 */
export function encodeArguments(
  space: KeySpace,
  row: CommandRow,
  command: CommandLike,
  known?: Rule,
  place?: ArgumentPlace,
): boolean {
  const positions = locateValues(row.values, command.args);
  if (positions === undefined) return false;
  const last = lastIndex(positions, command.args);
  const step = positions.step ?? 1;
  const keyBefore = row.values?.keyBefore === true;
  let encoded = false;
  for (let i = positions.first; i <= last; i += step) {
    const keyIndex = keyBefore ? i - 1 : (row.key ?? 0);
    const rule = known ?? ruleAt(space, command, keyIndex, row.home);
    if (rule !== undefined) encoded = encodeArgument(space, rule, command, i, keyIndex, place) || encoded;
  }
  return encoded;
}

/**
 * Replaces the values that the server is to compare with what it holds, where their rule says so.
 *
 * @returns whether an argument was replaced
 * @throws CodecError `CODEC_COMMAND_UNSAFE` where the rule says that such commands are refused, unless it holds such a value raw
 */
export function encodeComparands(space: KeySpace, row: CommandRow, command: CommandLike): boolean {
  const positions = locateComparands(row, command.args);
  if (positions === undefined || positions.first >= command.args.length) return false;
  const keyIndex = row.key ?? 0;
  const rule = ruleAt(space, command, keyIndex, row.home);
  if (rule === undefined) return false;
  if (isMarkedHeld(command.args[positions.first])) return true;
  if (rule.comparands === "encode") return encodeArgument(space, rule, command, positions.first, keyIndex);
  // What is held raw is compared as it is: job ids and lock tokens in lists.
  if (isHeldRaw(rule, command.args[positions.first])) return false;
  throw refuseComparand(space.shared, rule, command.name.toLowerCase(), logicalKey(space, command, command.args[keyIndex] ?? ""));
}

/** The error of a command whose comparand Redis would not find, because it holds a frame of it. */
export function refuseComparand(shared: Shared, rule: Rule, name: string, key: string | Buffer): CodecError {
  const why = `it compares a value with what "${rule.prefix}" holds; comparands: "encode" compares its frame`;
  return refuseCommand(shared, rule, name, key, why);
}

function encodeArgument(
  space: KeySpace,
  rule: Rule,
  command: CommandLike,
  index: number,
  keyIndex: number,
  place?: ArgumentPlace,
): boolean {
  const value = command.args[index];
  if (value === undefined) return false;
  if (isMarkedHeld(value)) return true;
  if (place !== undefined) place.index = index;
  try {
    command.args[index] = encodeValue(rule, space.shared.stats.of(rule.statsName), value, place);
    return true;
  } catch (error) {
    const key = logicalKey(space, command, command.args[keyIndex] ?? "");
    throw countError(space.shared, rule, locateError(error, { key, command: command.name.toLowerCase() }));
  }
}
