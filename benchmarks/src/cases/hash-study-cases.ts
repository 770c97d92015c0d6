import type { CaseResult } from "../results.ts";
import type { BenchCase } from "../suite.ts";
import { CELL_NAMES, type Cell, type CellName, codecName } from "./hash-study-cells.ts";
import { CPU_OPERATIONS, type CpuOperation } from "./hash-study-cpu.ts";
import { SERVER_OPERATIONS, type ServerOperation } from "./hash-study-server.ts";

export const SUITE_NAME = "hash-study";
const CORPUS = "hash-10k";

export type Operation = CpuOperation | ServerOperation;

export const OPERATIONS: readonly Operation[] = Object.freeze([...CPU_OPERATIONS, ...SERVER_OPERATIONS]);

/** One step of one field of the grid. */
export interface StudyCase extends BenchCase {
  readonly operation: Operation;
  readonly cell: CellName;
}

export function isServerOperation(operation: Operation): operation is ServerOperation {
  return operation === "set" || operation === "get";
}

function isSerializing(operation: Operation): boolean {
  return operation === "serialize" || operation === "deserialize";
}

/** Serializing knows nothing of compressors; what is neither compressed nor framed takes no time to compress. */
function takesPart({ compressor, frame }: CellName, operation: Operation): boolean {
  const isRaw = compressor === "none" && frame === "bare";
  if (isSerializing(operation)) return isRaw;
  return isServerOperation(operation) || !isRaw;
}

function nameCase(cell: CellName, operation: Operation): string {
  const prefix = `${SUITE_NAME}/${operation}/${CORPUS}/${cell.serializer}`;
  return isSerializing(operation) ? prefix : `${prefix}/${codecName(cell)}/${cell.frame}`;
}

/** The cases of one operation, in the order of the grid. */
export function listStudyCases(operation: Operation): readonly StudyCase[] {
  const cells = CELL_NAMES.filter((cell) => takesPart(cell, operation));
  return cells.map((cell) => ({ name: nameCase(cell, operation), estimateMs: 1_050, operation, cell }));
}

/** A case's result but for what was measured. */
export function describeCase({ name, operation }: StudyCase, cell: Cell): Omit<CaseResult, "metrics"> {
  const { serializer, frame } = cell.name;
  const held = isSerializing(operation) ? {} : { codec: codecName(cell.name), frame };
  const parameters = { suite: SUITE_NAME, operation, corpus: CORPUS, sizeBytes: cell.content.length, serializer, ...held };
  const { heldBytes, respBytes, codecId, ...ofContent } = cell.facts;
  return { name, parameters, facts: isSerializing(operation) ? ofContent : cell.facts };
}
