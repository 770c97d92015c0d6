import { CodecError, CodecErrorCode } from "@tightwire/codec-core";
import type { ArgumentPositions, CommandRow } from "./commands.ts";
import { type KeySpace, logicalKey, logicalOffset, ruleAt } from "./keys.ts";
import { findOption, lastIndex } from "./positions.ts";
import { canRead } from "./rules.ts";
import type { CommandLike } from "./seam/ioredis.ts";

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

function refuse(space: KeySpace, command: CommandLike, index: number, why: string): CodecError {
  const name = command.name.toLowerCase();
  const key = logicalKey(space, command, command.args[index] ?? "");
  return new CodecError(CodecErrorCode.COMMAND_UNSAFE, `${name} is refused: ${why}`, { key, command: name });
}

function findUnsafeKey(space: KeySpace, row: CommandRow, command: CommandLike, keys: ArgumentPositions): CodecError | undefined {
  const last = lastIndex(keys, command.args);
  for (let i = keys.first; i <= last; i += keys.step ?? 1) {
    const rule = ruleAt(space, command, i, row.home);
    if (rule?.unsafe === "refuse")
      return refuse(space, command, i, `it works on stored bytes, and "${rule.prefix}" holds frames`);
  }
  return undefined;
}

function findUnsafePattern(space: KeySpace, row: CommandRow, command: CommandLike): CodecError | undefined {
  if (row.patterns === undefined) return undefined;
  const { option, options } = row.patterns;
  let at = findOption(command.args, option, options);
  while (at >= 0) {
    if (patternMayBeFramed(space, command, at)) return refuse(space, command, at, `${option} would return frames`);
    at = findOption(command.args, option, options, at + 1);
  }
  return undefined;
}

function patternMayBeFramed(space: KeySpace, command: CommandLike, index: number): boolean {
  const pattern = command.args[index];
  if (pattern === undefined || pattern.toString() === "#") return false;
  const text = logicalKey(space, command, pattern).toString();
  const type = text.includes("->") ? "hash" : "string";
  const star = text.indexOf("*");
  const head = star < 0 ? text : text.slice(0, star);
  return space.shared.rules.mayCover(head, (rule) => rule.covers[type] && rule.unsafe === "refuse");
}

function findUnreadableMove(space: KeySpace, row: CommandRow, command: CommandLike): CodecError | undefined {
  const [from, to] = command.args;
  if (from === undefined || to === undefined) return undefined;
  const fromOffset = logicalOffset(space, command, from);
  const source = fromOffset < 0 ? undefined : space.shared.rules.match(from, fromOffset);
  if (source === undefined || source.unsafe === "allow") return undefined;
  const moved = row.moves?.filter((type) => source.covers[type]) ?? [];
  const toOffset = logicalOffset(space, command, to);
  const target = toOffset < 0 ? undefined : space.shared.rules.match(to, toOffset);
  if (moved.length === 0 || canRead(target, source, moved)) return undefined;
  const where = target === undefined ? "the target key, which no rule covers" : `the rule for "${target.prefix}"`;
  return refuse(space, command, 0, `values of "${source.prefix}" could not be read under ${where}`);
}
