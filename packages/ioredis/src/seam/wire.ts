import type { CommandLike } from "./ioredis.ts";
import { commandSize, writeCommand } from "./resp.ts";
import { currentSlab, MAX_CARVED_BYTES, reserve } from "./wire-memory.ts";

/** The whole command, in memory of its own. */
function writeWhole(command: CommandLike): Buffer {
  const size = commandSize(command);
  const isCarved = size <= MAX_CARVED_BYTES;
  const start = isCarved ? reserve(size) : 0;
  const bytes = isCarved ? currentSlab() : Buffer.allocUnsafeSlow(size);
  return bytes.subarray(start, writeCommand(bytes, start, command));
}

/** The toWritable of commands with encoded values: one piece of memory, where ioredis joins many small ones. */
export function toWritable(this: CommandLike): Buffer {
  return writeWhole(this);
}

let plainPrototype: unknown;

/** Whether a command is written as ioredis' `Command` writes it: its scripts have a way of their own. */
export function isPlainCommand(command: CommandLike): boolean {
  if (Object.hasOwn(command, "toWritable")) return false;
  const prototype = Object.getPrototypeOf(command);
  if (prototype === plainPrototype) return true;
  if (Object.getPrototypeOf(prototype).toWritable !== undefined) return false;
  plainPrototype = prototype;
  return true;
}
