type Argument = string | Buffer;

/** What a stub client writes and reads: enough of Redis for the tests of the seam, and what it has been sent. */
export class StubServer {
  readonly #strings = new Map<string, Buffer>();
  readonly #hashes = new Map<string, Map<string, Buffer>>();
  readonly #lists = new Map<string, Buffer[]>();
  readonly #answers = new Map<string, (args: readonly Argument[]) => unknown>();
  /** Every command in the order of arrival, as `[name, ...arguments]`; Buffers where the client sent bytes. */
  readonly received: Argument[][] = [];

  /** The bytes of a string value. */
  held(key: string): Buffer | undefined {
    return this.#strings.get(key);
  }

  /** The bytes of a hash value. */
  heldField(key: string, field: string): Buffer | undefined {
    return this.#hashes.get(key)?.get(field);
  }

  /** The bytes of a list's elements. */
  heldElements(key: string): readonly Buffer[] {
    return this.#lists.get(key) ?? [];
  }

  /** Writes a string value as another program would. */
  hold(key: string, value: Buffer): void {
    this.#strings.set(key, value);
  }

  /** Gives a command an answer of its own: the raw reply, made anew by each call, or an Error. */
  answer(name: string, reply: (args: readonly Argument[]) => unknown): void {
    this.#answers.set(name, reply);
  }

  /** Names of the commands received, in order. */
  names(): string[] {
    return this.received.map(([name]) => String(name));
  }

  run(name: string, args: readonly Argument[]): unknown {
    const own = this.#answers.get(name.toLowerCase());
    if (own !== undefined) return own(args);
    const execute = COMMANDS[name.toLowerCase()];
    if (execute === undefined) return new Error(`ERR unknown command '${name}'`);
    return execute({ strings: this.#strings, hashes: this.#hashes, lists: this.#lists }, args);
  }
}

interface Store {
  readonly strings: Map<string, Buffer>;
  readonly hashes: Map<string, Map<string, Buffer>>;
  readonly lists: Map<string, Buffer[]>;
}

const OK = (): Buffer => Buffer.from("OK");
const bytes = (argument: Argument | undefined): Buffer => Buffer.from(argument as Buffer);
const text = (argument: Argument | undefined): string => bytes(argument).toString();

function hashOf({ hashes }: Store, key: Argument | undefined): Map<string, Buffer> {
  const known = hashes.get(text(key)) ?? new Map<string, Buffer>();
  hashes.set(text(key), known);
  return known;
}

function listOf({ lists }: Store, key: Argument | undefined): Buffer[] {
  const known = lists.get(text(key)) ?? [];
  lists.set(text(key), known);
  return known;
}

function writePairs(target: Map<string, Buffer>, pairs: readonly Argument[]): void {
  for (let i = 0; i < pairs.length; i += 2) target.set(text(pairs[i]), bytes(pairs[i + 1]));
}

function copyOf(held: Buffer | undefined): Buffer | null {
  return held === undefined ? null : Buffer.from(held);
}

const COMMANDS: Readonly<Record<string, (store: Store, args: readonly Argument[]) => unknown>> = {
  set: (store, [key, value, ...options]) => {
    const old = copyOf(store.strings.get(text(key)));
    store.strings.set(text(key), bytes(value));
    return options.map(String).includes("GET") ? old : OK();
  },
  get: (store, [key]) => copyOf(store.strings.get(text(key))),
  mset: (store, pairs) => {
    writePairs(store.strings, pairs);
    return OK();
  },
  mget: (store, keys) => keys.map((key) => copyOf(store.strings.get(text(key)))),
  hset: (store, [key, ...pairs]) => {
    writePairs(hashOf(store, key), pairs);
    return pairs.length / 2;
  },
  hget: (store, [key, field]) => copyOf(hashOf(store, key).get(text(field))),
  hgetall: (store, [key]) => [...hashOf(store, key)].flatMap(([field, value]) => [Buffer.from(field), Buffer.from(value)]),
  rpush: (store, [key, ...values]) => listOf(store, key).push(...values.map(bytes)),
  lrange: (store, [key]) => listOf(store, key).map((held) => Buffer.from(held)),
  blpop: (store, [key]) => {
    const held = listOf(store, key).shift();
    return held === undefined ? null : [bytes(key), held];
  },
  type: (store, args) => {
    if (args.length !== 1) return new Error("ERR wrong number of arguments for 'type' command");
    return Buffer.from(store.strings.has(text(args[0])) ? "string" : "none");
  },
  ping: () => Buffer.from("PONG"),
};
