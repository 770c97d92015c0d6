import { createHash } from "node:crypto";
import type { SizedCorpus, ValueSet } from "./corpus.ts";
import { SIZED_DIGESTS, VALUE_SET_DIGESTS, type ValueSetDigest } from "./digests.ts";
import { REAL_DATA, readPackageVersion } from "./real-data.ts";

export { createDotnetRandomCorpus, dotnetRandom } from "./dotnet-random.ts";
export { halfCompressible, WEIGHTS } from "./half-compressible.ts";
export { jsonDocuments } from "./json-documents.ts";
export { recordText } from "./record-text.ts";

/** Sets of real values; see `assertValueSet` for their digests. */
export const VALUE_SETS: readonly ValueSet[] = REAL_DATA;

/** Digest in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * The content of a corpus, which must be the bytes that were always measured.
 *
 * @throws Error if its digest is another one
 */
export function createKnownContent(corpus: SizedCorpus, sizeBytes: number): Buffer {
  const content = corpus.create(sizeBytes);
  const expected = SIZED_DIGESTS[`${corpus.name}/${sizeBytes}`];
  const actual = sha256(content);
  if (expected === undefined || expected === actual) return content;
  throw new Error(`${corpus.name} of ${sizeBytes} bytes changed: SHA-256 ${actual}, expected ${expected}`);
}

/** What a set holds: each value counts with its length, so that moving a byte between two shows. */
export function describeValueSet(values: readonly string[]): ValueSetDigest {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const value of values) {
    const size = Buffer.byteLength(value);
    hash.update(`${size}:`).update(value);
    bytes += size;
  }
  return { count: values.length, bytes, sha256: hash.digest("hex") };
}

/**
 * The values of a set, which must be those recorded for the installed version of its package.
 *
 * @throws Error if they are others, or if nothing is recorded for that version
 */
export function createKnownValues(set: ValueSet): readonly string[] {
  const version = readPackageVersion(set.packageName);
  const values = set.createValues();
  const actual = JSON.stringify(describeValueSet(values));
  const expected = JSON.stringify(VALUE_SET_DIGESTS[`${set.packageName}@${version}`]?.[set.name]);
  if (expected === actual) return values;
  throw new Error(`${set.name} of ${set.packageName}@${version} holds ${actual}, recorded is ${expected ?? "nothing"}`);
}
