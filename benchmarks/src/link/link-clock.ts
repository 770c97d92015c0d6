const NS_PER_SECOND = 1_000_000_000;
const BITS_PER_BYTE = 8;

/** A link of some speed and delay, in one direction. */
export interface LinkSettings {
  /** `Number.POSITIVE_INFINITY` for no limit. */
  readonly bitsPerSecond: number;
  /** For each direction half of it. */
  readonly roundTripMs: number;
}

/** When the bytes of one direction leave the sender: a token bucket, shared by all connections of the link. */
export interface LinkClock {
  readonly nsPerByte: number;
  readonly delayNs: number;
  /** Takes the link for some bytes that are ready now; returns when the first of them begins to leave. */
  reserve(bytes: number, nowNs: number): number;
}

// How much of the link's idle time can be made up for: the proxy looks for new bytes about that often, and without it would lose what it
// did not see at once.
const BUCKET_NS = 100_000;

/** One direction of a link. Times are fractional nanoseconds, so no speed is rounded. */
export function createLinkClock({ bitsPerSecond, roundTripMs }: LinkSettings): LinkClock {
  const nsPerByte = (BITS_PER_BYTE * NS_PER_SECOND) / bitsPerSecond;
  let freeAtNs = Number.NEGATIVE_INFINITY;
  return {
    nsPerByte,
    delayNs: (roundTripMs * 1_000_000) / 2,
    reserve(bytes, nowNs) {
      const beginNs = Math.max(freeAtNs, nowNs - BUCKET_NS);
      freeAtNs = beginNs + bytes * nsPerByte;
      // Tokens that were saved up let bytes leave at once, not before they were there.
      return Math.max(beginNs, nowNs - bytes * nsPerByte);
    },
  };
}
