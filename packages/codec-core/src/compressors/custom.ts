import { types } from "node:util";
import { allocate, copyOf, plainOf } from "../bytes.ts";
import {
  brandCompressor,
  type Compressor,
  DOES_NOT_FIT,
  FIRST_CUSTOM_ID,
  LAST_CUSTOM_ID,
  type Origin,
  payloadCorrupt,
} from "../compressor.ts";
import { describeKind, isCodecError } from "../errors.ts";
import { assertIntegerBetween, assertOptions } from "../limits.ts";

/** The simple form of compression: returns the payload, however long it is. */
export interface CompressForm {
  compress(content: Uint8Array): Uint8Array;
}

/** The form without intermediate memory: returns the payload's length, or -1 if it does not fit the target. */
export interface CompressIntoForm {
  compressInto(content: Uint8Array, target: Uint8Array): number;
}

/** The simple form of decompression: returns exactly `contentSize` bytes from the whole payload, or throws. */
export interface DecompressForm {
  decompress(payload: Uint8Array, contentSize: number): Uint8Array;
}

/** The form without intermediate memory: fills the whole target from the whole payload and returns its length, or throws. */
export interface DecompressIntoForm {
  decompressInto(payload: Uint8Array, target: Uint8Array): number;
}

/** A compressor of one's own. One form of each direction is enough; the other is derived. */
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

const FUNCTION_KEYS = ["load", "compress", "compressInto", "decompress", "decompressInto"] as const;
const DEFINITION_KEYS = ["id", "name", "options", ...FUNCTION_KEYS];

/**
 * Makes a compressor of one's own. Its functions must neither keep the bytes they are given nor change their input, and must
 * refuse every content size but the one that the payload was made from: no checksum covers the header that names it. What they
 * throw, unless it is a `CodecError`, and every length or kind of result that is wrong becomes a `CodecError` with code
 * `CODEC_PAYLOAD_CORRUPT`. Run the suite of `@tightwire/codec-core/testing` over it.
 *
 * @throws TypeError, RangeError for a definition that is none, also for an id below 16
 * @example
 * import { gunzipSync, gzipSync } from "node:zlib";
 * import { createValueCodec, defineCompressor } from "@tightwire/codec-core";
 *
 * const gzip = defineCompressor({
 *   id: 16,
 *   name: "gzip",
 *   compress: (content) => gzipSync(content),
 *   decompress: (payload, contentSize) => {
 *     const result: unknown = gunzipSync(payload, { maxOutputLength: contentSize, info: true });
 *     const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
 *     if (engine.bytesWritten !== payload.length) throw new Error("bytes after the end");
 *     return buffer;
 *   },
 * });
 * const codec = createValueCodec({ compressor: gzip });
 * codec.decode(codec.encode(Buffer.alloc(5000, "abc"))).length; // 5000
 */
export function defineCompressor(definition: CompressorDefinition): Compressor {
  assertOptions("defineCompressor()", definition, DEFINITION_KEYS);
  const { id, name, options = {} } = definition;
  assertIntegerBetween("id", id, FIRST_CUSTOM_ID, LAST_CUSTOM_ID);
  if (typeof name !== "string") throw new TypeError(`name must be a string, got ${describeKind(name)}`);
  assertNumbers(options);
  const forms = bindForms(definition);
  const origin = { id, name };
  return brandCompressor({
    ...origin,
    options,
    load: loadOnce(definition),
    compressInto: compressWith(origin, forms.compressInto ?? derivedCompressInto(forms)),
    ...(forms.decompressInto === undefined ? decompressWith(origin, forms) : decompressIntoWith(origin, forms.decompressInto)),
  });
}

function compressWith(origin: Origin, compressInto: CompressIntoForm["compressInto"]): Compressor["compressInto"] {
  return (content, target) => {
    const contentSize = content.length;
    let payloadSize: unknown;
    try {
      payloadSize = compressInto(content, target);
    } catch (cause) {
      throw failed(origin, "failed to compress", cause);
    }
    if (payloadSize === DOES_NOT_FIT || isLengthWithin(payloadSize, target.length)) return payloadSize;
    const what = `claims a payload of ${describeLength(payloadSize)} bytes in a target of ${target.length}`;
    throw payloadCorrupt(origin, what, { contentSize });
  };
}

function derivedCompressInto({ compress }: Forms): CompressIntoForm["compressInto"] {
  return (content, target) => {
    const payload = assertResult("compress", compress?.(content));
    if (payload.length > target.length) return DOES_NOT_FIT;
    target.set(payload);
    return payload.length;
  };
}

function decompressWith(origin: Origin, { decompress }: Forms): Pick<Compressor, "decompress" | "decompressInto"> {
  function decompressChecked(payload: Uint8Array, contentSize: number): Uint8Array {
    assertPayload(origin, payload, contentSize);
    let content: Uint8Array;
    try {
      content = assertResult("decompress", decompress?.(payload, contentSize));
    } catch (cause) {
      throw failed(origin, "failed to decompress", cause);
    }
    assertContentSize(origin, content.length, payload, contentSize);
    return content;
  }

  return {
    // Copied, for it may be a part of the payload or memory that the compressor uses again.
    decompress: (payload, contentSize) => copyOf(decompressChecked(payload, contentSize)),
    decompressInto: (payload, target) => target.set(decompressChecked(payload, target.length)),
  };
}

function decompressIntoWith(
  origin: Origin,
  run: DecompressIntoForm["decompressInto"],
): Pick<Compressor, "decompress" | "decompressInto"> {
  function decompressInto(payload: Uint8Array, target: Uint8Array): void {
    assertPayload(origin, payload, target.length);
    let size: unknown;
    try {
      size = run(payload, target);
    } catch (cause) {
      throw failed(origin, "failed to decompress", cause);
    }
    assertContentSize(origin, size, payload, target.length);
  }

  function decompress(payload: Uint8Array, contentSize: number): Buffer {
    const target = allocate(contentSize);
    decompressInto(payload, target);
    return target;
  }

  return { decompress, decompressInto };
}

// A compressor of one's own may know better codes, such as a dictionary that is missing.
function failed(origin: Origin, what: string, cause: unknown): Error {
  return isCodecError(cause) ? cause : payloadCorrupt(origin, what, { cause });
}

function assertPayload(origin: Origin, payload: Uint8Array, contentSize: number): void {
  if (payload.length === 0) throw payloadCorrupt(origin, "payload is empty", { contentSize, payloadSize: 0 });
}

function assertContentSize(origin: Origin, size: unknown, payload: Uint8Array, contentSize: number): void {
  if (size === contentSize) return;
  const what = `returned ${describeLength(size)} bytes, expected ${contentSize}`;
  throw payloadCorrupt(origin, what, { contentSize, payloadSize: payload.length });
}

function assertResult(form: string, result: unknown): Uint8Array {
  if (types.isUint8Array(result)) return plainOf(result);
  throw new TypeError(`${form} returned ${describeKind(result)}, expected a Uint8Array`);
}

function isLengthWithin(length: unknown, max: number): length is number {
  return Number.isInteger(length) && (length as number) > 0 && (length as number) <= max;
}

function describeLength(length: unknown): string {
  return typeof length === "number" ? String(length) : describeKind(length);
}

function loadOnce(definition: CompressorDefinition): () => void {
  let isLoaded = definition.load === undefined;
  return () => {
    if (isLoaded) return;
    definition.load?.();
    isLoaded = true;
  };
}

function bindForms(definition: CompressorDefinition): Forms {
  const functions = definition as Partial<Record<(typeof FUNCTION_KEYS)[number], unknown>>;
  const bound: Record<string, unknown> = {};
  for (const key of FUNCTION_KEYS) {
    const form = functions[key];
    if (form === undefined) continue;
    if (typeof form !== "function") throw new TypeError(`${key} must be a function, got ${describeKind(form)}`);
    bound[key] = form.bind(definition);
  }
  const forms = bound as Forms;
  if (!forms.compress && !forms.compressInto) throw new TypeError("a compressor needs compress or compressInto");
  if (!forms.decompress && !forms.decompressInto) throw new TypeError("a compressor needs decompress or decompressInto");
  return forms;
}

function assertNumbers(options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError(`options must be an object, got ${describeKind(options)}`);
  const odd = Object.entries(options).find(([, value]) => typeof value !== "number");
  if (odd !== undefined) throw new TypeError(`option ${odd[0]} must be a number, got ${describeKind(odd[1])}`);
}
