import { dotnetRandom, jsonDocuments, recordText } from "../corpus/corpora.ts";
import type { SizedCorpus } from "../corpus/corpus.ts";
import type { Style } from "../driver/closed-loop.ts";
import { sizeName } from "../names.ts";
import type { Operation, Peer } from "../peers/peer.ts";
import { PEERS } from "../peers/peers.ts";
import type { Workload } from "./redis-workload.ts";

// The whole product (5 operations × 5 sizes × 3 corpora × 3 in flight × 2 styles × 12 peers) would take days. What is measured:
// - SET and GET of every corpus at every size up to 256 KiB with 64 direct calls in flight: the cells that most is said about;
// - of 1 MiB with one call in flight: 64 of them would measure the memory of this machine;
// - in the other directions (1 and 256 in flight, pipelines, MGET, hashes), the sizes that are usual there.

/** One cell: its workload is run by every peer that can. */
export interface RedisCell extends Workload {
  /** `redis/operation/corpus-size/inFlight-style`: the beginning of its cases' names. */
  readonly name: string;
  /** Rounds at full effort. */
  readonly rounds: number;
}

const KIB = 1_024;
const ROUNDS = 16;
/** For the cells that bars are set for: with twelve peers, each then follows each other twice. */
const CLOSE_ROUNDS = 24;

interface Selection {
  readonly operations: readonly Operation[];
  readonly corpora: readonly SizedCorpus[];
  readonly sizes: readonly number[];
  readonly loads: readonly (readonly [inFlight: number, style: Style])[];
  readonly rounds?: number;
}

const STRINGS: readonly Operation[] = ["set", "get"];
const MANY: readonly Operation[] = ["mget", "hset", "hgetall"];

const SELECTIONS: readonly Selection[] = [
  {
    operations: STRINGS,
    corpora: [recordText, dotnetRandom],
    sizes: [100, KIB, 16 * KIB, 256 * KIB],
    loads: [[64, "direct"]],
    rounds: CLOSE_ROUNDS,
  },
  { operations: STRINGS, corpora: [jsonDocuments], sizes: [100, KIB, 16 * KIB, 256 * KIB], loads: [[64, "direct"]] },
  { operations: STRINGS, corpora: [recordText, jsonDocuments, dotnetRandom], sizes: [KIB * KIB], loads: [[1, "direct"]] },
  {
    operations: STRINGS,
    corpora: [recordText],
    sizes: [KIB, 16 * KIB],
    loads: [
      [1, "direct"],
      [256, "direct"],
      [64, "pipelined"],
      [256, "pipelined"],
    ],
  },
  { operations: STRINGS, corpora: [recordText], sizes: [100, 256 * KIB], loads: [[64, "pipelined"]] },
  {
    operations: STRINGS,
    corpora: [jsonDocuments],
    sizes: [KIB],
    loads: [
      [1, "direct"],
      [256, "direct"],
      [64, "pipelined"],
    ],
  },
  { operations: STRINGS, corpora: [dotnetRandom], sizes: [KIB, 16 * KIB], loads: [[64, "pipelined"]] },
  { operations: MANY, corpora: [recordText], sizes: [100, KIB, 16 * KIB], loads: [[64, "direct"]] },
  { operations: MANY, corpora: [jsonDocuments, dotnetRandom], sizes: [KIB], loads: [[64, "direct"]] },
  {
    operations: MANY,
    corpora: [recordText],
    sizes: [KIB],
    loads: [
      [1, "direct"],
      [64, "pipelined"],
    ],
  },
];

/** Random bytes are no text: they go as Buffers, to every peer. */
export function kindOf(corpus: SizedCorpus): Workload["kind"] {
  return corpus === dotnetRandom ? "bytes" : "text";
}

function* listSelection({ operations, corpora, sizes, loads, rounds = ROUNDS }: Selection): Generator<RedisCell> {
  for (const corpus of corpora) {
    for (const sizeBytes of sizes) {
      for (const [inFlight, style] of loads) {
        for (const operation of operations) {
          const name = `redis/${operation}/${corpus.name}-${sizeName(sizeBytes)}/${inFlight}-${style}`;
          yield { name, operation, corpus, kind: kindOf(corpus), sizeBytes, inFlight, style, rounds };
        }
      }
    }
  }
}

export const REDIS_CELLS: readonly RedisCell[] = SELECTIONS.flatMap((selection) => [...listSelection(selection)]);

/** A peer in a cell is a case. */
export function caseNameOf(cell: Pick<RedisCell, "name">, peer: Peer): string {
  return `${cell.name}/${peer.name}`;
}

/** The peers that have such a command and keep such a value. */
export function peersOf(cell: Workload, peers: readonly Peer[] = PEERS): readonly Peer[] {
  return peers.filter((peer) => peer.supports(cell));
}
