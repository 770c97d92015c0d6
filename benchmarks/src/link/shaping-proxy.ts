import { connect, createServer, type Server, type Socket } from "node:net";
import { createDelayQueue } from "./delay-queue.ts";
import { createLinkClock, type LinkClock, type LinkSettings } from "./link-clock.ts";
import { createPacer, type Pacer, readClockNs } from "./pacer.ts";

/** Where a proxy leads, and by what link. */
export interface ProxySettings extends LinkSettings {
  /** On 127.0.0.1. */
  readonly targetPort: number;
}

/** Totals of a proxy. */
export interface ProxyTotals {
  bytesToServer: number;
  bytesToClient: number;
  /** The most bytes that ever waited in one direction of one connection. */
  peakQueuedBytes: number;
}

// What a connection may have on the link beyond what the link itself holds in its delay: the buffers of a usual router.
const LEAST_QUEUE_BYTES = 262_144;

/** The most bytes that wait in one direction of one connection, but for one more read. */
export function queueLimit({ nsPerByte, delayNs }: LinkClock): number {
  const onTheLink = nsPerByte === 0 ? 0 : delayNs / nsPerByte;
  return LEAST_QUEUE_BYTES + 2 * Math.ceil(onTheLink);
}

/** One direction of one connection. */
interface Lane {
  /** Set once all bytes are delivered and no more will come. */
  readonly isDone: boolean;
  /** Delivers what has arrived; returns when the next bytes arrive, or infinity. */
  run(nowNs: number): number;
}

/**
 * A proxy whose two directions are as slow as a link. Bytes are counted as TCP carries them; its headers are not. Nothing is dropped: a
 * full queue stops reading, as a full window would.
 */
export function createShapingProxy(settings: ProxySettings, totals: ProxyTotals): Server {
  const toServer = createLinkClock(settings);
  const toClient = createLinkClock(settings);
  const lanes = new Set<Lane>();
  const pacer = createPacer({
    run(nowNs) {
      let nextNs = Number.POSITIVE_INFINITY;
      for (const lane of lanes) {
        nextNs = Math.min(nextNs, lane.run(nowNs));
        if (lane.isDone) lanes.delete(lane);
      }
      return nextNs;
    },
  });
  return createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const server = connect({ port: settings.targetPort, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    const count = { totals, pacer };
    const own = [
      createLane(client, server, toServer, { ...count, add: (bytes) => (totals.bytesToServer += bytes) }),
      createLane(server, client, toClient, { ...count, add: (bytes) => (totals.bytesToClient += bytes) }),
    ];
    for (const lane of own) lanes.add(lane);
    const drop = (): void => {
      for (const lane of own) lanes.delete(lane);
      client.destroy();
      server.destroy();
    };
    // Not when one closes: what it sent before may still be on the link.
    for (const socket of [client, server]) socket.on("error", drop);
  });
}

interface LaneContext {
  readonly pacer: Pacer;
  readonly totals: ProxyTotals;
  add(bytes: number): void;
}

function createLane(source: Socket, sink: Socket, clock: LinkClock, { pacer, totals, add }: LaneContext): Lane {
  const queue = createDelayQueue(clock);
  const limit = queueLimit(clock);
  let ended = false;
  let blocked = false;
  let isDone = false;
  source.on("data", (bytes: Buffer) => {
    queue.push(bytes, readClockNs());
    add(bytes.length);
    totals.peakQueuedBytes = Math.max(totals.peakQueuedBytes, queue.queuedBytes);
    if (queue.queuedBytes >= limit) source.pause();
    pacer.wake();
  });
  source.once("end", () => {
    ended = true;
    pacer.wake();
  });
  sink.on("drain", () => {
    blocked = false;
    pacer.wake();
  });
  const run = (nowNs: number): number => {
    const due = blocked ? undefined : queue.takeDue(nowNs);
    if (due !== undefined) blocked = !sink.write(due);
    if (source.isPaused() && queue.queuedBytes < limit / 2) source.resume();
    if (ended && queue.queuedBytes === 0 && !isDone) {
      isDone = true;
      sink.end();
    }
    // A receiver that takes nothing says so when it takes again.
    return blocked ? Number.POSITIVE_INFINITY : queue.nextDueNs;
  };
  return {
    run,
    get isDone() {
      return isDone;
    },
  };
}
