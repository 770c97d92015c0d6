import type { Callback } from "./replies.ts";

type ChainedArgument = string | number | Buffer | readonly (string | number | Buffer)[] | Callback<unknown>;

/**
 * A method of ioredis' pipeline that returns `Chain` instead of the pipeline; anything else as it is.
 *
 * @typeParam Base the pipeline's type, which ioredis' methods return
 */
export type ChainedMethod<Method, Base, Chain> = Method extends (...args: never[]) => Base ? Overloads<Method, Chain> : Method;

// One by one, because a signature cannot be changed but only made anew. Signatures are matched from the last to the first; where
// there are fewer, the first is matched again. ZADD, SORT and a few more have more, mostly to name their options: these take any
// arguments besides.
type Overloads<Method, Chain> = Method extends {
  (...args: infer A0): unknown;
  (...args: infer A1): unknown;
  (...args: infer A2): unknown;
  (...args: infer A3): unknown;
  (...args: infer A4): unknown;
  (...args: infer A5): unknown;
  (...args: infer A6): unknown;
  (...args: infer A7): unknown;
  (...args: infer A8): unknown;
  (...args: infer A9): unknown;
  (...args: infer A10): unknown;
  (...args: infer A11): unknown;
  (...args: infer A12): unknown;
  (...args: infer A13): unknown;
  (...args: infer A14): unknown;
  (...args: infer A15): unknown;
  (...args: infer A16): unknown;
  (...args: infer A17): unknown;
  (...args: infer A18): unknown;
  (...args: infer A19): unknown;
  (...args: infer A20): unknown;
  (...args: infer A21): unknown;
  (...args: infer A22): unknown;
  (...args: infer A23): unknown;
}
  ? {
      (...args: A0): Chain;
      (...args: A1): Chain;
      (...args: A2): Chain;
      (...args: A3): Chain;
      (...args: A4): Chain;
      (...args: A5): Chain;
      (...args: A6): Chain;
      (...args: A7): Chain;
      (...args: A8): Chain;
      (...args: A9): Chain;
      (...args: A10): Chain;
      (...args: A11): Chain;
      (...args: A12): Chain;
      (...args: A13): Chain;
      (...args: A14): Chain;
      (...args: A15): Chain;
      (...args: A16): Chain;
      (...args: A17): Chain;
      (...args: A18): Chain;
      (...args: A19): Chain;
      (...args: A20): Chain;
      (...args: A21): Chain;
      (...args: A22): Chain;
      (...args: A23): Chain;
    } & FurtherOverloads<A0, A1, Chain>
  : never;

type FurtherOverloads<First, Second, Chain> = [First, Second] extends [Second, First]
  ? unknown
  : (...args: ChainedArgument[]) => Chain;
