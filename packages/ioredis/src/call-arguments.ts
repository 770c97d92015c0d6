import { refuseComparand } from "./arguments.ts";
import type { ArgumentPositions, CommandRow } from "./commands.ts";
import { assertAttached, encodeValue, isHeldRaw, isMarkedHeld, markHeld } from "./encode-value.ts";
import { type KeySpace, logicalCallKey, ruleOfCallKey } from "./keys.ts";
import { isAt, lastIndex, locateComparands, locateValues } from "./positions.ts";
import type { Rule } from "./rules.ts";
import type { Shared } from "./shared.ts";
import { countError, locateError, showKey } from "./value-errors.ts";

/** Whether a call needs the slow path: ioredis would flatten an argument, or store its text instead of its bytes. */
export function needsPreparing(shared: Shared, args: readonly unknown[]): boolean {
  if (shared.rules.hasSerializer || shared.channels.hasSerializer) return true;
  // Not by an iterator, which keeps V8 from doing without the array: overhead/set/text-100/64-direct.
  for (let i = 0; i < args.length; i++) {
    const argument = args[i];
    if (typeof argument === "object" && argument !== null && !(argument instanceof Buffer)) return true;
  }
  return false;
}

/**
 * The arguments of a call, flat as ioredis would make them, with the values under rules taken before ioredis makes text of them.
 * Under a serializer any value it supports is encoded; otherwise `Uint8Array`, `ArrayBuffer` and `DataView` become their bytes. Keys
 * under no rule are left to ioredis.
 *
 * @param name the command, in lower case
 * @param given the call's arguments without its callback; never changed
 * @throws TypeError for an object under a rule without a serializer
 * @throws CodecError `CODEC_SERIALIZE`, `CODEC_SIZE_LIMIT`, with key and command
 */
export function prepareArguments(space: KeySpace, name: string, row: CommandRow, given: readonly unknown[]): unknown[] {
  const args = expandRecord(row, flatten(space, row, given));
  const positions = locateValues(row.values, args);
  takeComparand(space, name, row, args, locateComparands(row, args));
  let typed = false;
  const last = positions === undefined ? -1 : lastIndex(positions, args);
  for (let i = positions?.first ?? 0; i <= last; i += positions?.step ?? 1) {
    const rule = ruleOf(space, row, args, i);
    if (rule?.serializer !== undefined) typed = true;
    else if (rule !== undefined) args[i] = toPlainValue(name, args[keyIndexOf(row, i)], args[i]);
  }
  if (typed && positions !== undefined) encodeAll(space, name, row, args);
  return args;
}

function keyIndexOf(row: CommandRow, index: number): number {
  return row.values?.keyBefore === true ? index - 1 : (row.key ?? 0);
}

function ruleOf(space: KeySpace, row: CommandRow, args: readonly unknown[], index: number): Rule | undefined {
  const key = args[keyIndexOf(row, index)];
  return key === undefined ? undefined : ruleOfCallKey(space, toKey(key), row.home);
}

function toKey(key: unknown): string | Buffer {
  return key instanceof Buffer ? key : String(key);
}

/** One level, as ioredis does; but an array in the place of one value under a serializer is that value. */
function flatten(space: KeySpace, row: CommandRow, given: readonly unknown[]): unknown[] {
  const flat: unknown[] = [];
  for (const argument of given) {
    if (!Array.isArray(argument) || isTypedArray(space, row, flat)) flat.push(argument);
    // Not by spreading it: an array of 130,000 elements would overflow the stack.
    else for (const element of argument) flat.push(element);
  }
  return flat;
}

/** Whether the next argument is one value under a serializer. */
function isTypedArray(space: KeySpace, row: CommandRow, before: readonly unknown[]): boolean {
  const { length } = before;
  const isValue = isAt(locateValues(row.values, before), length) || isAt(locateComparands(row, before), length);
  if (row.spread === true || !isValue) return false;
  return ruleOf(space, row, before, before.length)?.serializer !== undefined;
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

function toPlainValue(name: string, key: unknown, value: unknown): unknown {
  if (typeof value !== "object" || value === null || isMarkedHeld(value)) return value;
  // Copies: the caller may change its bytes before ioredis sends them.
  if (value instanceof Uint8Array) {
    assertAttached(value);
    return Buffer.from(value);
  }
  if (value instanceof ArrayBuffer) return Buffer.from(new Uint8Array(value));
  if (value instanceof DataView) return Buffer.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
  throw new TypeError(
    `${name}: a value under ${showKey(toKey(key))} is of kind ${kind}; pass a string, a number or bytes (Buffer, Uint8Array, ArrayBuffer, DataView), or give its rule a serializer`,
  );
}

/** Values of one call that are typed are encoded together with those that are not: the seam then leaves them all alone. */
function encodeAll(space: KeySpace, name: string, row: CommandRow, args: unknown[]): void {
  const positions = locateValues(row.values, args);
  if (positions === undefined) return;
  const last = lastIndex(positions, args);
  for (let i = positions.first; i <= last; i += positions.step ?? 1) {
    const rule = ruleOf(space, row, args, i);
    if (rule !== undefined)
      args[i] = encodeOne(space.shared, name, rule, logicalCallKey(space, args[keyIndexOf(row, i)]), args[i]);
  }
}

/** What ioredis makes of a value that is no Buffer: null and undefined become empty strings. */
function toText(value: unknown): string | Buffer {
  return value instanceof Buffer ? value : String(value ?? "");
}

/**
 * What Redis is to hold for one argument of a call.
 *
 * @throws CodecError with key and command
 */
export function encodeOne(shared: Shared, name: string, rule: Rule, key: unknown, value: unknown): Buffer {
  if (isMarkedHeld(value)) return value as Buffer;
  const input = rule.serializer === undefined ? toText(toPlainValue(name, key, value)) : value;
  try {
    return markHeld(encodeValue(rule, shared.stats.of(rule.statsName), input));
  } catch (error) {
    throw countError(shared, rule, locateError(error, { key: toKey(key), command: name }));
  }
}

/** A comparand is a value too: the seam refuses it or takes its held form, but cannot serialize what ioredis has made text of. */
function takeComparand(space: KeySpace, name: string, row: CommandRow, args: unknown[], at: ArgumentPositions | undefined): void {
  const key = args[row.key ?? 0];
  if (at === undefined || at.first >= args.length || key === undefined) return;
  const rule = ruleOfCallKey(space, toKey(key), row.home);
  if (rule !== undefined) args[at.first] = holdComparand(space, name, rule, key, args[at.first]);
}

function holdComparand(space: KeySpace, name: string, rule: Rule, key: unknown, value: unknown): unknown {
  if (isMarkedHeld(value)) return value;
  if (rule.serializer === undefined) return toPlainValue(name, key, value);
  if (rule.comparands === "encode") return encodeOne(space.shared, name, rule, logicalCallKey(space, key), value);
  if (!isHeldRaw(rule, value)) throw refuseComparand(space.shared, rule, name, logicalCallKey(space, key));
  return markHeld(String(value));
}

/** The key by which a call finds its node, as the call gives it. */
export function firstKey(row: CommandRow, given: readonly unknown[]): unknown {
  const { countAt } = row.values ?? {};
  return expandRecord(row, given.flat())[countAt === undefined ? (row.key ?? 0) : countAt + 1];
}
