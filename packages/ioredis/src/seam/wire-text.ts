import type { CommandLike } from "./ioredis.ts";
import { isWrittenAs } from "./source-text.ts";

// Commands of text alone, in the same bytes as ioredis writes but of fewer pieces: ioredis joins thirteen strings for a SET, this
// five, and its GET eight, this three. overhead/…/64-direct: −150 ns of a SET, −110 of a GET, which is more than all that the wrapper adds.

// `toWritable` of the Command of ioredis 5.4 to 6 and of iovalkey, without white space.
const WRITING = [
  'toWritable(_socket){letresult;constcommandStr="*"+(this.args.length+1)+"\\r\\n$"+Buffer.byteLength(this.name)+"\\r\\n"+this.name+"\\r\\n";',
  "if(this.bufferMode){constbuffers=newMixedBuffers();buffers.push(commandStr);",
  "for(leti=0;i<this.args.length;++i){constarg=this.args[i];if(arginstanceofBuffer){",
  'if(arg.length===0){buffers.push("$0\\r\\n\\r\\n");}else{buffers.push("$"+arg.length+"\\r\\n");buffers.push(arg);buffers.push("\\r\\n");}}',
  'else{buffers.push("$"+Buffer.byteLength(arg)+"\\r\\n"+arg+"\\r\\n");}}result=buffers.toBuffer();}',
  'else{result=commandStr;for(leti=0;i<this.args.length;++i){constarg=this.args[i];result+="$"+Buffer.byteLength(arg)+"\\r\\n"+arg+"\\r\\n";}}',
  "returnresult;}",
].join("");

const MAX_KNOWN_SIZE = 1024;

/** What stands between two bulk strings, by the size of the second: overhead/set/text-100/64-direct, −80 ns. */
const SIZES: readonly string[] = Array.from({ length: MAX_KNOWN_SIZE + 1 }, (_, size) => sizeLine(size));

function sizeLine(size: number): string {
  return `\r\n$${size}\r\n`;
}

/** What a command begins with: the number of its bulk strings, and its name. */
interface Head {
  readonly name: string;
  readonly count: number;
  readonly text: string;
}

// Programs send the same few commands. Each has its place in a table, which is taken by the last one that had it: names may be anything.
const HEADS = 128;
const MAX_KNOWN_NAME = 64;
const heads: Head[] = Array.from({ length: HEADS }, () => ({ name: "", count: 0, text: "" }));

function headOf(name: string, count: number): string {
  const place = (7 * name.charCodeAt(0) + 3 * name.length + count) & (HEADS - 1);
  const known = heads[place] as Head;
  if (known.name === name && known.count === count) return known.text;
  const text = `*${count}\r\n$${Buffer.byteLength(name)}\r\n${name}`;
  if (name.length <= MAX_KNOWN_NAME) heads[place] = { name, count, text };
  return text;
}

/**
 * The `toWritable` of commands of text alone. Asked for at each sending: name and arguments may have become others, or Buffers, and
 * somebody may have patched ioredis' own meanwhile.
 */
function toWritable(this: CommandLike, socket: unknown): string | Buffer {
  const { name, args } = this;
  const { length } = args;
  if (typeof name !== "string" || Object.getPrototypeOf(this).toWritable !== ioredisWriting) return writeByIoredis(this, socket);
  let text = headOf(name, length + 1);
  for (let i = 0; i < length; i++) {
    const argument = args[i];
    if (typeof argument !== "string") return writeByIoredis(this, socket);
    const size = Buffer.byteLength(argument);
    text += ((size <= MAX_KNOWN_SIZE ? SIZES[size] : undefined) ?? sizeLine(size)) + argument;
  }
  return `${text}\r\n`;
}

function writeByIoredis(command: CommandLike, socket: unknown): string | Buffer {
  return (writingBehind(command, toWritable) ?? (ioredisWriting as Writing)).call(command, socket);
}

type Writing = NonNullable<CommandLike["toWritable"]>;

/**
 * How a command would be written without the wrapper: by ioredis, or by whoever has patched it.
 *
 * @param own the wrapper's `toWritable` that the command has
 */
export function writingBehind(command: CommandLike, own: Writing): Writing | undefined {
  // Not only the command's prototype: somebody may have made a command that has this one as its own.
  let owner = Object.getPrototypeOf(command);
  while (owner.toWritable === own) owner = Object.getPrototypeOf(owner);
  return owner.toWritable;
}

let ioredisWriting: CommandLike["toWritable"];

/** Whether a command is written by the very method of ioredis: not by a script's, the wrapper's, or somebody's patch. */
export function isWrittenByIoredis({ toWritable: writing }: CommandLike): boolean {
  if (writing === ioredisWriting) return writing !== undefined;
  if (writing === undefined || !isWrittenAs(writing, WRITING)) return false;
  ioredisWriting = writing;
  return true;
}

/** Has a command that {@link isWrittenByIoredis} written by this file. */
export function writeAsText(command: CommandLike): void {
  command.toWritable = toWritable;
}
