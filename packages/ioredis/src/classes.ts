import type { ValueCodecClientOptions } from "./options.ts";
import { type ValueCodecClient, withValueCodec } from "./with-value-codec.ts";

type ClientClass<C extends ValueCodecClient = ValueCodecClient> = new (...args: never[]) => C;

/** The classes of ioredis to extend; either may be left out. */
export interface ClientClasses {
  readonly Redis?: ClientClass;
  readonly Cluster?: ClientClass;
}

/**
 * Subclasses whose instances are wrapped from the start, for libraries that construct their own client from a class that they are
 * given.
 *
 * @param classes `Redis` and `Cluster` of ioredis, or one of them
 * @throws TypeError for a class that is none; what `withValueCodec()` throws for the options, when the first client is constructed
 *
 * @example
 * const { Redis: CodecRedis } = createCodecClasses({ Redis }, { prefixes: { "cache:": { compressor: lz4() } } });
 * const store = new SomeStore({ createClient: (options) => new CodecRedis(options) });
 */
export function createCodecClasses<T extends ClientClasses>(classes: T, options: ValueCodecClientOptions): T {
  const extended = Object.entries(classes).map(([name, base]) => [name, extendClass(name, base, options)] as const);
  return Object.freeze(Object.fromEntries(extended)) as unknown as T;
}

function extendClass(name: string, base: unknown, options: ValueCodecClientOptions): ClientClass {
  if (typeof base !== "function") throw new TypeError(`${name} must be a class of ioredis, got ${typeof base}`);
  const Base = base as new (...args: unknown[]) => ValueCodecClient;
  const Extended = class extends Base {
    constructor(...args: unknown[]) {
      super(...args);
      withValueCodec(this, options);
    }
  };
  // Pipelines ask for the name of their client's class.
  Object.defineProperty(Extended, "name", { value: Base.name });
  return Extended as unknown as ClientClass;
}
