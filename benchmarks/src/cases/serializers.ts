import { deepStrictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import { isInterrupted } from "../interleave.ts";
import { createMeter, MEASURE_MS, roundsOf } from "../measure.ts";
import type { CaseResult } from "../results.ts";
import type { BenchCase, Suite, SuiteContext } from "../suite.ts";
import { createSampleObject, OBJECT_SIZES, type ObjectSize, type SampleObject } from "./serializers-objects.ts";
import { type PathCalls, SERIALIZER_PATHS, type SerializerPath } from "./serializers-paths.ts";
import { measureInRounds, type ProgressContext, type RoundCase } from "./serializers-rounds.ts";

const SUITE_NAME = "serializers";
const DIRECTIONS = ["serialize", "deserialize"] as const;
type Direction = (typeof DIRECTIONS)[number];

interface SerializerCase extends BenchCase {
  readonly direction: Direction;
  readonly size: ObjectSize;
  readonly path: SerializerPath;
}

/** Cases that are compared with each other, and so measured together. */
function listGroup(direction: Direction, size: ObjectSize): readonly SerializerCase[] {
  return SERIALIZER_PATHS.map((path) => ({
    name: `${SUITE_NAME}/${direction}/${size}/${path.name}`,
    estimateMs: MEASURE_MS,
    direction,
    size,
    path,
  }));
}

function listGroups(): readonly (readonly SerializerCase[])[] {
  return OBJECT_SIZES.flatMap((size) => DIRECTIONS.map((direction) => listGroup(direction, size)));
}

/**
 * Verifies a path: the value comes back equal, and JSON is JSON.stringify's, byte for byte.
 *
 * @returns what is held, as bytes
 */
function verifyPath({ serializer }: SerializerPath, { serialize, deserialize }: PathCalls, value: SampleObject): Buffer {
  const held = serialize(value);
  deepStrictEqual(deserialize(held), value);
  const bytes = Buffer.from(held);
  if (serializer === "json") deepStrictEqual(bytes, Buffer.from(JSON.stringify(value), "utf8"));
  return bytes;
}

interface ReadyCase {
  readonly result: Omit<CaseResult, "metrics">;
  readonly turn: RoundCase;
}

async function loadPath({ name, path }: SerializerCase, context: SuiteContext): Promise<PathCalls | undefined> {
  try {
    return await path.load();
  } catch (error) {
    context.fail(name, `${path.name} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function createTurn(
  { name, direction }: SerializerCase,
  calls: PathCalls,
  value: SampleObject,
  context: SuiteContext,
): RoundCase {
  const { serialize, deserialize } = calls;
  const held = serialize(value);
  const call = direction === "serialize" ? () => serialize(value) : () => deserialize(held);
  const { round, finish } = createMeter(call, { effort: context.effort });
  return { name, round, finish: () => ({ ...finish() }) };
}

async function prepareCase(serializerCase: SerializerCase, context: SuiteContext): Promise<ReadyCase | undefined> {
  const calls = await loadPath(serializerCase, context);
  if (calls === undefined) return undefined;
  const { name, direction, size, path } = serializerCase;
  try {
    const value = createSampleObject(size);
    const bytes = verifyPath(path, calls, value);
    const shared = { suite: SUITE_NAME, operation: direction, corpus: size, sizeBytes: Buffer.byteLength(JSON.stringify(value)) };
    const parameters = { ...shared, serializer: path.name, format: path.serializer, path: path.path };
    const facts = { contentBytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
    return { result: { name, parameters, facts }, turn: createTurn(serializerCase, calls, value, context) };
  } catch (error) {
    context.fail(name, error);
    return undefined;
  }
}

async function measureGroup(
  group: readonly SerializerCase[],
  context: SuiteContext,
  onShare: (share: number, text: string) => void,
): Promise<void> {
  const ready: ReadyCase[] = [];
  for (const serializerCase of group) {
    if (await isInterrupted(context.signal)) return;
    const prepared = await prepareCase(serializerCase, context);
    if (prepared !== undefined) ready.push(prepared);
  }
  const rounds = roundsOf(context);
  const [first] = group;
  const onRound = (round: number): void =>
    onShare(round / rounds, `${first?.direction} ${first?.size}, round ${round} of ${rounds}`);
  const results = await measureInRounds({ cases: ready.map(({ turn }) => turn), rounds, onRound }, context);
  for (const { result } of ready) {
    const metrics = results?.get(result.name);
    if (metrics !== undefined) context.record({ ...result, metrics });
  }
}

async function run(chosen: ReadonlySet<string>, context: ProgressContext): Promise<void> {
  let done = 0;
  for (const group of listGroups()) {
    const own = group.filter(({ name }) => chosen.has(name));
    if (own.length === 0 || context.signal.aborted) continue;
    const before = done;
    await measureGroup(own, context, (share, text) => context.progress?.((before + share * own.length) / chosen.size, text));
    done += own.length;
  }
}

/** What a value costs on its way to bytes and back, as a string and as bytes. */
export const serializersSuite: Suite = {
  name: SUITE_NAME,
  description: "JSON as a string against JSON and MessagePack as bytes: small, medium and large objects, both directions",
  listCases: () => listGroups().flatMap((group) => group.map(({ name, estimateMs }) => ({ name, estimateMs }))),
  run,
};
