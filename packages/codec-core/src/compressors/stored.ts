import { copyOf } from "../bytes.ts";
import { brandCompressor, CodecId, type Compressor, DOES_NOT_FIT, payloadCorrupt } from "../compressor.ts";
import { assertOptions } from "../limits.ts";

const ORIGIN = { id: CodecId.STORED, name: "stored" } as const;

/**
 * No compression: values are framed and checksummed only.
 *
 * @throws TypeError for options; it has none
 * @example
 * import { createValueCodec, stored } from "@tightwire/codec-core";
 *
 * const codec = createValueCodec({ compressor: stored() });
 * codec.encode(Buffer.alloc(5000, "abc")).length; // 5018
 */
export function stored(options: Readonly<Record<string, never>> = {}): Compressor {
  assertOptions("stored()", options, []);
  return brandCompressor({
    ...ORIGIN,
    options: {},
    load: () => {},
    compressInto: () => DOES_NOT_FIT,
    decompress,
    decompressInto,
  });
}

function decompress(payload: Uint8Array, contentSize: number): Buffer {
  assertSize(payload, contentSize);
  return copyOf(payload);
}

function decompressInto(payload: Uint8Array, target: Uint8Array): void {
  assertSize(payload, target.length);
  target.set(payload);
}

function assertSize(payload: Uint8Array, contentSize: number): void {
  const payloadSize = payload.length;
  if (payloadSize === contentSize) return;
  throw payloadCorrupt(ORIGIN, `payload of ${payloadSize} bytes, expected ${contentSize}`, { contentSize, payloadSize });
}
