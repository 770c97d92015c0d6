import type { LinkClock } from "./link-clock.ts";

// What a usual Ethernet frame carries: bytes arrive in pieces of this size, not one by one.
const SEGMENT_BYTES = 1_448;

interface Segment {
  readonly bytes: Buffer;
  /** When its last byte arrives at the other end. */
  readonly dueNs: number;
}

/** The bytes of one connection that are on the link, in one direction. */
export interface DelayQueue {
  /** How many bytes wait. */
  readonly queuedBytes: number;
  /** When the next segment arrives; infinity if there is none. */
  readonly nextDueNs: number;
  /** Puts bytes on the link. */
  push(bytes: Buffer, nowNs: number): void;
  /** Takes everything that has arrived by now; undefined if nothing has. */
  takeDue(nowNs: number): Buffer | undefined;
}

/** Makes an empty queue of a link's direction. */
export function createDelayQueue(clock: LinkClock): DelayQueue {
  let segments: Segment[] = [];
  let head = 0;
  let queuedBytes = 0;
  const nextDueNs = (): number => segments[head]?.dueNs ?? Number.POSITIVE_INFINITY;
  return {
    get queuedBytes() {
      return queuedBytes;
    },
    get nextDueNs() {
      return nextDueNs();
    },
    push(bytes, nowNs) {
      const beginNs = clock.reserve(bytes.length, nowNs);
      queuedBytes += bytes.length;
      const step = segmentBytes(clock);
      for (let at = 0; at < bytes.length; at += step) {
        const segment = bytes.subarray(at, at + step);
        segments.push({ bytes: segment, dueNs: beginNs + (at + segment.length) * clock.nsPerByte + clock.delayNs });
      }
    },
    takeDue(nowNs) {
      const due: Buffer[] = [];
      while (nextDueNs() <= nowNs) due.push((segments[head++] as Segment).bytes);
      if (due.length === 0) return undefined;
      if (head === segments.length) {
        segments = [];
        head = 0;
      }
      const taken = joinNeighbours(due);
      queuedBytes -= taken.length;
      return taken;
    },
  };
}

const LEAST_STEP_NS = 20_000;

/** On a fast link several frames arrive within the time that a look at the clock takes. */
function segmentBytes({ nsPerByte }: LinkClock): number {
  if (nsPerByte === 0) return Number.MAX_SAFE_INTEGER;
  return Math.max(SEGMENT_BYTES, Math.floor(LEAST_STEP_NS / nsPerByte));
}

/** Pieces of one chunk are joined without copying: they lie side by side. */
function joinNeighbours(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return Buffer.alloc(0);
  if (pieces.length === 1) return first;
  const length = pieces.reduce((sum, { length }) => sum + length, 0);
  const adjacent = first.buffer === last.buffer && first.byteOffset + length === last.byteOffset + last.length;
  return adjacent ? Buffer.from(first.buffer, first.byteOffset, length) : Buffer.concat(pieces, length);
}
