import { withValueCodec } from "../../src/with-value-codec.ts";
import { StubClient, type StubOptions } from "./client.ts";
import type { StubCommand } from "./commands.ts";
import type { Prefixes } from "./keys.ts";

const SLOTS = 16_384;

/** What ioredis' Cluster adds to a client, with one node for all slots. A node sees keys as the cluster sends them. */
export class StubCluster extends StubClient {
  override readonly isCluster = true;
  readonly node: StubClient;
  /** Empty until the cluster knows its nodes. */
  slots: string[][] = [];
  readonly connectionPool: object = { nodes: { all: {} } };
  readonly _groupsBySlot: number[] = new Array(SLOTS).fill(0);
  readonly #waiting: (() => void)[] = [];

  constructor(options: StubOptions = {}) {
    super(options);
    this.node = new StubClient({}, this.server);
  }

  nodes(): StubClient[] {
    return [this.node];
  }

  delayUntilReady(callback: () => void): void {
    this.#waiting.push(callback);
  }

  /** The slots become known. */
  makeReady(): void {
    this.slots = Array.from({ length: SLOTS }, () => ["node"]);
    for (const callback of this.#waiting.splice(0)) callback();
  }

  /** No error of a stub is a redirection. */
  handleError(_error: Error, _redirections: object, handlers: { defaults(): void }): void {
    handlers.defaults();
  }

  override sendCommand(command: unknown): Promise<unknown> {
    this.passed.push(command as StubCommand);
    return this.node.sendCommand(command);
  }
}

/** A wrapped stub cluster. */
export function createCluster(prefixes: Prefixes, options: StubOptions = {}): StubCluster {
  return withValueCodec(new StubCluster(options), { prefixes }) as unknown as StubCluster;
}
