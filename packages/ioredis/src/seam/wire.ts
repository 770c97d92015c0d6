import { CodecId, FRAME_HEADER_BYTES, type ValueCodec } from "@tightwire/codec-core";
import type { ArgumentPlace } from "../arguments.ts";
import type { Held } from "../encode-value.ts";
import { stateOf } from "./command-state.ts";
import type { CommandArgument, CommandLike } from "./ioredis.ts";
import {
  BULK_BYTES,
  commandSize,
  DOLLAR,
  endLine,
  NO_ROOM,
  prependBulk,
  prependCount,
  prependHead,
  sizeOf,
  writeBulk,
  writeCommand,
} from "./resp.ts";
import { writesByBufferMode } from "./source-text.ts";
import { allocate, currentSlab, MAX_CARVED_BYTES, type Memory, release, reserve, Scratch } from "./wire-memory.ts";
import { writingBehind } from "./wire-text.ts";

// What is longer is copied once more: the memory that is kept for it would be too much.
const MAX_LAID_BYTES = 512 * 1024;

// Of UTF-8, for a UTF-16 code unit.
const MAX_UNIT_BYTES = 3;
const MAX_UNMEASURED_UNITS = 4096;

const frames: Scratch = new Scratch();

/** Room for arguments: enough unless they hold long text that is not ASCII. */
function roomFor(args: readonly CommandArgument[], first: number, end: number): number {
  let room = 0;
  for (let i = first; i < end; i++) room += BULK_BYTES + (args[i]?.length ?? BULK_BYTES);
  return room;
}

/** A Buffer of a class of its own, which is made in a third of the time of `subarray()`: redis/set, a hundredth of a SET for each. */
class CommandBytes extends Uint8Array {}
Object.setPrototypeOf(CommandBytes.prototype, Buffer.prototype);

function bytesOf({ buffer }: Memory, start: number, end: number): Buffer {
  return new CommandBytes(buffer, start, end - start) as unknown as Buffer;
}

/** As many bytes as a content may have: to measure short text costs more than to reserve too much. */
function mostBytes(content: Held): number {
  if (typeof content !== "string") return content.length;
  return content.length > MAX_UNMEASURED_UNITS ? Buffer.byteLength(content) : MAX_UNIT_BYTES * content.length;
}

function encodeInto(codec: ValueCodec, content: Held, target: Buffer, offset: number): number {
  if (typeof content === "string") return codec.encodeTextInto(content, target, offset);
  return codec.encodeInto(content, target, offset);
}

/** A frame that is none of its command's first: it is copied once more when that is written. */
function encodeApart(codec: ValueCodec, content: Held): Buffer {
  const size = FRAME_HEADER_BYTES + mostBytes(content);
  if (size > MAX_CARVED_BYTES) return codec.encode(typeof content === "string" ? Buffer.from(content) : content);
  const start = reserve(size);
  const memory = currentSlab();
  const end = start + encodeInto(codec, content, memory.bytes, start);
  release(memory, start + size, end);
  return bytesOf(memory, start, end);
}

/**
 * A frame among the bytes of the command that it is an argument of. The frame is laid down first, with room before and after it:
 * its length, which stands before it, is known last, and Redis refuses one with leading zeros.
 */
export class CommandTarget implements ArgumentPlace {
  readonly #command: CommandLike;
  /** The argument that is being encoded. */
  index = 0;
  #memory: Memory | undefined = undefined;
  #frame: Buffer | undefined = undefined;
  #frameIndex = 0;
  #start = 0;
  #frameStart = 0;
  #end = 0;

  constructor(command: CommandLike) {
    this.#command = command;
  }

  encode(codec: ValueCodec, content: Held): Buffer {
    // Compressors that are not ours get no memory to see that holds what was written before.
    if (codec.compressor.id > CodecId.ZSTD || content.length > Math.min(MAX_LAID_BYTES, codec.maxContentBytes)) {
      return codec.encode(typeof content === "string" ? Buffer.from(content) : content);
    }
    if (this.#frame !== undefined) return encodeApart(codec, content);
    const { name, args } = this.#command;
    // The command's name and the counts before it and before the frame are three more.
    const before = roomFor(args, 0, this.index) + name.length + 3 * BULK_BYTES;
    const after = 2 + roomFor(args, this.index + 1, args.length);
    const size = before + FRAME_HEADER_BYTES + mostBytes(content) + after;
    if (size > MAX_CARVED_BYTES) return this.#layLarge(codec, content, size, before, after);
    const start = reserve(size);
    const memory = currentSlab();
    const frameSize = encodeInto(codec, content, memory.bytes, start + before);
    release(memory, start + size, start + before + frameSize + after);
    return this.#place(memory, start, before, frameSize, after);
  }

  #layLarge(codec: ValueCodec, content: Held, size: number, before: number, after: number): Buffer {
    const scratch = frames.take(size);
    const frameSize = encodeInto(codec, content, scratch.bytes, before);
    const used = before + frameSize + after;
    // So full that it becomes the command itself: given away, not back.
    if (used * 2 >= scratch.bytes.length) return this.#place(scratch, 0, before, frameSize, after);
    const isCarved = used <= MAX_CARVED_BYTES;
    const start = isCarved ? reserve(used) : 0;
    const memory = isCarved ? currentSlab() : allocate(used);
    memory.bytes.set(scratch.bytes.subarray(before, before + frameSize), start + before);
    frames.give(scratch);
    return this.#place(memory, start, before, frameSize, after);
  }

  #place(memory: Memory, start: number, before: number, frameSize: number, after: number): Buffer {
    const frameStart = start + before;
    this.#memory = memory;
    this.#frameIndex = this.index;
    this.#start = start;
    this.#frameStart = frameStart;
    this.#end = frameStart + frameSize + after;
    this.#frame = bytesOf(memory, frameStart, frameStart + frameSize);
    return this.#frame;
  }

  /**
   * The whole command, by writing what stands before and after the frame. Undefined the second time, as the socket may still hold
   * the first; also if the command has become another one since.
   *
   * @param command the one that is asked for its bytes: a copy of the one that the frame was laid down for has its state, too
   */
  complete(command: CommandLike): Buffer | undefined {
    const memory = this.#memory;
    const frame = this.#frame;
    if (memory === undefined || frame === undefined || command.args[this.#frameIndex] !== frame) return undefined;
    this.#memory = undefined;
    const start = this.#writeHead(command, memory.bytes, frame.length);
    const end = start < 0 ? start : this.#writeTail(command, memory.bytes, this.#frameStart + frame.length);
    return end < 0 ? undefined : bytesOf(memory, start, end);
  }

  #writeHead(command: CommandLike, bytes: Buffer, frameSize: number): number {
    const { args } = command;
    let at = prependCount(bytes, this.#frameStart, DOLLAR, frameSize);
    for (let i = this.#frameIndex - 1; i >= 0 && at >= 0; i--) {
      at = prependBulk(bytes, this.#start, at, args[i] as CommandArgument);
    }
    return at < 0 ? at : prependHead(bytes, this.#start, at, command);
  }

  #writeTail({ args }: CommandLike, bytes: Buffer, frameEnd: number): number {
    let at = endLine(bytes, frameEnd);
    for (let i = this.#frameIndex + 1; i < args.length; i++) {
      const argument = args[i] as CommandArgument;
      if (at + sizeOf(argument) + BULK_BYTES > this.#end) return NO_ROOM;
      at = writeBulk(bytes, at, argument);
    }
    return at;
  }
}

/** The whole command, in memory of its own. */
function writeWhole(command: CommandLike): Buffer {
  const size = commandSize(command);
  const isCarved = size <= MAX_CARVED_BYTES;
  const start = isCarved ? reserve(size) : 0;
  const memory = isCarved ? currentSlab() : allocate(size);
  return bytesOf(memory, start, writeCommand(memory.bytes, start, command));
}

/** The toWritable of commands with encoded values: one piece of memory, where ioredis joins many small ones. */
export function toWritable(this: CommandLike, socket?: unknown): string | Buffer {
  if (Object.getPrototypeOf(this).toWritable !== plainWriting) {
    const writing = writingBehind(this, toWritable);
    if (writing !== undefined && !isPlainCommand({ toWritable: writing })) return writeByPatch(this, writing, socket);
  }
  return stateOf(this)?.target?.complete(this) ?? writeWhole(this);
}

/** Somebody has patched how all commands are written after this one was encoded. */
function writeByPatch(command: CommandLike, writing: NonNullable<CommandLike["toWritable"]>, socket: unknown): string | Buffer {
  command.stringifyArguments();
  return writing.call(command, socket);
}

let plainWriting: CommandLike["toWritable"];

/** Whether a command is written as ioredis' `Command` writes it: scripts have a way of their own, and so may whoever patches that class. */
export function isPlainCommand({ toWritable: writing }: Pick<CommandLike, "toWritable">): boolean {
  if (writing === undefined || (writing !== plainWriting && !writesByBufferMode(writing))) return false;
  plainWriting = writing;
  return true;
}
