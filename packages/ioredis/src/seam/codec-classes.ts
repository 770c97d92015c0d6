// Prototypes of the classes that createCodecClasses() makes.
const prototypes = new WeakSet<object>();

/** Notes that a class does nothing but attach its instances. */
export function addCodecClass(prototype: object): void {
  prototypes.add(prototype);
}

/** Whether instances made by the base class may become instances of this one. */
export function isCodecClass(prototype: object): boolean {
  return prototypes.has(prototype);
}
