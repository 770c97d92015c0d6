import { types } from "node:util";
import { MessagePackSink, refuseToWrite } from "./messagepack-sink.ts";
import { timestampOf } from "./messagepack-timestamp.ts";
import { describeUnwritable } from "./messagepack-types.ts";

/** Deepest nesting that is written or read: fixed, so that it does not depend on how much stack the caller has left. */
export const MAX_MESSAGEPACK_DEPTH = 1024;

// A cycle is looked for only below this depth: real values end above it, and a cycle always gets there.
const MIN_CYCLE_DEPTH = 32;

interface HasToJson {
  toJSON(key: string): unknown;
}

/** Writes values as MessagePack, one at a time: it keeps state, so it must not be used again before it has returned. */
export class MessagePackWriter {
  readonly #sink: MessagePackSink = new MessagePackSink();
  readonly #ancestors: object[] = [];

  /** The bytes of `value`, in memory of their own. */
  write(value: unknown): Buffer {
    try {
      this.#writeValue(value, 0, "");
      return this.#sink.copy();
    } finally {
      this.#sink.reset();
      this.#ancestors.length = 0;
    }
  }

  #writeValue(value: unknown, depth: number, key: string | number): void {
    if (typeof value === "string") this.#sink.writeString(value);
    else if (typeof value === "number") this.#sink.writeNumber(value);
    else if (typeof value === "object" && value !== null) this.#writeObject(value, depth, key);
    else if (typeof value === "boolean") this.#sink.writeBoolean(value);
    else if (value === null || value === undefined) this.#sink.writeNil();
    else if (typeof value === "bigint") this.#sink.writeBigInt(value);
    else throw refuseToWrite(`a ${typeof value}`);
  }

  #writeObject(value: object, depth: number, key: string | number): void {
    const form = formOf(value, key);
    if (typeof form !== "object" || form === null) this.#writeValue(form, depth, key);
    else if (Array.isArray(form)) this.#writeArray(form, depth + 1);
    else if (isPlain(form)) this.#writeProperties(form, depth + 1);
    else this.#writeInstance(form, depth);
  }

  #writeInstance(value: object, depth: number): void {
    if (types.isUint8Array(value)) this.#sink.writeBin(value);
    else if (types.isDate(value)) this.#writeDate(value);
    else if (types.isMap(value)) this.#writeMap(value, depth + 1);
    else if (types.isSet(value)) this.#writeArray([...value], depth + 1);
    else if (types.isAnyArrayBuffer(value)) this.#sink.writeBin(new Uint8Array(value));
    else if (types.isDataView(value)) this.#sink.writeBin(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    else this.#writeProperties(assertWritable(value), depth + 1);
  }

  #writeDate(date: Date): void {
    const timestamp = timestampOf(date);
    if (timestamp === undefined) throw refuseToWrite("an invalid Date");
    this.#sink.writeEncoded(timestamp);
  }

  #enter(container: object, depth: number): void {
    if (depth > MAX_MESSAGEPACK_DEPTH) throw refuseToWrite(`more than ${MAX_MESSAGEPACK_DEPTH} levels of nesting`);
    this.#ancestors[depth] = container;
    if (depth > MIN_CYCLE_DEPTH && this.#ancestors.indexOf(container) < depth)
      throw refuseToWrite("a value that contains itself");
  }

  #writeArray(array: readonly unknown[], depth: number): void {
    this.#enter(array, depth);
    const { length } = array;
    this.#sink.writeArrayHeader(length);
    for (let i = 0; i < length; i++) this.#writeValue(array[i], depth, i);
  }

  #writeProperties(object: object, depth: number): void {
    this.#enter(object, depth);
    const keys = Object.keys(object);
    this.#sink.writeMapHeader(keys.length);
    for (const key of keys) {
      this.#sink.writeString(key);
      this.#writeValue((object as Record<string, unknown>)[key], depth, key);
    }
  }

  #writeMap(map: ReadonlyMap<unknown, unknown>, depth: number): void {
    this.#enter(map, depth);
    // A toJSON() further down could change the map after its size is written.
    const entries = [...map];
    this.#sink.writeMapHeader(entries.length);
    for (const [key, value] of entries) {
      if (typeof key !== "string") throw refuseToWrite("a Map with keys that are not strings");
      this.#sink.writeString(key);
      this.#writeValue(value, depth, key);
    }
  }
}

/** What is written in place of `value`: as with JSON.stringify, `toJSON()` is told the key, and what it returns is not asked again. */
function formOf(value: object, key: string | number): unknown {
  if (typeof (value as Partial<HasToJson>).toJSON !== "function") return value;
  // These have it for JSON's sake; MessagePack has forms of its own for them.
  if (types.isUint8Array(value) || types.isDate(value)) return value;
  return (value as HasToJson).toJSON(String(key));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function assertWritable(value: object): object {
  const unwritable = describeUnwritable(value);
  if (unwritable !== undefined) throw refuseToWrite(unwritable);
  return value;
}
