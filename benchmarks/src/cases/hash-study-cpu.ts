import { deepStrictEqual } from "node:assert/strict";
import { createMeter } from "../measure.ts";
import type { SuiteContext } from "../suite.ts";
import type { Cell } from "./hash-study-cells.ts";
import type { RoundCase } from "./serializers-rounds.ts";

export const CPU_OPERATIONS = Object.freeze(["serialize", "compress", "decompress", "deserialize"] as const);
export type CpuOperation = (typeof CPU_OPERATIONS)[number];

/** What is timed: one step alone, on bytes that were made before. */
export function callOf({ entries, serializer, content, held, encode, decode }: Cell, operation: CpuOperation): () => unknown {
  const calls: Readonly<Record<CpuOperation, () => unknown>> = {
    serialize: () => serializer.serialize(entries),
    compress: () => encode(content),
    decompress: () => decode(held),
    deserialize: () => serializer.deserialize(content),
  };
  return calls[operation];
}

function expectedOf({ entries, content, held }: Cell, operation: CpuOperation): unknown {
  const results = { serialize: content, compress: held, decompress: content, deserialize: entries };
  return results[operation];
}

function normalize(result: unknown): unknown {
  return result instanceof Uint8Array ? Buffer.from(result) : result;
}

/**
 * A case that times one step of a cell.
 *
 * @throws Error if the step does not give what it must
 */
export function createCpuCase(name: string, cell: Cell, operation: CpuOperation, { effort }: SuiteContext): RoundCase {
  const call = callOf(cell, operation);
  deepStrictEqual(normalize(call()), normalize(expectedOf(cell, operation)));
  const { round, finish } = createMeter(call, { effort });
  return { name, round, finish: () => ({ ...finish() }) };
}
