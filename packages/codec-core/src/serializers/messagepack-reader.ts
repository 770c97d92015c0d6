import { CodecError } from "../errors.ts";
import { KeyCache } from "./messagepack-keys.ts";
import { dateOf, TIMESTAMP_TYPE } from "./messagepack-timestamp.ts";
import { MAX_MESSAGEPACK_DEPTH } from "./messagepack-writer.ts";
import { asBuffer, decodeUtf8 } from "./text.ts";

const CUT_SHORT = "a value that is cut short";
const NOTHING: Buffer = Buffer.alloc(0);
// Up to this length an array is laid out at once. At every level of nesting a hostile header could claim that much for nothing.
const MAX_PRESIZED_ITEMS = 1024;
// Up to this length a loop over the bytes beats the call into native code.
const MAX_LOOPED_BYTES = 12;

/** Reads MessagePack. Every length is checked against what is left before it is used. It keeps state, but calls nothing of the caller's. */
export class MessagePackReader {
  #bytes: Buffer = NOTHING;
  #view: DataView | undefined = undefined;
  #position = 0;
  readonly #keys: KeyCache = new KeyCache();

  /** The one value in `bytes`; it shares no memory with them. */
  read(bytes: Uint8Array): unknown {
    this.#bytes = asBuffer(bytes);
    this.#position = 0;
    try {
      const value = this.#readValue(0);
      if (this.#position < bytes.length) throw refuse(`${bytes.length - this.#position} bytes after the value`);
      return value;
    } finally {
      this.#bytes = NOTHING;
      this.#view = undefined;
    }
  }

  /** For numbers of several bytes; many small values have none. */
  get #numbers(): DataView {
    this.#view ??= new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    return this.#view;
  }

  /** Steps over `count` bytes, which must be there, and returns where they begin. */
  #take(count: number): number {
    const start = this.#position;
    if (count > this.#bytes.length - start) throw refuse(CUT_SHORT);
    this.#position = start + count;
    return start;
  }

  #assertLeft(count: number): void {
    if (count > this.#bytes.length - this.#position) throw refuse(CUT_SHORT);
  }

  #readByte(): number {
    const byte = this.#bytes[this.#position++];
    if (byte === undefined) throw refuse(CUT_SHORT);
    return byte;
  }

  #readValue(depth: number): unknown {
    const type = this.#readByte();
    if (type < 0x80) return type;
    if (type >= 0xe0) return type - 0x100;
    if (type >= 0xca && type <= 0xd3) return this.#readNumber(type);
    if (type >= 0xc0) return this.#readTyped(type, depth);
    if (type >= 0xa0) return this.#readString(type & 0x1f);
    return type < 0x90 ? this.#readMap(type & 0x0f, depth + 1) : this.#readArray(type & 0x0f, depth + 1);
  }

  #readTyped(type: number, depth: number): unknown {
    switch (type) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#readBin(this.#readUnsigned(type - 0xc4));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#readExtension(this.#readUnsigned(type - 0xc7));
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#readExtension(1 << (type - 0xd4));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#readString(this.#readUnsigned(type - 0xd9));
      case 0xdc:
      case 0xdd:
        return this.#readArray(this.#readUnsigned(type - 0xdb), depth + 1);
      case 0xde:
      case 0xdf:
        return this.#readMap(this.#readUnsigned(type - 0xdd), depth + 1);
      default:
        throw refuse("the byte c1, which MessagePack leaves undefined");
    }
  }

  #readNumber(type: number): number | bigint {
    switch (type) {
      case 0xca:
        return this.#numbers.getFloat32(this.#take(4));
      case 0xcb:
        return this.#numbers.getFloat64(this.#take(8));
      case 0xcc:
        return this.#readByte();
      case 0xcd:
        return this.#readUint16();
      case 0xce:
        return this.#readUint32();
      case 0xcf:
        return toSafeNumber(this.#numbers.getBigUint64(this.#take(8)));
      case 0xd0:
        return this.#numbers.getInt8(this.#take(1));
      case 0xd1:
        return this.#numbers.getInt16(this.#take(2));
      case 0xd2:
        return this.#numbers.getInt32(this.#take(4));
      default:
        return toSafeNumber(this.#numbers.getBigInt64(this.#take(8)));
    }
  }

  /** An unsigned integer of 1, 2 or 4 bytes, by the logarithm of that size. */
  #readUnsigned(log2: number): number {
    if (log2 === 0) return this.#readByte();
    return log2 === 1 ? this.#readUint16() : this.#readUint32();
  }

  #readUint16(): number {
    const at = this.#take(2);
    return ((this.#bytes[at] as number) << 8) | (this.#bytes[at + 1] as number);
  }

  #readUint32(): number {
    const at = this.#take(4);
    const bytes = this.#bytes;
    const low = ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
    return (bytes[at] as number) * 0x100_0000 + low;
  }

  #readBin(length: number): Buffer {
    const start = this.#take(length);
    return Buffer.from(this.#bytes.subarray(start, start + length));
  }

  #readExtension(length: number): Date {
    const type = this.#readByte();
    if (type !== TIMESTAMP_TYPE) throw refuse(`an extension of type ${(type << 24) >> 24}`);
    const start = this.#take(length);
    const date = dateOf(this.#bytes.subarray(start, start + length));
    if (date === undefined) throw refuse("a timestamp that no Date can hold");
    return date;
  }

  #readString(length: number): string {
    const start = this.#take(length);
    return textAt(this.#bytes, start, length);
  }

  #readArray(length: number, depth: number): unknown[] {
    assertDepth(depth);
    this.#assertLeft(length);
    const array: unknown[] = new Array(Math.min(length, MAX_PRESIZED_ITEMS));
    for (let i = 0; i < length; i++) array[i] = this.#readValue(depth);
    return array;
  }

  #readMap(length: number, depth: number): Record<string, unknown> {
    assertDepth(depth);
    this.#assertLeft(2 * length);
    const map: Record<string, unknown> = {};
    for (let i = 0; i < length; i++) {
      const key = this.#readKey();
      const value = this.#readValue(depth);
      if (key === "__proto__") defineProto(map, value);
      else map[key] = value;
    }
    return map;
  }

  #readKey(): string {
    const type = this.#readByte();
    if ((type & 0xe0) === 0xa0) return this.#readFixedKey(type & 0x1f);
    // An object would hold any other key as a string, and two keys as one.
    if (type < 0xd9 || type > 0xdb) throw refuse("a map with a key that is not a string");
    return this.#readString(this.#readUnsigned(type - 0xd9));
  }

  #readFixedKey(length: number): string {
    return this.#keys.textAt(this.#bytes, this.#take(length), length, textAt);
  }
}

function textAt(bytes: Buffer, start: number, length: number): string {
  const ascii = length <= MAX_LOOPED_BYTES ? shortAsciiAt(bytes, start, length) : undefined;
  return ascii ?? decodeUtf8(bytes, start, start + length);
}

function shortAsciiAt(bytes: Buffer, start: number, length: number): string | undefined {
  let text = "";
  for (let i = start; i < start + length; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

// As JSON.parse does: a property of its own, and the prototype stays what it is.
function defineProto(map: object, value: unknown): void {
  Object.defineProperty(map, "__proto__", { value, configurable: true, enumerable: true, writable: true });
}

function toSafeNumber(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function assertDepth(depth: number): void {
  if (depth > MAX_MESSAGEPACK_DEPTH) throw refuse(`more than ${MAX_MESSAGEPACK_DEPTH} levels of nesting`);
}

function refuse(what: string): CodecError {
  return new CodecError("CODEC_DESERIALIZE", `msgpack() cannot read ${what}`);
}
