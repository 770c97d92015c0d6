import fc from "fast-check";
import { checksumOf } from "./frames.ts";

/** Damages that a frame may come with; the checksum is made to match for what lies behind that check. */
const anyDamage = fc.record({
  source: fc.nat(100),
  bytes: fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 4 }),
  headerBytes: fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat(255)), { maxLength: 2 }),
  sizeChange: fc.constantFrom(0, 0, 0, 1, -1, 5, 1_000, 2 ** 20, 2 ** 24, 2 ** 32 - 1),
  cut: fc.constantFrom(0, 0, 0, 1, 7, 30),
  isSealed: fc.boolean(),
});

type Damage = typeof anyDamage extends fc.Arbitrary<infer T> ? T : never;

function damage(frame: Buffer, { bytes, headerBytes, sizeChange, cut, isSealed }: Damage): Buffer {
  const damaged = Buffer.from(frame.subarray(0, Math.max(frame.length - cut, 0)));
  for (const [at, value] of bytes) if (18 + at < damaged.length) damaged[18 + at] = value;
  for (const [at, value] of headerBytes) if (at < damaged.length) damaged[at] = value;
  if (damaged.length < 18) return damaged;
  if (sizeChange !== 0) damaged.writeUInt32LE((damaged.readUInt32LE(6) + sizeChange) >>> 0, 6);
  if (isSealed) damaged.set(checksumOf(2, damaged.subarray(18)), 10);
  return damaged;
}

/** Damaged copies of `frames`, the same in every run. */
export function damagesOf(frames: readonly Buffer[], count: number): Buffer[] {
  const damages = fc.sample(anyDamage, { numRuns: count, seed: 11 });
  return damages.map((one) => damage(frames[one.source % frames.length] as Buffer, one));
}
