import { createKnownContent, halfCompressible } from "../corpus/corpora.ts";
import { isInterrupted } from "../interleave.ts";
import { lazily } from "../lazily.ts";
import { BRISK_MEASURE_MS } from "../measure.ts";
import { sizeName } from "../names.ts";
import type { Suite, SuiteContext } from "../suite.ts";
import { assertFact } from "./checks.ts";
import { type Damage, damagesOf, HOSTILE_CODECS } from "./hostile-damages.ts";
import { createGoodFrame, DAMAGE_MAKERS, findCode, type GoodFrame } from "./hostile-frames.ts";
import { GROWTH_REFUSALS, measureGrowth } from "./hostile-growth.ts";
import { type PreparedCall, runTimedGroups, type TimedCase } from "./timed-groups.ts";

// What it costs to refuse a hostile frame, beside a good frame of the same size and codec: nobody may buy more of the reader's time with
// damage than with a value. The error is part of the time; its stack is as deep as here, which is deeper than in a bare program.

const SIZES: readonly number[] = [64, 1_024, 16_384, 262_144];
const GROWTH_SIZE = 1_024;
const US_PER_REFUSAL = 12;

interface HostileInput {
  readonly codec: string;
  readonly sizeBytes: number;
  /** `half-compressible-1k/lz4` */
  readonly name: string;
  takeGood(): GoodFrame;
}

const INPUTS: readonly HostileInput[] = SIZES.flatMap((sizeBytes) =>
  HOSTILE_CODECS.map((codec) => ({
    codec,
    sizeBytes,
    name: `${halfCompressible.name}-${sizeName(sizeBytes)}/${codec}`,
    takeGood: lazily(() => createGoodFrame(codec, createKnownContent(halfCompressible, sizeBytes))),
  })),
);

/** What no refusal by an error can be faster than. */
const BARE_ERROR: TimedCase = {
  name: "hostile/throw/bare-error",
  parameters: { suite: "hostile", operation: "throw" },
  prepare: () => ({ call: throwBareError, contentBytes: 0, facts: {} }),
};

function throwBareError(): unknown {
  try {
    throw new Error("refused");
  } catch (error) {
    return error;
  }
}

const GROUPS: readonly (readonly TimedCase[])[] = [
  [BARE_ERROR],
  ...INPUTS.map((input) => [createGoodCase(input), ...damagesOf(input.codec).map((damage) => createHostileCase(input, damage))]),
];

function nameGood({ name }: HostileInput): string {
  return `hostile/decode/${name}`;
}

function describe(operation: string, { codec, sizeBytes }: HostileInput): TimedCase["parameters"] {
  return { suite: "hostile", operation, corpus: halfCompressible.name, sizeBytes, codec };
}

function createGoodCase(input: HostileInput): TimedCase {
  return {
    name: nameGood(input),
    parameters: describe("decode", input),
    prepare: () => {
      const { codec, content, frame } = input.takeGood();
      const target = Buffer.alloc(content.length);
      const facts = { contentBytes: content.length, heldBytes: frame.length, codecId: codec.compressor.id };
      return { call: () => codec.decodeInto(frame, target), contentBytes: content.length, facts };
    },
  };
}

function createHostileCase(input: HostileInput, damage: Damage): TimedCase {
  return {
    name: `hostile/refuse/${input.name}/${damage.name}`,
    parameters: { ...describe("refuse", input), damage: damage.name },
    ratio: { metric: "ratioToGood", to: nameGood(input) },
    prepare: () => prepareRefusal(input, damage),
  };
}

/** A refusal, after it was found to be one, with the right code, in both forms. */
function prepareRefusal({ takeGood }: HostileInput, damage: Damage): PreparedCall {
  const good = takeGood();
  const { codec, content } = good;
  const frame = makeHostile(good, damage);
  const target = Buffer.alloc(content.length);
  assertFact(
    `code of ${damage.name}`,
    findCode(() => codec.decode(frame)),
    damage.code,
  );
  assertFact(
    `code of ${damage.name}, into a target`,
    findCode(() => codec.decodeInto(frame, target)),
    damage.code,
  );
  const call = (): unknown => {
    try {
      codec.decodeInto(frame, target);
    } catch (error) {
      return error;
    }
    throw new Error(`${damage.name}: a hostile frame was accepted`);
  };
  return {
    call,
    contentBytes: content.length,
    facts: { contentBytes: content.length, heldBytes: frame.length, code: damage.code },
  };
}

function makeHostile(good: GoodFrame, { name }: Damage): Buffer {
  const make = DAMAGE_MAKERS[name];
  if (make === undefined) throw new RangeError(`nothing makes the damage ${name}`);
  return make(good);
}

const GROWTH_INPUTS = INPUTS.filter(({ sizeBytes }) => sizeBytes === GROWTH_SIZE);

function nameGrowth({ name }: HostileInput): string {
  return `hostile/growth/${name}`;
}

/** Refuses every kind of damage of a codec in turn, over and over. */
async function runGrowth(input: HostileInput, context: SuiteContext): Promise<void> {
  const name = nameGrowth(input);
  try {
    const calls = damagesOf(input.codec).map((damage) => prepareRefusal(input, damage).call);
    const metrics = await measureGrowth(calls, context);
    if (metrics === undefined) return;
    context.record({ name, parameters: describe("growth", input), metrics, facts: {} });
  } catch (error) {
    context.fail(name, error);
  }
}

async function run(chosen: ReadonlySet<string>, context: SuiteContext): Promise<void> {
  await runTimedGroups(GROUPS, chosen, context, "brisk");
  for (const input of GROWTH_INPUTS) {
    if (await isInterrupted(context.signal)) return;
    if (chosen.has(nameGrowth(input))) await runGrowth(input, context);
  }
}

export const hostileSuite: Suite = {
  name: "hostile",
  description: "refusing hostile frames, in time of decoding a good one, and what 100,000 of them leave behind",
  listCases: () => [
    ...GROUPS.flat().map(({ name }) => ({ name, estimateMs: BRISK_MEASURE_MS })),
    ...GROWTH_INPUTS.map((input) => ({ name: nameGrowth(input), estimateMs: (GROWTH_REFUSALS * US_PER_REFUSAL) / 1_000 })),
  ],
  run,
};
