import { assertBytes, byteLengthOf, copyOf } from "../bytes.ts";
import { CodecError } from "../errors.ts";
import { isWellFormed } from "./text.ts";

const INITIAL_BYTES = 8192;
// One huge value must not pin its memory for the life of the process.
const MAX_KEPT_BYTES = 1024 * 1024;
// The longest string that a fixstr header can announce; for these a loop also beats the call into native code.
const MAX_FIXSTR_BYTES = 31;
const MAX_UINT32 = 0xffff_ffff;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

/** Why a value cannot be written. `what` names its kind, never its data. */
export function refuseToWrite(what: string): CodecError {
  return new CodecError("CODEC_SERIALIZE", `msgpack() cannot write ${what}`);
}

/** Growing memory that takes MessagePack's scalars and headers, each in its shortest form. */
export class MessagePackSink {
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #position = 0;

  /** Forgets what was written. */
  reset(): void {
    this.#position = 0;
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#use(Buffer.alloc(0));
  }

  /** An owned copy of what was written. */
  copy(): Buffer {
    return copyOf(this.#bytes.subarray(0, this.#position));
  }

  #use(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Makes room for `count` bytes and returns where they begin. */
  #reserve(count: number): number {
    const start = this.#position;
    const end = start + count;
    if (end > this.#bytes.length) this.#grow(end);
    this.#position = end;
    return start;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2, INITIAL_BYTES));
    this.#bytes.copy(grown, 0, 0, this.#position);
    this.#use(grown);
  }

  writeNil(): void {
    this.#writeUint8(0xc0);
  }

  writeBoolean(value: boolean): void {
    this.#writeUint8(value ? 0xc3 : 0xc2);
  }

  writeNumber(value: number): void {
    // An integer that a double cannot hold exactly stays a double, so that no reader takes it for exact.
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) this.#writeDouble(value);
    else if (value < 0) this.#writeNegative(value);
    else this.#writePositive(value);
  }

  writeBigInt(value: bigint): void {
    if (value > MAX_UINT64 || value < MIN_INT64) throw refuseToWrite("a bigint of more than 64 bits");
    const at = this.#reserve(9);
    this.#bytes[at] = value > MAX_INT64 ? 0xcf : 0xd3;
    this.#view.setBigUint64(at + 1, value);
  }

  writeString(text: string): void {
    if (text.length <= MAX_FIXSTR_BYTES && this.#writeShortAscii(text)) return;
    if (!isWellFormed(text)) throw refuseToWrite("a string with a lone surrogate, which UTF-8 cannot carry");
    const length = byteLengthOf(text);
    if (length <= MAX_FIXSTR_BYTES) this.#writeUint8(0xa0 | length);
    else if (length < 0x100) this.#writeTyped8(0xd9, length);
    else this.#writeLength(length, 0xda);
    const at = this.#reserve(length);
    this.#bytes.write(text, at, length, "utf8");
  }

  writeBin(bytes: Uint8Array): void {
    assertBytes("value", bytes);
    if (bytes.length < 0x100) this.#writeTyped8(0xc4, bytes.length);
    else this.#writeLength(bytes.length, 0xc5);
    this.writeEncoded(bytes);
  }

  /** Bytes that are MessagePack already. */
  writeEncoded(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  writeArrayHeader(length: number): void {
    if (length < 16) this.#writeUint8(0x90 | length);
    else this.#writeLength(length, 0xdc);
  }

  writeMapHeader(size: number): void {
    if (size < 16) this.#writeUint8(0x80 | size);
    else this.#writeLength(size, 0xde);
  }

  #writeUint8(byte: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = byte;
  }

  #writeTyped8(type: number, value: number): void {
    const at = this.#reserve(2);
    this.#bytes[at] = type;
    this.#bytes[at + 1] = value;
  }

  #writeTyped16(type: number, value: number): void {
    const at = this.#reserve(3);
    this.#bytes[at] = type;
    this.#view.setUint16(at + 1, value);
  }

  #writeTyped32(type: number, value: number): void {
    const at = this.#reserve(5);
    this.#bytes[at] = type;
    this.#view.setUint32(at + 1, value);
  }

  // In halves, which two's complement allows: a BigInt would be garbage after every timestamp.
  #writeTyped64(type: number, value: number): void {
    const at = this.#reserve(9);
    this.#bytes[at] = type;
    this.#view.setInt32(at + 1, Math.floor(value / 0x1_0000_0000));
    this.#view.setUint32(at + 5, value);
  }

  /** A 16-bit length after `type`, or a 32-bit one after the next type. */
  #writeLength(length: number, type: number): void {
    if (length < 0x1_0000) this.#writeTyped16(type, length);
    else if (length <= MAX_UINT32) this.#writeTyped32(type + 1, length);
    else throw refuseToWrite("more than 2³² − 1 bytes or items");
  }

  #writeDouble(value: number): void {
    const at = this.#reserve(9);
    this.#bytes[at] = 0xcb;
    this.#view.setFloat64(at + 1, value);
  }

  #writePositive(value: number): void {
    if (value < 0x80) this.#writeUint8(value);
    else if (value < 0x100) this.#writeTyped8(0xcc, value);
    else if (value < 0x1_0000) this.#writeTyped16(0xcd, value);
    else if (value <= MAX_UINT32) this.#writeTyped32(0xce, value);
    else this.#writeTyped64(0xcf, value);
  }

  #writeNegative(value: number): void {
    if (value >= -0x20) this.#writeUint8(value);
    else if (value >= -0x80) this.#writeTyped8(0xd0, value);
    else if (value >= -0x8000) this.#writeTyped16(0xd1, value);
    else if (value >= -0x8000_0000) this.#writeTyped32(0xd2, value);
    else this.#writeTyped64(0xd3, value);
  }

  /** Whether it was ASCII, and so is written. */
  #writeShortAscii(text: string): boolean {
    const { length } = text;
    const start = this.#reserve(1 + length);
    const bytes = this.#bytes;
    bytes[start] = 0xa0 | length;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) {
        this.#position = start;
        return false;
      }
      bytes[start + 1 + i] = unit;
    }
    return true;
  }
}
