import { halfCompressible, WEIGHTS } from "../corpus/corpora.ts";
import type { LinkSettings } from "../link/link-clock.ts";
import { sizeName } from "../names.ts";
import { glidePeers } from "../peers/glide.ts";
import { rawPeer, tightwirePeers } from "../peers/ioredis.ts";
import type { Peer } from "../peers/peer.ts";
import type { Workload } from "./redis-workload.ts";

/** A link with its name in case names. */
export interface NamedLink extends LinkSettings {
  readonly name: string;
}

const MEGABIT = 1_000_000;
const SPEEDS: readonly (readonly [name: string, bitsPerSecond: number])[] = [
  ["100mbit", 100 * MEGABIT],
  ["440mbit", 440 * MEGABIT],
  ["1gbit", 1_000 * MEGABIT],
  ["10gbit", 10_000 * MEGABIT],
];

export const LINKS: readonly NamedLink[] = SPEEDS.flatMap(([name, bitsPerSecond]) =>
  [0.2, 2].map((roundTripMs) => ({ name: `${name}-${roundTripMs}ms`, bitsPerSecond, roundTripMs })),
);

interface Load {
  /** Two of the largest keep a link busy, and more would fill the buffers on the way. */
  readonly inFlight: number;
  readonly rounds: number;
}

const LOADS: Readonly<Record<keyof typeof WEIGHTS, Load>> = {
  light: { inFlight: 64, rounds: 11 },
  normal: { inFlight: 64, rounds: 11 },
  heavy: { inFlight: 64, rounds: 11 },
  super: { inFlight: 2, rounds: 7 },
};

/** One cell: its workload is run by every peer, over its link. */
export interface LinkCell extends Workload {
  /** `link/operation/corpus-size/link`: the beginning of its cases' names. */
  readonly name: string;
  readonly link: NamedLink;
  readonly weight: string;
  /** Rounds at full effort. */
  readonly rounds: number;
}

/** Raw ioredis, every codec, and GLIDE's two. */
export const LINK_PEERS: readonly Peer[] = [rawPeer, ...tightwirePeers, ...glidePeers.filter(({ codec }) => codec !== "raw")];

export const LINK_CELLS: readonly LinkCell[] = LINKS.flatMap((link) =>
  (["light", "normal", "heavy", "super"] as const).flatMap((weight) =>
    (["set", "get"] as const).map((operation) => ({
      name: `link/${operation}/${halfCompressible.name}-${sizeName(WEIGHTS[weight])}/${link.name}`,
      ...LOADS[weight],
      sizeBytes: WEIGHTS[weight],
      operation,
      weight,
      link,
      corpus: halfCompressible,
      kind: "text" as const,
      style: "direct" as const,
    })),
  ),
);
