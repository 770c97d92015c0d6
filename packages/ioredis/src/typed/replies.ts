/** ioredis' callback. */
export type Callback<T> = (error?: Error | null, result?: T) => void;

/** A chain of commands that is not sent yet. Held by a property, because a chain's own methods return it. */
export interface ChainHolder {
  readonly chain: unknown;
}

/** What a method returns: the chain that it was called on, or a promise where that is `never`. */
export type Reply<T, Holder extends ChainHolder> = [Holder] extends [never] ? Promise<T> : Holder["chain"];
