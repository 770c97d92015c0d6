import { CodecId, FRAME_HEADER_BYTES, type ValueCodec } from "@tightwire/codec-core";
import type { ArgumentPlace } from "../arguments.ts";
import type { Held } from "../encode-value.ts";
import { contentSizeOf } from "../reading.ts";
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
import { currentSlab, MAX_CARVED_BYTES, release, reserve, Scratch } from "./wire-memory.ts";

// What is longer is copied once more: the memory that is kept for it would be too much.
const MAX_LAID_BYTES = 512 * 1024;

// Of UTF-8, for a UTF-16 code unit.
const MAX_UNIT_BYTES = 3;

const NOT_LAID = 0;

const frames: Scratch = new Scratch();

/** Room for arguments: enough unless they hold long text that is not ASCII. */
function roomFor(args: readonly CommandArgument[], first: number, end: number): number {
  let room = 0;
  for (let i = first; i < end; i++) room += BULK_BYTES + (args[i]?.length ?? BULK_BYTES);
  return room;
}

/**
 * A Buffer of a class of its own: made in a third of the time of `subarray()`, which is a tenth of what a SET costs with it. It is
 * written to the socket and seen by nobody else.
 */
class CommandBytes extends Uint8Array {}
Object.setPrototypeOf(CommandBytes.prototype, Buffer.prototype);

function commandBytes(bytes: Buffer, start: number, end: number): Buffer {
  return new CommandBytes(bytes.buffer as ArrayBuffer, bytes.byteOffset + start, end - start) as unknown as Buffer;
}

/** As many bytes as a content may have; to measure text costs more than to reserve too much. */
function mostBytes(content: Held): number {
  return typeof content === "string" ? MAX_UNIT_BYTES * content.length : content.length;
}

function byteLengthOf(content: Held): number {
  return typeof content === "string" ? Buffer.byteLength(content) : content.length;
}

function encodeInto(codec: ValueCodec, content: Held, target: Buffer, offset: number): number {
  if (typeof content === "string") return codec.encodeTextInto(content, target, offset);
  return codec.encodeInto(content, target, offset);
}

/**
 * A frame among the bytes of the command that it is an argument of. The frame is laid down first, with room before and after it:
 * its length, which stands before it, is known last, and Redis refuses one with leading zeros.
 *
 * The value stays among the command's arguments: redis/set, a view of the frame in its place costs more than the frame.
 */
export class CommandTarget implements ArgumentPlace {
  readonly #command: CommandLike;
  /** The argument that is being encoded. */
  index = 0;
  #bytes: Buffer | undefined = undefined;
  #value: Held | undefined = undefined;
  #valueIndex = 0;
  #start = 0;
  #frameStart = 0;
  #frameEnd = 0;
  #end = 0;
  #isWritten = false;

  constructor(command: CommandLike) {
    this.#command = command;
  }

  /** Whether a frame lies here. */
  get isLaid(): boolean {
    return this.#bytes !== undefined;
  }

  get contentSize(): number {
    return this.#bytes === undefined ? 0 : contentSizeOf(this.#bytes, this.#frameStart);
  }

  lay(codec: ValueCodec, content: Held): number {
    // Compressors that are not ours get no memory to see that holds what was written before.
    const isForeign = codec.compressor.id > CodecId.ZSTD;
    if (isForeign || this.isLaid || content.length > Math.min(MAX_LAID_BYTES, codec.maxContentBytes)) return NOT_LAID;
    const { name, args } = this.#command;
    // The command's name and the counts before it and before the frame are three more.
    const before = roomFor(args, 0, this.index) + name.length + 3 * BULK_BYTES;
    const after = 2 + roomFor(args, this.index + 1, args.length);
    const size = before + FRAME_HEADER_BYTES + mostBytes(content) + after;
    if (size > MAX_CARVED_BYTES) return this.#layLarge(codec, content, before, after);
    const start = reserve(size);
    const bytes = currentSlab();
    const frameSize = encodeInto(codec, content, bytes, start + before);
    release(bytes, start + size, start + before + frameSize + after);
    return this.#place(bytes, start, before, frameSize, after, content);
  }

  #layLarge(codec: ValueCodec, content: Held, before: number, after: number): number {
    const scratch = frames.take(before + FRAME_HEADER_BYTES + byteLengthOf(content) + after);
    const frameSize = encodeInto(codec, content, scratch, before);
    const used = before + frameSize + after;
    if (used * 2 >= scratch.length) return this.#place(scratch, 0, before, frameSize, after, content);
    const isCarved = used <= MAX_CARVED_BYTES;
    const start = isCarved ? reserve(used) : 0;
    const bytes = isCarved ? currentSlab() : Buffer.allocUnsafeSlow(used);
    bytes.set(scratch.subarray(before, before + frameSize), start + before);
    frames.give(scratch);
    return this.#place(bytes, start, before, frameSize, after, content);
  }

  #place(bytes: Buffer, start: number, before: number, frameSize: number, after: number, value: Held): number {
    this.#bytes = bytes;
    this.#value = value;
    this.#valueIndex = this.index;
    this.#start = start;
    this.#frameStart = start + before;
    this.#frameEnd = this.#frameStart + frameSize;
    this.#end = this.#frameEnd + after;
    return frameSize;
  }

  clear(): void {
    this.#bytes = undefined;
  }

  /**
   * The whole command, by writing what stands before and after the frame. The second time in other memory, as the socket may still
   * hold the first.
   *
   * @param command the one that is asked for its bytes: a copy of the one that the frame was laid down for has its state, too
   * @returns undefined if the command has another value in that place by now
   */
  complete(command: CommandLike): Buffer | undefined {
    const bytes = this.#bytes;
    if (bytes === undefined || command.args[this.#valueIndex] !== this.#value) return undefined;
    const whole = this.#isWritten ? undefined : this.#completeInPlace(command, bytes);
    return whole ?? writeWhole(command.name, this.#withFrame(command.args, bytes));
  }

  #completeInPlace(command: CommandLike, bytes: Buffer): Buffer | undefined {
    this.#isWritten = true;
    const start = this.#writeHead(command, bytes);
    const end = start < 0 ? start : this.#writeTail(command, bytes);
    return end < 0 ? undefined : commandBytes(bytes, start, end);
  }

  #withFrame(args: readonly CommandArgument[], bytes: Buffer): readonly CommandArgument[] {
    return args.with(this.#valueIndex, bytes.subarray(this.#frameStart, this.#frameEnd));
  }

  #writeHead(command: CommandLike, bytes: Buffer): number {
    const { args } = command;
    let at = prependCount(bytes, this.#frameStart, DOLLAR, this.#frameEnd - this.#frameStart);
    for (let i = this.#valueIndex - 1; i >= 0 && at >= 0; i--) {
      at = prependBulk(bytes, this.#start, at, args[i] as CommandArgument);
    }
    return at < 0 ? at : prependHead(bytes, this.#start, at, command);
  }

  #writeTail({ args }: CommandLike, bytes: Buffer): number {
    let at = endLine(bytes, this.#frameEnd);
    for (let i = this.#valueIndex + 1; i < args.length; i++) {
      const argument = args[i] as CommandArgument;
      if (at + sizeOf(argument) + BULK_BYTES > this.#end) return NO_ROOM;
      at = writeBulk(bytes, at, argument);
    }
    return at;
  }
}

/** The whole command, in memory of its own. */
function writeWhole(name: string, args: readonly CommandArgument[]): Buffer {
  const size = commandSize(name, args);
  const isCarved = size <= MAX_CARVED_BYTES;
  const start = isCarved ? reserve(size) : 0;
  const bytes = isCarved ? currentSlab() : Buffer.allocUnsafeSlow(size);
  return commandBytes(bytes, start, writeCommand(bytes, start, name, args));
}

/** The toWritable of commands with encoded values: one piece of memory, where ioredis joins many small ones. */
export function toWritable(this: CommandLike): Buffer {
  return stateOf(this)?.target?.complete(this) ?? writeWhole(this.name, this.args);
}

let plainWriting: CommandLike["toWritable"];

/** Whether a command is written as ioredis' `Command` writes it: its scripts have a way of their own. */
export function isPlainCommand(command: CommandLike): boolean {
  const writing = command.toWritable;
  if (writing === plainWriting && writing !== undefined) return true;
  if (Object.hasOwn(command, "toWritable")) return false;
  if (Object.getPrototypeOf(Object.getPrototypeOf(command)).toWritable !== undefined) return false;
  plainWriting = writing;
  return true;
}
