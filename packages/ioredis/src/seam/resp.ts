import type { CommandArgument, CommandLike } from "./ioredis.ts";

const CR = 13;
const LF = 10;
const ZERO = 48;
const MAX_LOOPED = 48;
const LAST_ASCII = 127;

/** The most that a bulk string takes besides its content: "$", a length of up to ten digits and twice CR LF. */
export const BULK_BYTES = 15;
/** What has no room begins or ends here. */
export const NO_ROOM: number = -1;
/** What the length of a bulk string follows. */
export const DOLLAR = 36;
/** What the number of bulk strings in a command follows. */
export const ASTERISK = 42;

function digitsOf(count: number): number {
  let digits = 1;
  for (let rest = count; rest >= 10; rest = Math.floor(rest / 10)) digits++;
  return digits;
}

/** Bytes that an argument takes in a command. */
function bulkSize(size: number): number {
  return size + digitsOf(size) + 5;
}

/**
 * Bytes of an argument.
 *
 * @throws TypeError for what somebody has put among the arguments that is neither text nor a Buffer
 */
export function sizeOf(argument: CommandArgument): number {
  if (typeof argument === "string") return Buffer.byteLength(argument);
  // Not for any view: what cannot be copied as bytes would leave what lay there before.
  if (argument instanceof Buffer) return argument.length;
  throw new TypeError("a command's argument is neither a string nor a Buffer");
}

/** Writes a text of so many bytes of UTF-8; a loop is faster than a native call where it is short. */
export function writeText(target: Buffer, at: number, text: string, size: number): void {
  if (size !== text.length) target.write(text, at, size, "utf8");
  else if (size > MAX_LOOPED) target.write(text, at, size, "latin1");
  else for (let i = 0; i < size; i++) target[at + i] = text.charCodeAt(i);
}

/** Writes CR LF; returns where it ends. */
export function endLine(target: Buffer, at: number): number {
  target[at] = CR;
  target[at + 1] = LF;
  return at + 2;
}

/** Writes "$3\r\n" or "*3\r\n"; returns where it ends. */
function writeCount(target: Buffer, at: number, mark: number, count: number): number {
  const end = at + 1 + digitsOf(count);
  prependCount(target, end + 2, mark, count);
  return end + 2;
}

/** The same, so that it ends at `end`; returns where it begins. */
export function prependCount(target: Buffer, end: number, mark: number, count: number): number {
  let at = end - 2;
  endLine(target, at);
  let rest = count;
  do {
    target[--at] = ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  } while (rest > 0);
  target[--at] = mark;
  return at;
}

/** Writes an argument as a bulk string; returns where it ends. */
export function writeBulk(target: Buffer, at: number, argument: CommandArgument): number {
  const size = sizeOf(argument);
  const start = writeCount(target, at, DOLLAR, size);
  if (typeof argument === "string") writeText(target, start, argument, size);
  else target.set(argument, start);
  return endLine(target, start + size);
}

/** Writes an argument so that it ends at `end`; returns where it begins, or -1 if that would be before `start`. */
export function prependBulk(target: Buffer, start: number, end: number, argument: CommandArgument): number {
  if (end - start < argument.length + BULK_BYTES) return NO_ROOM;
  const at = end - 2;
  endLine(target, at);
  if (typeof argument === "string" && argument.length <= MAX_LOOPED) {
    let i = argument.length - 1;
    for (let code = 0; i >= 0; i--) {
      code = argument.charCodeAt(i);
      if (code > LAST_ASCII) break;
      target[at - argument.length + i] = code;
    }
    if (i < 0) return prependCount(target, at - argument.length, DOLLAR, argument.length);
  }
  const size = sizeOf(argument);
  if (end - start < size + BULK_BYTES) return NO_ROOM;
  if (typeof argument === "string") target.write(argument, at - size, size, "utf8");
  else target.set(argument, at - size);
  return prependCount(target, at - size, DOLLAR, size);
}

/** Bytes of a whole command. */
export function commandSize({ name, args }: CommandLike): number {
  let size = 3 + digitsOf(args.length + 1) + bulkSize(Buffer.byteLength(name));
  for (const argument of args) size += bulkSize(sizeOf(argument));
  return size;
}

/** Writes a whole command; returns where it ends. */
export function writeCommand(target: Buffer, start: number, { name, args }: CommandLike): number {
  let at = writeCount(target, start, ASTERISK, args.length + 1);
  at = writeBulk(target, at, name);
  for (const argument of args) at = writeBulk(target, at, argument);
  return at;
}
