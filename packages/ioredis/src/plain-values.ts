import type { CommandRow } from "./commands.ts";
import type { Rule } from "./rules.ts";

/** Finds the rule of a logical key. */
export type FindRule = (key: string | Buffer) => Rule | undefined;

/** Whether an argument needs the slow path: ioredis would flatten it, or store its text instead of its bytes. */
export function needsNormalizing(args: readonly unknown[]): boolean {
  for (const argument of args) {
    if (typeof argument === "object" && argument !== null && !(argument instanceof Buffer)) return true;
  }
  return false;
}

/**
 * The arguments of a call as one flat list, in which the values under a rule are strings, numbers or Buffers of their own:
 * `Uint8Array`, `ArrayBuffer` and `DataView` become their bytes.
 *
 * @param args the call's arguments without its callback
 * @throws TypeError for a value under a rule that is any other object
 */
export function normalizeArguments(name: string, row: CommandRow, args: readonly unknown[], findRule: FindRule): unknown[] {
  const flat = expandRecord(row, args.flat());
  const { values } = row;
  if (values === undefined) return flat;
  const step = values.step ?? flat.length;
  for (let i = values.first; i < flat.length; i += step) {
    const key = toKey(flat[values.keyBefore === true ? i - 1 : 0]);
    const rule = findRule(key);
    if (rule?.covers[row.type] === true) flat[i] = toPlainValue(name, key, flat[i]);
  }
  return flat;
}

function toKey(key: unknown): string | Buffer {
  return key instanceof Buffer ? key : String(key);
}

/** As ioredis does for mset and hset: an object or a Map in the place of pairs. */
function expandRecord(row: CommandRow, flat: unknown[]): unknown[] {
  if (row.record === undefined) return flat;
  const at = row.record === "only" ? 0 : 1;
  const record = flat[at];
  if (flat.length !== at + 1 || !isRecord(record)) return flat;
  const pairs = record instanceof Map ? [...record] : Object.entries(record);
  return [...flat.slice(0, at), ...pairs.flat()];
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isBytes(value);
}

function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

function toPlainValue(name: string, key: string | Buffer, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  // Copies: the caller may change its bytes before ioredis sends them.
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (value instanceof ArrayBuffer) return Buffer.from(new Uint8Array(value));
  if (value instanceof DataView) return Buffer.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
  throw new TypeError(
    `${name}: a value under ${JSON.stringify(key.toString())} is an ${kind}; pass a string, a number or bytes (Buffer, Uint8Array, ArrayBuffer, DataView)`,
  );
}
