import { Redis } from "ioredis";
import type { ValueCodecClientOptions } from "../../src/options.ts";
import { withValueCodec } from "../../src/with-value-codec.ts";
import type { StubCommand } from "./commands.ts";
import type { Prefixes } from "./keys.ts";
import { StubServer } from "./server.ts";

export interface StubOptions {
  readonly keyPrefix?: string;
  readonly enableAutoPipelining?: boolean;
}

type Queue = StubCommand[];

/** A client of ioredis whose connection is a {@link StubServer}: methods, pipelines and transactions are ioredis' own. */
export class StubClient extends Redis {
  readonly server: StubServer;
  /** Commands as they passed `sendCommand`, however often. */
  readonly passed: StubCommand[] = [];
  // Not `#`: programs derive objects from a client, and ioredis' own methods work on those.
  private transaction: Queue | undefined;
  private aborted = false;

  constructor(options: StubOptions = {}, server: StubServer = new StubServer()) {
    super({ lazyConnect: true, ...options });
    this.server = server;
    this.reconnect();
  }

  /** Puts another connection in the place of the present one; an open transaction ends with it. */
  reconnect(): void {
    this.transaction = undefined;
    this.stream = { writable: true } as never;
  }

  /** There is nothing to connect to. */
  override connect(): Promise<void> {
    return Promise.resolve();
  }

  // ioredis' type of the result depends on the override's; nothing does that here.
  override duplicate(override: object = {}): never {
    return new StubClient({ ...this.options, ...override } as StubOptions, this.server) as never;
  }

  override sendCommand(command: unknown): Promise<unknown> {
    const sent = command as StubCommand;
    this.passed.push(sent);
    const reply = this.answer(sent);
    queueMicrotask(() => (reply instanceof Error ? sent.reject(reply) : sent.resolve(reply)));
    return sent.promise;
  }

  private answer(command: StubCommand): unknown {
    const { args } = command;
    const name = command.name.toLowerCase();
    this.server.received.push([command.name, ...args]);
    if (name === "multi") return this.beginTransaction();
    if (this.transaction === undefined) return this.server.run(name, args);
    if (name === "exec") return this.execute(this.transaction);
    if (name === "discard") {
      this.transaction = undefined;
      return Buffer.from("OK");
    }
    return this.queue(command, this.transaction);
  }

  private beginTransaction(): unknown {
    if (this.transaction !== undefined) return new Error("ERR MULTI calls can not be nested");
    this.transaction = [];
    this.aborted = false;
    return Buffer.from("OK");
  }

  private queue(command: StubCommand, queue: Queue): unknown {
    if (command.name === "type" && command.args.length !== 1) {
      this.aborted = true;
      return this.server.run(command.name, command.args);
    }
    queue.push({ name: command.name, args: [...command.args] } as StubCommand);
    return Buffer.from("QUEUED");
  }

  private execute(queue: Queue): unknown {
    this.transaction = undefined;
    if (this.aborted) return new Error("EXECABORT Transaction discarded because of previous errors.");
    return queue.map(({ name, args }) => this.server.run(name, args));
  }
}

/** A client's methods without ioredis' types, which do not know everything that the wrapper takes. */
export type LooseMethods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

export function loosen(client: object): LooseMethods {
  return client as LooseMethods;
}

/** A wrapped stub client. */
export function createClient(prefixes: Prefixes, options: StubOptions = {}, more: MoreOptions = {}): StubClient {
  // As the stub that it is: its types by prefix are tested elsewhere.
  return withValueCodec(new StubClient(options), { prefixes, ...more }) as unknown as StubClient;
}

type MoreOptions = Omit<ValueCodecClientOptions, "prefixes">;
