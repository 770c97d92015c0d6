/**
 * Constructors with the arguments of a class's own, all overloads of them, that make `Instance`.
 *
 * @typeParam Class the class's type; matched from its last signature to its first, where there are fewer the first again
 */
export type ConstructorsOf<Class, Instance> = Class extends {
  new (...args: infer A0): unknown;
  new (...args: infer A1): unknown;
  new (...args: infer A2): unknown;
  new (...args: infer A3): unknown;
  new (...args: infer A4): unknown;
  new (...args: infer A5): unknown;
  new (...args: infer A6): unknown;
  new (...args: infer A7): unknown;
  new (...args: infer A8): unknown;
}
  ? {
      new (...args: A0): Instance;
      new (...args: A1): Instance;
      new (...args: A2): Instance;
      new (...args: A3): Instance;
      new (...args: A4): Instance;
      new (...args: A5): Instance;
      new (...args: A6): Instance;
      new (...args: A7): Instance;
      new (...args: A8): Instance;
    }
  : never;
