import { types } from "node:util";

type Check = (value: object) => boolean;

// What these hold is not in their own enumerable properties, so a map of those would come back without it.
const UNWRITABLE: readonly (readonly [Check, string])[] = [
  [types.isRegExp, "a RegExp"],
  [types.isNativeError, "an Error"],
  // Their bytes depend on the machine, and MessagePack does not name the kind of their items.
  [ArrayBuffer.isView, "a typed array other than Uint8Array"],
  [types.isBoxedPrimitive, "a boxed primitive"],
  [types.isPromise, "a Promise"],
  [types.isWeakMap, "a WeakMap"],
  [types.isWeakSet, "a WeakSet"],
  [types.isMapIterator, "an iterator"],
  [types.isSetIterator, "an iterator"],
  [types.isGeneratorObject, "a generator"],
];

/** What kind of object `value` is, if MessagePack has no form for that kind. */
export function describeUnwritable(value: object): string | undefined {
  return UNWRITABLE.find(([isKind]) => isKind(value))?.[1];
}
