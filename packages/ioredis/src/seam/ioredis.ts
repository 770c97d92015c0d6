// What Tightwire uses of ioredis 5.4 to 6, as types: nothing of ioredis is imported at run time, so any copy of it will do.

/** An argument as a Command holds it: flat, with keyPrefix applied. */
export type CommandArgument = string | Buffer;

/** Of ioredis' `Command`. */
export interface CommandLike {
  name: string;
  args: CommandArgument[];
  inTransaction: boolean;
  /** Null for the `*Buffer` methods. */
  readonly replyEncoding?: string | null;
  readonly promise: Promise<unknown>;
  /** Its place in a pipeline. */
  pipelineIndex?: number;
  reject(error: unknown): void;
  /** Marks the command as one with Buffers among its arguments; without it ioredis would send a Buffer as text. */
  stringifyArguments(): void;
  /** The command as it is written to a connection. */
  toWritable?(socket?: unknown): string | Buffer;
  transformReply(reply: unknown): unknown;
  /** The keys among the arguments, as sent. */
  getKeys(): unknown[];
}

export type Method = (...args: unknown[]) => unknown;

/** What a client and a pipeline have in common: one method per command, all of which end in `sendCommand`. */
export interface CommanderLike {
  readonly isPipeline?: boolean;
  readonly options: { readonly keyPrefix?: string | Buffer; readonly enableAutoPipelining?: boolean };
  sendCommand(command: CommandLike, stream?: unknown, node?: unknown): unknown;
}

/** Of ioredis' `Pipeline`. */
export interface PipelineLike extends CommanderLike {
  exec(...args: unknown[]): unknown;
  addBatch(commands: readonly unknown[]): unknown;
  readonly _queue?: readonly CommandLike[];
  /** How many transactions within the pipeline are open. */
  readonly _transactions?: number;
}

/** Of ioredis' `Redis` and `Cluster`. */
export interface ClientLike extends CommanderLike {
  readonly isCluster?: boolean;
  /** Cluster only: empty until the slots are known. */
  readonly slots?: { readonly length: number };
  readonly stream?: unknown;
  duplicate: Method;
  pipeline: Method;
  multi: Method;
  emit: Method;
  listenerCount(event: string): number;
  /** Redis only: emits an error if somebody listens, else prints it. */
  silentEmit?: Method;
  defineCommand?: Method;
  /** Scripts defined by defineCommand, by name. */
  readonly scriptsSet?: Readonly<Record<string, { readonly sha: string; readonly numberOfKeys: number | null }>>;
  on(event: string, listener: Method): unknown;
  /** Cluster only. */
  nodes?(role?: string): ClientLike[];
}

// On clients, and on the prototypes before ioredis' Pipeline.prototype: the object that bears the wrapper's own methods, itself.
const OWNER: unique symbol = Symbol("tightwire.owner") as never;

/** Notes that an object bears own methods of the wrapper. */
export function addOwner(owner: object): void {
  Object.defineProperty(owner, OWNER, { value: owner });
}

/** As a class has its methods: not enumerable, and replaceable. */
export function defineMethod(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

/** What a client inherits from: asked at call time, so that a later patch of a prototype counts, and another prototype, too. */
export function prototypeOf(client: ClientLike): ClientLike {
  // V8 knows the prototype of an object that it has just read from, and must ask for it otherwise: overhead/get/text-100/64-direct.
  return client.options === undefined ? client : Object.getPrototypeOf(client);
}

/** The method after the wrapper's own: looked up at call time, so that a later patch of a prototype counts. */
export function superMethod(target: object, name: string): Method {
  // Not the prototype of the target: the caller's object may itself have the client as its prototype.
  return Object.getPrototypeOf((target as { [OWNER]: object })[OWNER])[name];
}

/** The command's transformReply as ioredis has it. */
export function transformReplyOf(command: CommandLike, reply: unknown): unknown {
  return Object.getPrototypeOf(command).transformReply.call(command, reply);
}

/** The method that the client would have without the wrapper: its own before it was wrapped, or its class's. */
export function inheritedMethod(target: object, previous: ReadonlyMap<string, unknown> | undefined, name: string): Method {
  return (previous?.get(name) as Method | undefined) ?? superMethod(target, name);
}
