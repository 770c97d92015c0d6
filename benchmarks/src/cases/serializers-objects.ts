import { createHash } from "node:crypto";
import { createSeededBytes } from "../corpus/hash-entries.ts";

/** One value of each kind that documents have; the same in every run. */
export interface SampleObject {
  /** Of 64 bits where a type says so: above 32 bits, and as exact in JSON as anywhere. */
  readonly id: number;
  readonly name: string;
  readonly measurements: readonly number[];
  /** As JSON has it, so that every serializer writes and gives back the same value. */
  readonly createdAt: string;
  readonly references: readonly string[] | null;
}

export const OBJECT_SIZES = Object.freeze(["small", "medium", "large"] as const);
export type ObjectSize = (typeof OBJECT_SIZES)[number];

interface Shape {
  readonly characters: number;
  readonly numbers: number;
  readonly guids: number;
  /** Of the object as JSON. */
  readonly sha256: string;
}

const SHAPES: Readonly<Record<ObjectSize, Shape>> = {
  small: { characters: 10, numbers: 2, guids: 0, sha256: "e6cc9d2ab107109d396d8599d869ead6035510b3e903a262f79e06572a2179d9" },
  medium: { characters: 100, numbers: 10, guids: 10, sha256: "4933ba95a75124822fa1e8ddf0730c624045df5197f171503a58b23dd0f77cb2" },
  large: {
    characters: 1_000,
    numbers: 10_000,
    guids: 5_000,
    sha256: "fb5a63a96012f1442c79296093df256c21ada4eeb0c66593e5d092d080ff6473",
  },
};

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const GUID_BYTES = 16;
const UINT32_BYTES = 4;
const NUMBER_BYTES = 2 * UINT32_BYTES;
const EPOCH_MS = Date.UTC(2024, 0, 1);

function createAlphanumeric(seed: string, length: number): string {
  return Array.from(createSeededBytes(seed, length), (byte) => ALPHANUMERIC[byte % ALPHANUMERIC.length]).join("");
}

/** Integers of 53 random bits. */
function createIntegers(seed: string, count: number): number[] {
  const bytes = createSeededBytes(seed, count * NUMBER_BYTES);
  return Array.from({ length: count }, (_, i) => {
    const at = i * NUMBER_BYTES;
    return (bytes.readUInt32LE(at) >>> 11) * 2 ** 32 + bytes.readUInt32LE(at + UINT32_BYTES);
  });
}

/** Random numbers from 0 to 1, with all the digits of a 64-bit float. */
function createFloats(seed: string, count: number): number[] {
  return createIntegers(seed, count).map((integer) => integer / 2 ** 53);
}

function createGuids(seed: string, count: number): string[] {
  const digits = createSeededBytes(seed, count * GUID_BYTES).toString("hex");
  return Array.from({ length: count }, (_, i) => {
    const own = digits.slice(2 * GUID_BYTES * i, 2 * GUID_BYTES * (i + 1));
    return own.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  });
}

/**
 * Makes the object of a size.
 *
 * @throws Error if it is not the one that was measured before
 */
export function createSampleObject(size: ObjectSize): SampleObject {
  const { characters, numbers, guids, sha256 } = SHAPES[size];
  const [id = 0, moment = 0] = createIntegers(`${size} integers`, 2);
  const object: SampleObject = {
    id,
    name: createAlphanumeric(`${size} name`, characters),
    measurements: createFloats(`${size} measurements`, numbers),
    createdAt: new Date(EPOCH_MS + (moment % 2 ** 32)).toISOString(),
    references: guids === 0 ? null : createGuids(`${size} references`, guids),
  };
  const digest = createHash("sha256").update(JSON.stringify(object)).digest("hex");
  if (digest !== sha256) throw new Error(`the ${size} object has the SHA-256 ${digest}, expected ${sha256}`);
  return object;
}
