/** Whether two types are identical, not only assignable to each other. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

interface Mismatch<Actual, Expected> {
  readonly actual: Actual;
  readonly expected: Expected;
}
type Exact<Actual, Expected> = Equal<Actual, Expected> extends true ? unknown : Mismatch<Actual, Expected>;

/** Compiles only with `true` for identical types. */
export declare function assertEqual<A, B>(equal: Equal<A, B>): void;

/** `assertType<T>()(value)` compiles only where the value has exactly the type `T`. */
export declare function assertType<Expected>(): <Actual>(value: Actual & Exact<Actual, Expected>) => void;

/** The same for what a promise resolves to. */
export declare function assertReply<Expected>(): <Actual>(reply: Promise<Actual> & Exact<Actual, Expected>) => void;
