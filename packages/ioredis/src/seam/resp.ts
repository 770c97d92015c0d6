import type { CommandArgument, CommandLike } from "./ioredis.ts";

const CR = 13;
const LF = 10;
const ZERO = 48;
const MAX_CHARACTER_BYTES = 4;

/** The most that a bulk string takes besides its content: "$", a length of up to ten digits and twice CR LF. */
export const BULK_BYTES = 15;
/** What has no room begins or ends here. */
export const NO_ROOM: number = -1;
/** What the length of a bulk string follows. */
export const DOLLAR = 36;
/** What the number of bulk strings in a command follows. */
const ASTERISK = 42;

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

// What write() calls. It is not in the types and not documented, but in every release.
interface RawText {
  utf8Write(text: string, offset: number, length: number): number;
}

// redis/set: one call, whatever the length. Character by character each takes 7 ns, as V8 must ask how its string is represented.
function writeText(target: Buffer, at: number, text: string, size: number): void {
  (target as Buffer & RawText).utf8Write(text, at, size);
}

/** Writes a text so that it ends at `end` if it is ASCII, else writes nothing that lasts; `target` has four bytes behind `end`. */
function tryPrependAscii(target: Buffer, end: number, text: string): boolean {
  const { length } = text;
  const behind = target.readUInt32LE(end);
  // Room for `length` bytes and one more character: a text that is not ASCII has more bytes than `length`, and fills some of it.
  const isAscii = (target as Buffer & RawText).utf8Write(text, end - length, length + MAX_CHARACTER_BYTES) === length;
  if (!isAscii) target.writeUInt32LE(behind, end);
  return isAscii;
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
  // An integer, and known to be one: to divide it by a constant is then a multiplication.
  let rest = count | 0;
  do {
    const tens = (rest / 10) | 0;
    target[--at] = ZERO + rest - 10 * tens;
    rest = tens;
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

/**
 * Writes an argument so that it ends at `end`; returns where it begins, or -1 if that would be before `start`.
 *
 * @param target has at least two more bytes behind `end`
 */
export function prependBulk(target: Buffer, start: number, end: number, argument: CommandArgument): number {
  // Put this way because what has no length has no room: `writeBulk()` refuses it elsewhere.
  if (!(end - start >= argument.length + BULK_BYTES)) return NO_ROOM;
  const at = end - 2;
  if (typeof argument === "string" && tryPrependAscii(target, at, argument)) {
    endLine(target, at);
    return prependCount(target, at - argument.length, DOLLAR, argument.length);
  }
  endLine(target, at);
  const size = sizeOf(argument);
  if (end - start < size + BULK_BYTES) return NO_ROOM;
  if (typeof argument === "string") writeText(target, at - size, argument, size);
  else target.set(argument, at - size);
  return prependCount(target, at - size, DOLLAR, size);
}

// Programs send the same command over and over.
let lastName: string | undefined;
let lastCount = 0;
let lastHead: Uint8Array = new Uint8Array(0);

/** "*3\r\n$3\r\nset\r\n": what a command of so many bulk strings begins with. */
function headOf(name: string, count: number): Uint8Array {
  if (name === lastName && count === lastCount) return lastHead;
  lastHead = Buffer.from(`*${count}\r\n$${Buffer.byteLength(name)}\r\n${name}\r\n`);
  lastName = name;
  lastCount = count;
  return lastHead;
}

/** Writes what a command begins with so that it ends at `end`; returns where it begins, or -1 if that would be before `start`. */
export function prependHead(target: Buffer, start: number, end: number, { name, args }: CommandLike): number {
  const head = headOf(name, args.length + 1);
  const { length } = head;
  const at = end - length;
  if (at < start) return NO_ROOM;
  for (let i = 0; i < length; i++) target[at + i] = head[i] as number;
  return at;
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
