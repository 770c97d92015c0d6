import type { ValueCodecClientOptions } from "./options.ts";
import { addCodecClass } from "./seam/codec-classes.ts";
import { createShared, type Shared } from "./shared.ts";
import { Stats } from "./stats.ts";
import type { ChannelRules, PrefixRules, TypedClasses, TypedClientOptions } from "./typed-client.ts";
import { attachShared, type ValueCodecClient } from "./with-value-codec.ts";

type ClientClass<C extends ValueCodecClient = ValueCodecClient> = new (...args: never[]) => C;

/** The classes of ioredis to extend; either may be left out. */
export interface ClientClasses {
  readonly Redis?: ClientClass;
  readonly Cluster?: ClientClass;
}

/**
 * Subclasses whose instances are wrapped from the start, for libraries that construct their own client from a class that they are
 * given. All of them begin with the same rules and are typed as `withValueCodec()` types a client; each has counters of its own.
 *
 * @param classes `Redis` and `Cluster` of ioredis, or one of them
 * @throws TypeError for a class that is none; what `withValueCodec()` throws for the options
 *
 * @example
 * const { Redis: CodecRedis } = createCodecClasses({ Redis }, { prefixes: { "cache:": { compressor: lz4() } } });
 * const store = new SomeStore({ createClient: (options) => new CodecRedis(options) });
 */
export function createCodecClasses<
  T extends ClientClasses,
  const Prefixes extends PrefixRules,
  const Channels extends ChannelRules = Record<never, never>,
>(
  classes: T,
  options: TypedClientOptions<Prefixes, Channels>,
): TypedClasses<T, { readonly prefixes: Prefixes; readonly channels: Channels }>;
export function createCodecClasses(classes: ClientClasses, options: ValueCodecClientOptions): ClientClasses {
  for (const [name, base] of Object.entries(classes)) assertClass(name, base);
  // Made here, not in a constructor: by the time one could throw, its client would have begun to connect.
  const shared = createShared(options);
  const { Redis, Cluster } = classes;
  const ExtendedCluster = Cluster && extendClass(Cluster, shared);
  return Object.freeze({
    ...(Redis && { Redis: extendRedis(Redis, ExtendedCluster, shared) }),
    ...(ExtendedCluster && { Cluster: ExtendedCluster }),
  });
}

const CLASS_NAMES: readonly string[] = ["Redis", "Cluster"];

function assertClass(name: string, base: unknown): void {
  if (!CLASS_NAMES.includes(name)) throw new TypeError(`createCodecClasses() takes ${CLASS_NAMES.join(" and ")}, not "${name}"`);
  if (typeof base !== "function") throw new TypeError(`${name} must be a class of ioredis, got ${typeof base}`);
}

function extendClass(base: ClientClass, shared: Shared): ClientClass {
  const Base = base as unknown as new (...args: unknown[]) => ValueCodecClient;
  const Extended = class extends Base {
    constructor(...args: unknown[]) {
      super(...args);
      attachShared(this, { ...shared, stats: new Stats() });
    }
  };
  addCodecClass(Extended.prototype);
  // Pipelines ask for the name of their client's class.
  Object.defineProperty(Extended, "name", { value: Base.name });
  return Extended as unknown as ClientClass;
}

/** ioredis' Redis class is also its module: it names itself, Cluster and a factory, which would all make unwrapped clients. */
function extendRedis(base: ClientClass, cluster: ClientClass | undefined, shared: Shared): ClientClass {
  const Extended = extendClass(base, shared) as unknown as new (...args: unknown[]) => ValueCodecClient;
  const inherited = Reflect.get(base, "Cluster") as ClientClass | undefined;
  const statics = {
    Redis: Extended,
    default: Extended,
    Cluster: cluster ?? (inherited && extendClass(inherited, shared)),
    createClient: (...args: unknown[]): ValueCodecClient => new Extended(...args),
  };
  for (const [name, value] of Object.entries(statics)) {
    if (Reflect.has(base, name)) Object.defineProperty(Extended, name, { value, configurable: true, writable: true });
  }
  return Extended as unknown as ClientClass;
}
