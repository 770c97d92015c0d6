import { readFact } from "./cases.ts";
import { formatBytes, formatNumber } from "./format.ts";
import type { FindCase } from "./judgement.ts";

const SIZE = { bytes: 16_384, name: "16k" };
const CODECS = [
  ["LZ4", "tightwire-lz4"],
  ["zstd", "tightwire-zstd-3"],
] as const;

/** `142 B with LZ4 (115 times less)`, of each codec that was measured. */
function describeHeld(corpus: string, find: FindCase): string {
  const parts = CODECS.flatMap(([title, peer]) => {
    const found = find(`redis/set/${corpus}-${SIZE.name}/64-direct/${peer}`);
    const held = found === undefined ? undefined : readFact(found, "heldBytes");
    return held === undefined ? [] : [`${formatNumber(held)} B with ${title} (${formatNumber(SIZE.bytes / held)} times less)`];
  });
  return parts.join(" and ");
}

/** What the contents of the targets with Redis shrink to, which their throughput rests on; undefined where it was not measured. */
export function describeContents(find: FindCase): string | undefined {
  const [record, json] = [describeHeld("record-text", find), describeHeld("json-documents", find)];
  if (record === "" || json === "") return undefined;
  return [
    "Most targets with Redis are of record text, one short line repeated, which shrinks as hardly anything does that programs store:",
    `${formatBytes(SIZE.bytes)} of it are held in ${record}.`,
    `As much of JSON documents, lists of sessions and products, nearer to what programs store, is held in ${json};`,
    "there are no targets for them against bare ioredis, so what was measured stands below those of record text.",
  ].join(" ");
}
