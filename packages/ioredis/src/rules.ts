import { type Compressor, createValueCodec, type Serializer, type ValueCodec, zstd } from "@tightwire/codec-core";
import type { ValueHome } from "./commands.ts";
import { type ResolvedRuleOptions, resolveRuleOptions, type ValueType } from "./options.ts";

/** The settings of one key prefix, checked and with its value codec made. */
export interface Rule extends Readonly<Omit<ResolvedRuleOptions, "compressor" | "accept">> {
  readonly prefix: string;
  /** What its counters are called: the prefix, for channels with "channel:" before it. */
  readonly statsName: string;
  readonly codec: ValueCodec;
  /** Whether values of a data type are encoded. */
  readonly covers: Readonly<Record<ValueHome, boolean>>;
}

/** One prefix and its rule. */
export interface Entry {
  readonly prefix: string;
  readonly bytes: Buffer;
  /** Undefined for a prefix that is held raw. */
  readonly rule: Rule | undefined;
}

/** Makes the rule of one prefix; the package of its compressor is loaded here. */
export function createRule(prefix: string, options: unknown, isChannel = false): Rule {
  const what = `rule for the ${isChannel ? "channel" : "key"} prefix "${prefix}"`;
  const { accept, compressor = zstd(), ...settings } = resolveRuleOptions(options, what, isChannel);
  const { frameVersion, maxContentBytes, minCompressBytes } = settings;
  const codec = createValueCodec({
    compressor,
    ...(frameVersion !== undefined && { frameVersion }),
    ...(maxContentBytes !== undefined && { maxContentBytes }),
    ...(minCompressBytes !== undefined && { minCompressBytes }),
    ...(accept !== undefined && { accept }),
  });
  const covers = Object.freeze({
    string: settings.types.includes("string"),
    hash: settings.types.includes("hash"),
    list: settings.types.includes("list"),
    stream: settings.types.includes("stream"),
    script: !isChannel,
    channel: isChannel,
  });
  return Object.freeze({ ...settings, prefix, statsName: isChannel ? `channel:${prefix}` : prefix, codec, covers });
}

function hasPrefix(key: Uint8Array, prefix: Uint8Array, offset: number): boolean {
  if (key.length - offset < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) {
    if (key[offset + i] !== prefix[i]) return false;
  }
  return true;
}

const BUCKETS = 256;
const LOW_BYTE = 255;
const NO_ENTRIES: readonly Entry[] = [];

/** A bucket for the low byte of what prefixes begin with: an array is searched faster than a Map. */
function bucketBy(entries: readonly Entry[], first: (entry: Entry) => number): readonly (readonly Entry[])[] {
  const buckets = Array.from({ length: BUCKETS }, (): Entry[] => []);
  for (const entry of entries) buckets[first(entry) % BUCKETS]?.push(entry);
  return buckets;
}

/** Rules by key prefix: the longest prefix that matches wins. Looking up a key allocates nothing. */
export class RuleSet {
  readonly #byUnit: readonly (readonly Entry[])[];
  readonly #byByte: readonly (readonly Entry[])[];
  readonly #everyKey: Rule | undefined;
  /** Every prefix, longest first. Not private: another copy of the package may compare. */
  readonly entries: readonly Entry[];
  /** Every rule but the raw ones, by prefix. */
  readonly rules: ReadonlyMap<string, Rule>;
  /** Whether some rule has a serializer: then values need a look before ioredis makes text of them. */
  readonly hasSerializer: boolean;

  /** @param pairs prefix and rule; no prefix twice */
  constructor(pairs: readonly (readonly [string, Rule | undefined])[]) {
    const entries = pairs.map(([prefix, rule]) => ({ prefix, bytes: Buffer.from(prefix), rule }));
    entries.sort((a, b) => b.bytes.length - a.bytes.length);
    const named = entries.filter((entry) => entry.prefix !== "");
    this.#byUnit = bucketBy(named, (entry) => entry.prefix.charCodeAt(0));
    this.#byByte = bucketBy(named, (entry) => entry.bytes[0] ?? 0);
    this.#everyKey = entries.find((entry) => entry.prefix === "")?.rule;
    this.entries = entries;
    this.hasSerializer = entries.some(({ rule }) => rule?.serializer !== undefined);
    this.rules = new Map(entries.flatMap(({ prefix, rule }) => (rule === undefined ? [] : [[prefix, rule] as const])));
  }

  /**
   * The rule of a key, or undefined where no rule matches or the longest match is raw.
   *
   * @param key the key, in UTF-8 if it is bytes
   * @param offset where the logical key begins: the length of the keyPrefix that ioredis put before it
   */
  match(key: string | Uint8Array, offset: number): Rule | undefined {
    return typeof key === "string" ? this.#matchString(key, offset) : this.#matchBytes(key, offset);
  }

  /** Whether some key that begins with `head` can be under a rule that covers `type`: for patterns of keys. */
  mayCover(head: string, type: (rule: Rule) => boolean): boolean {
    const longer = this.entries.some(({ prefix, rule }) => rule !== undefined && prefix.startsWith(head) && type(rule));
    if (longer) return true;
    const rule = this.match(head, 0);
    return rule !== undefined && type(rule);
  }

  #matchString(key: string, offset: number): Rule | undefined {
    // An empty key has no first unit: NaN & 255 is 0, and no prefix of that bucket is as short.
    const bucket = this.#byUnit[key.charCodeAt(offset) & LOW_BYTE] ?? NO_ENTRIES;
    // overhead/get/text-100/64-direct: most keys find an empty bucket.
    if (bucket.length === 0) return this.#everyKey;
    for (const entry of bucket) {
      if (key.startsWith(entry.prefix, offset)) return entry.rule;
    }
    return this.#everyKey;
  }

  #matchBytes(key: Uint8Array, offset: number): Rule | undefined {
    const bucket = this.#byByte[key[offset] ?? 0] ?? NO_ENTRIES;
    for (const entry of bucket) {
      if (hasPrefix(key, entry.bytes, offset)) return entry.rule;
    }
    return this.#everyKey;
  }

  /** Whether another set has the same prefixes with the same settings. */
  equals(other: RuleSet): boolean {
    if (this.entries.length !== other.entries.length) return false;
    const theirs = new Map(other.entries.map(({ prefix, rule }) => [prefix, rule]));
    return this.entries.every(({ prefix, rule }) => theirs.has(prefix) && sameRule(rule, theirs.get(prefix)));
  }
}

/** Makes the rules of a client; throws what the options of the first wrong rule deserve. */
export function createRuleSet(prefixes: readonly (readonly [string, unknown])[], isChannel = false): RuleSet {
  return new RuleSet(
    prefixes.map(([prefix, options]) => [prefix, options === "raw" ? undefined : createRule(prefix, options, isChannel)]),
  );
}

// Built-in compressors are made anew by each call of their factory, so they are compared by what they do; custom ones by identity.
const LAST_RESERVED_ID = 15;

function sameCompressor(a: Compressor, b: Compressor): boolean {
  if (a === b) return true;
  if (a.id !== b.id || a.id > LAST_RESERVED_ID) return false;
  return JSON.stringify(a.options) === JSON.stringify(b.options);
}

// These are made anew by each call too; a serializer of one's own is compared by identity.
const BUILT_IN_SERIALIZERS: ReadonlySet<string> = new Set(["json", "msgpack", "utf8", "bytes"]);

function sameSerializer(a: Serializer<unknown> | undefined, b: Serializer<unknown> | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return a === b;
  if (a.name !== b.name || !BUILT_IN_SERIALIZERS.has(a.name)) return false;
  const names = new Set([...Object.keys(a.options), ...Object.keys(b.options)]);
  return [...names].every((name) => Object.is(a.options[name], b.options[name]));
}

function sameAccept(a: readonly Compressor[], b: readonly Compressor[]): boolean {
  return a.length === b.length && a.every((one) => b.some((other) => sameCompressor(one, other)));
}

function sameRule(a: Rule | undefined, b: Rule | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const sameCodec =
    sameCompressor(a.codec.compressor, b.codec.compressor) &&
    a.codec.frameVersion === b.codec.frameVersion &&
    a.codec.minCompressBytes === b.codec.minCompressBytes &&
    a.codec.maxContentBytes === b.codec.maxContentBytes &&
    sameAccept(a.codec.accept, b.codec.accept);
  return (
    sameCodec &&
    sameSerializer(a.serializer, b.serializer) &&
    a.comparands === b.comparands &&
    a.frame === b.frame &&
    a.minFrameBytes === b.minFrameBytes &&
    a.numbers === b.numbers &&
    a.unframed === b.unframed &&
    a.onDecodeError === b.onDecodeError &&
    a.unsafe === b.unsafe &&
    a.types.join() === b.types.join()
  );
}

function holdsRaw(rule: Rule | undefined): boolean {
  // A rule that rejects what is no frame is one that writes nothing else.
  return rule === undefined || rule.unframed !== "reject";
}

/** Whether a key under `target` can hold every value that a key under `source` may hold for one of `types`. */
export function canRead(target: Rule | undefined, source: Rule | undefined, types: readonly ValueType[]): boolean {
  if (target === source) return true;
  if (target?.unframed === "reject" && holdsRaw(source) && types.some((type) => target.covers[type])) return false;
  const framed = types.filter((type) => source?.covers[type] === true);
  if (source === undefined || framed.length === 0) return true;
  if (target === undefined || !framed.every((type) => target.covers[type])) return false;
  if (target.codec.maxContentBytes < source.codec.maxContentBytes) return false;
  if (!sameSerializer(target.serializer, source.serializer)) return false;
  // Under a serializer they decide what raw text means.
  const alike = target.unframed === source.unframed && target.numbers === source.numbers;
  if (target.serializer !== undefined && !alike) return false;
  return source.codec.accept.every((one) => target.codec.accept.some((other) => readsAlike(one, other)));
}

/** Levels do not matter to a reader. */
function readsAlike(a: Compressor, b: Compressor): boolean {
  return a === b || (a.id === b.id && a.id <= LAST_RESERVED_ID);
}
