import type { Style } from "../driver/closed-loop.ts";

/** Text goes to every peer as a string, other bytes as a Buffer; each comes back as what it was. */
export type ContentKind = "text" | "bytes";
export type Content = string | Buffer;
export type Fields = Record<string, Content>;

export type Operation = "set" | "get" | "mget" | "hset" | "hgetall";

/** Commands gathered for one pipeline. */
export interface PeerPipeline {
  set(key: string, value: Content): unknown;
  get(key: string): unknown;
  mget(keys: string[]): unknown;
  hset(key: string, fields: Fields): unknown;
  hgetall(key: string): unknown;
  /** Sends them. Rejects if one of the replies is an error. */
  exec(): Promise<readonly unknown[]>;
}

/** The commands of one peer, with no more between caller and client than the call itself. */
export interface PeerCalls {
  set(key: string, value: Content): Promise<unknown>;
  get(key: string): Promise<unknown>;
  mget(keys: string[]): Promise<unknown>;
  hset(key: string, fields: Fields): Promise<unknown>;
  hgetall(key: string): Promise<unknown>;
  createPipeline(): PeerPipeline;
}

/** A connected peer: one connection to the server. */
export interface PeerConnection {
  calls(kind: ContentKind): PeerCalls;
  close(): Promise<void>;
}

/** Where a peer connects to, and what all of its keys begin with. */
export interface PeerTarget {
  readonly port: number;
  readonly prefix: string;
}

/** What a case asks of a peer. */
export interface PeerUse {
  readonly operation: Operation;
  readonly style: Style;
  readonly kind: ContentKind;
  readonly sizeBytes: number;
}

/** What the server holds for a value. */
export interface HeldValue {
  readonly compressed: boolean;
  /** Of a frame of ours; null of anything else. */
  readonly codecId: number | null;
}

/** A way to keep values in Redis that is compared with the others. */
export interface Peer {
  /** As in case names: product, then codec. */
  readonly name: string;
  readonly product: "ioredis" | "tightwire" | "glide" | "keyv";
  /** `raw` where values are held as they are. */
  readonly codec: string;
  /** What it does otherwise than raw ioredis, for reports. */
  readonly difference: string;
  /** The packages that its numbers depend on. */
  readonly packages: readonly string[];
  /** Whether it has such a command, and keeps such a value. */
  supports(use: PeerUse): boolean;
  /**
   * Loads what it needs and connects.
   *
   * @throws PeerUnavailableError where a package is not installed or does not load on this machine
   */
  connect(target: PeerTarget): Promise<PeerConnection>;
  /** Reads the bytes that the server holds. Throws if they are not in this peer's form. */
  readHeld(held: Buffer): HeldValue;
}

/** A peer that this machine cannot run. */
export class PeerUnavailableError extends Error {
  override readonly name: string = "PeerUnavailableError";
}

/**
 * Loads a package that may be absent.
 *
 * @throws PeerUnavailableError with a line that says what to do
 */
export async function loadPackage<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new PeerUnavailableError(`${name} cannot be loaded: npm install --include=optional (${reason})`, { cause: error });
  }
}
