import { isDeepStrictEqual } from "node:util";
import { createKnownContent } from "../corpus/corpora.ts";
import type { SizedCorpus } from "../corpus/corpus.ts";
import type { LoopWork, Style } from "../driver/closed-loop.ts";
import type { Content, ContentKind, Fields, Operation, PeerCalls, PeerPipeline } from "../peers/peer.ts";
import type { OpenPeer } from "../peers/peers.ts";

/** Values of one MGET, fields of one hash. */
export const VALUES_AT_ONCE = 20;

/** What every peer does in the same way, one after the other. */
export interface Workload {
  readonly operation: Operation;
  readonly corpus: SizedCorpus;
  readonly kind: ContentKind;
  readonly sizeBytes: number;
  readonly inFlight: number;
  readonly style: Style;
}

/** The same for one peer: the work of a closed loop, on keys of its own. */
export interface PeerWork extends LoopWork {
  readonly keys: readonly string[];
  /**
   * Writes every key, and reads every one back by the very calls that are measured.
   *
   * @throws Error if a value does not come back equal
   */
  verify(): Promise<void>;
}

// All keys of a peer together hold about as much as a cache of a processor; the values of a large cell are few.
const KEYS_BYTES = 4_194_304;
const MIN_KEYS = 2;
const MAX_KEYS = 256;

/** How many keys each peer has. */
export function countKeys({ operation, sizeBytes }: Pick<Workload, "operation" | "sizeBytes">): number {
  const valuesOfKey = isHash(operation) ? VALUES_AT_ONCE : 1;
  const fit = Math.floor(KEYS_BYTES / (Math.max(1, sizeBytes) * valuesOfKey));
  // MGET has twice as many as it reads at once, so that it does not always read the same.
  return Math.min(MAX_KEYS, Math.max(operation === "mget" ? 2 * VALUES_AT_ONCE : MIN_KEYS, fit));
}

export function isHash(operation: Operation): boolean {
  return operation === "hset" || operation === "hgetall";
}

/** The value of a workload, as the peers get it. Throws if it is said to be text and is not. */
export function createContent({ corpus, kind, sizeBytes }: Workload): Content {
  const bytes = createKnownContent(corpus, sizeBytes);
  if (bytes.length !== sizeBytes) throw new Error(`${corpus.name} made ${bytes.length} bytes instead of ${sizeBytes}`);
  if (kind === "bytes") return bytes;
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes)) throw new Error(`${corpus.name} of ${sizeBytes} bytes is not text`);
  return text;
}

/** The names of a hash's fields. */
export const FIELD_NAMES: readonly string[] = Array.from({ length: VALUES_AT_ONCE }, (_, i) => `f${String(i).padStart(2, "0")}`);

/** Everything that a call needs, made before anything is timed. */
interface Material {
  readonly calls: PeerCalls;
  readonly keys: readonly string[];
  readonly groups: readonly string[][];
  readonly content: Content;
  readonly fields: Fields;
}

export function createPeerWork({ connection, prefix }: OpenPeer, workload: Workload, content: Content): PeerWork {
  const keys = Array.from({ length: countKeys(workload) }, (_, i) => `${prefix}${String(i).padStart(5, "0")}`);
  const material: Material = {
    calls: connection.calls(workload.kind),
    keys,
    groups: keys.map((_, i) => Array.from({ length: VALUES_AT_ONCE }, (_, j) => keys[(i + j) % keys.length] ?? "")),
    content,
    fields: Object.fromEntries(FIELD_NAMES.map((name) => [name, content])),
  };
  const call = createCall(workload.operation, material);
  const sendMany = async (first: number, count: number): Promise<readonly unknown[]> => {
    const pipeline = material.calls.createPipeline();
    for (let i = 0; i < count; i++) call(pipeline, (first + i) % keys.length);
    return pipeline.exec();
  };
  return {
    keys,
    send: async (index) => call(material.calls, index % keys.length),
    sendMany,
    checkReply: createReplyCheck(workload.operation, content),
    verify: () => verify(workload, material, { call, sendMany }),
  };
}

/** One call, direct or in a pipeline: their methods have the same names. */
type Call = (target: PeerCalls | PeerPipeline, index: number) => unknown;

function createCall(operation: Operation, { keys, groups, content, fields }: Material): Call {
  const keyAt = (index: number): string => keys[index] ?? "";
  switch (operation) {
    case "set":
      return (target, index) => target.set(keyAt(index), content);
    case "get":
      return (target, index) => target.get(keyAt(index));
    case "mget":
      return (target, index) => target.mget(groups[index] ?? []);
    case "hset":
      return (target, index) => target.hset(keyAt(index), fields);
    case "hgetall":
      return (target, index) => target.hgetall(keyAt(index));
  }
}

/** Costs next to nothing, and tells a value from a miss and from one of another size. */
function createReplyCheck(operation: Operation, content: Content): (reply: unknown) => void {
  const isValue = (value: unknown): boolean => (value as Content | null | undefined)?.length === content.length;
  const isGood = {
    set: (reply: unknown) => reply === "OK" || reply === true,
    get: isValue,
    mget: (reply: unknown) => Array.isArray(reply) && reply.length === VALUES_AT_ONCE && reply.every(isValue),
    hset: (reply: unknown) => typeof reply === "number",
    hgetall: (reply: unknown) => isValue(readLastField(reply)),
  }[operation];
  return (reply) => {
    if (!isGood(reply)) throw new Error(`${operation} had an unexpected reply`);
  };
}

function readLastField(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.length === VALUES_AT_ONCE ? reply[VALUES_AT_ONCE - 1]?.value : undefined;
  return (reply as Fields | null)?.[FIELD_NAMES[VALUES_AT_ONCE - 1] ?? ""];
}

interface Sender {
  readonly call: Call;
  sendMany(first: number, count: number): Promise<readonly unknown[]>;
}

async function verify({ operation, style }: Workload, material: Material, { call, sendMany }: Sender): Promise<void> {
  const count = material.keys.length;
  const hash = isHash(operation);
  const isWrite = operation === "set" || operation === "hset";
  const write = createCall(hash ? "hset" : "set", material);
  const read = isWrite ? createCall(hash ? "hgetall" : "get", material) : call;
  const pipelined = style === "pipelined";
  if (isWrite && pipelined) await sendMany(0, count);
  else await callEach(write, material, () => {});
  const assertEqual = (reply: unknown): void => assertReply(reply, material, hash);
  if (isWrite || !pipelined) await callEach(read, material, assertEqual);
  else (await sendMany(0, count)).forEach(assertEqual);
}

// Many enough not to wait for each, few enough that large values are not all in memory.
const CALLS_AT_ONCE = 16;

async function callEach(call: Call, { calls, keys }: Material, look: (reply: unknown) => void): Promise<void> {
  for (let first = 0; first < keys.length; first += CALLS_AT_ONCE) {
    const indices = [...keys.keys()].slice(first, first + CALLS_AT_ONCE);
    for (const reply of await Promise.all(indices.map((index) => call(calls, index)))) look(reply);
  }
}

function assertReply(reply: unknown, { content, fields }: Material, hashes: boolean): void {
  if (hashes) {
    if (!isDeepStrictEqual(normalizeHash(reply), { ...fields })) throw new Error("a hash did not come back equal");
    return;
  }
  const values = Array.isArray(reply) ? reply : [reply];
  for (const value of values) if (!isEqual(value, content)) throw new Error("a value did not come back equal");
}

function isEqual(value: unknown, content: Content): boolean {
  if (typeof content === "string") return value === content;
  return Buffer.isBuffer(value) && value.equals(content);
}

/** GLIDE gives an array (its fields are keys in a pipeline), ioredis an object. */
function normalizeHash(reply: unknown): Record<string, unknown> {
  if (!Array.isArray(reply)) return { ...(reply as Record<string, unknown>) };
  return Object.fromEntries(reply.map(({ field, key, value }) => [String(field ?? key), value]));
}
