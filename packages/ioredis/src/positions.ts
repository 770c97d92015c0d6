import type { ArgumentPositions, CommandRow, CountedPositions, OptionTokens, ValuePositions } from "./commands.ts";

type Arguments = readonly unknown[];

const NONE = -1;
const APPROXIMATE_MARKS: ReadonlySet<string> = new Set(["=", "~"]);

function skipArguments(args: Arguments, index: number, name: string, tokens: OptionTokens): number {
  const marked = tokens.approximate?.includes(name) === true && APPROXIMATE_MARKS.has(String(args[index + 1]));
  return (tokens.arity[name] ?? 0) + (marked ? 1 : 0);
}

/** The index after the first of `names` that is given as an option, or -1. What follows an option is never taken for one. */
export function findOption(args: Arguments, names: string | readonly string[], tokens: OptionTokens, from?: number): number {
  for (let i = from ?? tokens.first; i < args.length; i++) {
    const name = String(args[i]).toUpperCase();
    if (typeof names === "string" ? name === names : names.includes(name)) return i + 1;
    i += skipArguments(args, i, name, tokens);
  }
  return NONE;
}

function findEndOfOptions(args: Arguments, tokens: OptionTokens): number {
  for (let i = tokens.first; i < args.length; i++) {
    const name = String(args[i]).toUpperCase();
    if (tokens.arity[name] === undefined) return i;
    i += skipArguments(args, i, name, tokens);
  }
  return args.length;
}

function locateCounted(args: Arguments, { option, options, step }: CountedPositions): ArgumentPositions | undefined {
  const countAt = findOption(args, option, options);
  if (countAt === NONE) return undefined;
  const first = countAt + step;
  return { first, step, last: first + (Number(args[countAt]) - 1) * step };
}

/** Where the values of this call are; undefined if it holds none. */
export function locateValues(values: ValuePositions | undefined, args: Arguments): ArgumentPositions | undefined {
  if (values === undefined) return undefined;
  if (values.at !== undefined) return values.at;
  if (values.counted !== undefined) return locateCounted(args, values.counted);
  if (values.pairsAfter !== undefined) return { first: findEndOfOptions(args, values.pairsAfter) + 2, step: 2 };
  const countAt = values.countAt ?? 0;
  return { first: countAt + 2, step: 2, last: countAt + 2 * Number(args[countAt]) };
}

/** Whether an index is one of the positions. */
export function isAt(positions: ArgumentPositions | undefined, index: number): boolean {
  if (positions === undefined || index < positions.first || index > (positions.last ?? index)) return false;
  if (positions.step === undefined) return index === positions.first;
  return (index - positions.first) % positions.step === 0;
}

/** The last index to visit, and never one past the arguments. */
export function lastIndex(positions: ArgumentPositions, args: Arguments): number {
  const last = positions.last ?? (positions.step === undefined ? positions.first : args.length - 1);
  return Math.min(last, args.length - 1);
}

/** Whether this call's reply holds values. */
export function replyHoldsValues(row: CommandRow, args: Arguments): boolean {
  if (row.reply === undefined) return false;
  if (row.replyNeeds === undefined) return true;
  const { option, given, options } = row.replyNeeds;
  return (findOption(args, option, options) !== NONE) === given;
}

/** Where the values are that the server compares with what it holds. */
export function locateComparands(row: CommandRow, args: Arguments): ArgumentPositions | undefined {
  const { comparands } = row;
  if (comparands === undefined || "first" in comparands) return comparands;
  const first = findOption(args, comparands.after, comparands.options);
  return first === NONE ? undefined : { first };
}
