import { decodeValue, unwrapTyped } from "./decode-value.ts";
import { encodeValue } from "./encode-value.ts";
import type { ValueCodecClientOptions } from "./options.ts";
import type { Rule } from "./rules.ts";
import { attachmentOf } from "./seam/attachment.ts";
import { attachClient } from "./seam/client.ts";
import type { ClientLike } from "./seam/ioredis.ts";
import { createShared, equalShared, replaceShared, type Shared } from "./shared.ts";
import type { PrefixStats } from "./stats.ts";
import type { ChannelRules, PrefixRules, TypedClient, TypedClientOptions } from "./typed-client.ts";
import { countError, locateError } from "./value-errors.ts";

/** What `withValueCodec()` accepts: a `Redis` or `Cluster` of ioredis 5.4 or later, of any copy. */
export interface ValueCodecClient {
  readonly options: object;
  sendCommand(...args: never[]): unknown;
  duplicate(...args: never[]): unknown;
  pipeline(...args: never[]): unknown;
  multi(...args: never[]): unknown;
}

/** The value codec of a client, shared with its duplicates and its cluster nodes. */
export interface ClientValueCodec {
  /**
   * What Redis would hold for a value under a key: a frame, or the value itself where no rule covers the key or the rule holds
   * it raw. For values that travel another way: arguments of scripts, other clients.
   *
   * @param value a string or bytes; under a rule with a serializer whatever that takes
   * @throws TypeError for a value that is neither, where the rule has no serializer
   * @throws CodecError `CODEC_SIZE_LIMIT` for a content over the rule's `maxContentBytes`, `CODEC_SERIALIZE`
   */
  encode(key: string | Buffer, value: unknown): Buffer;
  /**
   * What Redis holds under a key: its content, or the value where the rule has a serializer.
   *
   * @throws CodecError with `key` and the code of the check that failed
   */
  decode<T = Buffer>(key: string | Buffer, held: Uint8Array): T;
  /** The rules in force, by prefix, without the raw ones. */
  readonly rules: ReadonlyMap<string, Rule>;
  /**
   * Replaces all options from the next command on, for the client, its duplicates and its cluster nodes: what is not given is as
   * if it had never been, `channels`, `scripts` and `onError` too.
   *
   * @throws TypeError, RangeError as `withValueCodec()` does; the rules in force then stay
   */
  setRules(options: ValueCodecClientOptions): void;
  /** Counters since the client was wrapped: by key prefix, and by channel prefix with `channel:` before it. */
  stats(): Record<string, PrefixStats>;
}

/**
 * Makes a client encode the values it writes and decode those it reads, under the key prefixes named. The client stays the same
 * object; keys under no prefix are untouched. Its type stays the same too, unless a rule has a serializer: then its methods take and
 * return the values of each key's prefix.
 *
 * @param client a `Redis` or `Cluster` of ioredis; its `keyPrefix` is not part of the prefixes
 * @returns the same client
 * @throws TypeError for a client that is none, an unknown option or a wrong kind, or a client that has other rules already
 * @throws RangeError for a setting out of range or two rules for one prefix
 * @throws CodecError `CODEC_UNAVAILABLE` for a compressor whose package is missing
 *
 * @example
 * const redis = withValueCodec(new Redis(), { prefixes: { "page:": { compressor: lz4() }, "hits:": "raw" } });
 * await redis.set("page:1", "<html>…</html>".repeat(100));
 * await redis.get("page:1"); // string | null
 *
 * @example
 * const redis = withValueCodec(new Redis(), { prefixes: { "session:": { serializer: json<{ user: string }>() } } });
 * await redis.set("session:1", { user: "ada" });
 * await redis.get("session:1"); // { user: string } | null
 */
export function withValueCodec<
  C extends ValueCodecClient,
  const Prefixes extends PrefixRules,
  const Channels extends ChannelRules = Record<never, never>,
>(
  client: C,
  options: TypedClientOptions<Prefixes, Channels>,
): TypedClient<C, { readonly prefixes: Prefixes; readonly channels: Channels }>;
export function withValueCodec(client: ValueCodecClient, options: ValueCodecClientOptions): ValueCodecClient {
  assertClient(client);
  attachShared(client, createShared(options));
  return client;
}

/**
 * Attaches rules that are made already.
 *
 * @throws TypeError for a client that has other rules already
 */
export function attachShared(client: ValueCodecClient, shared: Shared): void {
  const attached = attachmentOf(client);
  if (attached === undefined) attachClient(client as unknown as ClientLike, shared);
  else if (!equalShared(attached.shared, shared)) {
    throw new TypeError("the client has other rules already; change them with valueCodecOf(client).setRules()");
  }
}

function assertClient(client: unknown): void {
  const methods = ["duplicate", "pipeline", "multi"];
  const fits =
    typeof client === "object" && client !== null && methods.every((name) => typeof Reflect.get(client, name) === "function");
  if (!fits) throw new TypeError("client must be a Redis or Cluster of ioredis");
}

/**
 * The value codec of a wrapped client.
 *
 * @throws TypeError for a client that is not wrapped
 *
 * @example
 * const codec = valueCodecOf(redis);
 * await redis.eval("return redis.call('SET', KEYS[1], ARGV[1])", 1, "page:1", codec.encode("page:1", html));
 */
export function valueCodecOf(client: object): ClientValueCodec {
  const attachment = typeof client === "object" && client !== null ? attachmentOf(client) : undefined;
  if (attachment === undefined) throw new TypeError("the client is not wrapped; call withValueCodec(client, options) first");
  const { shared } = attachment;
  return Object.freeze({
    encode: (key: string | Buffer, value: unknown) => encodeFor(shared, key, value),
    decode: <T = Buffer>(key: string | Buffer, held: Uint8Array) => decodeFor(shared, key, held) as T,
    get rules(): ReadonlyMap<string, Rule> {
      return shared.rules.rules;
    },
    setRules: (options: ValueCodecClientOptions) => replaceShared(shared, options),
    stats: () => snapshotStats(shared),
  });
}

function snapshotStats(shared: Shared): Record<string, PrefixStats> {
  // Prefixes that nothing was written or read under have counters too.
  for (const rule of [...shared.rules.rules.values(), ...shared.channels.rules.values()]) shared.stats.of(rule.statsName);
  return shared.stats.snapshot();
}

function asBuffer(value: unknown, name: string): Buffer {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name} must be bytes (Buffer, Uint8Array), got ${typeof value}`);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** As SET takes a value. */
function toContent(value: unknown): Buffer {
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (value instanceof DataView) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return typeof value === "object" && value !== null
    ? asBuffer(value, "a value that is an object")
    : Buffer.from(String(value ?? ""));
}

function encodeFor(shared: Shared, key: string | Buffer, value: unknown): Buffer {
  const rule = shared.rules.match(key, 0);
  const input = rule?.serializer === undefined ? toContent(value) : value;
  if (rule === undefined) return Buffer.from(input as Buffer);
  try {
    return Buffer.from(encodeValue(rule, shared.stats.of(rule.statsName), input) as Buffer);
  } catch (error) {
    throw countError(shared, rule, locateError(error, { key, command: "encode" }));
  }
}

function decodeFor(shared: Shared, key: string | Buffer, held: Uint8Array): unknown {
  const bytes = asBuffer(held, "held");
  const rule = shared.rules.match(key, 0);
  if (rule === undefined) return Buffer.from(bytes);
  try {
    const value = unwrapTyped(decodeValue(rule, shared.stats.of(rule.statsName), bytes, "buffer"));
    if (value !== bytes) return value;
    // Text that the serializer's rule holds raw is a string, as for GET.
    return rule.serializer === undefined ? Buffer.from(bytes) : bytes.toString();
  } catch (error) {
    throw countError(shared, rule, locateError(error, { key, command: "decode" }, bytes));
  }
}
