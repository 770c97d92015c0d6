import { assertHashEntries, createHashEntries, HASH_ENTRY_COUNT } from "../corpus/hash-entries.ts";
import { isInterrupted } from "../interleave.ts";
import type { CaseResult } from "../results.ts";
import type { Suite, SuiteContext } from "../suite.ts";
import {
  describeCase,
  isServerOperation,
  listStudyCases,
  OPERATIONS,
  type Operation,
  type StudyCase,
  SUITE_NAME,
} from "./hash-study-cases.ts";
import { type Cell, createCell } from "./hash-study-cells.ts";
import { loadCompressor, type StudyCompressor } from "./hash-study-compressors.ts";
import { createCpuCase } from "./hash-study-cpu.ts";
import { compareWithFastest } from "./hash-study-fastest.ts";
import { createServerCase, type StudyServer, startStudyServer } from "./hash-study-server.ts";
import { type Metrics, measureInRounds, type ProgressContext, type RoundCase, reportFailure } from "./serializers-rounds.ts";

const ROUNDS: Readonly<Record<SuiteContext["effort"], Readonly<Record<"cpu" | "server", number>>>> = {
  full: { cpu: 6, server: 24 },
  quick: { cpu: 1, server: 2 },
};

/** What a run makes on first use, each once. What failed once fails for every case that needs it. */
interface Supply {
  loadCompressor(studyCase: StudyCase): Promise<StudyCompressor>;
  createCell(studyCase: StudyCase): Promise<Cell>;
}

function remember<K, V>(make: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const made = new Map<K, Promise<V>>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

function createSupply(): Supply {
  const entries = createHashEntries();
  assertHashEntries(entries);
  const load = remember(loadCompressor);
  const create = remember(async (name: Cell["name"]) => createCell(name, entries, await load(name.compressor)));
  return { loadCompressor: ({ cell }) => load(cell.compressor), createCell: ({ cell }) => create(cell) };
}

/** A case that is ready to be measured. */
interface ReadyCase {
  readonly result: Omit<CaseResult, "metrics">;
  readonly turn: RoundCase;
}

/** The cases of one operation that were chosen, and what they need. */
interface Work {
  readonly operation: Operation;
  readonly cases: readonly StudyCase[];
  readonly supply: Supply;
  readonly server: StudyServer | undefined;
  readonly context: ProgressContext;
  /** Shows how far this operation is. */
  onRound(share: number, text: string): void;
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function isLoaded({ supply, context }: Work, studyCase: StudyCase): Promise<boolean> {
  try {
    await supply.loadCompressor(studyCase);
    return true;
  } catch (error) {
    context.fail(studyCase.name, `${studyCase.cell.compressor} cannot be loaded: ${describeError(error)}`);
    return false;
  }
}

async function createTurn(work: Work, { name, operation }: StudyCase, cell: Cell): Promise<RoundCase> {
  const { server, context } = work;
  if (!isServerOperation(operation)) return createCpuCase(name, cell, operation, context);
  if (server === undefined) throw new Error(`${operation} needs a server`);
  return await createServerCase(name, cell, operation, server, context);
}

async function prepareCase(work: Work, studyCase: StudyCase): Promise<ReadyCase | undefined> {
  if (!(await isLoaded(work, studyCase))) return undefined;
  try {
    const cell = await work.supply.createCell(studyCase);
    return { result: describeCase(studyCase, cell), turn: await createTurn(work, studyCase, cell) };
  } catch (error) {
    reportFailure(studyCase.name, error, work.context);
    return undefined;
  }
}

async function prepareCases(work: Work): Promise<ReadyCase[]> {
  const ready: ReadyCase[] = [];
  for (const studyCase of work.cases) {
    if (await isInterrupted(work.context.signal)) return [];
    const prepared = await prepareCase(work, studyCase);
    if (prepared !== undefined) ready.push(prepared);
  }
  return ready;
}

/** Adds `timesSlower` if every case of the operation took part: of some of them alone the fastest says nothing. */
function withSlowdowns(results: ReadonlyMap<string, Metrics>, operation: Operation): ReadonlyMap<string, Metrics> {
  if (results.size < listStudyCases(operation).length) return results;
  const slowdowns = compareWithFastest(results);
  return new Map([...results].map(([name, metrics]) => [name, { ...metrics, ...slowdowns.get(name) }]));
}

async function measureCases(work: Work): Promise<void> {
  const { operation, context, onRound } = work;
  const ready = await prepareCases(work);
  const rounds = ROUNDS[context.effort][isServerOperation(operation) ? "server" : "cpu"];
  const show = (round: number): void => onRound(round / rounds, `${operation}, round ${round} of ${rounds}`);
  const measured = await measureInRounds({ cases: ready.map(({ turn }) => turn), rounds, onRound: show }, context);
  if (measured === undefined) return;
  const results = withSlowdowns(measured, operation);
  for (const { result } of ready) {
    const metrics = results.get(result.name);
    if (metrics !== undefined) context.record({ ...result, metrics });
  }
}

async function measureOperation(work: Work): Promise<void> {
  if (!isServerOperation(work.operation)) return await measureCases(work);
  const server = await startStudyServer(work.context);
  try {
    await measureCases({ ...work, server });
  } finally {
    await server.stop();
  }
}

async function run(chosen: ReadonlySet<string>, context: ProgressContext): Promise<void> {
  const supply = createSupply();
  let done = 0;
  for (const operation of OPERATIONS) {
    const cases = listStudyCases(operation).filter(({ name }) => chosen.has(name));
    if (cases.length === 0 || context.signal.aborted) continue;
    const before = done;
    const onRound: Work["onRound"] = (share, text) => context.progress?.((before + share * cases.length) / chosen.size, text);
    await measureOperation({ operation, cases, supply, server: undefined, context, onRound });
    done += cases.length;
  }
}

/** Which serializer and which compressor suit a hash of random digits, alone and on the way to a server. */
export const hashStudySuite: Suite = {
  name: SUITE_NAME,
  needsServer: true,
  description: `${HASH_ENTRY_COUNT} entries: 4 serializers × 7 compressors, bare and framed, alone and with SET and GET`,
  listCases: () => OPERATIONS.flatMap(listStudyCases).map(({ name, estimateMs }) => ({ name, estimateMs })),
  run,
};
