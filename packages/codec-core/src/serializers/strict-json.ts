/**
 * What of `value` JSON would lose or change, in words without any of its data; `undefined` if `JSON.parse(JSON.stringify(value))` is
 * equal to `value` in the sense of `assert.deepStrictEqual`. The value must have no cycles.
 */
export function describeJsonLoss(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return describeNumberLoss(value);
    case "object":
      return value === null ? undefined : describeObjectLoss(value);
    default:
      return `a value of type ${typeof value}`;
  }
}

function describeNumberLoss(value: number): string | undefined {
  if (!Number.isFinite(value)) return "a number that is not finite";
  return Object.is(value, -0) ? "negative zero" : undefined;
}

function describeObjectLoss(value: object): string | undefined {
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") return "an object with toJSON()";
  // deepStrictEqual compares symbol keys, and Symbol.toStringTag even where it is not enumerable.
  if (Object.getOwnPropertySymbols(value).length > 0) return "a symbol key";
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return prototype === Array.prototype ? describeArrayLoss(value) : "an array of another class";
  return prototype === Object.prototype ? describePropertiesLoss(value) : "an object that is neither plain nor an array";
}

function describeArrayLoss(array: readonly unknown[]): string | undefined {
  // Holes have no key, named properties have one too many.
  if (Object.keys(array).length !== array.length) return "an array with holes or named properties";
  for (const item of array) {
    const loss = describeJsonLoss(item);
    if (loss !== undefined) return loss;
  }
  return undefined;
}

function describePropertiesLoss(object: object): string | undefined {
  for (const item of Object.values(object)) {
    const loss = describeJsonLoss(item);
    if (loss !== undefined) return loss;
  }
  return undefined;
}
