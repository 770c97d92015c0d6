import type { KeySpace } from "../keys.ts";
import type { Shared } from "../shared.ts";
import type { ClientLike } from "./ioredis.ts";
import type { OpenTransaction } from "./transactions.ts";

const ATTACHED: unique symbol = Symbol.for("tightwire.attachment") as never;

/** What the wrapper keeps on one client. */
export class Attachment implements KeySpace {
  readonly shared: Shared;
  readonly client: ClientLike;
  /** The cluster whose node the client is: its commands bear the cluster's keyPrefix already. */
  readonly cluster: ClientLike | undefined;
  /** Own methods that the client had before, by name: somebody else's wrapper. */
  readonly previous: ReadonlyMap<string, unknown>;
  /** A transaction without a pipeline that has begun and not ended. */
  transaction: OpenTransaction | undefined = undefined;

  constructor(client: ClientLike, shared: Shared, cluster: ClientLike | undefined, previous: ReadonlyMap<string, unknown>) {
    this.client = client;
    this.shared = shared;
    this.cluster = cluster;
    this.previous = previous;
  }

  get prefixed(): boolean {
    return this.cluster !== undefined;
  }

  get keyPrefix(): string | Buffer | undefined {
    return (this.cluster ?? this.client).options.keyPrefix;
  }
}

/** The attachment of a client or of one of its pipelines. */
export function attachmentOf(target: object): Attachment | undefined {
  return (target as { [ATTACHED]?: Attachment })[ATTACHED];
}

export function setAttachment(target: object, attachment: Attachment): void {
  Object.defineProperty(target, ATTACHED, { value: attachment });
}
