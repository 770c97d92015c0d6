import assert from "node:assert/strict";
import { isCodecError, valueCodecOf } from "@tightwire/ioredis";
import { waitFor } from "../../support/wait.ts";
import { assertHeldShare } from "./topology-held.ts";
import { Model } from "./topology-model.ts";
import { type Client, type LoadStyle, type Outcome, SENDERS } from "./topology-senders.ts";
import { fillShare, makeStep, readShare, refuse, type Share, type Step } from "./topology-steps.ts";
import { createRandom, KINDS, pick } from "./topology-values.ts";

/** A client and those who use it. */
export interface LoadClient {
  readonly client: Client;
  /** How many workers share the client: as many actions are in flight on it. */
  readonly workers: number;
  /** By default all that may share a client. */
  readonly styles?: readonly LoadStyle[];
}

export interface LoadOptions {
  readonly clients: readonly LoadClient[];
  readonly seed: number;
  readonly lists?: boolean;
  readonly deletes?: boolean;
}

const SETTLE_MS = 30_000;
const PROGRESS_MS = 60_000;
const MOST_ATTEMPTS = 5;
const SHARED_STYLES: readonly LoadStyle[] = ["direct", "callbacks", "pipeline", "multi"];

/** Workers that read and write through wrapped clients, and compare every reply with what Redis must hold. */
export class Load {
  readonly model: Model = new Model();
  readonly #options: LoadOptions;
  readonly #workers: Worker[];
  readonly #given = new Map<string, number>();
  #running: Promise<unknown> = Promise.resolve();
  #stopping = false;
  #serial = 0;
  /** Commands that have settled, and those of them that were lost with a connection. */
  settled = 0;
  lost = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    const { clients, seed, lists = true, deletes = true } = options;
    this.#workers = clients.flatMap(({ client, workers, styles = SHARED_STYLES }, c) =>
      Array.from({ length: workers }, (_, w): Worker => {
        const tag = `w${c}-${w}`;
        const random = createRandom(seed + c * 1_000 + w);
        const share = { tag, random, model: this.model, nextSerial: () => ++this.#serial, lists, deletes };
        return { client, styles, share, pending: undefined };
      }),
    );
  }

  get tags(): string[] {
    return this.#workers.map(({ share }) => share.tag);
  }

  /** Whether it runs no more: it was paused, or a reply was wrong. */
  get ended(): boolean {
    return this.#stopping;
  }

  /** Gives every key a value, so that reads have something to find. */
  async fill(): Promise<void> {
    await this.#all((worker) => this.#send(worker, "pipeline", fillShare(worker.share)));
  }

  /** Begins, or goes on after `pause`. */
  start(): void {
    this.#stopping = false;
    this.#running = this.#all((worker) => this.#work(worker));
    // It is awaited by `pause`; until then a failure is nobody's.
    this.#running.catch(() => undefined);
  }

  /** Sends nothing more and waits until everything has settled; fails if a reply was wrong, or never comes. */
  async pause(): Promise<void> {
    this.#stopping = true;
    await this.#settle(this.#running);
  }

  /** Waits until as many commands have settled, or a reply was wrong. */
  async waitForSettled(commands: number): Promise<void> {
    await waitFor(`${commands} commands have settled`, () => this.settled >= commands || this.ended, PROGRESS_MS);
  }

  /** Reads every key: from here on it is known what Redis must hold. */
  async readAll(): Promise<void> {
    await this.#settle(this.#all((worker) => this.#readShare(worker)));
  }

  async #readShare(worker: Worker): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const lost = await this.#send(worker, "pipeline", readShare(worker.share));
      if (lost === 0) return;
    }
    assert.fail(`every key of ${worker.share.tag} can be read`);
  }

  /** Reads every key as programs and as Redis holds it: each value is what was written last, framed once. */
  async verify(bare: Client): Promise<void> {
    await this.readAll();
    for (const { share } of this.#workers) await assertHeldShare(share, bare);
    this.#assertEncodedOnce();
  }

  /** However often a command was sent, its values were encoded once. */
  #assertEncodedOnce(): void {
    const counters = this.#options.clients.map(({ client }) => valueCodecOf(client).stats());
    for (const { prefix, rule } of KINDS) {
      if (rule === undefined || rule === "raw") continue;
      const encoded = counters.map((stats) => (stats[prefix]?.encoded ?? 0) + (stats[prefix]?.raw ?? 0));
      const total = encoded.reduce((sum, count) => sum + count, 0);
      assert.equal(total, this.#given.get(prefix), `values encoded under ${prefix}`);
    }
  }

  async #all(act: (worker: Worker) => Promise<unknown>): Promise<void> {
    const ends = await Promise.allSettled(this.#workers.map(act));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #work(worker: Worker): Promise<void> {
    const { share, styles } = worker;
    try {
      while (!this.#stopping) {
        const style = pick(share.random, styles);
        await this.#send(worker, style, chooseSteps(share, style));
      }
    } catch (error) {
      this.#stopping = true;
      throw error;
    }
  }

  /** @returns how many commands were lost */
  async #send(worker: Worker, style: LoadStyle, steps: readonly Step[]): Promise<number> {
    worker.pending = `${style} ${steps.map(({ command, keys }) => `${command} ${keys[0]}`).join(", ")}`;
    for (const { prefix } of steps.flatMap(({ values }) => values)) this.#given.set(prefix, (this.#given.get(prefix) ?? 0) + 1);
    const outcomes = await SENDERS[style](worker.client, steps);
    worker.pending = undefined;
    assert.equal(outcomes.length, steps.length, `a ${style} of ${steps.length} commands gives as many results`);
    let lost = 0;
    for (const [i, step] of steps.entries()) lost += this.#account(step, outcomes[i] ?? { error: new Error("no outcome") });
    this.lost += lost;
    return lost;
  }

  /** @returns 1 if the command was lost */
  #account(step: Step, outcome: Outcome): number {
    this.settled++;
    if ("reply" in outcome) {
      step.acknowledge(outcome.reply);
      return 0;
    }
    const { error } = outcome;
    if (step.refused === true && isCodecError(error) && error.code === "CODEC_COMMAND_UNSAFE") return 0;
    assertLoss(error, step);
    step.doubt();
    return 1;
  }

  async #settle(running: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#describePending()), SETTLE_MS);
    });
    try {
      await Promise.race([running, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #describePending(): Error {
    const pending = this.#workers.flatMap(({ share, pending }) => (pending === undefined ? [] : [`${share.tag}: ${pending}`]));
    return new Error(`not settled after ${SETTLE_MS} ms:\n${pending.join("\n")}`);
  }
}

interface Worker {
  readonly client: Client;
  readonly styles: readonly LoadStyle[];
  readonly share: Share;
  /** What it waits for. */
  pending: string | undefined;
}

const MOST_STEPS = 6;
const REFUSED_SHARE = 0.03;

/**
 * Commands that may be sent together. In order a key may be written and read then, but not the other way round: where all is sent
 * again after the connection was lost, the read would find what its own successor wrote the first time.
 */
function chooseSteps(share: Share, style: LoadStyle): Step[] {
  const steps: Step[] = [];
  const taken = new Set<string>();
  const ordered = style !== "direct" && style !== "callbacks";
  for (let left = 1 + Math.floor(share.random() * MOST_STEPS); left > 0; left--) {
    const step = makeStep(share);
    const reads = step.reads === true;
    if (!(ordered && reads) && step.keys.some((key) => taken.has(key))) continue;
    steps.push(step);
    if (!ordered || reads || step.changesList === true) for (const key of step.keys) taken.add(key);
  }
  // In a transaction it would have the server discard the others.
  const discards = style === "multi" || style === "open transaction";
  if (!discards && share.random() < REFUSED_SHARE) steps.splice(Math.floor(share.random() * steps.length), 0, refuse(share));
  return steps;
}

// What ioredis and the servers say of a command that a lost connection or a changing topology has kept from its reply.
const LOSSES: readonly RegExp[] = [
  /^Command aborted due to connection close$/,
  /^Connection is closed\.$/,
  /^Command timed out$/,
  /^Reached the max retries per request limit/,
  /^Too many Cluster redirections/,
  // Of an automatic pipeline, one of whose slots was given to another node.
  /^All keys in the pipeline should belong to the same slots allocation group$/,
  /^(?:READONLY|CLUSTERDOWN|MOVED|ASK|TRYAGAIN|LOADING|MASTERDOWN|EXECABORT) /,
  /^ERR EXEC without MULTI$/,
];

function assertLoss(error: unknown, { command, keys }: Step): void {
  const lost = error instanceof Error && !isCodecError(error) && LOSSES.some((loss) => loss.test(error.message));
  if (!lost) throw new Error(`${command} ${keys[0]} fails for no loss of a connection`, { cause: error });
}
