import type { KeySpace } from "../keys.ts";
import type { RuleSet } from "../rules.ts";
import type { Shared } from "../shared.ts";
import type { ClientLike } from "./ioredis.ts";
import type { OpenTransaction } from "./transactions.ts";

const ATTACHED: unique symbol = Symbol.for("tightwire.attachment") as never;

/** What the wrapper keeps on one client. */
export class Attachment implements KeySpace {
  readonly shared: Shared;
  readonly client: ClientLike;
  readonly isCluster: boolean;
  /** The cluster whose node the client is: its commands bear the cluster's keyPrefix already. */
  readonly cluster: ClientLike | undefined;
  /** Own methods of the client that the wrapper's stand before, by name: of somebody else's wrapper, or of addBuiltinCommand(). */
  readonly previous: Map<string, unknown>;
  /** A transaction without a pipeline that has begun and not ended. */
  transaction: OpenTransaction | undefined = undefined;
  /** While a pipeline sends its commands, which were prepared when they were queued: what the client inherits from. */
  sendsPreparedBy: ClientLike | undefined = undefined;
  // The last call that a method found to be under no rule. Its command follows at once: overhead/set/text-100/64-pipelined −2 %.
  #unruledName = "";
  #unruledKey = "";
  #unruledBy: RuleSet | undefined = undefined;

  constructor(client: ClientLike, shared: Shared, cluster: ClientLike | undefined, previous: Map<string, unknown>) {
    this.client = client;
    this.isCluster = client.isCluster === true;
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

  /** Notes that a command is under no rule with this first argument, which alone decides that. */
  noteUnruled(name: string, key: string): void {
    // Of no use, and of another key once a program takes it away.
    if (this.keyPrefix) return;
    this.#unruledName = name;
    this.#unruledKey = key;
    this.#unruledBy = this.shared.rules;
  }

  /** Whether {@link noteUnruled} was told so of such a command, under the same rules. */
  isKnownUnruled(name: string, key: unknown): boolean {
    // Names first: they are few and compared by identity, keys character by character.
    if (name !== this.#unruledName || key !== this.#unruledKey || this.shared.rules !== this.#unruledBy) return false;
    // With one, the key of the call and that of the command are two.
    return !this.keyPrefix;
  }
}

/** The attachment of a client or of one of its pipelines. */
export function attachmentOf(target: object): Attachment | undefined {
  return (target as { [ATTACHED]?: Attachment })[ATTACHED];
}

export function setAttachment(target: object, attachment: Attachment): void {
  Object.defineProperty(target, ATTACHED, { value: attachment });
}
