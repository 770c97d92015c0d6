import { types } from "node:util";
import { copyOf } from "../bytes.ts";
import {
  brandCompressor,
  type Compressor,
  DOES_NOT_FIT,
  FIRST_CUSTOM_ID,
  LAST_CUSTOM_ID,
  payloadCorrupt,
} from "../compressor.ts";
import { isCodecError } from "../errors.ts";
import { assertIntegerBetween, assertOptions, describeKind } from "../limits.ts";

/** The simple form of compression: returns the payload, however long it is. */
export interface CompressForm {
  compress(content: Uint8Array): Uint8Array;
}

/** The form without intermediate memory: returns the payload's length, or -1 if it does not fit the target. */
export interface CompressIntoForm {
  compressInto(content: Uint8Array, target: Uint8Array): number;
}

/** The simple form of decompression: returns exactly `contentSize` bytes, or throws. */
export interface DecompressForm {
  decompress(payload: Uint8Array, contentSize: number): Uint8Array;
}

/** The form without intermediate memory: fills the whole target and returns its length, or throws. */
export interface DecompressIntoForm {
  decompressInto(payload: Uint8Array, target: Uint8Array): number;
}

/** A compressor of one's own; of each direction one form is enough, the other is derived. */
export type CompressorDefinition = {
  /** 16–255; to be agreed between all who read and write the values. */
  readonly id: number;
  /** For messages and reports. */
  readonly name: string;
  /** The numbers it compresses with. @default {} */
  readonly options?: Readonly<Record<string, number>>;
  /** Loads what it needs; called once, when a codec is constructed that writes with it, else at the first frame to read. */
  load?(): void;
} & (CompressForm | CompressIntoForm) &
  (DecompressForm | DecompressIntoForm);

type Forms = Partial<CompressForm & CompressIntoForm & DecompressForm & DecompressIntoForm>;

const DEFINITION_KEYS = ["id", "name", "options", "load", "compress", "compressInto", "decompress", "decompressInto"];

/**
 * Makes a compressor of one's own. Its functions must neither keep the bytes they are given nor change their input. What they
 * throw, unless it is a `CodecError`, and every length or kind of result that is wrong becomes a `CodecError` with code
 * `CODEC_PAYLOAD_CORRUPT`. Run the suite in `@tightwire/codec-core/testing` over it.
 *
 * @throws TypeError, RangeError for a definition that is none, also for an id below 16
 * @example
 * const gzip = defineCompressor({
 *   id: 16,
 *   name: "gzip",
 *   compress: (content) => gzipSync(content),
 *   decompress: (payload, contentSize) => gunzipSync(payload, { maxOutputLength: contentSize }),
 * });
 */
export function defineCompressor(definition: CompressorDefinition): Compressor {
  assertOptions("defineCompressor()", definition, DEFINITION_KEYS);
  const { id, name, options = {} } = definition;
  assertIntegerBetween("id", id, FIRST_CUSTOM_ID, LAST_CUSTOM_ID);
  if (typeof name !== "string") throw new TypeError(`name must be a string, got ${describeKind(name)}`);
  assertNumbers(options);
  const forms = bindForms(definition);
  const fail = (what: string, cause?: unknown): Error => (isCodecError(cause) ? cause : payloadCorrupt(name, id, what, cause));
  return brandCompressor({
    id,
    name,
    options,
    load: loadOnce(definition),
    ...compressWith(forms, fail),
    ...decompressWith(forms, fail),
  });
}

type Fail = (what: string, cause?: unknown) => Error;

function compressWith({ compress, compressInto }: Forms, fail: Fail): Pick<Compressor, "compressInto"> {
  const run = compressInto ?? ((content: Uint8Array, target: Uint8Array) => copyIfFits(compress?.(content), target));
  return {
    compressInto: (content, target) => {
      let payloadSize: number;
      try {
        payloadSize = run(content, target);
      } catch (cause) {
        throw fail("failed to compress", cause);
      }
      if (payloadSize === DOES_NOT_FIT) return DOES_NOT_FIT;
      if (Number.isInteger(payloadSize) && payloadSize > 0 && payloadSize <= target.length) return payloadSize;
      throw fail(`claims a payload of ${describeLength(payloadSize)} bytes in a target of ${target.length}`);
    },
  };
}

function copyIfFits(payload: unknown, target: Uint8Array): number {
  assertResult("compress", payload);
  if (payload.length > target.length) return DOES_NOT_FIT;
  target.set(payload);
  return payload.length;
}

function decompressWith({ decompress, decompressInto }: Forms, fail: Fail): Pick<Compressor, "decompress" | "decompressInto"> {
  function fillTarget(payload: Uint8Array, target: Uint8Array): void {
    if (payload.length === 0) throw fail("payload is empty");
    let contentSize: number;
    try {
      contentSize = decompressInto?.(payload, target) ?? Number.NaN;
    } catch (cause) {
      throw fail("failed to decompress", cause);
    }
    if (contentSize !== target.length) throw fail(`returned ${describeLength(contentSize)} bytes, expected ${target.length}`);
  }

  function decompressArray(payload: Uint8Array, contentSize: number): Uint8Array {
    if (payload.length === 0) throw fail("payload is empty");
    let content: unknown;
    try {
      content = decompress?.(payload, contentSize);
      assertResult("decompress", content);
    } catch (cause) {
      throw fail("failed to decompress", cause);
    }
    if (content.length === contentSize) return content;
    throw fail(`returned ${content.length} bytes, expected ${contentSize}`);
  }

  if (decompressInto === undefined) {
    return {
      // Copied: what a compressor returns may be its scratch or a part of the payload.
      decompress: (payload, contentSize) => copyOf(decompressArray(payload, contentSize)),
      decompressInto: (payload, target) => target.set(decompressArray(payload, target.length)),
    };
  }
  return {
    decompress: (payload, contentSize) => {
      const target = Buffer.allocUnsafe(contentSize);
      fillTarget(payload, target);
      return target;
    },
    decompressInto: fillTarget,
  };
}

function assertResult(form: string, result: unknown): asserts result is Uint8Array {
  if (!types.isUint8Array(result)) throw new TypeError(`${form} returned ${describeKind(result)}, expected a Uint8Array`);
}

function describeLength(length: unknown): string {
  return typeof length === "number" ? String(length) : describeKind(length);
}

function loadOnce(definition: CompressorDefinition): () => void {
  if (definition.load === undefined) return () => {};
  let isLoaded = false;
  return () => {
    if (isLoaded) return;
    definition.load?.();
    isLoaded = true;
  };
}

function bindForms(definition: CompressorDefinition): Forms {
  const forms = definition as Forms & { load?: unknown };
  for (const key of ["load", "compress", "compressInto", "decompress", "decompressInto"] as const) {
    if (forms[key] === undefined || typeof forms[key] === "function") continue;
    throw new TypeError(`${key} must be a function, got ${describeKind(forms[key])}`);
  }
  if (!forms.compress && !forms.compressInto) throw new TypeError("a compressor needs compress or compressInto");
  if (!forms.decompress && !forms.decompressInto) throw new TypeError("a compressor needs decompress or decompressInto");
  return {
    ...(forms.compress && { compress: forms.compress.bind(definition) }),
    ...(forms.compressInto && { compressInto: forms.compressInto.bind(definition) }),
    ...(forms.decompress && { decompress: forms.decompress.bind(definition) }),
    ...(forms.decompressInto && { decompressInto: forms.decompressInto.bind(definition) }),
  };
}

function assertNumbers(options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError(`options must be an object, got ${describeKind(options)}`);
  const odd = Object.entries(options).find(([, value]) => typeof value !== "number");
  if (odd !== undefined) throw new TypeError(`option ${odd[0]} must be a number, got ${describeKind(odd[1])}`);
}
