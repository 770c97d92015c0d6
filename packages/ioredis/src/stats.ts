/** What was done under one prefix since the client was wrapped; new rules do not reset it. */
export interface PrefixStats {
  /** Values made into frames, also those of a command that was then refused for another of its values. */
  encoded: number;
  /** Frames read. */
  decoded: number;
  /** Values written raw. */
  raw: number;
  /** Values read that were no frames, taken as the rule says. */
  unframed: number;
  /** Bytes of the contents written. */
  contentBytes: number;
  /** Bytes that Redis was given for them. */
  heldBytes: number;
  /** Failures by error code; commands that were refused are counted under the rule that refused them. */
  errors: Record<string, number>;
}

/** Counters by prefix, shared by a client, its duplicates and its cluster nodes. */
export class Stats {
  readonly #byPrefix = new Map<string, PrefixStats>();
  // The last one asked for: most values of a program are under few rules.
  #lastPrefix: string | undefined = undefined;
  #last: PrefixStats | undefined = undefined;

  /** The live counters of one prefix. */
  of(prefix: string): PrefixStats {
    if (prefix === this.#lastPrefix && this.#last !== undefined) return this.#last;
    const stats = this.#byPrefix.get(prefix) ?? this.#add(prefix);
    this.#lastPrefix = prefix;
    this.#last = stats;
    return stats;
  }

  #add(prefix: string): PrefixStats {
    const fresh: PrefixStats = { encoded: 0, decoded: 0, raw: 0, unframed: 0, contentBytes: 0, heldBytes: 0, errors: {} };
    this.#byPrefix.set(prefix, fresh);
    return fresh;
  }

  countError(prefix: string, code: string): void {
    const { errors } = this.of(prefix);
    errors[code] = (errors[code] ?? 0) + 1;
  }

  /** A copy of the counters at this moment. */
  snapshot(): Record<string, PrefixStats> {
    return Object.fromEntries([...this.#byPrefix].map(([prefix, one]) => [prefix, { ...one, errors: { ...one.errors } }]));
  }
}
