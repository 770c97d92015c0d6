// What a caller passes may be of a subclass, or have a `length` or `set` of its own: those may lie, use the kernel between two of its
// steps, or keep a view of its memory. So bytes are only touched by what typed arrays themselves have.
const prototype = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
const length = Object.getOwnPropertyDescriptor(prototype, "length")?.get as (this: Uint8Array) => number;
const { set } = prototype;

// Not asked for each time: the global Buffer is an accessor.
const bufferPrototype: unknown = Buffer.prototype;
const arrayPrototype: unknown = Uint8Array.prototype;

/** How long bytes are, whatever they say. */
export function lengthOf(bytes: Uint8Array): number {
  return length.call(bytes);
}

/** Copies all of `source` to `offset` of `target`. */
export function setBytes(target: Uint8Array, source: Uint8Array, offset: number): void {
  set.call(target, source, offset);
}

/** Whether reading the length of bytes runs nobody's code. */
export function isPlain(bytes: Uint8Array): boolean {
  const own: unknown = Object.getPrototypeOf(bytes);
  return (own === bufferPrototype || own === arrayPrototype) && !Object.hasOwn(bytes, "length");
}
