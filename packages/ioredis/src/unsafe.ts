import type { CodecError } from "@tightwire/codec-core";
import type { ArgumentPositions, CommandRow } from "./commands.ts";
import { type KeySpace, logicalKey, logicalOffset, ruleAt } from "./keys.ts";
import { findOption, lastIndex } from "./positions.ts";
import { canRead, type Rule } from "./rules.ts";
import type { CommandArgument, CommandLike } from "./seam/ioredis.ts";
import { refuseCommand } from "./value-errors.ts";

/**
 * Whether a command must be refused: it would read or change the bytes of a frame, or bring a value under a rule that cannot
 * read it.
 *
 * @returns the error, or undefined for a command that may be sent
 */
export function findUnsafe(space: KeySpace, row: CommandRow, command: CommandLike): CodecError | undefined {
  if (row.moves !== undefined) return findUnreadableMove(space, row, command);
  if (row.unsafe === undefined) return undefined;
  return findUnsafeKey(space, row, command, row.unsafe) ?? findUnsafePattern(space, row, command);
}

function refuse(space: KeySpace, command: CommandLike, index: number, rule: Rule | undefined, why: string): CodecError {
  const key = logicalKey(space, command, command.args[index] ?? "");
  return refuseCommand(space.shared, rule, command.name.toLowerCase(), key, why);
}

function findUnsafeKey(space: KeySpace, row: CommandRow, command: CommandLike, keys: ArgumentPositions): CodecError | undefined {
  const last = lastIndex(keys, command.args);
  for (let i = keys.first; i <= last; i += keys.step ?? 1) {
    const rule = ruleAt(space, command, i, row.home);
    if (rule?.unsafe === "refuse")
      return refuse(
        space,
        command,
        i,
        rule,
        `it works on stored bytes, and "${rule.prefix}" holds frames; unsafe: "allow" lets it pass, "raw" leaves such keys alone`,
      );
  }
  return undefined;
}

function findUnsafePattern(space: KeySpace, row: CommandRow, command: CommandLike): CodecError | undefined {
  if (row.patterns === undefined) return undefined;
  const { option, options } = row.patterns;
  let at = findOption(command.args, option, options);
  while (at >= 0) {
    if (patternMayBeFramed(space, command, at)) return refuse(space, command, at, undefined, `${option} would return frames`);
    at = findOption(command.args, option, options, at + 1);
  }
  return undefined;
}

const ARROW_LENGTH = 2;

function patternMayBeFramed(space: KeySpace, command: CommandLike, index: number): boolean {
  const pattern = command.args[index];
  if (pattern === undefined || pattern.toString() === "#") return false;
  const text = logicalKey(space, command, pattern).toString();
  const star = text.indexOf("*");
  // Without a star the pattern names no key; a field follows an arrow behind the star.
  if (star < 0) return false;
  const arrow = text.indexOf("->", star);
  const type = arrow >= 0 && arrow + ARROW_LENGTH < text.length ? "hash" : "string";
  return space.shared.rules.mayCover(text.slice(0, star), (rule) => rule.covers[type] && rule.unsafe === "refuse");
}

function findUnreadableMove(space: KeySpace, row: CommandRow, command: CommandLike): CodecError | undefined {
  const [from, to] = command.args;
  if (from === undefined || to === undefined) return undefined;
  const source = ruleOf(space, command, from);
  const target = ruleOf(space, command, to);
  if ((source ?? target)?.unsafe !== "refuse") return undefined;
  if (canRead(target, source, row.moves ?? [])) return undefined;
  const values = source === undefined ? "raw values" : `values of "${source.prefix}"`;
  const where = target === undefined ? "the target key, which no rule covers" : `the rule for "${target.prefix}"`;
  return refuse(space, command, 0, source ?? target, `${values} could not be read under ${where}`);
}

function ruleOf(space: KeySpace, command: CommandLike, key: CommandArgument): Rule | undefined {
  const offset = logicalOffset(space, command, key);
  return offset < 0 ? undefined : space.shared.rules.match(key, offset);
}
